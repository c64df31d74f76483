//! `audit RUN`: a random sample of a finished run, recounted with a simpler engine.

use crate::audit::{self, Audit, AuditError, AuditSample, AuditState, Recounted};
use crate::cli::args::{AuditArgs, Format};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, Document, note};
use crate::cli::parts::kept;
use crate::cli::progress::Progress;
use crate::cli::signals::Listener;
use crate::job::{Auditor, state_folder};
use crate::quantity::{counted, counted_of, grouped, percent};
use crate::run::{Event, Observer};
use crate::units::Units;
use crate::words::duration;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Most time of finished work that a crash may cost.
const SAVE_EVERY: Duration = Duration::from_secs(5);

pub fn run(args: &AuditArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let other = || {
        Failure::damaged(format!(
            "{} is neither a file of units (count --keep-units FILE) nor a part of a shard, \
             or its first line is damaged",
            args.run.display()
        ))
    };
    let units = kept(&args.run)?.ok_or_else(other)?.units;
    let mut progress = Progress::new(args.progress.style, &units.identity.question);
    let auditor = Auditor::new(&units, &args.machine.limits(), &mut progress)?;
    let signals = Listener::start()?;
    let size = (args.sample as usize).min(units.counts.len());
    let sample = AuditSample { size, by: args.by, seed: args.draw.seed.unwrap_or(1) };
    let mut saved = Saved::open(AuditState::new(&units, sample));
    let (before, state) = (saved.state.recounted.clone(), saved.path.clone());
    let mut watch = |recounted: &[Recounted], at| {
        saved.note(recounted, signals.control.is_stopped());
        progress.notice(&Event::Recounting(at));
    };
    let audited = auditor.audit(&sample, before, state.as_deref(), &signals.control, &mut watch);
    progress.end(audited.is_ok());
    let audit = match audited {
        Err(AuditError::Stopped) => return Err(saved.stopped(&signals, size)),
        audited => audited?,
    };
    match args.format.format() {
        Format::Json => output::print(as_json(args, &units, &audit).as_bytes())?,
        Format::Quiet => output::say(&format!("{}\n", audit.checked))?,
        Format::Text | Format::Csv => output::say(&as_text(&units, &audit, began.elapsed()))?,
    }
    if let Some(path) = saved.path {
        AuditState::discard(&path);
    }
    let wrong = audit.differences.len();
    let recounted = counted_of(wrong, audit.checked, "unit");
    let is = if wrong == 1 { "is" } else { "are" };
    Failure::mismatch_if(wrong > 0, || format!("{recounted} recounted {is} wrong"))
}

/// The recounts so far, and the file that keeps them, if there is one.
struct Saved {
    state: AuditState,
    path: Option<PathBuf>,
    last: Instant,
    /// The recounts that the file has.
    written: Vec<Recounted>,
    /// True if the user knows that it could not be written.
    has_warned: bool,
}

impl Saved {
    /// Takes over what an earlier audit of the same sample has left.
    fn open(mut state: AuditState) -> Self {
        let mut path = state_folder().map(|folder| folder.join(state.file_name()));
        if let Some(file) = &path {
            if let Err(error) = state.resume(file) {
                note(&format!("the audit cannot be resumed: {error}"));
                path = None;
            } else if !state.recounted.is_empty() {
                let done = counted_of(audit::done(&state.recounted), state.sample.size, "unit");
                note(&format!("resumed from {}: {done} recounted", file.display()));
            }
        }
        let (written, last, has_warned) = (state.recounted.clone(), Instant::now(), false);
        Self { state, path, last, written, has_warned }
    }

    /// Saves what is recounted from time to time, and when the audit is stopped.
    fn note(&mut self, recounted: &[Recounted], is_stopped: bool) {
        if is_stopped || self.last.elapsed() >= SAVE_EVERY {
            self.state.recounted = recounted.to_vec();
            self.save();
        }
    }

    fn save(&mut self) {
        self.last = Instant::now();
        let is_new = self.written != self.state.recounted;
        let Some(path) = self.path.as_ref().filter(|_| is_new) else { return };
        match self.state.write(path) {
            Ok(()) => self.written = self.state.recounted.clone(),
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                note(&format!("the state of the audit is not saved: {error}"));
            }
            Err(_) => {}
        }
    }

    /// The end of an audit that was stopped, with its state saved if there is any.
    fn stopped(mut self, signals: &Listener, of: usize) -> Failure {
        self.save();
        let Self { mut state, path, written, .. } = self;
        let is_saved = written == state.recounted;
        let done = counted_of(audit::done(&state.recounted), of, "unit");
        let exit = if is_saved { Exit::Stopped } else { Exit::Failed };
        // What could not be written is not kept.
        state.recounted = written;
        let begun = path.as_deref().map_or(0, |path| state.units_begun(path));
        let what_next = match path.filter(|_| !state.recounted.is_empty() || begun > 0) {
            None => "nothing is saved: the same command starts again".to_owned(),
            Some(path) => {
                let what = if is_saved { "the state is" } else { "not all of them are" };
                let part = match begun {
                    0 => "units in progress start again".to_owned(),
                    _ => format!("with {} in progress", counted(begun, "unit")),
                };
                // Units in progress have files of their own beside it.
                let beside = if state.recounted.is_empty() { "beside" } else { "in" };
                let path = path.display();
                format!("{what} saved {beside} {path}, {part}: run the same command to resume")
            }
        };
        signals.stopped(exit, format!("stopped with {done} recounted; {what_next}"))
    }
}

fn as_text(units: &Units, audit: &Audit, elapsed: Duration) -> String {
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
    text + &format!("in {}\n", duration(elapsed))
}

fn as_json(args: &AuditArgs, units: &Units, audit: &Audit) -> String {
    let question = &units.identity.question;
    Document::default()
        .field("run", args.run.to_string_lossy())
        .field("question", question.to_string())
        .optional("board", question.board.unusual())
        .field("fingerprint", units.fingerprint())
        .field("seed", args.draw.seed.unwrap_or(1))
        .field("by", args.by)
        .all(audit)
        .line()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::DrawBy;
    use crate::board::Board;
    use crate::question::Question;
    use crate::units::Shard;
    use crate::work::{Identity, Name, Split};

    #[test]
    fn an_audit_is_saved_once_there_is_room_again() {
        let question = Question::open(Board::new(3, 4).expect("in range"));
        let (split, sample) = (Split::Depth(0), AuditSample { size: 9, by: DrawBy::Unit, seed: 1 });
        let identity = Identity { question, engine: Name::Walk, split, units: 9 };
        let units = Units { identity, shard: Shard::WHOLE, counts: Vec::new() };
        let folder = tempfile::tempdir().expect("a folder");
        let obstacle = folder.path().join("kt-enum");
        std::fs::write(&obstacle, "no folder").expect("room");
        let (state, path) = (AuditState::new(&units, sample), Some(obstacle.join("state")));
        let (last, written) = (Instant::now(), Vec::new());
        let mut saved = Saved { state, path, last, written, has_warned: true };
        let (count, by) = (7_u32.into(), "another".to_owned());
        let recount =
            |place| Recounted { place, count: Clone::clone(&count), by: by.clone(), rest: None };
        saved.note(&[recount(0), recount(3)], true);
        saved.save();
        assert_eq!(saved.written, []);
        std::fs::remove_file(&obstacle).expect("there");
        std::fs::create_dir(&obstacle).expect("free");
        saved.save();
        assert_eq!(saved.written.len(), 2);
    }
}
