//! `show`: tours drawn as text, as a picture, as a page, and puzzles as a picture, as a sheet, as a
//! page to solve them in.

use crate::cli::args::{ShowArgs, ShowFormat, form};
use crate::cli::board::{board_of_tours, check_has_places};
use crate::cli::exit::{Exit, Failure};
use crate::cli::machine;
use crate::cli::output::{self, Output, note};
use crate::cli::place::OutputPlace;
use crate::cli::puzzle_file;
use crate::cli::signals::Listener;
use crate::cli::tour_file::{NOT_CLOSED, TourFile};
use crate::draw::play::play;
use crate::draw::puzzle::PuzzleDrawing;
use crate::draw::sheet::{Chapter, SheetStyle, sheet};
use crate::draw::{self, Gallery, Style, Subject, TextStyle, TourKind};
use crate::quantity::{counted, grouped};
use crate::question::Question;
use crate::solve::{Difficulty, Extent, Grade, Puzzle, Verdict, hints, verdict};
use crate::tour::{Read, Tour, Wrong};
use crate::words::duration;
use clap::ColorChoice;
use std::io;
use std::iter::repeat;
use std::path::PathBuf;
use std::slice::from_ref;
use std::time::Instant;

/// The most squares of all puzzles of a page, whose hints are some ten megabytes then.
const MOST_SQUARES_OF_PUZZLES: usize = 1 << 17;

/// The advice where a tour has squares to fill.
const OF_PUZZLES: &str = "; a puzzle is drawn by --format puzzle, sheet or play, and its solution \
    by --format answer";

pub fn run(args: &ShowArgs, colour: ColorChoice) -> Result<(), Failure> {
    let form = form(args.format, &args.write.output).unwrap_or(ShowFormat::Text);
    let inputs = args.board.files().chain(args.files.iter().map(PathBuf::as_path));
    let wanted = args.write.wanted(&["txt", "svg", "html"], args.format.is_some(), inputs);
    let place = OutputPlace::of_page(&wanted, form != ShowFormat::Text)?;
    let is_sheet = form == ShowFormat::Sheet;
    let are_chapters = is_sheet && args.title.len() == args.files.len();
    Failure::usage_if(args.title.len() > 1 && !are_chapters, || {
        let (titles, files) = (args.title.len(), counted(args.files.len(), "file"));
        format!(
            "{titles} titles for {files}: give one --title, or with --format sheet one for each file"
        )
    })?;
    let is_of_tours = matches!(form, ShowFormat::Text | ShowFormat::Svg | ShowFormat::Html);
    let idle = [
        ("--large-print", args.large_print && !is_sheet),
        ("--shading", args.shading && is_of_tours),
        ("--coordinates", args.coordinates && is_of_tours),
        ("--numbers", args.numbers && (form == ShowFormat::Text || !is_of_tours)),
        ("--title", !args.title.is_empty() && form == ShowFormat::Text),
    ];
    Failure::usage_if_any(&idle, |option| {
        let form = format!("{form:?}").to_lowercase();
        format!("{option} does nothing with --format {form}: leave it out")
    })?;
    let (title, subjects) = (args.title.first().map(String::as_str), || Subjects::open(args));
    let drawn = match form {
        ShowFormat::Text => return text(text_style(args, colour), &mut subjects()?, place),
        ShowFormat::Svg => picture(&mut subjects()?)?,
        ShowFormat::Html => page(&mut subjects()?)?,
        ShowFormat::Sheet => chapters(args)?,
        ShowFormat::Play => play(title, &puzzles(args, args.tour)?.concat()),
        ShowFormat::Puzzle | ShowFormat::Answer => {
            let is_answer = form == ShowFormat::Answer;
            let puzzles = puzzles(args, args.tour.or(Some(1)))?;
            puzzles.iter().flatten().map(|puzzle| puzzle.svg(title, is_answer)).collect()
        }
    };
    output::write(place, drawn.as_bytes())
}

/// The checked tours that are to be drawn.
struct Subjects {
    tours: TourFile,
    /// True if the tours are wanted as cycles, false if as paths.
    wanted: Option<bool>,
    /// The number of the only tour to draw.
    only: Option<u64>,
    read: u64,
    style: Style,
}

