//! What a run tells, as a bar, plain lines or JSON lines on standard error.
//!
//! The bar is one line that is written again and again. It never fills the width of the terminal, for a line
//! that wraps cannot be taken back, and leaves room for the `^C` that a terminal writes behind it. What is in it is ours, for
//! the template of the library fills the line whatever there is to say.

use super::args::ProgressStyle;
use super::machine;
use super::output::note;
use super::quantity::{counted, counted_of, duration, moment, percent, rate};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as Template, TermLike};
use kt_enum::question::Question;
use kt_enum::run::checkpoint::Header;
use kt_enum::run::{Back, Building, Event, Observer, Snapshot};
use kt_enum::tally::grouped;
use serde_json::json;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// A full line this often in a log.
const PLAIN_EVERY: Duration = Duration::from_secs(60);
/// A JSON line this often.
const JSON_EVERY: Duration = Duration::from_secs(1);
/// The first line in a log; shorter runs need none.
const FIRST_LINE: Duration = Duration::from_secs(2);
/// Columns that a bar leaves free.
const FREE_COLUMNS: usize = 4;

/// Shows progress in one of the styles.
pub struct Progress {
    style: ProgressStyle,
    next: Duration,
    question: String,
    /// The bar, once it is drawn.
    bar: Option<ProgressBar>,
    /// When the way back to single tours began, and when the next line about it is due.
    began_back: Option<Instant>,
    next_back: Duration,
    /// Whether saving failed the last time: that is said once, not twice a minute.
    cannot_save: bool,
}

impl Progress {
    pub fn new(style: ProgressStyle, question: &Question) -> Self {
        Self {
            style,
            next: match style {
                ProgressStyle::Json => Duration::ZERO,
                _ => FIRST_LINE,
            },
            question: question.to_string(),
            bar: None,
            began_back: None,
            next_back: FIRST_LINE,
            cannot_save: false,
        }
    }

    /// Leaves the bar of a run that is done above what is printed next; that of another is taken away.
    pub fn end(&mut self, is_done: bool) {
        match self.bar.take() {
            Some(bar) if is_done => {
                bar.abandon();
                write("\n");
            }
            Some(bar) => bar.finish_and_clear(),
            None => {}
        }
    }

    fn progress(&mut self, at: &Snapshot) {
        match self.style {
            ProgressStyle::Bar => {
                self.draw(at.share, &how_far(at));
            }
            ProgressStyle::Plain if at.elapsed >= self.next => {
                self.next = at.elapsed + PLAIN_EVERY;
                self.say_how_far(at);
            }
            ProgressStyle::Json if at.elapsed >= self.next => {
                self.next = at.elapsed + JSON_EVERY;
                self.json(json_progress(at));
            }
            _ => {}
        }
    }

    fn draw(&mut self, share: Option<f64>, said: &[String]) {
        let drawn = self.bar.get_or_insert_with(new_bar);
        drawn.set_message(bar(share, said, machine::columns()));
        drawn.tick();
    }

    fn say_how_far(&mut self, at: &Snapshot) {
        let (how_far, after) = (how_far(at).join(", "), duration(at.elapsed));
        self.say(&format!("{}: {how_far} after {after}", self.question));
    }

    /// A line that is said in every style but JSON; in a log with the time of day.
    fn say(&mut self, text: &str) {
        match self.style {
            ProgressStyle::Json => {}
            ProgressStyle::Plain => note(&format!("{}, {text}", moment(SystemTime::now()))),
            _ => {
                self.end(false);
                note(text);
            }
        }
    }

