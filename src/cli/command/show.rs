//! `show`: tours drawn as text, as a picture, as a page.

use crate::cli::args::{ShowArgs, ShowFormatArgument, ToursArgument, form};
use crate::cli::board::{board_of_tours, check_has_places};
use crate::cli::exit::Failure;
use crate::cli::machine;
use crate::cli::output::{self, Output, note};
use crate::cli::place::{OutputPlace, Wanted};
use crate::cli::tour_file::{NOT_CLOSED, TourFile};
use crate::draw::{self, Gallery, MOST_SQUARES, Style, Subject, TextStyle, TourKind};
use crate::tour::Read;
use clap::ColorChoice;
use std::io::{self, IsTerminal};

pub fn run(args: &ShowArgs, colour: ColorChoice) -> Result<(), Failure> {
    let mut subjects = Subjects::open(args)?;
    let form = form(args.format, &args.output).unwrap_or(ShowFormatArgument::Text);
    let place = OutputPlace::of_page(&Wanted {
        path: args.output.as_deref(),
        overwrite: args.overwrite,
        form: match form {
            ShowFormatArgument::Text => "txt",
            ShowFormatArgument::Svg => "svg",
            ShowFormatArgument::Html => "html",
        },
        forms: &["txt", "svg", "html"],
        is_chosen: args.format.is_some(),
        inputs: args.board.files().chain(args.file.as_deref()).collect(),
    })?;
    match form {
        ShowFormatArgument::Text => text(args, colour, &mut subjects, place),
        ShowFormatArgument::Svg => picture(args, &mut subjects, place),
        ShowFormatArgument::Html => page(args, &mut subjects, place),
    }
}

/// The checked tours that are to be drawn.
struct Subjects {
    tours: TourFile,
    wanted: Option<ToursArgument>,
    /// The number of the only tour to draw.
    only: Option<u64>,
    read: u64,
}

impl Subjects {
    fn open(args: &ShowArgs) -> Result<Self, Failure> {
        let board = board_of_tours(&args.board, &args.file)?;
        board.board.iter().try_for_each(|board| check_has_places(board, "show"))?;
        let mut tours = TourFile::open(args.file.as_deref(), board)?;
        tours.most_squares = MOST_SQUARES;
        Ok(Self { tours, wanted: args.kind.typed(), only: args.tour.map(u64::from), read: 0 })
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
        let (read, name) = (self.read, self.tours.name());
        self.only.map_or(Ok(None), |only| {
            let message = format!("--tour {only}, but {name} has {read}: give a number up to that");
            Err(Failure::usage(message))
        })
    }

    fn subject(&self, Read { line, tour, .. }: Read) -> Result<Subject, Failure> {
        let name = self.tours.name();
        let tour = tour.map_err(|why| self.tours.wrong(line, why))?;
        let as_cycle = self.wanted != Some(ToursArgument::Open);
        let subject = Subject::new(tour, as_cycle)
            .map_err(|error| Failure::failed(format!("line {line} of {name}: {error}")))?;
        let must_close = self.wanted == Some(ToursArgument::Closed);
        if must_close && subject.kind() != TourKind::Closed {
            return Err(self.tours.wrong(line, NOT_CLOSED));
        }
        Ok(subject)
    }
}

/// Every tour as soon as it is read, an empty line between two.
fn text(
    args: &ShowArgs,
    colour: ColorChoice,
    subjects: &mut Subjects,
    place: OutputPlace,
) -> Result<(), Failure> {
    let mut out = Output::to(place)?;
    let is_welcome = || args.output.is_none() && are_colours_welcome();
    let style = match colour {
        ColorChoice::Auto if !is_welcome() => TextStyle::Boxes,
        ColorChoice::Never => TextStyle::Boxes,
        ColorChoice::Auto | ColorChoice::Always => TextStyle::Colours,
    };
    let mut drawn = String::new();
    loop {
        let subject = match subjects.next() {
            Ok(Some(subject)) => subject,
            Ok(None) => break,
            // The tours before a wrong one are drawn.
            Err(wrong) if subjects.read > 1 => return out.end().and(Err(wrong)),
            Err(wrong) => return Err(wrong),
        };
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

fn are_colours_welcome() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !machine::is_dumb()
}

fn picture(args: &ShowArgs, subjects: &mut Subjects, place: OutputPlace) -> Result<(), Failure> {
    let subject = subjects.next()?.ok_or_else(|| subjects.tours.nothing())?;
    if args.tour.is_none() && subjects.tours.next().is_some() {
        note("a picture is of one tour, here the first: --tour N draws another, --format html all");
    }
    output::write(place, draw::svg(&subject, &style(args)).as_bytes())
}

/// Nothing is written before every tour was read and found right.
fn page(args: &ShowArgs, subjects: &mut Subjects, place: OutputPlace) -> Result<(), Failure> {
    let mut page = Gallery::new(style(args));
    while let Some(subject) = subjects.next()? {
        page.add(&subject).map_err(Failure::failed)?;
    }
    match page.tours() {
        0 => Err(subjects.tours.nothing()),
        _ => output::write(place, page.html().as_bytes()),
    }
}

fn style(args: &ShowArgs) -> Style {
    let (numbers, title) = (args.numbers, args.title.clone());
    Style { numbers, title }
}
