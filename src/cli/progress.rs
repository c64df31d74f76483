//! The progress of a run, as a bar, as plain lines or as JSON lines on standard error.
//!
//! The bar is one line that is drawn again and again. It never fills the width of the terminal,
//! because a line that wraps cannot be erased, and it leaves space for the `^C` that a terminal
//! writes behind it. The library fills the line to the end of its terminal, so it is given one that
//! is narrower.

use super::announce;
use super::args::ProgressStyle;
use super::config::progress;
use super::machine;
use super::output::note;
use crate::quantity::{bytes, counted_of, percent};
use crate::question::Question;
use crate::run::{Back, Event, Observer, RecountProgress, SearchProgress};
use crate::words::{
    CountedTours, FREE_COLUMNS, Segment, bar, duration, how_far, moment, only, parts_of_back,
    parts_of_bar, resumption, share_of_bar, time_left,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as Template, TermLike};
use std::io::{self, Write};
use std::time::{Duration, Instant, SystemTime};

/// A full line this often in a log.
const PLAIN_EVERY: Duration = Duration::from_secs(60);
/// A JSON line this often.
const JSON_EVERY: Duration = Duration::from_secs(1);
/// The first line in a log; shorter runs need none.
const FIRST_LINE: Duration = Duration::from_secs(2);
/// The first bar of a search that counts no units.
const FIRST_BAR: Duration = Duration::from_millis(500);
/// The states of a stopped run that take a moment to be saved.
const WORTH_WAITING: u64 = 20 << 20;

/// Shows the events of a run or a search in one of the styles.
pub struct Progress {
    style: ProgressStyle,
    next: Duration,
    question: String,
    /// The tours that the answer counts.
    tours: CountedTours,
    /// The bar, once it is drawn, and the share of it that is filled, which never falls.
    bar: Option<ProgressBar>,
    filled: f64,
    /// The start of the traceback or of an audit.
    began: Option<Instant>,
    /// True if saving failed the last time: this is reported once, not twice per minute.
    cannot_save: bool,
    /// The advice where no checkpoint can be kept.
    pub elsewhere: &'static str,
}

/// The view of the run at one moment: a bar with its text, or a line.
struct View {
    elapsed: Duration,
    /// The time from which there is a bar, so that work that ends at once leaves no trace of one.
    first_bar: Duration,
    share: Option<f64>,
    bar: Vec<Segment>,
    line: String,
}

impl Progress {
    /// The progress of work on a question. A bar needs a terminal; without one, `Auto` is plain.
    pub fn new(style: ProgressStyle, question: &Question) -> Self {
        let style = progress(style);
        let next = if style == ProgressStyle::Json { Duration::ZERO } else { FIRST_LINE };
        let (question, tours) = (question.to_string(), CountedTours::of(question));
        let elsewhere =
            "name another place with --checkpoint PATH, or run without one with --no-checkpoint";
        let (bar, began, cannot_save) = (None, None, false);
        let filled = 0.0;
        Self { style, next, question, tours, bar, filled, began, cannot_save, elsewhere }
    }

    /// Leaves the bar of a finished run above what is printed next, and removes any other bar.
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

    /// Draws the bar, or prints the line or the JSON object if one is due after this time.
    fn update(&mut self, view: &View, event: &Event) {
        match self.style {
            ProgressStyle::Bar if view.elapsed >= view.first_bar => {
                let drawn = self.bar.get_or_insert_with(new_bar);
                self.filled = self.filled.max(view.share.unwrap_or(0.0));
                drawn.set_message(bar(self.filled, &view.bar, machine::columns()));
                drawn.tick();
            }
            ProgressStyle::Plain if view.elapsed >= self.next => {
                self.next = view.elapsed + PLAIN_EVERY;
                self.say(&format!("{}: {}", self.question, view.line));
            }
            ProgressStyle::Json if view.elapsed >= self.next => {
                self.next = view.elapsed + JSON_EVERY;
                self.json(event);
            }
            _ => {}
        }
    }

