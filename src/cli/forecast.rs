//! Forecasts of counts: made before a long count by the frontier, and announced from within a count
//! that visits tours.

use super::args::ProgressStyle;
use super::config::{OUT_OF_REACH, RunConfig, is_watched};
use super::exit::{Exit, Failure};
use super::output::note;
use super::progress::Progress;
use super::quantity::{counted, duration, time};
use super::shell;
use super::signals::Listener;
use crate::board::KNIGHT_MOVES;
use crate::draw::number::bytes;
use crate::engine::{Choice, Engine};
use crate::estimate::{self, Effort, Expected, Fits, NoRoom, SharedStop};
use crate::frontier::{Frontier, MemoryShares};
use crate::question::Question;
use crate::run::{Control, Event, Observer};
use crate::units::Shard;
use crate::work::Work;
use std::time::{Duration, Instant};

/// The duration up to which a count is not announced.
const SHORT: Duration = Duration::from_secs(1);

/// The longest time for the first forecast of a count. A whole count gets the next one if it is
/// longer than [`LONG`], may not fit its limits, or is unknown: one thread is idle for most of that
/// time. 8x8 closed is forecast from 8x6 and 8x4, after half of this time, and their samples take
/// about 16 ms.
const QUICK: Duration = Duration::from_millis(60);

/// The longest time for a rough forecast of a count.
pub const ROUGH: Duration = Duration::from_millis(300);

/// The longest time for the forecast of a long count.
pub const FAIR: Duration = Duration::from_secs(3);

/// The time limit of a run up to which no forecast is made.
const FEW_SECONDS: Duration = Duration::from_secs(2);

/// The expected duration from which a count gets the better forecast.
const LONG: Duration = Duration::from_secs(45);

/// The expected duration from which a count gets a warning.
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

/// The number of probes that estimate the length of a list: some milliseconds.
pub const PROBES: u64 = 400;

/// The largest number of probes for the announcement of a count.
const MOST_PROBES: u64 = 4_000;

/// The least number of probes for it.
const FEW_PROBES: u64 = 8;

/// The nodes per second of one thread that the announcement of a search assumes.
const NODES_PER_S: f64 = 3e7;

/// The longest time of a board that [`is_surely_short`].
const MOST_OF_SHORT: Duration = Duration::from_secs(2);

/// True for boards that take the frontier a second or two.
pub fn is_surely_short(question: &Question) -> bool {
    let board = &question.board;
    if board.most_moves() > KNIGHT_MOVES.len() {
        return board.squares() <= 25;
    }
    let is_narrow = board.is_plain() && board.rows().min(board.cols()) <= 7;
    board.squares() <= 49 || (question.is_closed() && is_narrow && board.squares() <= 70)
}

/// The memory that a forecast may take: all that the states may take, because they come later.
pub fn memory_for_samples(bound: Option<u64>) -> u64 {
    /// The least memory for a sample of any use.
    const LEAST: u64 = 16 << 20;
    bound.unwrap_or(u64::MAX).max(LEAST)
}

/// A forecast of a count by the frontier, from the samples that fit into this time and memory.
pub fn guess(
    frontier: &Frontier,
    within: Duration,
    memory: Option<u64>,
    control: &Control,
) -> Option<Expected> {
    let (memory, stop) = (memory_for_samples(memory), || control.is_stopped());
    estimate::of_frontier(frontier, Effort { within, memory, seed: 0, stop: &stop })
}

/// The expected seconds of a whole count that starts anew; `None` if a rough forecast does not show
/// them.
pub fn seconds(work: &Engine, run: &RunConfig) -> Option<f64> {
    let of_one_thread = match work {
        Engine::Frontier(_) if is_surely_short(&work.identity().question) => {
            return Some(MOST_OF_SHORT.as_secs_f64());
        }
        Engine::Frontier(frontier) => {
            let expected = guess(frontier, ROUGH, run.memory_for_states(), &Control::default())?;
            expected.forecast.is_known().then(|| expected.seconds())?
        }
        Engine::Subsets(subsets) => subsets.seconds(),
        Engine::Walk(_) | Engine::Edges(_) => {
            let end = Instant::now() + ROUGH;
            seconds_by_probes(&**work, &|| Instant::now() >= end)?
        }
    };
    Some(of_one_thread / run.threads as f64)
}

