//! What a run tells, as a bar, plain lines or JSON lines on standard error.
//!
//! The only file that knows indicatif. Off a terminal indicatif hides its bar and swallows what is
//! printed through it, so a log gets full lines of our own.

use super::config::ProgressStyle;
use super::output::note;
use super::quantity::{duration, rate};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use kt_enum::question::Question;
use kt_enum::run::{Back, Building, Event, Observer, Resumed, Snapshot};
use kt_enum::tally::grouped;
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// A full line this often in a log.
const PLAIN_EVERY: Duration = Duration::from_secs(60);
/// A JSON line this often.
const JSON_EVERY: Duration = Duration::from_secs(1);
/// The first line in a log; shorter runs need none.
const FIRST_LINE: Duration = Duration::from_secs(2);
/// The length of the bar, in steps of its own.
const BAR_STEPS: u64 = 10_000;

/// Shows progress in one of the styles.
pub struct Progress {
    style: ProgressStyle,
    bar: ProgressBar,
    next: Duration,
    question: String,
    /// When the way back to single tours began, and when the next line about it is due.
    began_back: Option<Instant>,
    next_back: Duration,
    /// Whether saving failed the last time: that is said once, not twice a minute.
    cannot_save: bool,
}

impl Progress {
    pub fn new(style: ProgressStyle, question: &Question) -> Self {
        let bar = match style {
            ProgressStyle::Bar => {
                ProgressBar::with_draw_target(Some(BAR_STEPS), ProgressDrawTarget::stderr())
            }
            _ => ProgressBar::hidden(),
        };
        if let Ok(template) = BarStyle::with_template("[{bar:30}] {msg}") {
            bar.set_style(template.progress_chars("=> "));
        }
        Self {
            style,
            bar,
            next: if style == ProgressStyle::Json {
                Duration::ZERO
            } else {
                FIRST_LINE
            },
            question: question.to_string(),
            began_back: None,
            next_back: FIRST_LINE,
            cannot_save: false,
        }
    }

    /// Leaves the bar as it is and the cursor below it.
    pub fn end(&self) {
        self.bar.abandon();
    }

    fn progress(&mut self, at: &Snapshot) {
        match self.style {
            ProgressStyle::Bar => {
                self.bar.set_position((share(at) * BAR_STEPS as f64) as u64);
                self.bar.set_message(line(at));
            }
            ProgressStyle::Plain if at.elapsed >= self.next => {
                self.next = at.elapsed + PLAIN_EVERY;
                note(&format!(
                    "{}: {} after {}",
                    self.question,
                    line(at),
                    duration(at.elapsed)
                ));
            }
            ProgressStyle::Json if at.elapsed >= self.next => {
                self.next = at.elapsed + JSON_EVERY;
                json_line(&json_progress(at));
            }
            _ => {}
        }
    }

    fn back(&mut self, at: &Back) {
        let share =
            (at.step as f64 + at.slices as f64 / at.slices_of.max(1) as f64) / at.steps as f64;
        let line = format!(
            "on the way back: round {} of {}, {} of {} slices",
            at.step + 1,
            at.steps,
            at.slices,
            at.slices_of
        );
        let began = *self.began_back.get_or_insert_with(Instant::now);
        match self.style {
            ProgressStyle::Bar => {
                self.bar.set_position((share * BAR_STEPS as f64) as u64);
                self.bar.set_message(line);
            }
            ProgressStyle::Plain if began.elapsed() >= self.next_back => {
                self.next_back = began.elapsed() + PLAIN_EVERY;
                note(&format!("{}: {line}", self.question));
            }
            ProgressStyle::Json if began.elapsed() >= self.next_back => {
                self.next_back = began.elapsed() + JSON_EVERY;
                json_line(&json!({"event": "back", "percent": share * 100.0, "back": at}));
            }
            _ => {}
        }
    }

