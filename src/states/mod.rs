//! States, which the frontier takes forth and numbers take back: what a path system comes to at its ends, and in how many ways.
//!
//! A state is the degrees of the vertices of a window ([`mod@pattern`]) and which ends of paths belong together ([`matching`]). Beside
//! it stands the number of ways in which it comes about ([`ways`]). States of two sides with the same ends make so many cycles
//! ([`join`]). Nothing here knows a graph.

pub(crate) mod join;
pub(crate) mod matching;
pub(crate) mod pattern;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod ways;