/// The expected seconds of one thread for a whole search, by some random probes.
fn seconds_by_probes(work: &dyn Work, stop: SharedStop) -> Option<f64> {
    let impression = estimate::impression(work, MOST_PROBES, 0, stop);
    Some(impression.filter(|of| of.probes >= FEW_PROBES)?.nodes.mean / NODES_PER_S)
}

/// A count that is about to start.
#[derive(Clone, Copy)]
pub struct Beginning<'a> {
    pub question: &'a Question,
    pub run: &'a RunConfig,
    pub choice: &'a Choice,
    pub work: &'a Engine,
    pub shard: Shard,
    /// True if a checkpoint has part of it.
    pub is_begun: bool,
    /// True if its states are made for other processes, so that they have to fit.
    pub is_for_others: bool,
    pub signals: &'a Listener,
}

impl<'a> Beginning<'a> {
    /// Forecasts a count by the frontier and announces it. The announcement of a search comes once
    /// it has lasted a second.
    ///
    /// # Errors
    /// If the limits on memory and disk are too small even for the lower bound of the forecast, and
    /// if the count is stopped.
    pub fn announce(self, progress: &'a mut Progress) -> Result<Announced<'a>, Failure> {
        let (expected, later) = match self.work {
            Engine::Frontier(frontier) if !is_surely_short(self.question) => {
                (self.forecast(frontier)?, None)
            }
            Engine::Frontier(_) => (None, None),
            Engine::Subsets(work) => {
                let seconds = work.seconds() / self.run.threads as f64;
                if seconds >= SHORT.as_secs_f64() {
                    self.lines(Some(seconds), "").iter().for_each(|line| self.say(line));
                }
                (None, None)
            }
            Engine::Walk(_) | Engine::Edges(_) => {
                let say = Box::new(move || match self.seconds_of_search() {
                    // The machine is slow and the count is nearly done.
                    Some(seconds) if seconds < SHORT.as_secs_f64() => Vec::new(),
                    seconds => self.lines(seconds, ""),
                });
                (None, is_watched(self.run.progress).then_some(say as Later))
            }
        };
        Ok(Announced { progress, expected, later })
    }

    fn say(&self, text: &str) {
        if is_watched(self.run.progress) {
            note(text);
        }
    }

    /// The limits on memory and disk, if both are known.
    fn room(&self) -> Option<(u64, u64)> {
        let disk = match self.run.checkpoint {
            Some(_) => self.run.disk_for_states()?,
            // Nothing is written to disk.
            None => 0,
        };
        Some((self.run.memory_for_states()?, disk))
    }

    /// Compares a forecast with the limits on memory and disk. If one of them is unknown, the count
    /// is taken to fit.
    fn fits(&self, expected: &Expected) -> Result<Fits, NoRoom> {
        let Some((memory, disk)) = self.room() else { return Ok(Fits::Surely) };
        expected.check_room(memory, disk).map_err(|error| NoRoom {
            enough_memory: MemoryShares::bound_for(error.enough_memory, self.run.threads),
            ..error
        })
    }

    fn is_long(&self, expected: &Expected) -> bool {
        self.seconds(expected) > LONG.as_secs_f64()
    }

    /// True if the user should know that the states may not fit.
    fn may_lack_room(&self, expected: &Expected) -> bool {
        match self.fits(expected) {
            Ok(Fits::Surely) => false,
            // Groups of units take longer, which matters little for a count of seconds.
            Ok(Fits::Perhaps) => self.is_for_others || self.is_long(expected),
            Err(_) => true,
        }
    }

    /// True if a count needs no better forecast. A resumed count waits for one only if it may have
    /// to be refused.
    fn is_enough(&self, expected: &Expected) -> bool {
        if self.is_begun {
            return self.fits(expected).is_ok();
        }
        let is_known = expected.forecast.is_known();
        is_known && !self.is_long(expected) && !self.may_lack_room(expected)
    }

    /// Forecasts a count by the frontier within a few seconds and says what it takes, unless no
    /// progress is shown and nothing can be refused.
    fn forecast(&self, frontier: &Frontier) -> Result<Option<Expected>, Failure> {
        let began = Instant::now();
        let run = self.run;
        let is_for_nobody = run.progress == ProgressStyle::None && !self.is_for_others;
        if is_for_nobody || run.max_time.is_some_and(|most| most < FEW_SECONDS) {
            return Ok(None);
        }
        // A sample of a shard rarely tells more than that the shard takes no more than the whole.
        let is_whole = self.shard == Shard::WHOLE;
        let is_enough = |expected: &Expected| self.is_enough(expected);
        let expected =
            self.guess(frontier, |expected| !is_whole || expected.map_or(self.is_begun, is_enough));
        if self.signals.control().is_stopped() {
            return Err(self.stopped(began.elapsed()));
        }
        let Some(known) = expected.filter(|expected| expected.forecast.is_known()) else {
            let of_whole = if is_whole { "it takes" } else { "the whole takes" };
            self.say(&format!(
                "{}: how long {of_whole} is unknown; kt-enum estimate with a longer --within may tell",
                self.title(),
            ));
            return Ok(None);
        };
        if self.is_for_others {
            self.fits(&known)?;
        }
        self.say_what_it_takes(&known);
        Ok(Some(known))
    }

    /// Announces the time and the bytes of a count, and that its states may not fit.
    fn say_what_it_takes(&self, expected: &Expected) {
        let Expected { forecast, .. } = expected;
        if self.seconds(expected) >= SHORT.as_secs_f64() {
            let of_units = self.run.threads as f64 * forecast.unit_bytes;
            let size = format!(", {}", bytes(forecast.bytes + of_units));
            self.lines(Some(self.seconds(expected)), &size).iter().for_each(|line| self.say(line));
        }
        if let Some((memory, disk)) = self.room().filter(|_| self.may_lack_room(expected)) {
            let [_, most] = forecast.bounds();
            let what_then = match self.is_for_others {
                true => "the run stops and can be resumed with more",
                false => "the units are counted in groups, which takes longer",
            };
            self.say(&format!(
                "its states may take up to {}, and --memory and --disk leave {} for them: if that is too little, \
                 {what_then}",
                bytes(forecast.bytes * most),
                bytes((memory / 2) as f64 + disk as f64),
            ));
        }
    }

    /// Takes more and more time for a forecast until it is enough.
    fn guess(
        &self,
        frontier: &Frontier,
        is_enough: impl Fn(Option<&Expected>) -> bool,
    ) -> Option<Expected> {
        let (control, memory) = (self.signals.control(), self.run.memory_for_states());
        let mut expected = None;
        // A resumed count is refused only by what a forecast shows, so it gets more than the first.
        let times = [QUICK, ROUGH, FAIR].into_iter().skip(usize::from(self.is_begun));
        for most in times {
            let within = self.within(most);
            if most == FAIR {
                self.say(&format!(
                    "{} on {}; forecasting what it takes, for {} at most",
                    self.title(),
                    counted(self.run.threads, "thread"),
                    duration(within),
                ));
            }
            expected = guess(frontier, within, memory, control).or(expected);
            if is_enough(expected.as_ref()) || control.is_stopped() {
                break;
            }
        }
        expected
    }

    /// A forecast takes at most a quarter of the time that the run may take.
    fn within(&self, time: Duration) -> Duration {
        self.run.max_time.map_or(time, |most| time.min(most / 4))
    }

    fn stopped(&self, after: Duration) -> Failure {
        let after = duration(after);
        let (exit, what_next) = match (&self.run.checkpoint, self.is_begun) {
            (None, _) => (Exit::Failed, ""),
            (Some(_), false) => (Exit::Stopped, ": run the same command to start it"),
            (Some(_), true) => (
                Exit::Stopped,
                " by this process, and what was counted before is kept: run the same command to resume it",
            ),
        };
        let message = format!(
            "stopped after {after}, while forecasting what the count takes; nothing was counted yet{what_next}"
        );
        self.signals.stopped(exit, message)
    }

    /// The engine and the question in short.
    fn title(&self) -> String {
        let question = self.question;
        let [tours, ..] = question.words();
        format!("{}: {} {tours}", self.choice.engine, question.board)
    }

    /// The seconds of all threads together.
    fn seconds(&self, expected: &Expected) -> f64 {
        expected.seconds() / self.run.threads as f64
    }

    /// The expected seconds of this shard of a search; `None` if a second of probing does not show
    /// it.
    fn seconds_of_search(&self) -> Option<f64> {
        let end = Instant::now() + self.within(SHORT);
        let stop = || self.signals.control().is_stopped() || Instant::now() >= end;
        let whole = seconds_by_probes(&**self.work, &stop)?;
        let of_shard = self.shard.units_of(&**self.work).len();
        let share = of_shard as f64 / self.work.units().max(1) as f64;
        Some(whole * share / self.run.threads as f64)
    }

    /// The announcement of a count with these expected seconds.
    fn lines(&self, seconds: Option<f64>, size: &str) -> Vec<String> {
        let expected = match seconds {
            Some(seconds) if time(seconds).starts_with("more") => time(seconds),
            Some(seconds) => format!("about {}", time(seconds)),
            None => "for an unknown time".to_owned(),
        };
        let threads = counted(self.run.threads, "thread");
        let mut lines = vec![format!("{}, {expected} on {threads}{size}", self.title())];
        let question = self.question;
        match seconds {
            None => lines.push(one_tour(question)),
            Some(seconds) if seconds > OUT_OF_REACH => {
                lines.push(format!("a count that long is out of reach; {}", one_tour(question)));
            }
            Some(seconds) if seconds > WEEK.as_secs_f64() => lines.push(
                "this is more than a week: the run can be stopped and resumed, and shared out with kt-enum shard; \
                 kt-enum estimate tells more"
                    .to_owned(),
            ),
            _ => {}
        }
        lines
    }
}

/// The advice for a question whose tours cannot be counted. A tour is surely found on a full
/// knight's board alone.
pub fn one_tour(question: &Question) -> String {
    let finds = if question.board.is_plain() { "finds" } else { "looks for" };
    format!("{} {finds} one tour", shell::one_tour(question))
}

type Later<'a> = Box<dyn FnOnce() -> Vec<String> + 'a>;

/// Shows the progress of a run, and announces it where that takes a second.
pub struct Announced<'a> {
    progress: &'a mut Progress,
    /// The forecast of a count by the frontier, if one was made.
    pub expected: Option<Expected>,
    /// The announcement that is made once the run has lasted a second.
    later: Option<Later<'a>>,
}

