//! `report RUN`: a page about a run, finished or not. Reads only, so it can be asked while the run is
//! live.

use crate::cli::answer::{at_split, counts};
use crate::cli::args::ReportArgs;
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::machine::memory_for_states;
use crate::cli::output::Output;
use crate::cli::progress::before_units;
use crate::cli::quantity::{duration, rate, short_duration};
use kt_enum::draw::plot::{Axis, Lines, Quantity, Series, heat_map};
use kt_enum::draw::report::{Figure, Page, Table, distribution};
use kt_enum::engine::{self, Engine, Wishes};
use kt_enum::question::Question;
use kt_enum::run::checkpoint::{self, Header, UnitState};
use kt_enum::run::history::{History, Sample};
use kt_enum::run::merge::{merge, parts_in};
use kt_enum::run::starts::{self, Meaning, Starts};
use kt_enum::run::units::{Units, looks_like_units};
use kt_enum::run::{self, LayersError, RunError, Shard, Silent};
use kt_enum::tally::{Tally, grouped};
use kt_enum::walk::MemoSize;
use kt_enum::work::{Identity, Piece, Split, Work};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Boards of up to this many squares are counted by start without being asked: all starts of 6x6 take
/// a second.
const COUNTED_UNASKED: usize = 36;

pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    if let Some(output) = &args.output
        && is_same_file(output, &args.run)
    {
        let message = format!("-o {} would replace the run itself", output.display());
        return Err(Failure::saying(Exit::Usage, message));
    }
    let run = Run::read(&args.run)?;
    let page = run.page(args)?;
    let mut out = Output::to(args.output.as_deref())?;
    out.write(page.html().as_bytes())?;
    out.end()
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path| fs::canonicalize(path).ok();
    real(one).is_some() && real(one) == real(other)
}

/// A run as far as it is.
struct Run {
    /// Every unit's label and what it has so far.
    units: Units,
    /// Whether the labels are prefixes of tours, which tell where these start.
    are_prefixes: bool,
    /// The counts of the units that are done.
    done: Vec<Tally>,
    history: Option<History>,
    /// Of a checkpoint.
    saved: Option<Saved>,
}

struct Saved {
    header: Header,
    holder: Option<String>,
}

