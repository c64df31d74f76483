//! `prepare`: what all shards of a count need, made once in their folder.

use crate::cli::args::{Format, PrepareArgs};
use crate::cli::config::{self, check_folder};
use crate::cli::counting::PlannedJob;
use crate::cli::exit::Failure;
use crate::cli::output::{self, Document, note};
use crate::cli::signals::Listener;
use crate::job::CheckpointPlace;
use crate::quantity::counted;

pub fn run(args: &PrepareArgs) -> Result<(), Failure> {
    let run = &args.job.run;
    Failure::usage_if(run.checkpoint.is_some() || run.no_checkpoint, || {
        "the shards look for what is prepared in the folder of --out: leave out --checkpoint and \
         --no-checkpoint"
    })?;
    check_folder(&args.out, "--out")?;
    let job = config::part(&args.job, CheckpointPlace::prepared(&args.out))?;
    let elsewhere = |failure: Failure| failure.in_folder_of("--out");
    let planned = PlannedJob::new(job, run.progress.style).map_err(elsewhere)?;
    let identity = planned.plan.identity();
    let signals = Listener::start()?;
    let prepared =
        planned.watched(&signals, |plan, control, progress| plan.prepare(control, progress));
    let prepared = prepared.map_err(elsewhere)?;
    if prepared.is_none() {
        note(&format!(
            "nothing precedes the units of --engine {}: its shards can begin at once",
            identity.engine
        ));
        return Ok(());
    }
    let (question, out) = (identity.question, args.out.display());
    let text = match args.job.format.format() {
        Format::Quiet => return Ok(()),
        Format::Json => Document::default()
            .field("question", question.to_string())
            .optional("board", question.board.unusual())
            .field("engine", identity.engine)
            .field("cut", identity.split.cut())
            .field("units", identity.units)
            .field("out", out.to_string())
            .line(),
        Format::Text | Format::Csv => format!(
            "{question}: what its {} need is in {out}, where every shard with this --out finds it\n",
            counted(identity.units, "unit"),
        ),
    };
    output::print(text.as_bytes())
}
