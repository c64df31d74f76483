//! `stats`: what tours look like on average.

use crate::cli::args::{StatsArgs, StatsFormat, form};
use crate::cli::board::{board_of_tours, is_input};
use crate::cli::exit::Failure;
use crate::cli::output::{self, document};
use crate::cli::place::OutputPlace;
use crate::cli::retype::{board_options, quoted_path};
use crate::cli::tour_file::{NOT_CLOSED, TourFile};
use crate::draw::averages;
use crate::stats::{Stats, Unfit};
use crate::tour::Read;
use std::slice::from_ref;

pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    let form = form(args.format, &args.write.output).unwrap_or(StatsFormat::Text);
    let inputs = args.board.files().chain([args.file.as_path()]);
    let wanted = args.write.wanted(&["txt", "json", "html"], args.format.is_some(), inputs);
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
    // As paths, and then as cycles as long as all can be closed.
    let mut taken: Vec<Stats> = Vec::new();
    while let Some(Read { line, tour, .. }) = tours.next().transpose()? {
        let tour = tour.map_err(|why| tours.wrong(line, why))?;
        if taken.is_empty() {
            let kinds = args.kind.are_closed.map_or(vec![false, true], |closed| vec![closed]);
            taken = kinds.into_iter().map(|closed| Stats::new(&tour.board(), closed)).collect();
        }
        for place in (0..taken.len()).rev() {
            match taken[place].add(&tour) {
                Err(Unfit::Open) if place > 0 => taken.truncate(place),
                Err(Unfit::Open) => return Err(tours.wrong(line, NOT_CLOSED)),
                added => added.map_err(|unfit| tours.wrong(line, unfit))?,
            }
        }
    }
    taken.pop().ok_or_else(|| tours.nothing())
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