impl Run {
    fn read(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Self::of_units(merge(&parts_in(path)?)?, None);
        }
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = match error.kind() {
                    ErrorKind::NotFound => format!("there is no {}", path.display()),
                    _ => format!("cannot read {}: {error}", path.display()),
                };
                return Err(Failure::saying(Exit::Failed, message));
            }
        };
        if looks_like_units(&bytes) {
            let (units, history) = Units::read_with_history(path)?;
            return Self::of_units(units, history);
        }
        if checkpoint::looks_like_checkpoint(&bytes) {
            return Self::of_checkpoint(path);
        }
        let message = format!(
            "{} is neither a checkpoint nor a file of units (count --keep-units FILE, or a part of a shard)",
            path.display()
        );
        Err(Failure::saying(Exit::Usage, message))
    }

    fn of_units(units: Units, history: Option<History>) -> Result<Self, Failure> {
        let work = Engine::of(&units.identity)?;
        units.check_against(&work)?;
        let done = units
            .counts
            .iter()
            .map(|(_, count)| count.clone())
            .collect();
        Ok(Self {
            are_prefixes: work.tree().is_some(),
            units,
            done,
            history,
            saved: None,
        })
    }

    fn of_checkpoint(path: &Path) -> Result<Self, Failure> {
        let gone = || Failure::saying(Exit::Failed, format!("there is no {}", path.display()));
        let holder = checkpoint::holder(path);
        let header = checkpoint::peek(path)?.ok_or_else(gone)?;
        let work = Engine::of(&header.identity)?;
        let (header, states) = checkpoint::read::<Piece<Engine>>(path)?.ok_or_else(gone)?;
        let (mut counts, mut done) = (Vec::new(), Vec::new());
        for (place, state) in states.into_iter().enumerate() {
            let found = match state {
                UnitState::Untouched => Tally::ZERO,
                UnitState::Begun { found, .. } => found,
                UnitState::Done(count) => {
                    done.push(count.clone());
                    count
                }
            };
            counts.push((work.label(header.shard.unit(place)), found));
        }
        let units = Units {
            identity: header.identity.clone(),
            shard: header.shard,
            counts,
        };
        let history = Some(header.history.clone());
        let saved = Some(Saved { header, holder });
        Ok(Self {
            are_prefixes: work.tree().is_some(),
            units,
            done,
            history,
            saved,
        })
    }

    fn question(&self) -> &Question {
        &self.units.identity.question
    }

    /// Whether there is nothing left to count.
    fn is_finished(&self) -> bool {
        self.saved.is_none()
            || (self.done.len() == self.units.counts.len() && !self.done.is_empty())
    }

    fn page(&self, args: &ReportArgs) -> Result<Page, Failure> {
        let mut page = Page {
            facts: self.facts(&args.run),
            command: command(&self.units, self.saved.is_some().then_some(&args.run)),
            ..Page::default()
        };
        let mut sentences = self.sentences()?.into_iter();
        let first = sentences.next().unwrap_or_default();
        let (number, counts) = first.split_once(' ').unwrap_or((&first, ""));
        page.title = format!("Count of {}", self.question());
        page.number = number.to_owned();
        page.counts = counts.to_owned();
        page.notes = sentences.collect();
        page.figures = vec![self.map(args)?, self.sizes()?];
        let known = page.figures.len();
        let why_no_plot = match &self.history {
            Some(history) if !history.sessions.is_empty() => {
                page.figures.extend(progress(history));
                page.table = Some(sessions(history));
                "The run was too short for a plot of its rate."
            }
            _ => {
                "The file does not say: parts of shards, what is merged from them, and checkpoints of older \
                 versions have no history."
            }
        };
        if page.figures.len() == known {
            page.figures.push(Figure {
                heading: "Rate".to_owned(),
                plot: None,
                text: why_no_plot.to_owned(),
            });
        }
        Ok(page)
    }

    /// What there is to say, the number first.
    fn sentences(&self) -> Result<Vec<String>, Failure> {
        let question = self.question();
        if let Some(saved) = self.saved.as_ref().filter(|_| !self.is_finished()) {
            return Ok(saved.sentences());
        }
        if self.units.shard != Shard::WHOLE {
            let (directed, shard) = (self.units.directed().grouped(), self.units.shard);
            return Ok(vec![format!(
                "{directed} directed tours in shard {shard} of the {question}"
            )]);
        }
        let (directed, undirected) = (self.units.directed(), self.units.undirected());
        Ok(counts(question, directed, undirected, None))
    }

    fn facts(&self, path: &Path) -> Vec<(String, String)> {
        let Identity {
            engine,
            split,
            units,
            ..
        } = &self.units.identity;
        let of_shard = match self.units.shard {
            Shard::WHOLE => String::new(),
            shard => format!(
                ", {} of them in shard {shard}",
                grouped(self.units.counts.len())
            ),
        };
        let fingerprint = match self.is_finished() {
            true => self.units.fingerprint(),
            false => "none before the last is done".to_owned(),
        };
        let mut facts = vec![
            ("question", self.question().to_string()),
            ("engine", engine.clone()),
            (
                "units",
                format!("{}{of_shard}, {}", grouped(units), at_split(*split)),
            ),
            ("fingerprint", fingerprint),
        ];
        let newest = self
            .history
            .as_ref()
            .and_then(|history| history.samples.last());
        let spent = match &self.saved {
            Some(saved) => Some(saved.header.spent),
            None => newest.map(|sample| Duration::from_millis(sample.spent_ms)),
        };
        let spent = spent.map(|spent| match spent.as_millis() {
            0 => "under 1 ms".to_owned(),
            _ => time_spent(spent),
        });
        facts.extend(spent.map(|spent| ("time spent", spent)));
        facts.push(("file", path.display().to_string()));
        let owned = facts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        owned.collect()
    }

    /// The board with a number of tours on each square.
    fn map(&self, args: &ReportArgs) -> Result<Figure, Failure> {
        let board = self.question().board;
        let by_start = match self.may_count_starts() {
            Err(why) if args.starts => return Err(Failure::saying(Exit::Usage, why)),
            Ok(()) if args.starts || board.squares() <= COUNTED_UNASKED => {
                self.count_starts(args)?
            }
            _ => None,
        };
        let units = self.units.counts.iter();
        let units = units.map(|(label, count)| (label.as_str(), count));
        let starts = match by_start {
            None if self.are_prefixes => starts::of_units(self.question(), units)?,
            by_start => by_start,
        };
        let (heading, text) = about_map(self.question(), starts.as_ref(), self.is_finished());
        let plot = starts.map(|starts| heat_map(&heading, board, &starts.tours));
        Ok(Figure {
            heading,
            plot,
            text,
        })
    }

    fn may_count_starts(&self) -> Result<(), &'static str> {
        match self.question() {
            question if question.is_closed() => {
                Err("closed tours start nowhere: leave out --starts")
            }
            question if !question.is_whole() => {
                Err("with a fixed end the units tell the tours apart: leave out --starts")
            }
            _ if !self.is_finished() || self.units.shard != Shard::WHOLE => {
                Err("--starts is for a whole count that is finished: leave it out")
            }
            _ => Ok(()),
        }
    }

    /// Counts by start square, whose sum has to be that of the run; `None` where that cannot be counted, and
    /// was not asked for.
    fn count_starts(&self, args: &ReportArgs) -> Result<Option<Starts>, Failure> {
        let board = self.question().board;
        let mut tours = Vec::new();
        for orbit in starts::orbits_of_ends(board) {
            let question = Question::open_between(board, Some(orbit[0]), None);
            let choice = engine::choose(&question, Wishes::default(), None);
            let work = Engine::new(&choice.engine, question, choice.split, MemoSize::Cache)?;
            let settings = run::Settings {
                threads: Some(config::threads(args.threads)),
                memory: args.memory.or_else(memory_for_states),
                ..run::Settings::default()
            };
            match run::count(&work, settings, &mut Silent) {
                Err(RunError::Layers(LayersError::Room { .. })) if !args.starts => return Ok(None),
                counted => tours.push(counted?.units.directed()),
            }
        }
        let starts = Starts::of_orbits(board, tours);
        let (sum, directed) = (starts.sum(), self.units.directed());
        match sum == directed {
            true => Ok(Some(starts)),
            false => Err(Failure::saying(
                Exit::Mismatch,
                format!(
                    "the counts by start add up to {sum}, not to the {directed} of {}",
                    args.run.display()
                ),
            )),
        }
    }

    /// How many units have how many tours.
    fn sizes(&self) -> Result<Figure, Failure> {
        let heading = "Sizes of the units".to_owned();
        let plot = distribution(&heading, "directed tours in a unit", &self.done);
        let ends = self.done.iter().min().zip(self.done.iter().max());
        let text = match ends {
            None => "No unit is done yet.".to_owned(),
            Some((least, most)) => {
                let mean = &self.done.iter().sum::<Tally>() / self.done.len() as u64;
                let without = self
                    .done
                    .iter()
                    .filter(|count| **count == Tally::ZERO)
                    .count();
                let without = match without {
                    0 => String::new(),
                    _ => format!(" {} without any are not drawn.", grouped(without)),
                };
                format!(
                    "{} units that are done, of {} to {} directed tours each, {} in the mean.{without}",
                    grouped(self.done.len()),
                    least.grouped(),
                    most.grouped(),
                    mean.grouped()
                )
            }
        };
        Ok(Figure {
            heading,
            plot,
            text,
        })
    }
}