impl<'a> Announced<'a> {
    /// Progress without a forecast and an announcement.
    pub fn silent(progress: &'a mut Progress) -> Self {
        Self { progress, expected: None, later: None }
    }
}

impl Observer for Announced<'_> {
    fn notice(&mut self, event: &Event) {
        if let Event::Progress(at) = event
            && at.elapsed >= SHORT
            && at.done < at.units
            && let Some(later) = self.later.take()
        {
            later().iter().for_each(|line| self.progress.tell(line));
        }
        self.progress.notice(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::quantity::parse_size;
    use crate::estimate::Forecast;

    #[test]
    fn sizes_that_a_refusal_names_can_be_typed_and_are_accepted() {
        for bytes in [3e6, 38_481_541_250.0, 7.1e13] {
            let forecast = Forecast { bytes, fill: 0.5, ..Forecast::default() };
            let expected = Expected { forecast, before: 1.0, within: 1.0 };
            let refusal = expected.check_room(1 << 20, 0).expect_err("it does not fit");
            let said = Failure::from(refusal).message;
            let typed = |option: &str| {
                let rest = said.split(option).last().expect("it is named");
                let word = rest.split([' ', ',']).next().expect("something follows");
                parse_size(word).expect("it can be typed")
            };
            let by_memory = expected.check_room(typed("give --memory "), 0);
            let by_disk = expected.check_room(1 << 20, typed("checkpoint, --disk "));
            assert!(by_memory.is_ok() && by_disk.is_ok(), "{said}");
        }
    }
}