    /// The time since the first call, whose first line is due after a while, with a bar of its own.
    fn elapsed(&mut self) -> Duration {
        if self.began.is_none() {
            (self.next, self.filled) = (FIRST_LINE, 0.0);
        }
        self.began.get_or_insert_with(Instant::now).elapsed()
    }

    /// Prints a line without the time of day.
    pub fn tell(&mut self, text: &str) {
        match self.style {
            ProgressStyle::Json | ProgressStyle::None => {}
            ProgressStyle::Plain => note(text),
            _ => self.say(text),
        }
    }

    /// Prints a line in every style but JSON; in a log with the time of day.
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

    fn back(&mut self, at: &Back) -> View {
        let (elapsed, share) = (self.elapsed(), at.share());
        let known = share.filter(|share| *share >= LEAST_SHARE);
        let left = known.map(|share| duration(elapsed.mul_f64((1.0 - share) / share)));
        let left = left.map(|left| only(format!("{left} left")));
        let bar: Vec<Segment> = left.into_iter().chain(parts_of_back(at)).collect();
        let said: Vec<&str> = bar.iter().map(|[long, _]| long.as_str()).collect();
        let line = said.join(", ");
        View { elapsed, first_bar: Duration::ZERO, share, bar, line }
    }

    fn recounted(&mut self, at: &RecountProgress) -> View {
        let (done, of) = (at.done, at.units);
        let within = at.within.as_ref();
        let within =
            within.map_or(String::new(), |at| format!(", the next: {}", how_far(at, self.tours)));
        let line = format!("{} recounted{within}", counted_of(done, of, "unit"));
        let elapsed = self.elapsed();
        if at.was_asked {
            self.say(&format!("{}: {line} after {}", self.question, duration(elapsed)));
            self.next = if self.style == ProgressStyle::Json { elapsed } else { self.next };
        }
        let bar = vec![[line.clone(), format!("{done}/{of}")]];
        View { elapsed, first_bar: FIRST_LINE, share: Some(at.share()), bar, line }
    }

    /// The line about an event that is printed whenever it occurs.
    fn words(&mut self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Asked(at) => format!("{}: {}", self.question, how_far(at, self.tours)),
            Event::Seeded(seed) => {
                format!("drawn with --seed {seed}, which draws the same tours again")
            }
            Event::Resumed(path, header) => resumption(path, header),
            Event::Recomputing(at) => format!(
                "the states before the units were not kept: computing them again, from round {} of {}",
                at.round + 1,
                at.rounds
            ),
            Event::Divided(_) => {
                "the states of all units together do not fit --memory and --disk: \
                                  the units are counted in groups"
                    .to_owned()
            }
            Event::SavingStates(size) if *size >= WORTH_WAITING => format!(
                "saving the states before the units, {}; a second signal leaves them out",
                bytes(*size as f64)
            ),
            Event::Saved(path) if std::mem::take(&mut self.cannot_save) => {
                format!("the state is saved again in {}", path.display())
            }
            Event::SaveFailed(error) if !std::mem::replace(&mut self.cannot_save, true) => {
                format!("cannot save the state; the run continues and will try again: {error}")
            }
            Event::StatesUnsaved(why) => why.clone(),
            Event::StatesDamaged(error) => format!(
                "{error}: the stored states are removed and computed again; units that are done are kept"
            ),
            _ => return None,
        })
    }

    fn json(&self, event: &Event) {
        if self.style == ProgressStyle::Json
            && let Some(mut value) = event.document()
        {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            value["unix_s"] = now.unwrap_or_default().as_secs_f64().into();
            write(&format!("{value}\n"));
        }
    }
}

impl Observer for Progress {
    fn notice(&mut self, event: &Event) {
        let view = match event {
            Event::Progress(at) => View {
                elapsed: at.elapsed,
                first_bar: Duration::ZERO,
                share: Some(share_of_bar(at)),
                bar: parts_of_bar(at, self.tours),
                line: how_far(at, self.tours),
            },
            Event::Searching(at) => searching(at),
            Event::Back(at) => self.back(at),
            Event::Recounting(at) => self.recounted(at),
            _ => {
                announce::warning(event, self.elsewhere).iter().for_each(|warning| note(warning));
                announce::forecast(event).iter().for_each(|line| self.tell(line));
                self.words(event).iter().for_each(|line| self.say(line));
                return self.json(event);
            }
        };
        self.update(&view, event);
    }