    fn back(&mut self, at: &Back) {
        let [step, steps, slices] = [at.step, at.steps, at.slices].map(|number| number as f64);
        let share = (step + slices / at.slices_of.max(1) as f64) / steps;
        let line = format!(
            "on the way back: round {} of {}, {}",
            at.step + 1,
            at.steps,
            counted_of(at.slices, at.slices_of, "slice"),
        );
        let began = *self.began_back.get_or_insert_with(Instant::now);
        match self.style {
            ProgressStyle::Bar => self.draw(Some(share), &[line]),
            ProgressStyle::Plain if began.elapsed() >= self.next_back => {
                self.next_back = began.elapsed() + PLAIN_EVERY;
                self.say(&format!("{}: {line}", self.question));
            }
            ProgressStyle::Json if began.elapsed() >= self.next_back => {
                self.next_back = began.elapsed() + JSON_EVERY;
                self.json(json!({"event": "back", "percent": share * 100.0, "back": at}));
            }
            _ => {}
        }
    }

    /// Says which fresh seed is drawn from, so that the same tours can be drawn again.
    pub fn seed(&mut self, seed: u64) {
        self.say(&format!("drawn with --seed {seed}, which draws the same tours again"));
        self.json(json!({"event": "seed", "seed": seed}));
    }

    fn json(&self, mut value: serde_json::Value) {
        if self.style == ProgressStyle::Json {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            value["unix_s"] = now.unwrap_or_default().as_secs_f64().into();
            write(&format!("{value}\n"));
        }
    }
}

impl Observer for Progress {
    fn notice(&mut self, event: &Event) {
        match event {
            Event::Progress(at) => self.progress(at),
            Event::Back(at) => self.back(at),
            Event::Asked(at) => {
                self.say_how_far(at);
                self.json(json_progress(at));
            }
            Event::Resumed(path, header) => {
                self.say(&resumption(path, header));
                self.json(json!({
                    "event": "resumed", "checkpoint": path.to_string_lossy(),
                    "done": header.done, "begun": header.begun, "units": header.units(),
                    "found": header.found.to_string(), "spent_s": header.spent.as_secs_f64(),
                }));
            }
            Event::Recomputing(building) => {
                self.say(&format!(
                    "the states before the units were not kept: computing them again, from round {} of {}",
                    building.round + 1,
                    building.rounds
                ));
                self.json(json!({"event": "recomputing", "building": building}));
            }
            Event::Saved(path) => {
                if std::mem::take(&mut self.cannot_save) {
                    self.say(&format!("the state is saved again in {}", path.display()));
                }
                self.json(json!({"event": "saved", "checkpoint": path.to_string_lossy()}));
            }
            Event::SaveFailed(error) => {
                if !std::mem::replace(&mut self.cannot_save, true) {
                    self.say(&format!(
                        "the state is not saved, the run goes on and tries again: {error}"
                    ));
                }
                self.json(json!({"event": "save-failed", "error": error}));
            }
            Event::StatesDamaged(error) => {
                self.say(&format!(
                    "{error}: the stored states are removed and computed again; units that are done are kept"
                ));
                self.json(json!({"event": "states-damaged", "error": error}));
            }
        }
    }
}

fn resumption(path: &Path, header: &Header) -> String {
    let (path, spent) = (path.display(), duration(header.spent));
    match &header.building {
        None => format!(
            "resumed from {path}: {} done and {} begun are kept, with {} and {spent} of work",
            counted_of(header.done as usize, header.units(), "unit"),
            header.begun,
            counted(&header.found, "directed tour"),
        ),
        Some(building) => {
            format!("resumed from {path}: {}, with {spent} of work", before_units(building))
        }
    }
}

/// How far a run is that has not come to its units.
pub fn before_units(building: &Building) -> String {
    format!(
        "before its units: round {} of {}, {}, {} in {}",
        (building.round + 1).min(building.rounds),
        building.rounds,
        counted_of(building.slices, building.slices_of, "slice"),
        counted(building.states, "state"),
        counted(building.bytes, "byte"),
    )
}

/// How many units of a checkpoint are done, of those of its shard or of all.
pub fn units_done(header: &Header, units: impl Display) -> String {
    let share = header.share.map(|share| format!("{} of the work: ", percent(share)));
    format!(
        "{}{} done, {} begun",
        share.unwrap_or_default(),
        counted_of(header.done, units, "unit"),
        grouped(header.begun)
    )
}