impl Subjects {
    fn open(args: &ShowArgs) -> Result<Self, Failure> {
        let [file] = &args.files[..] else {
            return Err(Failure::usage(
                "tours are drawn from one file: join the files, as in cat A B | kt-enum show -",
            ));
        };
        let board = board_of_tours(&args.board, &args.signs, from_ref(file))?;
        board.board.iter().try_for_each(|board| check_has_places(board, "show"))?;
        let mut tours = TourFile::open(file, board)?;
        tours.most_squares = Subject::MOST_SQUARES;
        let (wanted, only) = (args.kind.are_closed, args.tour.map(u64::from));
        let style = Style { numbers: args.numbers, title: args.title.first().cloned() };
        Ok(Self { tours, wanted, only, read: 0, style })
    }

    /// The next tour to draw. Those before it are checked too.
    fn next(&mut self) -> Result<Option<Subject>, Failure> {
        if self.only.is_some_and(|only| self.read >= only) {
            return Ok(None);
        }
        while let Some(read) = self.tours.next().transpose()? {
            self.read += 1;
            let subject = self.subject(read)?;
            if self.only.is_none_or(|only| self.read == only) {
                return Ok(Some(subject));
            }
        }
        let (read, name) = (self.read, &self.tours.name);
        self.only.map_or(Ok(None), |only| {
            let message = format!("--tour {only}, but {name} has {read}: give a number up to that");
            Err(Failure::usage(message))
        })
    }

    fn subject(&self, Read { line, tour, .. }: Read) -> Result<Subject, Failure> {
        let name = &self.tours.name;
        let tour = tour.map_err(|why| {
            let is_puzzle = matches!(why, Wrong::Unfinished { .. });
            self.tours.wrong(line, why).advising(if is_puzzle { OF_PUZZLES } else { "" })
        })?;
        let as_cycle = self.wanted != Some(false);
        let subject = Subject::new(tour, as_cycle)
            .map_err(|error| Failure::failed(format!("line {line} of {name}: {error}")))?;
        let must_close = self.wanted == Some(true);
        if must_close && subject.kind() != TourKind::Closed {
            return Err(self.tours.wrong(line, NOT_CLOSED));
        }
        Ok(subject)
    }
}

/// The style of tours as text, which in a file has colours only where they are asked for.
fn text_style(args: &ShowArgs, colour: ColorChoice) -> TextStyle {
    let is_file = args.write.output.is_some();
    let colour = if is_file && colour == ColorChoice::Auto { ColorChoice::Never } else { colour };
    let has_colours = machine::has_colours(colour, &io::stdout());
    if has_colours { TextStyle::Colours } else { TextStyle::Boxes }
}

/// Every tour as soon as it is read, an empty line between two.
fn text(style: TextStyle, subjects: &mut Subjects, place: OutputPlace) -> Result<(), Failure> {
    let (mut out, mut drawn) = (Output::to(place)?, String::new());
    loop {
        let next = match subjects.next() {
            // The tours before a wrong one are drawn.
            Err(wrong) if subjects.read > 1 => return out.end().and(Err(wrong)),
            next => next?,
        };
        let Some(subject) = next else { break };
        draw::text(&subject, style, &mut drawn);
        out.write(drawn.as_bytes())?;
        if out.is_closed() {
            break;
        }
        drawn.clear();
        drawn.push('\n');
    }
    if subjects.read == 0 {
        note(&subjects.tours.nothing().message);
    }
    out.end()
}

fn picture(subjects: &mut Subjects) -> Result<String, Failure> {
    let subject = subjects.next()?.ok_or_else(|| subjects.tours.nothing())?;
    if subjects.only.is_none() && subjects.tours.next().is_some() {
        note("a picture is of one tour, here the first: --tour N draws another, --format html all");
    }
    Ok(draw::svg(&subject, &subjects.style))
}

/// Every tour is read and found right before anything is written.
fn page(subjects: &mut Subjects) -> Result<String, Failure> {
    let mut page = Gallery::new(subjects.style.clone());
    while let Some(subject) = subjects.next()? {
        page.add(&subject).map_err(Failure::failed)?;
    }
    match page.tours() {
        0 => Err(subjects.tours.nothing()),
        _ => Ok(page.html()),
    }
}

/// A sheet with a chapter for each file that has puzzles.
fn chapters(args: &ShowArgs) -> Result<String, Failure> {
    let puzzles = puzzles(args, args.tour)?;
    // A single title is that of all chapters.
    let last = args.title.last().map(String::as_str);
    let titles = args.title.iter().map(|title| Some(title.as_str())).chain(repeat(last));
    let chapters = puzzles.iter().zip(titles).map(|(puzzles, title)| Chapter { title, puzzles });
    let chapters: Vec<_> = chapters.filter(|chapter| !chapter.puzzles.is_empty()).collect();
    let style = SheetStyle { coordinates: args.coordinates, is_large: args.large_print };
    Ok(sheet(&chapters, style))
}