impl Saved {
    fn sentences(&self) -> Vec<String> {
        let Self { header, holder } = self;
        let of_shard = match header.shard {
            Shard::WHOLE => String::new(),
            shard => format!("shard {shard} of the "),
        };
        let saved = header.saved.duration_since(SystemTime::UNIX_EPOCH);
        let saved =
            u64::try_from(saved.unwrap_or_default().as_millis()).map_or("?".to_owned(), utc);
        let state = match holder {
            Some(holder) => format!("live: {holder}"),
            None => "not running: type its command again to go on".to_owned(),
        };
        let how_far = format!("saved {saved}; {state}");
        if let Some(building) = &header.building {
            let question = &header.identity.question;
            return vec![
                format!("0 units of {of_shard}the {question} counted so far"),
                format!("The run is {}.", before_units(building)),
                how_far,
            ];
        }
        vec![
            format!(
                "{} directed tours so far, of {of_shard}the {}",
                header.found.grouped(),
                header.identity.question
            ),
            format!(
                "{} of the work: {} of {} units done, {} begun",
                header.share.map_or("?".to_owned(), percent),
                grouped(header.done),
                grouped(header.shard.len(header.identity.units as usize)),
                grouped(header.begun)
            ),
            how_far,
        ]
    }
}

fn about_map(question: &Question, starts: Option<&Starts>, is_finished: bool) -> (String, String) {
    let end = question.from().or(question.to());
    let end = end.map_or(String::new(), |end| question.board.name(end));
    let so_far = if is_finished { "" } else { " so far" };
    let (heading, text) = match starts.map(|starts| starts.meaning) {
        None if question.is_closed() => (
            "By start square".to_owned(),
            "A closed tour has no start, so there is no map.".to_owned(),
        ),
        None if question.is_whole() => (
            "By start square".to_owned(),
            "The units are slices of states, which do not tell where tours start; of a finished count, \
             kt-enum report --starts makes a map."
                .to_owned(),
        ),
        None => (
            "By first move".to_owned(),
            format!("All tours have their end {end}, and the units are not cut by the next square."),
        ),
        Some(Meaning::Start) => (
            "Tours by start square".to_owned(),
            "Directed tours by their start, each start counted anew. Together they are the number of the run, which \
             checks it."
                .to_owned(),
        ),
        Some(Meaning::EarlierEnd) => (
            format!("Tours by one of their ends{so_far}"),
            "A tour and its reverse are counted together, from the end that comes first (a1, b1 ..., symmetric \
             squares as one), and stand there. So this is where the units begin and no table of starts; of a \
             finished count, kt-enum report --starts makes one."
                .to_owned(),
        ),
        Some(Meaning::FirstMove) => (
            format!("Tours by their first move{so_far}"),
            format!("Directed tours from {end} by the square that they go to first."),
        ),
        Some(Meaning::LastMove) => (
            format!("Tours by their last move{so_far}"),
            format!("Directed tours to {end} by the square that they come from last."),
        ),
    };
    (heading, text)
}