/// Whether the run of a checkpoint is live, and what to do if it is not.
pub fn liveness(holder: Option<&String>) -> String {
    match holder {
        Some(holder) => format!("live: {holder}"),
        None => "not running: type its command again to go on".to_owned(),
    }
}

/// A bar and as much of what there is to say as has room, the most important first.
fn bar(share: Option<f64>, said: &[String], columns: usize) -> String {
    let room = columns.saturating_sub(FREE_COLUMNS);
    let length = (room / 5).min(20);
    let done = (share.unwrap_or(0.0) * length as f64) as usize;
    let head = if done < length { ">" } else { "" };
    let mut line = format!("[{:<length$}]", "=".repeat(done) + head);
    let mut before = " ";
    for part in said {
        if line.len() + before.len() + part.len() <= room {
            line += before;
            line += part;
            before = ", ";
        }
    }
    line
}

/// The share and the time left once they are known, then what is counted.
fn how_far(at: &Snapshot) -> Vec<String> {
    let share = at.share.map(percent);
    let left = at.left.filter(|left| !left.is_zero());
    let left = left.map(|left| format!("{} left", duration(left)));
    let counted = match &at.building {
        Some(building) => vec![before_units(building)],
        None => {
            vec![counted_of(at.done, at.units, "unit"), counted(&at.found, "tour"), rate(at.rate)]
        }
    };
    share.into_iter().chain(left).chain(counted).collect()
}

/// A bar that is drawn as often as it is told to.
fn new_bar() -> ProgressBar {
    let target = ProgressDrawTarget::term_like(Box::new(Narrow));
    let bar = ProgressBar::with_draw_target(None, target);
    match Template::with_template("{msg}") {
        Ok(template) => bar.with_style(template),
        Err(_) => bar,
    }
}

/// The terminal without its last columns: the library fills a line to the end.
#[derive(Debug)]
struct Narrow;

impl Narrow {
    /// A terminal takes 0 for 1.
    fn move_cursor(&self, places: usize, way: char) -> io::Result<()> {
        match places {
            0 => Ok(()),
            _ => self.write_str(&format!("\x1b[{places}{way}")),
        }
    }
}

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        let columns = machine::columns().saturating_sub(FREE_COLUMNS);
        u16::try_from(columns).unwrap_or(u16::MAX)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.move_cursor(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.move_cursor(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.move_cursor(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.move_cursor(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(text.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn json_progress(at: &Snapshot) -> serde_json::Value {
    let mut progress = json!({
        "event": "progress", "percent": at.share.map(|share| share * 100.0), "done": at.done, "units": at.units,
        "found": at.found.to_string(), "nodes": at.nodes.to_string(), "tours_per_s": at.rate,
        "elapsed_s": at.elapsed.as_secs_f64(), "left_s": at.left.map(|left| left.as_secs_f64()),
    });
    if let Some(building) = &at.building {
        progress["building"] = json!(building);
    }
    progress
}

/// In one write, so that no other writer's line comes between and no kill leaves half of it.
fn write(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use kt_enum::tally::Tally;

    #[test]
    fn a_bar_has_room_on_every_terminal_and_says_the_share_and_the_time_left_first() {
        let at = Snapshot {
            done: 12_345,
            units: 1_166_000,
            share: Some(0.125),
            found: Tally::from(19_591_828_170_979_904_u64),
            building: None,
            nodes: 0,
            elapsed: Duration::from_secs(60),
            rate: 12_345_678.0,
            left: Some(Duration::from_secs(11_520)),
        };
        for columns in 0..200 {
            assert!(
                bar(at.share, &how_far(&at), columns).len()
                    <= columns.saturating_sub(FREE_COLUMNS).max(3)
            );
        }
        assert_eq!(bar(at.share, &how_far(&at), 40), "[>      ] 12.5 %, 3h 12m left");
        let wide = "[==>                 ] 12.5 %, 3h 12m left, 12,345 of 1,166,000 units, \
                    19,591,828,170,979,904 tours, 12.3 M/s";
        assert_eq!(bar(at.share, &how_far(&at), 120), wide);
    }
}