/// The puzzles of each file to draw, which have exactly one solution each, or only the one of a
/// number. Boards that are full are solutions, such as `puzzle` writes after each puzzle.
fn puzzles(args: &ShowArgs, only: Option<u32>) -> Result<Vec<Vec<PuzzleDrawing>>, Failure> {
    let signals = Listener::start()?;
    let began = Instant::now();
    let mut drawn = vec![Vec::<PuzzleDrawing>::new(); args.files.len()];
    let (mut read, mut squares) = (0, 0);
    let stop = || signals.control.is_stopped();
    let stopped = |drawn: &[Vec<PuzzleDrawing>]| {
        let ready = counted(drawn.iter().map(Vec::len).sum::<usize>(), "puzzle");
        let after = duration(began.elapsed());
        let message = format!("stopped after {after} with {ready} solved: nothing is written");
        signals.stopped(Exit::Failed, message)
    };
    'files: for (file, chapter) in args.files.iter().zip(0..) {
        let files = from_ref(file);
        for puzzle in puzzle_file::puzzles(files, &args.board, &args.signs, &args.kind, None)? {
            let puzzle = puzzle?;
            if stop() {
                return Err(stopped(&drawn));
            }
            if puzzle.clues().len() == puzzle.board().squares() {
                continue;
            }
            check_has_places(puzzle.board(), "show")?;
            read += 1;
            if only.is_some_and(|only| only != read) {
                continue;
            }
            squares += puzzle.board().squares();
            Failure::usage_if(squares > MOST_SQUARES_OF_PUZZLES, || {
                let most = grouped(MOST_SQUARES_OF_PUZZLES);
                format!("puzzles of a page have at most {most} squares in all: show a part of them")
            })?;
            let drawing = drawing(&puzzle, read, &stop)?;
            let mut drawing = drawing.ok_or_else(|| stopped(&drawn))?;
            drawing.is_shaded |= args.shading;
            drawing.has_names |= args.coordinates;
            drawn[chapter].push(drawing);
            if only.is_some() {
                break 'files;
            }
        }
    }
    let only = only.filter(|_| read > 0);
    Failure::usage_if(drawn.iter().all(Vec::is_empty), || match only {
        Some(only) => {
            let read = counted(read, "puzzle");
            format!("--tour {only}, but the input has {read}: give a number up to that")
        }
        None => "there is no board with squares to fill".to_owned(),
    })?;
    Ok(drawn)
}

/// A puzzle with its solution and its hints; `None` if it was stopped.
fn drawing(
    puzzle: &Puzzle,
    number: u32,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<PuzzleDrawing>, Failure> {
    let squares = match verdict(puzzle, Extent::default(), stop) {
        Verdict::Unique(squares) => squares,
        Verdict::Undecided(_) => return Ok(None),
        Verdict::None(reason) => {
            let message = format!("puzzle {number} has no solution: {reason}");
            return Err(Failure::mismatch(message));
        }
        Verdict::Several(_) => {
            let closed = Question::closed(puzzle.board().clone());
            let is_perhaps = !puzzle.is_closed() && !closed.is_impossible();
            let closed =
                if is_perhaps { "; if it is meant to be closed, say --closed" } else { "" };
            return Err(Failure::mismatch(format!(
                "puzzle {number} has more than one solution: kt-enum solve shows two of them where it is alone in its file{closed}"
            )));
        }
    };
    let hints = hints(puzzle, stop);
    if stop() {
        return Ok(None);
    }
    // A puzzle that hints do not solve is harder than any of them.
    let is_solved = puzzle.clues().len() + hints.len() == squares.len();
    let difficulty = match is_solved {
        true => Difficulty::of(&hints).to_string(),
        false => Grade::Hard.name().to_owned(),
    };
    let given = puzzle.clues().iter().map(|clue| clue.step);
    let tour = Tour::new(puzzle.board(), squares).map_err(Failure::failed)?;
    let drawing = PuzzleDrawing::new(tour, puzzle.is_closed(), given);
    let mut drawing = drawing.map_err(Failure::failed)?;
    drawing.links = puzzle.links().to_vec();
    drawing.difficulty = difficulty;
    drawing.hints = hints.iter().map(|hint| (hint.clue.step, hint.words(puzzle.board()))).collect();
    Ok(Some(drawing))
}
