//! Looks for few clues that determine a tour of a board whose tours are too many to be listed:
//! `few_clues 8x8 closed 60 1`, for 60 seconds with the seed 1.
//!
//! Another tour must differ from the tour on some clue. So the squares of the clues meet every set
//! of squares on which another tour differs. The other tours are not known, but a set of clues that
//! is not enough yields one: a second solution of the puzzle. So squares are sought that meet all
//! sets known so far, the solver is asked whether the tour is the only one with these clues, and its
//! answer is either a puzzle with so many clues, after which one clue less is tried, or one more
//! set. A local search finds the squares: it exchanges the square that is missed least for one of a
//! set that is not met, and sets that are long not met gain weight.
#![allow(clippy::print_stdout)]

use fastrand::Rng;
use kt_enum::board::{Board, Square};
use kt_enum::solve::{Clue, Extent, Puzzle, Verdict, any_tour, verdict};
use std::error::Error;
use std::time::{Duration, Instant};

/// The exchanges after which a number of clues is given up.
const PATIENCE: usize = 20_000;

/// The time for one tour without progress.
const TURN: Duration = Duration::from_secs(60);

/// Sets of squares of which each has to be met, as bits of a word.
#[derive(Default)]
struct Sets {
    masks: Vec<u64>,
    weights: Vec<u64>,
}

impl Sets {
    fn add(&mut self, mask: u64) {
        self.masks.push(mask);
        self.weights.push(1);
    }

    /// The weight of the sets that a set of squares does not meet.
    fn missed(&self, squares: u64) -> u64 {
        let missed = self.masks.iter().zip(&self.weights).filter(|(mask, _)| *mask & squares == 0);
        missed.map(|(_, weight)| weight).sum()
    }

    /// Exchanges squares until all sets are met, if that is soon so.
    fn meet(&mut self, mut squares: u64, random: &mut Rng) -> Option<u64> {
        let mut last = 0;
        for _ in 0..PATIENCE {
            let missed: Vec<usize> =
                (0..self.masks.len()).filter(|&at| self.masks[at] & squares == 0).collect();
            if missed.is_empty() {
                return Some(squares);
            }
            missed.iter().for_each(|&at| self.weights[at] += 1);
            let removed = members(squares).filter(|&square| square != last);
            let removed = removed.min_by_key(|square| self.missed(squares & !square))?;
            squares &= !removed;
            let wanted = self.masks[missed[random.usize(..missed.len())]] & !removed;
            let added = members(wanted).min_by_key(|square| self.missed(squares | square))?;
            squares |= added;
            last = added;
        }
        None
    }
}

/// The bits of a word.
fn members(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = word & word.wrapping_neg();
        word &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// A tour of which few clues are sought.
struct Search<'a> {
    board: &'a Board,
    is_closed: bool,
    tour: Vec<Square>,
}

impl Search<'_> {
    fn clues(&self, squares: u64) -> Vec<Clue> {
        let steps = (1..).zip(&self.tour);
        let chosen = steps.filter(|(_, square)| squares >> square.index() & 1 == 1);
        chosen.map(|(step, &square)| Clue { step, square }).collect()
    }

    /// The squares on which another tour differs.
    fn difference(&self, other: &[Square]) -> u64 {
        let differing = self.tour.iter().zip(other).filter(|(one, other)| one != other);
        differing.fold(0, |mask, (one, _)| mask | 1 << one.index())
    }

    /// Fewer than `most` clues, until a turn passes without progress.
    fn few(&self, mut most: usize, end: Instant, random: &mut Rng) -> Option<Vec<Clue>> {
        let mut best = None;
        let mut sets = Sets::default();
        let mut squares = u64::MAX >> (64 - self.board.squares());
        let mut turn = end.min(Instant::now() + TURN);
        while Instant::now() < turn {
            while squares.count_ones() as usize >= most {
                let chosen: Vec<u64> = members(squares).collect();
                squares &= !chosen[random.usize(..chosen.len())];
            }
            let Some(met) = sets.meet(squares, random) else { break };
            squares = met;
            let puzzle = Puzzle::new(self.board.clone(), self.is_closed, self.clues(squares));
            let stop = || Instant::now() >= turn;
            match verdict(&puzzle.ok()?, Extent::default(), &stop) {
                Verdict::Unique(_) => {
                    let clues = self.clues(squares);
                    (most, best) = (clues.len(), Some(clues));
                    turn = end.min(Instant::now() + TURN);
                }
                Verdict::Several(two) => {
                    let differences = two.iter().map(|other| self.difference(other));
                    differences.filter(|&mask| mask != 0).for_each(|mask| sets.add(mask));
                }
                _ => break,
            }
        }
        best
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let board: Board = words.next().unwrap_or("8x8".to_owned()).parse()?;
    let is_closed = words.next().as_deref() == Some("closed");
    let seconds = words.next().map_or(Ok(60), |word| word.parse())?;
    let mut seed = words.next().map_or(Ok(1), |word| word.parse())?;
    if board.squares() > 64 {
        return Err("boards have at most 64 squares here".into());
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    let empty = Puzzle::new(board.clone(), is_closed, [])?;
    let mut most = board.squares();
    let mut tours = 0;
    while Instant::now() < end {
        let Some(tour) = any_tour(&empty, seed, &|| Instant::now() >= end) else { break };
        let search = Search { board: &board, is_closed, tour };
        if let Some(clues) = search.few(most, end, &mut Rng::with_seed(seed)) {
            most = clues.len();
            let clue = |clue: &Clue| format!("{}={}", clue.step, board.name(clue.square));
            let clues: Vec<String> = clues.iter().map(clue).collect();
            println!("{board}\t{most}\tseed {seed}\t{}", clues.join(" "));
        }
        (seed, tours) = (seed + 1, tours + 1);
    }
    println!("{tours} tours tried");
    Ok(())
}
