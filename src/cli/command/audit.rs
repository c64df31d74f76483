//! `audit RUN`: a random sample of a finished run, recounted with a simpler engine.

use crate::cli::args::{AuditArgs, Format};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, fields};
use crate::cli::parts::merged;
use crate::cli::quantity::{counted, counted_of, duration, percent};
use crate::cli::signals::Listener;
use kt_enum::engine::Engine;
use kt_enum::run;
use kt_enum::tally::grouped;
use kt_enum::units::Units;
use kt_enum::units::audit::{Audit, audit};
use serde_json::json;
use std::slice::from_ref;
use std::time::Instant;

pub fn run(args: &AuditArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let units = match args.run.is_dir() {
        true => merged(from_ref(&args.run))?,
        false => Units::read(&args.run)?,
    };
    let work = Engine::of(&units.identity)?;
    units.check_against(&*work)?;
    let signals = Listener::start()?;
    let threads = run::threads(Some(args.threads.number()))?;
    let audited = audit(&*work, &units, args.sample as usize, args.seed, &threads, &|| {
        signals.control().is_stopped()
    });
    let stopped = || signals.stopped(Exit::Failed, "stopped before the sample was recounted");
    let audit = audited.ok_or_else(stopped)?;
    let text = match args.format.format() {
        Format::Json => as_json(args, &units, &audit),
        Format::Quiet => format!("{}\n", audit.checked),
        Format::Text => as_text(&units, &audit) + &format!("in {}\n", duration(began.elapsed())),
    };
    output::print(text.as_bytes())?;
    match audit.differences.len() {
        0 => Ok(()),
        wrong => {
            let recounted = counted_of(wrong, audit.checked, "unit");
            let message =
                format!("{recounted} recounted {} wrong", if wrong == 1 { "is" } else { "are" });
            Err(Failure::mismatch(message))
        }
    }
}

fn as_text(units: &Units, audit: &Audit) -> String {
    let mut text = format!(
        "{} of the {} recounted: {}, {} of the estimated work, {} wrong\n",
        counted_of(audit.checked, audit.of, "unit"),
        units.identity.question,
        counted(&audit.tours_checked, "directed tour"),
        percent(audit.share),
        audit.differences.len(),
    );
    for (by, units) in &audit.recounted_by {
        text += &format!("{} by {by}\n", grouped(units));
    }
    for wrong in &audit.differences {
        text += &format!(
            "unit {}, {}: the file says {}, recounted {}\n",
            wrong.unit, wrong.label, wrong.claimed, wrong.counted
        );
    }
    text
}

fn as_json(args: &AuditArgs, units: &Units, audit: &Audit) -> String {
    let differences = audit.differences.iter().map(|wrong| {
        json!({
            "unit": wrong.unit, "prefix": wrong.label,
            "claimed": wrong.claimed.to_string(), "counted": wrong.counted.to_string(),
        })
    });
    let differences = differences.collect::<Vec<_>>();
    fields!(
        "run": args.run.to_string_lossy(), "question": units.identity.question.to_string(),
        "fingerprint": units.fingerprint(), "seed": args.seed, "checked": audit.checked, "units": audit.of,
        "recounted_by": audit.recounted_by, "tours_checked": audit.tours_checked.to_string(), "work_percent": audit.share * 100.0,
        "differences": differences,
    ) + "}\n"
}