    /// A line that is said in every style but JSON.
    fn say(&self, text: &str) {
        if self.style != ProgressStyle::Json {
            self.bar.suspend(|| note(text));
        }
    }

    fn json(&self, value: &serde_json::Value) {
        if self.style == ProgressStyle::Json {
            json_line(value);
        }
    }
}

impl Observer for Progress {
    fn notice(&mut self, event: &Event) {
        match event {
            Event::Progress(at) => self.progress(at),
            Event::Back(at) => self.back(at),
            Event::Asked(at) => {
                self.say(&format!(
                    "{}: {} after {}",
                    self.question,
                    line(at),
                    duration(at.elapsed)
                ));
                self.json(&json_progress(at));
            }
            Event::Resumed(resumed) => {
                self.say(&resumption(resumed));
                self.json(&json!({
                    "event": "resumed", "checkpoint": resumed.path.to_string_lossy(),
                    "done": resumed.units, "begun": resumed.begun, "units": resumed.of,
                    "found": resumed.found.to_string(), "spent_s": resumed.spent.as_secs_f64(),
                }));
            }
            Event::Saved(path) => {
                if std::mem::take(&mut self.cannot_save) {
                    self.say(&format!("the state is saved again in {}", path.display()));
                }
                self.json(&json!({"event": "saved", "checkpoint": path.to_string_lossy()}));
            }
            Event::SaveFailed(error) => {
                if !std::mem::replace(&mut self.cannot_save, true) {
                    self.say(&format!(
                        "the state is not saved, the run goes on and tries again: {error}"
                    ));
                }
                self.json(&json!({"event": "save-failed", "error": error}));
            }
        }
    }
}

fn resumption(resumed: &Resumed) -> String {
    let path = resumed.path.display();
    let [done, all] = [resumed.units, resumed.of].map(grouped);
    let (begun, spent) = (resumed.begun, duration(resumed.spent));
    match &resumed.built {
        None => format!(
            "resumed from {path}: {done} of {all} units done and {begun} begun are kept, \
             with {} directed tours and {spent} of work",
            resumed.found.grouped(),
        ),
        Some(building) => format!(
            "resumed from {path}: {}, with {spent} of work",
            before_units(building)
        ),
    }
}

/// How far a run is that has not come to its units.
pub fn before_units(building: &Building) -> String {
    let [states, bytes] = [building.states, building.bytes].map(grouped);
    format!(
        "before its units: round {} of {}, {} of {} slices, {states} states in {bytes} bytes",
        (building.round + 1).min(building.rounds),
        building.rounds,
        building.slices,
        building.slices_of,
    )
}

fn share(at: &Snapshot) -> f64 {
    at.share
        .unwrap_or(at.done as f64 / (at.units as f64).max(1.0))
}

fn line(at: &Snapshot) -> String {
    let left = at
        .left
        .map(|left| format!(", {} left", duration(left)))
        .unwrap_or_default();
    let [done, units] = [at.done, at.units].map(grouped);
    let (percent, rate) = (share(at) * 100.0, rate(at.rate));
    match &at.building {
        None => {
            let found = at.found.grouped();
            format!("{percent:.1} %, {done} of {units} units, {found} tours, {rate}{left}")
        }
        Some(building) => before_units(building),
    }
}

fn json_progress(at: &Snapshot) -> serde_json::Value {
    let mut progress = json!({
        "event": "progress", "percent": share(at) * 100.0, "done": at.done, "units": at.units,
        "found": at.found.to_string(), "nodes": at.nodes.to_string(), "tours_per_s": at.rate,
        "elapsed_s": at.elapsed.as_secs_f64(), "left_s": at.left.map(|left| left.as_secs_f64()),
    });
    if let Some(building) = &at.building {
        progress["building"] = json!(building);
    }
    progress
}

fn json_line(value: &serde_json::Value) {
    // In one write, so that no other writer's line comes between and no kill leaves half of it.
    let _ = std::io::stderr().write_all(format!("{value}\n").as_bytes());
}
