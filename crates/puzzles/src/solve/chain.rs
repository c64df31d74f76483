//! Chains of conclusions: why a number or a contradiction follows, in as few steps as are needed.
//!
//! Propagation applies rules to one square after the other, and most of these applications do not
//! matter for a conclusion. So they are recorded, and then left out one by one, from the last to
//! the first, as long as the conclusion still follows from those that are left. Only the
//! applications after the one in question have to be repeated, and these are few. What each of the
//! remaining ones tells is seen from what it changes.

use super::bits::Bits;
use super::candidates::{Candidates, Conflict};
use super::puzzle::Clue;
use crate::board::{Board, Square};
use crate::quantity::counted;

/// A step of a chain of conclusions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inference {
    /// A square has only the moves to these squares left, so it lies between them.
    Between(Square, Vec<Square>),
    /// A square needs the moves to these squares.
    Needs(Square, Vec<Square>),
    /// The moves from a square to these squares are out.
    Without(Square, Vec<Square>),
    /// A square has only these numbers left.
    Numbers(Square, Vec<usize>),
    /// A number is known.
    Known(Clue),
    /// A number would cut off these squares.
    Cuts(Clue, Vec<Square>),
    /// No number is left for a square.
    NoNumber(Square),
    /// No square is left for a number.
    NoSquare(usize),
    /// A square cannot have the moves that it needs.
    NoMoves(Square),
}

impl Inference {
    /// A contradiction, by default at a square.
    pub(super) fn of(conflict: Conflict, square: Square) -> Self {
        match conflict {
            Conflict::NoStep(at) => Self::NoNumber(Square::from_index(at)),
            Conflict::NoSquare(step) => Self::NoSquare(step + 1),
            Conflict::Edges(at) => Self::NoMoves(Square::from_index(at)),
            Conflict::Stopped | Conflict::Memory => Self::NoMoves(square),
        }
    }

    /// The conclusion in words, such as `a1 has only the moves to b3 and c2 left, so it lies
    /// between them`.
    pub fn words(&self, board: &Board) -> String {
        let name = |square: &Square| board.name(*square);
        let names = |squares: &[Square]| listed(squares.iter().map(name).collect(), "and");
        match self {
            Self::Between(square, around) => {
                let (square, around) = (name(square), names(around));
                format!("{square} has only the moves to {around} left, so it lies between them")
            }
            Self::Needs(square, to) => format!("{} needs the move to {}", name(square), names(to)),
            Self::Without(square, to) => format!("{} is not next to {}", name(square), names(to)),
            Self::Numbers(square, numbers) if numbers.len() <= 4 => {
                let numbers = listed(numbers.iter().map(usize::to_string).collect(), "or");
                format!("{} can only be {numbers}", name(square))
            }
            Self::Numbers(square, numbers) => {
                format!("{} has {} left", name(square), counted(numbers.len(), "number"))
            }
            Self::Known(clue) => format!("so {}", clue.words(board)),
            Self::Cuts(clue, region) => {
                format!("{} would cut off {}", clue.words(board), names(region))
            }
            Self::NoNumber(square) => format!("no number is left for {}", name(square)),
            Self::NoSquare(step) => format!("no square is left for {step}"),
            Self::NoMoves(square) => format!("no path through {} is left", name(square)),
        }
    }
}

/// Words as in `a, b and c`.
fn listed(mut words: Vec<String>, last: &str) -> String {
    match words.pop() {
        Some(word) if words.is_empty() => word,
        Some(word) => format!("{} {last} {word}", words.join(", ")),
        None => String::new(),
    }
}

/// The application of a rule.
#[derive(Debug, Clone, Copy)]
pub(super) enum Applied {
    /// The rules about steps and edges, to a square.
    Square(usize),
    /// A step is the only one of a square, or the other way around.
    Single(usize, usize),
    /// A step on a square would cut off a region.
    Region(usize, usize),
}

/// The applications of rules that changed something, each with the place on the trail before it.
pub(super) type Applications = Vec<(Applied, usize)>;

/// What is to be explained: a set with one member, or a contradiction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Conclusion {
    Single(usize),
    Contradiction,
}

