//! The techniques by which people solve puzzles, in the order in which they learn them, and the
//! grade of a puzzle.
//!
//! A puzzle has the grade of the hardest technique that it needs. Every technique only ever uses
//! more of what is known, so the order in which they are applied does not change how far they lead,
//! and the grade is a property of the puzzle.

use super::chain::Inference;
use super::puzzle::Clue;
use crate::board::{Board, Square};
use crate::quantity::counted;
use serde::Serialize;
use std::{fmt, iter};

/// How hard a puzzle is: the hardest technique that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// The next or the previous number has one place, or a short gap has one way.
    #[default]
    Gentle,
    /// Distances to the clues on both sides leave one square for a number, or one number for a
    /// square.
    Easy,
    /// A square needs both of its two exits, or a region would be cut off.
    Medium,
    /// An assumption has to be made.
    Hard,
}

impl Grade {
    /// All grades with their names, from the easiest.
    pub const NAMED: [(Self, &'static str); 4] = [
        (Self::Gentle, "gentle"),
        (Self::Easy, "easy"),
        (Self::Medium, "medium"),
        (Self::Hard, "hard"),
    ];

    /// The name: `gentle`, `easy`, `medium` or `hard`.
    pub fn name(self) -> &'static str {
        Self::NAMED[self as usize].1
    }

    /// The grade below.
    pub fn easier(self) -> Option<Self> {
        (self as usize).checked_sub(1).map(|below| Self::NAMED[below].0)
    }
}

/// The technique by which a number follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// One free square is a move away from the number before or after it: the numbers next to it
    /// that are known.
    Next(Option<Clue>, Option<Clue>),
    /// Two numbers have one way between them, which these squares are.
    Gap(Clue, Clue, Vec<Square>),
    /// The step has no other square: the last step given before it and the first one after it.
    OneSquare(Option<Clue>, Option<Clue>),
    /// The square has no other step.
    OneStep,
    /// Squares with two exits need both.
    Exits(Vec<Inference>),
    /// Other numbers would cut off squares.
    Region(Vec<Inference>),
    /// Everything else leads to a contradiction after at most this many assumptions: the
    /// alternatives that one assumption refutes, with what follows from it.
    Guess(u32, Vec<(Clue, Vec<Inference>)>),
}

impl Why {
    /// The name of the technique, as JSON writes it.
    pub fn technique(&self) -> &'static str {
        match self {
            Self::Next(..) => "next",
            Self::Gap(..) => "gap",
            Self::OneSquare(..) => "one_square",
            Self::OneStep => "one_step",
            Self::Exits(_) => "exits",
            Self::Region(_) => "region",
            Self::Guess(..) => "guess",
        }
    }

    /// The grade of puzzles that need the technique.
    pub fn grade(&self) -> Grade {
        match self {
            Self::Next(..) | Self::Gap(..) => Grade::Gentle,
            Self::OneSquare(..) | Self::OneStep => Grade::Easy,
            Self::Exits(_) | Self::Region(_) => Grade::Medium,
            Self::Guess(..) => Grade::Hard,
        }
    }

    /// The conclusions one after the other, those from each refuted assumption after it.
    pub fn words(&self, board: &Board) -> Vec<String> {
        let words = |inference: &Inference| inference.words(board);
        match self {
            Self::Exits(chain) | Self::Region(chain) => chain.iter().map(words).collect(),
            Self::Guess(_, refuted) => {
                let refuted = refuted.iter().flat_map(|(clue, chain)| {
                    iter::once(assumption(board, clue)).chain(chain.iter().map(words))
                });
                refuted.collect()
            }
            _ => Vec::new(),
        }
    }

    /// The number of conclusions that have to be drawn one after the other.
    pub fn chain(&self) -> usize {
        match self {
            Self::Exits(chain) | Self::Region(chain) => Some(chain.len()),
            Self::Guess(_, refuted) => refuted.iter().map(|(_, chain)| chain.len()).max(),
            _ => None,
        }
        .unwrap_or(1)
    }
}

/// A number that follows from the clues of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The number and its square.
    pub clue: Clue,
    /// The reason.
    pub why: Why,
}

impl Hint {
    /// The longest chain of conclusions that is told.
    pub const LONGEST_CHAIN: usize = 8;

