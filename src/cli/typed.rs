//! The command line that a run was started with, rebuilt from its identity: for advice and reports.

use super::shell::question_options;
use crate::units::Shard;
use crate::work::{Identity, Split};

/// The options that choose the engine and the split, or the command that implies them.
pub fn engine_options(identity: &Identity) -> String {
    match identity.split {
        Split::Lengths { every_square: false } => "kt-enum table".to_owned(),
        Split::Lengths { every_square: true } => "kt-enum table --partial".to_owned(),
        Split::Depth(depth) => format!("--engine {} --split-depth {depth}", identity.engine),
        Split::Cut { cut, steps, sliced } => {
            format!("--engine {} --cut {cut}:{steps}:{sliced}", identity.engine)
        }
    }
}

/// The options that choose the question, the engine and the split.
pub fn options(identity: &Identity) -> String {
    match identity.split {
        Split::Lengths { .. } => engine_options(identity),
        _ => format!("{} {}", question_options(&identity.question), engine_options(identity)),
    }
}

/// The option for the rule of a shard, with a blank before it; empty if the rule is taken anyway.
pub fn by(identity: &Identity, shard: Shard) -> String {
    shard.unusual(identity).map_or(String::new(), |by| format!(" --by {}", by.as_str()))
}

/// The same for a run that may be one shard of a count.
pub fn run(identity: &Identity, shard: Shard) -> String {
    match shard {
        Shard::WHOLE => options(identity),
        shard => format!("kt-enum shard {shard}{} {}", by(identity, shard), options(identity)),
    }
}