impl<const N: usize> Candidates<'_, N> {
    /// Applies a rule, if its condition holds.
    fn apply(&mut self, applied: Applied) -> Result<(), Conflict> {
        match applied {
            Applied::Square(square) => self.revise(square),
            Applied::Single(square, step) => {
                let is_single =
                    self.count(square) == 1 || self.count(self.moves.squares + step) == 1;
                if is_single { self.assign(square, step) } else { Ok(()) }
            }
            Applied::Region(square, step) => match self.cut_by(square, step) {
                Some(_) => self.exclude(square, step),
                None => Ok(()),
            },
        }
    }

    /// Propagates as [`Candidates::propagate`] and records how. If singles are no rule, it ends
    /// as soon as there is one, and regions are looked at where nothing else follows.
    pub(super) fn conclude(
        &mut self,
        applications: &mut Applications,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Conflict> {
        loop {
            let applied = match self.take_single() {
                _ if stop() => return Err(Conflict::Stopped),
                Some(_) if !self.rules.singles => return Ok(()),
                Some((square, step)) => Applied::Single(square, step),
                None => match self.next_dirty() {
                    Some(square) => Applied::Square(square),
                    None if self.rules.singles => return Ok(()),
                    None => match self.cut() {
                        Some((square, step)) => Applied::Region(square, step),
                        None => return Ok(()),
                    },
                },
            };
            let mark = self.mark();
            let outcome = self.apply(applied);
            if outcome.is_err() || self.mark() > mark {
                applications.push((applied, mark));
            }
            outcome?;
        }
    }

    /// The applications of those recorded that a conclusion needs, in words. Their changes are
    /// taken back.
    pub(super) fn explanation(
        &mut self,
        applications: Applications,
        conclusion: Conclusion,
    ) -> Vec<Inference> {
        let mut needed: Vec<Applied> = Vec::new();
        for &(applied, mark) in applications.iter().rev() {
            self.undo(mark);
            let failing = needed.iter().rposition(|&applied| self.apply(applied).is_err());
            let holds = match conclusion {
                Conclusion::Contradiction => failing.is_some(),
                Conclusion::Single(place) => self.count(place) == 1,
            };
            // What comes after a contradiction is not needed.
            needed.drain(..failing.unwrap_or(0));
            if !holds {
                needed.push(applied);
            }
        }
        if let Some((_, mark)) = applications.first() {
            self.undo(*mark);
        }
        needed.into_iter().rev().flat_map(|applied| self.told(applied)).collect()
    }

    /// What an application tells, which is applied.
    fn told(&mut self, applied: Applied) -> Vec<Inference> {
        let squares = |set: Bits<N>| set.members().map(Square::from_index).collect::<Vec<_>>();
        let at = match applied {
            Applied::Square(at) | Applied::Single(at, _) | Applied::Region(at, _) => at,
        };
        let square = Square::from_index(at);
        let region = match applied {
            Applied::Region(_, step) => self.cut_by(at, step).map_or(Vec::new(), squares),
            _ => Vec::new(),
        };
        let before = (self.steps(at), self.usable(at), self.required(at));
        if let Err(conflict) = self.apply(applied) {
            return vec![Inference::of(conflict, square)];
        }
        let clue = |step: usize| Clue { step: step + 1, square };
        match applied {
            Applied::Single(_, step) => vec![Inference::Known(clue(step))],
            Applied::Region(_, step) => vec![Inference::Cuts(clue(step), region)],
            Applied::Square(_) => {
                let (usable, required) = (self.usable(at), self.required(at));
                let is_between = required == usable && usable.len() == 2;
                let mut told = Vec::new();
                if required != before.2 && is_between {
                    told.push(Inference::Between(square, squares(usable)));
                } else if required != before.2 {
                    told.push(Inference::Needs(square, squares(required & !before.2)));
                }
                if self.steps(at) != before.0 {
                    let steps = self.steps(at).members().map(|step| step + 1);
                    told.push(Inference::Numbers(square, steps.collect()));
                }
                if told.is_empty() {
                    told.push(Inference::Without(square, squares(before.1 & !usable)));
                }
                told
            }
        }
    }
}
