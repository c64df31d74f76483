//! States of a partial choice of edges, and the arithmetic on them. Nothing here knows a graph.
//!
//! Edges chosen so far form paths. The *frontier* consists of the unfinished vertices that an edge
//! from a processed vertex can reach, whether it is chosen or not. Only two facts about the paths
//! matter for what can still be chosen: the number of chosen edges at each vertex of the frontier
//! ([`mod@pattern`]), and which endpoints belong to the same path ([`matching`]). Both together are
//! a *state*. Each state carries the number of edge choices that lead to it ([`mod@count`]). States
//! of two classes of edges are combined into cycles ([`join`]).

pub(crate) mod count;
pub(crate) mod join;
pub(crate) mod maps;
pub(crate) mod matching;
pub(crate) mod pattern;
#[cfg(test)]
pub(crate) mod tests;