/// The rate and the share of the work, by the time spent.
fn progress(history: &History) -> Vec<Figure> {
    let (unit, unit_ms) = time_unit(history.samples.last());
    let label = format!("time spent, {unit}");
    let time = |sample: &Sample| sample.spent_ms as f64 / unit_ms;
    let axis = |label, quantity| Axis {
        label,
        quantity,
        is_logarithmic: false,
        is_from_zero: true,
    };
    let resumed = history.sessions.iter().skip(1);
    let cuts: Vec<_> = resumed
        .map(|session| {
            (
                time(&session.at),
                format!("resumed {}", utc(session.began_unix_ms)),
            )
        })
        .collect();
    let figure = |heading: &str, y, points: Vec<(f64, f64)>, text: String| {
        let series = [Series {
            name: heading.to_owned(),
            points,
        }];
        let lines = Lines {
            title: heading,
            x: axis(&label, Quantity::Count),
            y,
            series: &series,
            cuts: &cuts,
        };
        (series[0].points.len() > 1).then(|| Figure {
            heading: heading.to_owned(),
            plot: Some(lines.plot()),
            text,
        })
    };
    let has_tours = history
        .samples
        .iter()
        .any(|sample| sample.found > Tally::ZERO);
    let rates = history.rates().into_iter().filter(|_| has_tours);
    let rates = rates.map(|(at, rate)| (at / unit_ms, rate));
    let shares = history
        .samples
        .iter()
        .filter_map(|sample| Some((time(sample), f64::from(sample.share_ppm?) / 1e4)));
    let (spent, found) = history
        .samples
        .last()
        .map_or((0, 0.0), |sample| (sample.spent_ms, sample.found.to_f64()));
    let mean = rate(found * 1e3 / spent.max(1) as f64);
    let cut = if cuts.is_empty() {
        ""
    } else {
        " An upright line is where the run was resumed."
    };
    let figures = [
        figure(
            "Rate",
            axis("directed tours a second", Quantity::Count),
            rates.collect(),
            format!("{mean} in the mean.{cut}"),
        ),
        figure(
            "Progress",
            axis("estimated work done, %", Quantity::Count),
            shares.collect(),
            format!("The share of the work, as random probes of the units weigh it.{cut}"),
        ),
    ];
    figures.into_iter().flatten().collect()
}

