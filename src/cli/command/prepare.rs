//! `prepare`: what all shards of a count need, made once in their folder.

use crate::cli::args::{Format, PrepareArgs};
use crate::cli::board::described;
use crate::cli::config::{CheckpointPlace, CountConfig, check_folder};
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::output::{self, fields, more, note};
use crate::cli::quantity::counted;
use crate::cli::resumption::PREPARED;
use crate::cli::signals::Listener;
use crate::run;
use crate::run::checkpoint::Store;
use std::path::Path;

pub fn run(args: &PrepareArgs) -> Result<(), Failure> {
    check_folder(&args.out, "--out")?;
    let mut config = CountConfig::part(&args.job)?;
    config.run.checkpoint =
        Some(CheckpointPlace { path: args.out.join(PREPARED), is_named: true, is_shared: false });
    let is_fresh = config.run.fresh;
    let counting = Counting::whole(config, Listener::start)?;
    if !is_fresh {
        check_is_not_of_another(&args.out, &counting)?;
    }
    let identity = counting.work.identity();
    if !counting.prepare()? {
        note(&format!(
            "nothing precedes the units of --engine {}: its shards can begin at once",
            identity.engine
        ));
        return Ok(());
    }
    let (question, out) = (identity.question, args.out.display());
    let text = match counting.config.format {
        Format::Quiet => return Ok(()),
        Format::Json => {
            fields!("question": question.to_string())
                + &described(&question.board)
                + &more!(
                    "engine": identity.engine,
                    "cut": identity.split.cut(), "units": identity.units, "out": out.to_string(),
                )
                + "}\n"
        }
        Format::Text | Format::Csv => format!(
            "{question}: what its {} need is in {out}, where every shard with this --out finds it\n",
            counted(identity.units, "unit"),
        ),
    };
    output::print(text.as_bytes())
}

/// Checks that the folder has no states of another count, which this one would replace.
fn check_is_not_of_another(out: &Path, counting: &Counting) -> Result<(), Failure> {
    let checkpoint = out.join(PREPARED);
    let states = Store::folder_beside(&checkpoint);
    // A checkpoint says itself whose states they are, and damaged states are computed again.
    let is_of_another =
        !checkpoint.exists() && matches!(run::is_of_another(&states, &*counting.work), Ok(true));
    Failure::usage_if(is_of_another, || {
        format!(
            "{} has states that were prepared for another count: name another folder with --out, \
             or replace them with --fresh",
            states.display()
        )
    })
}
