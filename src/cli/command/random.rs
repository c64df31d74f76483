//! `random`: tours drawn uniformly.

use super::nth::Writing;
use crate::board::MoveOrder;
use crate::cli::args::{NumberArgs, RandomArgs};
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::numbering::with_numbers;
use crate::cli::output::note;
use crate::cli::selected::{self, SelectedSearch};
use crate::job::Selected;
use crate::numbers::{ORDER, Random};
use crate::quantity::grouped;
use crate::run::{Control, Event, Observer};
use crate::tally::Tally;
use crate::tour::Tour;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The largest number of selected tours that are counted one by one.
const MOST_COUNTED: u64 = 10_000_000;

pub fn run(args: &RandomArgs) -> Result<(), Failure> {
    let asked = config::required_question(&args.question)?;
    let selected = selected::of(&args.select, &asked, None)?;
    let question = selected.as_ref().map_or(asked, |of| of.puzzle.question());
    // Open tours with nothing given but their ends have numbers.
    let selected = selected.filter(|of| question.is_closed() || of.question().is_none());
    if selected.is_some() {
        selected::check_options(&[
            ("--index", args.number.index.is_some()),
            ("--fresh", args.number.fresh),
            ("--memory", args.number.machine.own.memory.is_some()),
            ("--disk", args.number.machine.disk.is_some()),
        ])?;
    }
    let mut writing = Writing::to(&args.write, &args.question, &args.number, question.clone())?;
    match selected {
        // Nothing has to be built to draw nothing.
        _ if args.count == 0 => {}
        Some(selected) => by_solver(args, &selected, &mut writing)?,
        // An answer, as that of `find`.
        None if question.is_impossible() => note(&question.none()),
        None => with_numbers(&args.number, question.clone(), |numbering| {
            let last = numbering.last().clone();
            if last == Tally::ZERO {
                note(&question.none());
                return Ok(());
            }
            let seed = args.draw.seed.unwrap_or_else(Random::fresh_seed);
            if args.draw.seed.is_none() {
                numbering.progress.notice(&Event::Seeded(seed));
            }
            let drawn = drawn(seed, args.count, last);
            numbering.portion.of = Some(args.count);
            writing.write_all(Some(ORDER), drawn, |wanted| numbering.tours(wanted))
        })?,
    }
    writing.out.end()
}

/// The numbers that a seed draws.
fn drawn(seed: u64, count: u64, last: Tally) -> impl Iterator<Item = Tally> {
    let mut random = Random::new(seed);
    (0..count).map_while(move |_| random.number_up_to(&last))
}

/// Draws from selected tours by their places in the list that `list` makes of them.
fn by_solver(args: &RandomArgs, selected: &Selected, writing: &mut Writing) -> Result<(), Failure> {
    let NumberArgs { time, progress, machine, .. } = &args.number;
    let searching = SelectedSearch::start("random", selected, time, *progress)?;
    let found = searching.count(MOST_COUNTED + 1, machine.own.threads.number())?;
    Failure::usage_if(found.count > MOST_COUNTED, || {
        format!(
            "there are more than {} {}, too many to count one by one and draw uniformly: \
             kt-enum find with the same options and --seed finds one at random",
            grouped(MOST_COUNTED),
            selected.words()
        )
    })?;
    let puzzle = &selected.puzzle;
    let each_way = if puzzle.is_closed() { u64::from(puzzle.directions()) } else { 1 };
    let last = Tally::from(found.count / each_way);
    if last == Tally::ZERO {
        note(&selected.none());
        return Ok(());
    }
    let seed = args.draw.seed.unwrap_or_else(Random::fresh_seed);
    if args.draw.seed.is_none() {
        note(&format!("drawn with --seed {seed}, which draws the same tours again"));
    }
    writing.write_all(None, drawn(seed, args.count, last), |wanted| {
        let tours = numbered(selected, wanted, &searching.signals.control);
        if tours.len() < wanted.len() { Err(searching.watch.stopped()) } else { Ok(tours) }
    })
}

/// The tours at some places of the list, from 1, or fewer if the search is told to stop.
fn numbered(selected: &Selected, wanted: &[Tally], control: &Control) -> Vec<Tour> {
    let mut places: BTreeMap<Tally, Option<Tour>> =
        wanted.iter().map(|number| (number.clone(), None)).collect();
    let (mut number, mut missing) = (0_u64, places.len());
    selected.in_order(&MoveOrder::default(), control, &mut |squares| {
        number += 1;
        if let Some(tour) = places.get_mut(&Tally::from(number)) {
            *tour = Tour::new(selected.puzzle.board(), squares.to_vec()).ok();
            missing -= 1;
        }
        if missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    wanted.iter().filter_map(|number| places[number].clone()).collect()
}
