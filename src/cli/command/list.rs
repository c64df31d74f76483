//! `list`: every tour, streamed in order.

use crate::cli::args::ListArgs;
use crate::cli::counting::{PROBES, is_surely_short};
use crate::cli::exit::Failure;
use crate::cli::output::{note, open_stream};
use crate::cli::place::{Place, Target};
use crate::cli::quantity::counted;
use crate::cli::{config, machine, signals};
use kt_enum::board::Symmetry;
use kt_enum::draw::number::{bytes, short};
use kt_enum::engine::{self, Engine, Wishes};
use kt_enum::estimate;
use kt_enum::list::file::{self, ResumeError, ResumedList};
use kt_enum::list::{self, ListError, Listed, Settings};
use kt_enum::run::{self, Silent};
use kt_enum::tally::grouped;
use kt_enum::tour::{TourFormat, TourWriter};
use kt_enum::walk::{Listing, MemoSize};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub fn run(args: &ListArgs) -> Result<(), Failure> {
    let written_so_far = Arc::<AtomicU64>::default();
    say_when_asked(&written_so_far)?;
    let mut listing = config::listing(&args.question, args.order)?;
    if args.classes {
        listing = listing.classes();
    }
    if args.resume && args.format == TourFormat::Grid {
        return Err(Failure::usage(
            "--resume needs a line for each tour: say --format squares or json",
        ));
    }
    let after = args.after.as_deref().map(|line| {
        let refused = |why| format!("--after is not a tour of this list: {why}");
        let tour = file::listed(&listing, line);
        tour.map_err(|why| Failure::usage(refused(why)))
    });
    let mut settings = Settings {
        threads: Some(args.threads.number()),
        limit: args.limit,
        after: after.transpose()?,
        format: args.format,
    };
    let place = Place::of_list(args.output.as_deref(), args.overwrite, args.resume)?;
    let name = &place.name;
    let path = match &place.target {
        Target::File(path) | Target::InPlace(path) => path,
        Target::StandardOutput | Target::Stream(_) => {
            let out: Box<dyn Write> = match &place.target {
                Target::Stream(path) => Box::new(open_stream(&place, path)?),
                _ => Box::new(io::stdout().lock()),
            };
            let mut out = CountedBytes { out, written: written_so_far };
            return written(list::list(&listing, &settings, &mut out), |error| {
                cannot_write(name, error)
            });
        }
    };
    let file = match args.resume {
        true => resume(path, &listing, &mut settings)?,
        false => File::create(path).map_err(|error| cannot_write(name, &error))?,
    };
    say_how_large(args, path, &listing)?;
    let mut out = CountedBytes { out: file, written: written_so_far };
    let listed = list::list(&listing, &settings, &mut out);
    written(listed, |error| {
        let kept = match args.format {
            TourFormat::Grid => None,
            _ => file::resume(path, &listing).and_then(|_| Ok(file::lines(path)?)).ok(),
        };
        let failure = cannot_write(name, error);
        match kept {
            None => failure,
            Some(lines) => failure.advising(&format!(
                "; {} there, all whole: make room and type the same with --resume",
                counted(lines, "line")
            )),
        }
    })
}

fn say_when_asked(written: &Arc<AtomicU64>) -> Result<(), Failure> {
    let written = Arc::clone(written);
    signals::answer(move || {
        let written = written.load(Ordering::Relaxed);
        format!("list: {} of tours written", bytes(written as f64))
    })
}

/// A writer that counts bytes.
struct CountedBytes<W> {
    out: W,
    written: Arc<AtomicU64>,
}

