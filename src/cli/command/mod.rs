//! One file a command, each short: configuration, library call, print.

pub mod audit;
pub mod check;
pub mod compare;
pub mod completions;
pub mod count;
pub mod estimate;
pub mod find;
pub mod list;
pub mod man;
pub mod merge;
pub mod nth;
pub mod prepare;
pub mod puzzle;
pub mod random;
pub mod rank;
pub mod report;
pub mod selftest;
pub mod shard;
pub mod show;
pub mod solve;
pub mod stats;
pub mod status;
pub mod table;