    fn is_interested(&self) -> bool {
        self.style != ProgressStyle::None
    }
}

/// A search that counts no units.
fn searching(at: &SearchProgress) -> View {
    let SearchProgress { share, ref said, elapsed } = *at;
    let mut said: Vec<String> =
        share.map(percent).into_iter().chain(said.iter().cloned()).collect();
    let line = format!("{} after {}", said.join(", "), duration(elapsed));
    let left = share.filter(|_| elapsed >= FIRST_LINE).and_then(|share| time_left(share, elapsed));
    if let Some(left) = left {
        said.insert(1, format!("{} left", duration(left)));
    }
    let bar = said.into_iter().map(only).collect();
    View { elapsed, first_bar: FIRST_BAR, share, bar, line }
}

/// The share of the traceback before which no time left is shown.
const LEAST_SHARE: f64 = 0.02;

/// A bar that is drawn whenever it is told to draw.
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

/// The bar is one line, so the cursor is never moved to another.
impl TermLike for Narrow {
    fn width(&self) -> u16 {
        let columns = machine::columns().saturating_sub(FREE_COLUMNS);
        u16::try_from(columns).unwrap_or(u16::MAX)
    }

    fn move_cursor_up(&self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _columns: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _columns: usize) -> io::Result<()> {
        Ok(())
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

/// Writes the line at once, so that no other writer's line comes between and no kill leaves half of
/// it.
fn write(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Building, Snapshot, Status};
    use crate::tally::Tally;

    /// The bar of a run with this share and seconds left, in some columns.
    fn bar_of(
        share: Option<f64>,
        left: u64,
        building: Option<Building>,
    ) -> impl Fn(usize) -> String {
        let (left, found) =
            (Some(Duration::from_secs(left)), Tally::from(19_591_828_170_979_904_u64));
        let status = Status { share, left, building, found };
        let elapsed = Duration::from_secs(60);
        let at = Snapshot {
            done: if building.is_some() { 0 } else { 12_345 },
            units: 1_166_000,
            status,
            nodes: 0,
            elapsed,
            rate: 12_345_678.0,
        };
        let tours = CountedTours { directions: 2, noun: "closed tour" };
        move |columns| bar(share_of_bar(&at), &parts_of_bar(&at, tours), columns)
    }

    #[test]
    fn a_bar_has_room_on_every_terminal_and_says_the_share_and_the_time_left_first() {
        let bar = bar_of(Some(0.125), 11_520, None);
        for columns in 0..200 {
            assert!(bar(columns).len() <= columns.saturating_sub(FREE_COLUMNS).max(3));
        }
        assert_eq!(bar(40), "[>      ] 12.5 %, 3h 12m left");
        let wide = "[==>                 ] 12.5 %, 3h 12m left, 1m elapsed, \
                    12,345 of 1,166,000 units, 9,795,914,085,489,952 closed tours, 6.17 M/s";
        assert_eq!(bar(136), wide);
    }

    #[test]
    fn a_bar_of_a_run_before_its_units_says_the_round_in_28_columns_and_the_states_in_80() {
        let building = Building {
            round: 5,
            rounds: 13,
            slices: 2,
            slices_of: 45,
            states: 2_942_762,
            bytes: 12_674_301,
            most_states: 3_000_000,
        };
        let bar_in = bar_of(None, 20, Some(building));
        // Of the rounds, 5.04 of 13 are done: an eighth of the bar.
        assert_eq!(bar_in(28), "[>   ] 20 s left, 6/13");
        assert_eq!(bar_in(40), "[>      ] 20 s left, 1m elapsed");
        assert_eq!(
            bar_in(80),
            "[=>             ] 20 s left, 1m elapsed, round 6 of 13, 2 of 45 slices"
        );
    }
}
