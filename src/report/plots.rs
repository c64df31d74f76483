//! The plots and the table of the page about a run.

use super::{Report, ReportError};
use crate::draw::heat::heat_map;
use crate::draw::plot::{Axis, Lines, Quantity, Series};
use crate::draw::report::{Figure, Table, distribution};
use crate::job::{ByStart, Job, JobError};
use crate::quantity::{counted, grouped, percent, rate};
use crate::question::Question;
use crate::run::{LayersError, RunError, Silent};
use crate::starts::{self, Starts};
use crate::tally::Tally;
use crate::units::Shard;
use crate::units::history::{History, Sample, Session};
use crate::words::{duration, moment};
use crate::work::Name;
use std::time::{Duration, SystemTime};

/// Boards of up to this many squares are counted by start without being asked: all starts of 6x6
/// take a second.
const COUNTED_UNASKED: usize = 36;

impl Report<'_> {
    /// The board with a number of tours on each square.
    pub(super) fn map(&self) -> Result<Figure, ReportError> {
        let board = &self.question().board;
        let by_start = match self.may_count_starts() {
            Err(why) if self.counts_starts => return Err(ReportError::NoStarts(why)),
            Ok(()) if self.counts_starts || board.squares() <= COUNTED_UNASKED => {
                self.count_starts()?
            }
            _ => None,
        };
        let units = self.units().counts.iter();
        let units = units.map(|(label, count)| (label.as_str(), count));
        let starts = match by_start {
            // The labels of a walk are prefixes of tours, which tell their start.
            None if self.units().identity.engine == Name::Walk => {
                starts::of_units(self.question(), units)?
            }
            by_start => by_start,
        };
        let (heading, text) = self.about_map(starts.as_ref());
        let plot = starts.and_then(|starts| heat_map(&heading, board, &starts.tours).ok());
        Ok(Figure { heading, plot, text })
    }

    fn may_count_starts(&self) -> Result<(), &'static str> {
        Err(match self.question() {
            question if question.is_closed() => "closed tours start nowhere",
            question if !question.is_whole() => {
                "all tours have the same end, so there is no map by start square"
            }
            _ if self.is_table() => "a table has boards of several sizes",
            _ if !self.is_finished() || self.units().shard != Shard::WHOLE => {
                "the count is not whole or not finished"
            }
            _ => return Ok(()),
        })
    }

    /// Counts by start square, whose sum has to be that of the run; `None` where that cannot be
    /// counted, and was not asked for.
    fn count_starts(&self) -> Result<Option<Starts>, ReportError> {
        let board = &self.question().board;
        let mut job = Job::new(Question::open(board.clone()));
        job.limits = self.limits.clone();
        let mut outcomes = Vec::new();
        for job in job.by_start() {
            let counted =
                job.plan(&mut Silent).and_then(|plan| plan.count(&self.control, &mut Silent));
            match counted {
                Err(
                    JobError::Run(RunError::Layers(LayersError::Room { .. }))
                    | JobError::Memory { .. },
                ) if !self.counts_starts => {
                    return Ok(None);
                }
                counted => outcomes.push(counted?),
            }
        }
        let starts = ByStart::of(&job.question, &outcomes).starts;
        let (sum, directed) = (starts.sum(), self.units().directed());
        if sum == directed {
            return Ok(Some(starts));
        }
        Err(ReportError::Sum { sum, directed, path: self.path.to_owned() })
    }

    /// The numbers of units by their numbers of tours.
    pub(super) fn sizes(&self) -> Figure {
        let heading = "Sizes of the units".to_owned();
        let plot = distribution(&heading, "directed tours in a unit", &self.found.done);
        let ends = self.found.done.iter().min().zip(self.found.done.iter().max());
        let text = match ends {
            None if self.is_finished() => "The count has no units.".to_owned(),
            None => "No unit is done yet.".to_owned(),
            Some((least, most)) => {
                let (sum, units) =
                    (self.found.done.iter().sum::<Tally>(), self.found.done.len() as u64);
                let mean = match sum.to_f64() / units as f64 {
                    few if few < 100.0 => format!("{few:.1}"),
                    _ => (&(&sum + units / 2) / units).grouped(),
                };
                let without = self.found.done.iter().filter(|count| **count == Tally::ZERO);
                let without = match without.count() {
                    0 => String::new(),
                    without => format!(" {} without any are not drawn.", grouped(without)),
                };
                let tours = match least == most {
                    true => counted(least, "directed tour"),
                    false => format!(
                        "{} to {} directed tours each, {mean} on average",
                        least.grouped(),
                        most.grouped()
                    ),
                };
                format!("{} done, of {tours}.{without}", counted(units, "unit"))
            }
        };
        Figure { heading, plot, text }
    }

    /// The starts, resumptions and ends of the run, with their times.
    pub(super) fn sessions(&self, history: &History) -> Table {
        let row = |what: &str, unix_ms, done: u64, at: &Sample, threads: String| {
            let share = at.share_ppm.map(|share| f64::from(share) / 1e6);
            vec![
                what.to_owned(),
                at_unix(unix_ms),
                share.map_or("-".to_owned(), percent),
                grouped(done),
                at.found.grouped(),
                duration(Duration::from_millis(at.spent_ms)),
                threads,
            ]
        };
        let mut rows = Vec::new();
        for (place, session) in history.sessions.iter().enumerate() {
            let what = if place == 0 { "begun" } else { "resumed" };
            let (began, threads) = (session.began_unix_ms, session.threads.to_string());
            rows.push(row(what, began, session.done, &session.at, threads));
        }
        if self.is_finished()
            && let Some(last) = history.samples.last()
            && let Some(session) = history.sessions.last()
        {
            let took = last.spent_ms.saturating_sub(session.at.spent_ms);
            let ended = session.began_unix_ms.saturating_add(took);
            let done = self.found.done.len() as u64;
            rows.push(row("finished", ended, done, last, String::new()));
        }
        let note = match history.sessions_left_out {
            0 => String::new(),
            more => format!("{} after the first not listed.", counted(more, "more session")),
        };
        Table {
            heading: "Sessions".to_owned(),
            columns: "|when|work done|units done|tours|time spent|threads".split('|').collect(),
            rows,
            note,
        }
    }
}

