//! `list`: every tour, streamed in order.

use crate::board::Symmetry;
use crate::classes::ClassesError;
use crate::cli::args::{ListArgs, ProgressStyle};
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, note};
use crate::cli::place::{OutputPlace, TOURS, Target};
use crate::cli::selected;
use crate::cli::signals::Listener;
use crate::cli::watch::{Cancelled, Watch};
use crate::job::{Selected, expected_tours};
use crate::list::file::{self, ListFile, ResumeError, ResumedList};
use crate::list::{self, ListError, ListSettings, Listed, Listing};
use crate::machine;
use crate::machine::growing::{Growing, Reserve, Written, is_reserve_reached};
use crate::quantity::{bytes, counted, grouped, short};
use crate::question::Question;
use crate::tour::{TourFormat, TourWriter};
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub fn run(args: &ListArgs) -> Result<(), Failure> {
    let (mut question, mut closing) = config::listed(&args.question, args.moves.order)?;
    let start = (question.is_closed() && args.question.from != "all").then_some(closing);
    let mut selected = selected::of(&args.select, &question, start)?;
    if let Some(of) = &selected {
        question = of.puzzle.question();
        // The same list, with everything that lists have.
        let first = of.question().and_then(|_| of.puzzle.clues().first().copied());
        if let Some(start) = first.filter(|clue| question.is_closed() && clue.step == 1) {
            (closing, selected) = (start.square, None);
        } else if !question.is_closed() && of.question().is_some() {
            selected = None;
        }
    }
    if selected.is_some() {
        selected::check_options(&[
            ("--resume", args.resume),
            ("--after", args.after.is_some()),
            ("--classes", args.classes),
        ])?;
    }
    Failure::usage_if(
        args.resume && args.file.format() == TourFormat::Grid,
        || "--resume needs a line for each tour: say --format squares or json",
    )?;
    let (inputs, is_chosen) = (args.question.board.files(), args.file.format.is_some());
    let wanted = args.file.write.wanted(TOURS, is_chosen, inputs);
    let place = OutputPlace::of_list(wanted, args.resume)?;
    if question.is_impossible() && args.after.is_none() && args.limit != Some(0) {
        return none(args, &place, &question);
    }
    let mut listing = Listing::closing_at(question, args.moves.order, closing)?;
    if args.classes {
        if !listing.board().knows_symmetries() {
            return Err(ClassesError::Graph(listing.board().clone()).into());
        }
        listing = listing.classes();
    }
    let after = args.after.as_deref().map(|line| file::listed(&listing, line)).transpose();
    let after = after
        .map_err(|why| Failure::usage(format!("--after is not a tour of this list: {why}")))?;
    // A FIFO is opened before signals are listened to: who waits for its reader can be interrupted.
    let to = output::open(&place)?;
    let signals = Listener::start()?;
    let settings = ListSettings {
        threads: Some(args.threads.number()),
        limit: args.limit,
        after,
        format: args.file.format(),
        control: Arc::clone(&signals.control),
    };
    let replaces = !args.resume && place.has_content();
    let list = ListJob { args, listing, selected, place: &place, replaces, signals };
    if let Some(out) = to {
        return list.to_stream(out, &settings);
    }
    place.file().map_or(Ok(()), |path| list.to_file(path, settings))
}

/// The list of a question that has no tour for a known reason: an empty one, and a note.
fn none(args: &ListArgs, place: &OutputPlace, question: &Question) -> Result<(), Failure> {
    output::open(place)?;
    if let Some(path) = place.file().filter(|path| !(args.resume && path.exists())) {
        place.open_in_place(path)?;
    }
    note(&question.none());
    Ok(())
}

/// A list that is to be written.
struct ListJob<'a> {
    args: &'a ListArgs,
    listing: Listing,
    selected: Option<Selected>,
    place: &'a OutputPlace,
    /// True if the file has something in it, which only a whole list replaces.
    replaces: bool,
    signals: Listener,
}

