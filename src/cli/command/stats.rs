//! `stats`: what tours look like on average.

use crate::board::Board;
use crate::cli::args::{StatsArgs, StatsFormat, form};
use crate::cli::board::{board_of_tours, is_input};
use crate::cli::exit::Failure;
use crate::cli::output::{self, document};
use crate::cli::place::OutputPlace;
use crate::cli::retype::{board_options, quoted_path};
use crate::cli::tour_file::{NOT_CLOSED, TourFile};
use crate::draw::averages;
use crate::stats::{Stats, Unfit};
use crate::tour::{Read, Tour};
use std::slice::from_ref;

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let typed = args.json.then_some(StatsFormat::Json).or(args.format);
    let form = form(typed, &args.write.output).unwrap_or(StatsFormat::Text);
    let inputs = args.board.files().chain([args.file.as_path()]);
    let wanted = args.write.wanted(&["txt", "json", "html"], typed.is_some(), inputs);
    let place = OutputPlace::of_page(&wanted, form == StatsFormat::Html)?;
    let mut stats = read(args)?;
    stats.is_all = args.all;
    let text = match form {
        StatsFormat::Text => averages::text(&stats),
        StatsFormat::Json => document(&stats.document()),
        StatsFormat::Html => averages::page(&stats, command(args, &stats)).html(),
    };
    output::write(place, text.as_bytes())
}

/// All tours of a file: as cycles if every one can be closed, unless an option says how they are
/// meant.
fn read(args: &StatsArgs) -> Result<Stats, Failure> {
    let board = board_of_tours(&args.board, &args.signs, from_ref(&args.file))?;
    let mut tours = TourFile::open(&args.file, board)?;
    let mut taken: Option<ToursTaken> = None;
    while let Some(Read { line, tour, .. }) = tours.next().transpose()? {
        let tour = tour.map_err(|why| tours.wrong(line, why))?;
        let taken = taken.get_or_insert_with(|| ToursTaken::new(&tour.board(), args.kind.typed()));
        let added = taken.add(&tour);
        added.map_err(|why| tours.wrong(line, why))?;
    }
    let stats = taken.and_then(|taken| taken.cycles.or(taken.paths));
    stats.ok_or_else(|| tours.nothing())
}

/// Tours as paths, and as cycles as long as they can be.
struct ToursTaken {
    paths: Option<Stats>,
    cycles: Option<Stats>,
}

impl ToursTaken {
    /// Tours of which it is known that they are closed or not, or may be either.
    fn new(board: &Board, are_closed: Option<bool>) -> Self {
        let wanted =
            |closed: bool| (are_closed != Some(!closed)).then(|| Stats::new(board, closed));
        Self { paths: wanted(false), cycles: wanted(true) }
    }

    fn add(&mut self, tour: &Tour) -> Result<(), String> {
        if let Some(paths) = &mut self.paths {
            paths.add(tour).map_err(|unfit| unfit.to_string())?;
        }
        match self.cycles.as_mut().map(|cycles| cycles.add(tour)) {
            Some(Err(Unfit::Open)) if self.paths.is_none() => Err(NOT_CLOSED.to_owned()),
            Some(Err(Unfit::Open)) => {
                self.cycles = None;
                Ok(())
            }
            Some(Err(unfit)) => Err(unfit.to_string()),
            None | Some(Ok(())) => Ok(()),
        }
    }
}

/// The command that makes the page again. The origin of standard input is unknown.
fn command(args: &StatsArgs, stats: &Stats) -> String {
    let file = if is_input(&args.file) { "TOURS".to_owned() } else { quoted_path(&args.file) };
    let board = stats.board();
    let options = if board.is_plain() { String::new() } else { board_options(&board) + " " };
    let all = if stats.is_all { " --all" } else { "" };
    let kind = stats.kind();
    format!("kt-enum stats {file} {options}--tours {kind}{all} --format html")
}
