//! One file a command, each short: configuration, library call, print.

pub mod completions;
pub mod count;
pub mod man;
pub mod status;