impl ListJob<'_> {
    fn to_stream(&self, out: Box<dyn Write>, settings: &ListSettings) -> Result<(), Failure> {
        let size = settings.limit.map(|limit| limit as f64 * self.bytes_of_a_tour());
        self.list(settings, size, out, None, |error| cannot_write(&self.place.name, error))
    }

    fn to_file(&self, path: &Path, mut settings: ListSettings) -> Result<(), Failure> {
        let disk = machine::disk(path);
        let reserve = disk.map(|disk| Reserve::of(path, &disk)).filter(|_| !self.args.fill_disk);
        let begun = fs::metadata(path).ok().filter(|_| self.args.resume);
        let there = begun.map_or(0, |there| there.len());
        let reserved = reserve.as_ref().map_or(0, |reserve| reserve.bytes);
        let size = self.check_size(disk.map(|disk| disk.free), reserved, there)?;
        let begun = settings.clone();
        let new = self.replaces.then(|| self.place.begin(path)).transpose()?;
        let file = match &new {
            None if self.args.resume => self.resume(path, &mut settings)?,
            None => ListFile::new(self.place.open_in_place(path)?),
            Some(new) => {
                let file = new.file.try_clone();
                ListFile::new(file.map_err(|error| cannot_write(&self.place.name, &error))?)
            }
        };
        let size = size.map(|size| size - there as f64);
        self.list(&settings, size, file, reserve, |error| self.is_full(path, &begun, error))?;
        new.map_or(Ok(()), |new| self.place.commit(new))
    }

    /// The way to continue a list that was stopped, with the exit code that says whether typing the
    /// same command again is part of it.
    fn cancelled(&self) -> Cancelled {
        let may_leave = self.place.file().is_none();
        let advice = match self.args.file.format() {
            _ if self.replaces => "the file is as it was, and the same command starts over",
            _ if self.selected.is_some() => "the same command starts over",
            _ if may_leave => {
                "--after and the last whole tour continue the list; with -o FILE, --resume does"
            }
            TourFormat::Grid => {
                "a list of grids cannot be resumed: --format squares or json can be"
            }
            _ => {
                let option = if self.args.resume { "" } else { " with --resume" };
                let again =
                    format!("ends in a whole tour: run the same command{option} to continue");
                let advice = format!("{} {again}", self.place.name);
                return Cancelled { exit: Exit::Stopped, before: " with ", advice, may_leave };
            }
        };
        Cancelled { exit: Exit::Failed, before: " with ", advice: advice.to_owned(), may_leave }
    }

    /// Watches what is going to be written, whose bytes may be known.
    fn watch(&self, size: Option<f64>) -> Result<(Watch, Arc<Written>), Failure> {
        let (writer, written) = (self.writer(), Arc::<Written>::default());
        let separator = writer.separator().len() as u64;
        let lines_of_a_tour = writer.lines() as u64 + separator;
        let (so_far, size) = (Arc::clone(&written), size.filter(|&size| size > 0.0));
        let how_far = move || {
            let tours = (so_far.lines.load(Ordering::Relaxed) + separator) / lines_of_a_tour;
            let so_far = so_far.bytes.load(Ordering::Relaxed) as f64;
            // Past the estimated size, nothing is known of the rest.
            let share = size.map(|size| so_far / size).filter(|share| *share < 1.0);
            let said = format!("{} of tours written", bytes(so_far));
            (share, vec![counted(tours, "tour"), said])
        };
        let is_to_terminal =
            self.place.target == Target::StandardOutput && io::stdout().is_terminal();
        let style = match self.args.progress.style {
            ProgressStyle::Auto if is_to_terminal => ProgressStyle::None,
            asked => asked,
        };
        let (question, cancelled) = (self.listing.question(), self.cancelled());
        let watch = Watch::start("list", &question, style, &self.signals, cancelled, how_far)?;
        Ok((watch, written))
    }

    /// Writes the list, or the rest of it, which is expected to have `size` bytes, and keeps
    /// `reserve` free on the disk. `cannot_write` puts an error of the output into words.
    fn list(
        &self,
        settings: &ListSettings,
        size: Option<f64>,
        out: impl Write,
        reserve: Option<Reserve>,
        cannot_write: impl FnOnce(&io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let (watch, written) = self.watch(size)?;
        let mut out = Growing::new(out, written, reserve);
        let listed = match &self.selected {
            Some(selected) => selected.list(&self.args.moves.order, settings, &mut out),
            None => list::list(&self.listing, settings, &mut out),
        };
        match listed {
            Ok(Listed { tours: 0, .. })
                if settings.after.is_none() && settings.limit != Some(0) =>
            {
                let none = self.selected.as_ref().map(Selected::none);
                note(&none.unwrap_or_else(|| self.listing.question().none()));
                Ok(())
            }
            Ok(_) => Ok(()),
            // The reader has seen enough.
            Err(ListError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(ListError::Write(error)) => Err(cannot_write(&error)),
            Err(ListError::Threads(error)) => Err(error.into()),
            Err(error @ ListError::After(_)) => Err(Failure::usage(error)),
            Err(ListError::Stopped { .. }) => Err(watch.stopped()),
            Err(error) => Err(Failure::failed(error)),
        }
    }

    /// The end on a disk that has no more room: the file is cut after its last whole line.
    fn is_full(&self, path: &Path, settings: &ListSettings, error: &io::Error) -> Failure {
        let name = &self.place.name;
        let (failure, fill) = if is_reserve_reached(error) {
            let failure = Failure::failed(format!("{name} is not finished: {error}"));
            (failure, ", or add --fill-disk")
        } else {
            (cannot_write(name, error), "")
        };
        if self.replaces {
            return failure.advising("; the file is as it was");
        }
        if self.args.file.format() != TourFormat::Grid
            && self.selected.is_none()
            && file::resume(path, &self.listing, settings).is_ok()
            && let Ok(lines) = self.lines(path, settings)
        {
            return failure.advising(&format!(
                "; {} there, all whole: make room and run the same command with --resume{fill}",
                counted(lines, "line")
            ));
        }
        failure
    }

    /// The lines of tours of the file. All lines of squares are as long, so most files need not be
    /// read.
    fn lines(&self, path: &Path, settings: &ListSettings) -> io::Result<u64> {
        match self.args.file.format() {
            TourFormat::Squares => {
                let header = settings.header(&self.listing).len() as u64;
                let bytes = fs::metadata(path)?.len().saturating_sub(header);
                Ok(bytes / (self.bytes_of_a_tour() as u64).max(1))
            }
            _ => file::lines(path),
        }
    }

    fn writer(&self) -> TourWriter {
        TourWriter::new(self.listing.board(), self.args.file.format())
    }

    fn bytes_of_a_tour(&self) -> f64 {
        let mut writer = self.writer();
        let mut tour = writer.separator().to_vec();
        // Every tour has every square once, so all are as long.
        writer.write(&self.listing.board().all_squares().collect::<Vec<_>>(), &mut tour);
        tour.len() as f64
    }

    /// Says of a list that is going to be large how large, and refuses one that does not fit the
    /// free disk, of which a part is reserved and in which a part of the list is there. The size of
    /// the whole file, where it is known and not guessed.
    fn check_size(
        &self,
        free: Option<u64>,
        reserved: u64,
        there: u64,
    ) -> Result<Option<f64>, Failure> {
        const LARGE: f64 = 1e7;
        /// What is written at once goes into the reserve as a whole, or not at all.
        const AT_ONCE: f64 = (1 << 17) as f64;
        // The most bytes of the whole file: where the disk is not known, whatever the user says.
        let most = |free: u64| free.saturating_sub(reserved).saturating_add(there) as f64;
        let most = free.map_or(f64::INFINITY, most);
        let of_a_tour = self.bytes_of_a_tour();
        let limit = self.args.limit.map_or(f64::INFINITY, |limit| limit as f64);
        if limit * of_a_tour < LARGE && limit * of_a_tour <= most {
            return Ok(Some(limit * of_a_tour));
        }
        if self.selected.is_some() {
            // Nobody knows how many there are, so the reserve has to be enough.
            return Ok(None);
        }
        let (expected, is_guess) = self.expected()?;
        let is_guess = is_guess && expected <= limit;
        let tours = expected.min(limit);
        let size = tours * of_a_tour;
        // After a tour there are fewer, nobody knows how many.
        let is_known = self.args.after.is_none() || self.args.limit.is_some() && !is_guess;
        let known = (is_known && !is_guess).then_some(size);
        let number = if is_guess { format!("about {}", short(tours)) } else { grouped(tours) };
        let free = free.map(|free| format!("; {} are free there", bytes(free as f64)));
        let said = format!("{number} tours, {}{}", bytes(size), free.unwrap_or_default());
        if size > most && is_known && !self.args.fill_disk {
            return Err(Failure::failed(format!(
                "{}: the list would not fit: {said}, {} of which are kept in reserve; \
                 say --limit K (up to {}), or --fill-disk to write until the disk is full",
                self.place.name,
                bytes(reserved as f64),
                grouped(((most - AT_ONCE).max(0.0) / of_a_tour).floor()),
            )));
        }
        if size >= LARGE {
            note(&said);
            if size > most {
                note("the disk may be full before the list is whole: --limit K makes it shorter");
            }
        }
        Ok(known)
    }

    /// The number of tours of the list, and true if it is an estimate: it is known if counting
    /// takes a second or two.
    fn expected(&self) -> Result<(f64, bool), Failure> {
        let question = self.listing.question();
        // A cycle is listed in one direction, and of a class one tour in one.
        let times = match (self.args.classes, question.is_closed()) {
            (true, _) => 2 * Symmetry::of(&self.listing.board()).len(),
            (false, is_closed) => 1 + usize::from(is_closed),
        };
        let expected = expected_tours(&question, &self.signals.control);
        if self.signals.control.is_stopped() {
            let message = "stopped before anything was written: run the same command again";
            return Err(self.signals.stopped(Exit::Stopped, message));
        }
        let (directed, is_estimate) = expected?;
        Ok((directed / times as f64, is_estimate || self.args.classes))
    }

    /// Opens the file of an earlier run; the settings then go on where it ends.
    fn resume(&self, path: &Path, settings: &mut ListSettings) -> Result<ListFile, Failure> {
        let name = path.display();
        let cannot_write = |error| cannot_write(&name, &error);
        let resumed = file::resume(path, &self.listing, settings);
        let ResumedList { file, last } = resumed.map_err(|error| match error {
            ResumeError::Io(error) => cannot_write(error),
            error => Failure::usage(format!(
                "{name}: {error}; give the options it was begun with (such as --classes, --order, \
                 --after and --format), or name another file"
            )),
        })?;
        settings.after = last.or_else(|| settings.after.take());
        if let Some(limit) = &mut settings.limit {
            let lines = file::lines(path).map_err(cannot_write)?;
            if lines > *limit {
                let lines = counted(lines, "tour");
                note(&format!("{name} has {lines}, more than --limit {limit}: nothing is added"));
            }
            *limit = limit.saturating_sub(lines);
        }
        Ok(file)
    }
}

fn cannot_write(name: impl Display, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write the list to {name}: {error}"))
}