    /// The hint in words, such as `5 goes on c3: no other square fits between 4 on b1 and
    /// 7 on d8`.
    pub fn words(&self, board: &Board) -> String {
        let name = |clue: &Clue| clue.words(board);
        let (step, square) = (self.clue.step, board.name(self.clue.square));
        let why = match &self.why {
            Why::Next(Some(before), Some(after)) => {
                format!("no other square fits between {} and {}", name(before), name(after))
            }
            Why::Next(one, other) => {
                let near = one.as_ref().or(other.as_ref()).map_or(String::new(), name);
                format!("no other free square is a move away from {near}")
            }
            Why::Gap(before, after, way) => {
                let way: Vec<String> = way.iter().map(|&square| board.name(square)).collect();
                let (before, after) = (name(before), name(after));
                format!("the only way from {before} to {after} is {}", way.join(", "))
            }
            Why::OneSquare(before, after) => {
                let before = before.as_ref().map_or("the beginning".to_owned(), name);
                let after = after.as_ref().map_or("the end".to_owned(), name);
                format!("no other square fits between {before} and {after}")
            }
            Why::OneStep => format!("no other number fits {square}"),
            Why::Exits(chain) | Why::Region(chain) => told(board, "that", chain),
            Why::Guess(depth, refuted) => {
                let after = match depth {
                    1 => String::new(),
                    _ => format!(" after {depth} assumptions"),
                };
                let refuted = refuted.iter().map(|(clue, chain)| {
                    let chain = told(board, "a contradiction", chain);
                    format!("; {}, {chain}", assumption(board, clue))
                });
                let refuted: String = refuted.collect();
                format!("everything else leads to a contradiction{after}{refuted}")
            }
        };
        format!("{step} goes on {square}: {why}")
    }
}

/// The beginning of a chain of conclusions from a number that is assumed.
fn assumption(board: &Board, clue: &Clue) -> String {
    format!("if {} is on {}", clue.step, board.name(clue.square))
}

/// A chain of conclusions in words, or, if it is long, its length and what is at its end.
fn told(board: &Board, end: &str, chain: &[Inference]) -> String {
    if chain.len() > Hint::LONGEST_CHAIN {
        return format!("{end} follows in {}", counted(chain.len(), "step"));
    }
    let chain: Vec<String> = chain.iter().map(|inference| inference.words(board)).collect();
    chain.join("; ")
}

/// The numbers of hints that it takes to solve a puzzle. A harder puzzle compares greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
pub struct Difficulty {
    /// The grade of the hardest technique.
    pub grade: Grade,
    /// The greatest depth of a guess.
    pub depth: u32,
    /// The number of guesses.
    pub guesses: usize,
    /// The longest chain of conclusions of a hint.
    pub longest_chain: usize,
    /// The number of steps that follow because a region would be cut off.
    pub regions: usize,
    /// The number of steps that follow from the moves that squares need.
    pub moves: usize,
    /// The number of squares with one step left.
    pub one_step: usize,
    /// The number of steps with one square left.
    pub one_square: usize,
    /// The number of steps on the only way between two numbers.
    pub gaps: usize,
    /// The number of steps with one free square next to a known number.
    pub next: usize,
}

/// The difficulty in words.
impl fmt::Display for Difficulty {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.next, "next"),
            (self.gaps, "by gap"),
            (self.one_square, "by square"),
            (self.one_step, "by number"),
            (self.moves, "by exits"),
            (self.regions, "by region"),
            (self.guesses, "by assumption"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, by)| format!("{count} {by}")).collect();
        let counts =
            if counts.is_empty() { "nothing to find".to_owned() } else { counts.join(", ") };
        write!(out, "{}: {counts}", self.grade.name())?;
        match self.longest_chain {
            0 | 1 => Ok(()),
            longest => write!(out, "; longest chain {longest}"),
        }?;
        match self.depth {
            0 | 1 => Ok(()),
            depth => write!(out, "; {depth} assumptions at once"),
        }
    }
}

impl Difficulty {
    /// The difficulty of a puzzle that these hints solve.
    pub fn of(hints: &[Hint]) -> Self {
        let mut sum = Self::default();
        for Hint { why, .. } in hints {
            let count = match why {
                Why::Next(..) => &mut sum.next,
                Why::Gap(..) => &mut sum.gaps,
                Why::OneSquare(..) => &mut sum.one_square,
                Why::OneStep => &mut sum.one_step,
                Why::Exits(_) => &mut sum.moves,
                Why::Region(_) => &mut sum.regions,
                Why::Guess(depth, _) => {
                    sum.depth = sum.depth.max(*depth);
                    &mut sum.guesses
                }
            };
            *count += 1;
            sum.grade = sum.grade.max(why.grade());
            sum.longest_chain = sum.longest_chain.max(why.chain());
        }
        sum
    }
}