/// The rate and the share of the work, by the time spent.
pub fn progress(history: &History, is_tree: bool) -> Vec<Figure> {
    let (unit, unit_ms) = time_unit(history.samples.last());
    let label = format!("time spent, {unit}");
    let time = |sample: &Sample| sample.spent_ms as f64 / unit_ms;
    let axis = |label| Axis::from_zero(label, Quantity::Count);
    let resumed = history.sessions.iter().skip(1);
    let cut = |session: &Session| {
        let began = at_unix(session.began_unix_ms);
        (time(&session.at), format!("resumed {began}"))
    };
    let cuts: Vec<_> = resumed.map(cut).collect();
    let figure = |heading: &str, y, points: Vec<(f64, f64)>, text: String| {
        let series = [Series { name: heading.to_owned(), points }];
        let lines = Lines { title: heading, x: axis(&label), y, series: &series, cuts: &cuts };
        (series[0].points.len() > 1).then(|| Figure::new(heading, Some(lines.plot()), text))
    };
    let has_tours = history.samples.iter().any(|sample| sample.found > Tally::ZERO);
    let rates = history.rates().into_iter().filter(|_| has_tours);
    let rates = rates.map(|(at, rate)| (at / unit_ms, rate));
    let shares = history
        .samples
        .iter()
        .filter_map(|sample| Some((time(sample), f64::from(sample.share_ppm?) / 1e4)));
    let (spent, found) =
        history.samples.last().map_or((0, 0.0), |sample| (sample.spent_ms, sample.found.to_f64()));
    let mean = rate(found * 1e3 / spent.max(1) as f64);
    let is_resumed = !cuts.is_empty();
    let cut = if is_resumed { " An upright line is where the run was resumed." } else { "" };
    let measure = if is_tree {
        "Tours found so far, compared with an estimate, from random probes, of the tours in the \
         unfinished units."
    } else {
        "The work that is done: states before the units, and units, each weighed by its size."
    };
    let figures = [
        figure(
            "Rate",
            axis("directed tours a second"),
            rates.collect(),
            format!("{mean} on average.{cut}"),
        ),
        figure(
            "Progress",
            axis("estimated work done, %"),
            shares.collect(),
            format!("{measure}{cut}"),
        ),
    ];
    figures.into_iter().flatten().collect()
}

/// The unit in which this time is a readable number, and its milliseconds.
fn time_unit(newest: Option<&Sample>) -> (&'static str, f64) {
    match newest.map_or(0, |sample| sample.spent_ms / 1_000) {
        0..300 => ("seconds", 1e3),
        300..18_000 => ("minutes", 6e4),
        18_000..432_000 => ("hours", 3.6e6),
        _ => ("days", 8.64e7),
    }
}

fn at_unix(milliseconds: u64) -> String {
    let since = Duration::from_millis(milliseconds);
    let time = SystemTime::UNIX_EPOCH.checked_add(since);
    moment(time.unwrap_or(SystemTime::UNIX_EPOCH))
}