impl<W: Write> Write for CountedBytes<W> {
    fn write(&mut self, portion: &[u8]) -> io::Result<usize> {
        let written = self.out.write(portion)?;
        self.written.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The result of a list.
fn written(
    listed: Result<Listed, ListError>,
    cannot_write: impl FnOnce(&io::Error) -> Failure,
) -> Result<(), Failure> {
    match listed {
        Ok(_) => Ok(()),
        // The reader has seen enough.
        Err(ListError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(ListError::Write(error)) => Err(cannot_write(&error)),
        Err(ListError::Threads(error)) => Err(error.into()),
        Err(error @ ListError::After(_)) => Err(Failure::usage(error)),
    }
}

/// Says of a list that is going to be large how large, and how much room there is for it.
fn say_how_large(args: &ListArgs, path: &Path, listing: &Listing) -> Result<(), Failure> {
    const LARGE: f64 = 1e7;
    let board = listing.board();
    let mut writer = TourWriter::new(board, args.format);
    let mut tour = writer.separator().to_vec();
    // Every tour has every square once, so all are as long.
    writer.write(&board.all_squares().collect::<Vec<_>>(), &mut tour);
    let bytes_of = |tours: f64| tours * tour.len() as f64;
    let limit = args.limit.map_or(f64::INFINITY, |limit| limit as f64);
    if bytes_of(limit) < LARGE {
        return Ok(());
    }
    let (expected, is_guess) = expected(args, listing)?;
    let (tours, size) = (expected.min(limit), bytes_of(expected.min(limit)));
    if size < LARGE {
        return Ok(());
    }
    let number = match is_guess && expected <= limit {
        true => format!("about {}", short(tours)),
        false => grouped(tours),
    };
    let free = machine::free_disk(path).map(|free| free as f64);
    let room = free.map(|free| format!("; {} are free there", bytes(free)));
    note(&format!("{number} tours, {}{}", bytes(size), room.unwrap_or_default()));
    if free.is_some_and(|free| size > free) {
        note("the disk will be full before the list is whole: --limit K makes it shorter");
    }
    Ok(())
}

/// The number of tours of a list, and true if it is an estimate: it is known if counting takes a
/// second or two.
fn expected(args: &ListArgs, listing: &Listing) -> Result<(f64, bool), Failure> {
    let question = listing.question();
    // A cycle is listed in one direction, and of a class one tour in one.
    let times = match (args.classes, question.is_closed()) {
        (true, _) => 2 * Symmetry::of(listing.board()).len(),
        (false, is_closed) => 1 + usize::from(is_closed),
    };
    let is_short = is_surely_short(&question);
    let directed = if is_short {
        let choice = engine::choose(&question, &Wishes::default(), None);
        let work = Engine::new(&choice.engine, question, choice.split, MemoSize::Cache)?;
        let counted = run::count(&*work, run::Settings::default(), &mut Silent)?;
        counted.units.directed().to_f64()
    } else {
        let engine = engine::lister(&question);
        let work = Engine::new(&engine, question, None, MemoSize::Off)?;
        let size = estimate::estimate(&*work, PROBES, 0, &|| false);
        size.map_or(0.0, |size| size.tours.mean)
    };
    Ok((directed / times as f64, !is_short || args.classes))
}

/// Opens the file of an earlier run; the settings then go on where it ends.
fn resume(path: &Path, listing: &Listing, settings: &mut Settings) -> Result<File, Failure> {
    let cannot_write = |error| cannot_write(path.display(), &error);
    let ResumedList { file, last } = file::resume(path, listing).map_err(|error| match error {
        ResumeError::Io(error) => cannot_write(error),
        error => Failure::usage(format!(
            "{}: {error}; type the options it was begun with, or name another file",
            path.display()
        )),
    })?;
    settings.after = last;
    if let Some(limit) = &mut settings.limit {
        let lines = file::lines(path).map_err(cannot_write)?;
        if lines > *limit {
            let (name, lines) = (path.display(), counted(lines, "tour"));
            note(&format!("{name} has {lines}, more than --limit {limit}: nothing is added"));
        }
        *limit = limit.saturating_sub(lines);
    }
    Ok(file)
}

fn cannot_write(name: impl Display, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write the list to {name}: {error}"))
}
