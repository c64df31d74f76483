//! Finds the fewest clues that determine a tour: `fewest_clues 5x6 open`.
//!
//! A clue says which step a square has. All tours are listed. For every set of squares the tours
//! fall into groups that have the same steps there, and a tour that is alone in its group is
//! determined by these squares. Sets of one square come first, then sets of two, and so on until a
//! group has one tour. Squares are added one by one, each divides the groups further, so that a set
//! costs one look at every tour that is not alone yet.
//!
//! A closed tour may begin on any of its squares, which shifts all steps. Only the steps from the
//! first square of a set to the others tell such tours apart, and one list of the tours from one
//! square is enough.
#![allow(clippy::print_stdout)]

use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::list::{Listing, visit};
use kt_enum::question::Question;
use rayon::prelude::*;
use std::error::Error;
use std::ops::ControlFlow;

/// The tours of a board, as the step of each square from 0.
struct Tours {
    squares: usize,
    is_closed: bool,
    steps: Vec<Vec<u8>>,
}

/// The tours that a number of squares determine.
#[derive(Default)]
struct Determined {
    /// True for each tour that some set of squares determines.
    tours: Vec<bool>,
    example: Option<(u32, Vec<usize>)>,
}

impl Tours {
    fn of(board: &Board, is_closed: bool) -> Result<Self, Box<dyn Error>> {
        let question = if is_closed { Question::closed } else { Question::open }(board.clone());
        let listing = Listing::new(question, MoveOrder::default())?;
        let mut steps = Vec::new();
        let mut add = |tour: &mut dyn Iterator<Item = Square>| {
            let mut step_of = vec![0; board.squares()];
            for (step, square) in (0..).zip(tour) {
                step_of[square.index()] = step;
            }
            steps.push(step_of);
        };
        let end = visit(&listing, |tour| {
            add(&mut tour.iter().copied());
            if is_closed {
                // A list has each cycle in one direction.
                add(&mut tour.iter().rev().copied());
            }
            ControlFlow::<()>::Continue(())
        });
        assert!(end.is_continue());
        Ok(Self { squares: board.squares(), is_closed, steps })
    }

    /// The tours that `count` squares determine, none of which fewer squares determine.
    fn determined_by(&self, count: usize) -> Determined {
        let none = || Determined { tours: vec![false; self.steps.len()], ..Determined::default() };
        let firsts = (0..self.squares).into_par_iter();
        let found = firsts.map(|first| {
            let mut found = none();
            let all: Vec<u32> = (0..self.steps.len() as u32).collect();
            let mut set = vec![first];
            if self.is_closed {
                self.extend(&mut set, &[all], count, &mut found);
            } else {
                let groups = self.divided(&[all], first, first);
                self.extend(&mut set, &groups, count, &mut found);
            }
            found
        });
        found.reduce(none, Determined::and)
    }

    /// Extends a set of squares that leaves these groups of tours.
    fn extend(
        &self,
        set: &mut Vec<usize>,
        groups: &[Vec<u32>],
        count: usize,
        found: &mut Determined,
    ) {
        if set.len() == count {
            for group in groups.iter().filter(|group| group.len() == 1) {
                found.add(group[0], set);
            }
            return;
        }
        let is_last = set.len() + 1 == count;
        for square in set[set.len() - 1] + 1..self.squares {
            set.push(square);
            if is_last {
                groups.iter().for_each(|group| self.singles(group, set, found));
            } else {
                let divided = self.divided(groups, set[0], square);
                self.extend(set, &divided, count, found);
            }
            set.pop();
        }
    }

    /// The step of a square, or for closed tours its distance from the first square of the set.
    fn step(&self, tour: u32, first: usize, square: usize) -> usize {
        let steps = &self.steps[tour as usize];
        let from = if self.is_closed { usize::from(steps[first]) } else { 0 };
        let step = usize::from(steps[square]);
        if step >= from { step - from } else { step + self.squares - from }
    }

    /// Groups divided by the step of a square.
    fn divided(&self, groups: &[Vec<u32>], first: usize, square: usize) -> Vec<Vec<u32>> {
        let mut divided = Vec::new();
        for group in groups {
            let mut parts = vec![Vec::new(); self.squares];
            for &tour in group {
                parts[self.step(tour, first, square)].push(tour);
            }
            divided.extend(parts.into_iter().filter(|part| part.len() > 1));
        }
        divided
    }

    /// Adds the tours of a group that are alone with the step of the last square of the set.
    fn singles(&self, group: &[u32], set: &[usize], found: &mut Determined) {
        /// More squares than any board has here.
        const MOST: usize = 64;
        let (first, last) = (set[0], set[set.len() - 1]);
        let mut tours = [[0_u32; 2]; MOST];
        for &tour in group {
            let [number, one] = &mut tours[self.step(tour, first, last)];
            (*number, *one) = (*number + 1, tour);
        }
        let alone = tours.iter().filter(|[number, _]| *number == 1);
        alone.for_each(|&[_, tour]| found.add(tour, set));
    }
}

impl Determined {
    fn add(&mut self, tour: u32, set: &[usize]) {
        self.tours[tour as usize] = true;
        self.example.get_or_insert_with(|| (tour, set.to_vec()));
    }

    fn and(mut self, other: Self) -> Self {
        self.tours.iter_mut().zip(other.tours).for_each(|(one, other)| *one |= other);
        self.example = self.example.or(other.example);
        self
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let board: Board = words.next().unwrap_or("3x4".to_owned()).parse()?;
    let is_closed = words.next().as_deref() == Some("closed");
    let kind = if is_closed { "closed" } else { "open" };
    if board.squares() > 64 {
        return Err("boards have at most 64 squares here".into());
    }
    let tours = Tours::of(&board, is_closed)?;
    if tours.steps.is_empty() {
        println!("{board}\t{kind}\t0");
        return Ok(());
    }
    for count in 1.. {
        let found = tours.determined_by(count);
        let Some((tour, set)) = found.example else { continue };
        let determined = found.tours.iter().filter(|&&is| is).count();
        let clue = |&square: &usize| {
            let step = tours.step(tour, set[0], square) + 1;
            format!("{step}={}", board.name(Square::from_index(square)))
        };
        let clues: Vec<String> = set.iter().map(clue).collect();
        let (all, clues) = (tours.steps.len(), clues.join(" "));
        println!("{board}\t{kind}\t{all}\t{count}\t{determined}\t{clues}");
        return Ok(());
    }
    Ok(())
}
