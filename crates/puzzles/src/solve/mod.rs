//! Puzzles: boards with some steps given. Solves them, proves that a solution is the only one,
//! makes them, and gives hints.
//!
//! The plain way to solve a puzzle extends one path from step 1 and drops it where it misses a
//! clue. It sees a contradiction between two clues far ahead only when it gets there, and then
//! varies everything before it, so a proof that a solution is the only one takes it days on a
//! chessboard.
//!
//! Here every square and every step has a set of candidates, and each decision narrows the sets all
//! over the board ([`candidates`]). The steps of squares and the edges of the tour are two views of
//! the same tours. Each alone is much weaker: a closed puzzle of twelve clues on 8x8 takes 70,567
//! nodes by steps, and 55 by both. A systematic [`search`] of what is left proves, and one by
//! chance finds ([`solver`]).
//!
//! The invariant is that no solution is ever ruled out: a candidate is removed only if it
//! contradicts the clues and the decisions above it. So the search finds each solution once, and a
//! search that ends by itself has found all. A node costs a few instructions for each move of each
//! square whose surroundings changed, times the words of a set of squares. Memory is quadratic in
//! the squares: three sets per square, a set per step, and a trail of changes.
//!
//! The edges are the multi-path method (Rubin 1974, Kocay 1992). Supports by
//! shifted sets are arc consistency on the successor relation (Mackworth, Consistency in networks
//! of relations, 1977). Random restarts are due to Gomes, Selman and Kautz (Boosting combinatorial
//! search through randomization, 1998).

mod bits;
mod candidates;
mod chain;
mod grid;
mod hint;
mod kept;
mod last_steps;
mod link;
mod make;
mod moves;
mod near;
mod puzzle;
mod reason;
mod region;
mod search;
pub mod solver;
mod technique;

pub use chain::Inference;
pub use grid::grid;
pub use hint::{difficulty, hint, hints};
pub use make::{GivenEnds, MakeError, Recipe, make, patterned};
pub use puzzle::{Clue, Puzzle, PuzzleError};
pub use reason::Reason;
pub use solver::solve_in_order;
pub use solver::{Extent, Solutions, Verdict, any_tour, solve, verdict};
pub use technique::{Difficulty, Grade, Hint, Why};
