//! `prepare`: what all shards of a count need, made once in their folder.

use crate::cli::args::PrepareArgs;
use crate::cli::config::{CheckpointPlace, CountConfig, Format};
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, note};
use kt_enum::tally::grouped;
use kt_enum::work::Work;
use serde_json::json;

/// The checkpoint beside which it lies in the folder of the shards.
pub const PREPARED: &str = "prepared.kt";

pub fn run(args: &PrepareArgs) -> Result<(), Failure> {
    let mut config = CountConfig::new(&args.count)?;
    if config.classes || config.keep_units.is_some() || config.starts {
        let message =
            "--classes, --keep-units and --starts are for a count: nothing is counted yet";
        return Err(Failure::saying(Exit::Usage, message));
    }
    config.run.checkpoint = Some(CheckpointPlace {
        path: args.out.join(PREPARED),
        is_named: true,
        is_shared: false,
    });
    let format = config.format;
    let counting = Counting::new(config)?;
    let identity = counting.work.identity();
    if !counting.prepare()? {
        note(&format!(
            "nothing precedes the units of --engine {}: its shards can begin at once",
            identity.engine
        ));
        return Ok(());
    }
    let (question, out) = (identity.question, args.out.display());
    let text = match format {
        Format::Quiet => return Ok(()),
        Format::Json => {
            let answer = json!({
                "schema": 1, "question": question.to_string(), "engine": identity.engine,
                "cut": identity.split.cut(), "units": identity.units, "out": out.to_string(),
            });
            format!("{answer}\n")
        }
        Format::Text => format!(
            "{question}: what its {} units need is in {out}, where every shard with this --out finds it\n",
            grouped(identity.units),
        ),
    };
    output::print(text.as_bytes())
}
