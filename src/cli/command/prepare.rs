//! `prepare`: what all shards of a count need, made once in their folder.

use crate::cli::args::Format;
use crate::cli::args::{PrepareArgs, WholeArgs};
use crate::cli::config::{CheckpointPlace, CountConfig, check_folder};
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::output::{self, fields, note};
use crate::cli::quantity::counted;
use crate::cli::resumption::PREPARED;
use kt_enum::units::Shard;

pub fn run(args: &PrepareArgs) -> Result<(), Failure> {
    check_folder(&args.out, "--out")?;
    let mut config = CountConfig::new(&args.job, &WholeArgs::default())?;
    config.run.checkpoint =
        Some(CheckpointPlace { path: args.out.join(PREPARED), is_named: true, is_shared: false });
    let counting = Counting::new(config, Shard::WHOLE)?;
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
            fields!(
                "question": question.to_string(), "engine": identity.engine,
                "cut": identity.split.cut(), "units": identity.units, "out": out.to_string(),
            ) + "}\n"
        }
        Format::Text => format!(
            "{question}: what its {} need is in {out}, where every shard with this --out finds it\n",
            counted(identity.units, "unit"),
        ),
    };
    output::print(text.as_bytes())
}