fn time_spent(spent: Duration) -> String {
    match spent.as_secs() {
        _ if spent.is_zero() => "0 s".to_owned(),
        0 => short_duration(spent),
        _ => duration(spent),
    }
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

/// What was begun and resumed when.
fn sessions(history: &History) -> Table {
    let rows = history.sessions.iter().enumerate().map(|(place, session)| {
        let at = &session.at;
        let share = at.share_ppm.map(|share| f64::from(share) / 1e6);
        vec![
            if place == 0 { "begun" } else { "resumed" }.to_owned(),
            utc(session.began_unix_ms),
            share.map_or("-".to_owned(), percent),
            grouped(session.done),
            at.found.grouped(),
            time_spent(Duration::from_millis(at.spent_ms)),
            session.threads.to_string(),
        ]
    });
    let note = match history.sessions_left_out {
        0 => String::new(),
        more => format!(
            "{} more sessions after the first are not listed.",
            grouped(more)
        ),
    };
    Table {
        heading: "Sessions".to_owned(),
        columns: vec![
            "",
            "when",
            "work done",
            "units done",
            "tours",
            "time spent",
            "threads",
        ],
        rows: rows.collect(),
        note,
    }
}

/// The command that counts the same, and goes on from this checkpoint where there is one.
fn command(units: &Units, checkpoint: Option<&std::path::PathBuf>) -> String {
    let (question, typed) = (&units.identity.question, units.identity.typed());
    let [tours, from, to] = question.words();
    let board = question.board;
    let is_table = matches!(units.identity.split, Split::Lengths { .. });
    let mut words = match units.shard {
        _ if is_table => vec![typed.clone()],
        Shard::WHOLE => vec!["kt-enum count".to_owned()],
        shard => vec![format!("kt-enum shard {shard} --out parts")],
    };
    words.push(match (board.rows(), board.cols()) {
        (rows, cols) if is_table => format!("--rows {rows} --up-to {cols}"),
        (rows, cols) if rows == cols => format!("--size {rows}"),
        (rows, cols) => format!("--rows {rows} --cols {cols}"),
    });
    for (option, value) in [("tours", tours), ("from", from), ("to", to)] {
        if !["open", "all"].contains(&value.as_str()) {
            words.push(format!("--{option} {value}"));
        }
    }
    if !is_table {
        words.push(typed);
    }
    if let Some(path) = checkpoint {
        words.push(format!("--checkpoint {}", quoted(&path.to_string_lossy())));
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A moment in milliseconds since 1970, as `2026-11-21 11:09:08 UTC`.
fn utc(unix_ms: u64) -> String {
    // Past the year 9999 there is no such text.
    const LAST: u64 = 253_402_300_799_000;
    if unix_ms > LAST {
        return "?".to_owned();
    }
    let moment = SystemTime::UNIX_EPOCH + Duration::from_millis(unix_ms);
    let text = humantime::format_rfc3339_seconds(moment).to_string();
    text.replace('T', " ").replace('Z', " UTC")
}
