//! The reason why a puzzle has no solution, as far as it can be said in words.
//!
//! [`Question::impossible`](crate::question::Question::impossible) knows what rules out a tour of
//! the board. If propagation alone rules out the clues, the shortest paths between clues that
//! follow each other are measured, and a pair that is too far apart, or whose colours do not fit,
//! is named. The cost is one walk over the board per clue, and it is paid only where there is no
//! solution.

use super::candidates::Conflict;
use super::chain::Inference;
use super::puzzle::Puzzle;
use crate::board::Square;
use crate::question::Impossible;
use std::mem;

/// The reason why a puzzle has no solution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The board has no tour, or none with these ends.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// The clues or the symmetry rule it out, in words.
    #[error("{0}")]
    Said(String),
    /// Every case was tried.
    #[error("every case was tried")]
    Searched,
}

/// The reason for a conflict that follows from the clues without a search.
pub(super) fn explain(puzzle: &Puzzle, conflict: Conflict) -> Reason {
    let why = || {
        let is_given = |step| puzzle.clues().iter().find(move |clue| clue.step == step);
        let inference = match Inference::of(conflict, Square::from_index(0)) {
            // What has a square is not seen to have none.
            Inference::NoSquare(step) => is_given(step)
                .map_or(Inference::NoSquare(step), |clue| Inference::NoMoves(clue.square)),
            other => other,
        };
        inference.words(puzzle.board())
    };
    Reason::Said(unjoined(puzzle).unwrap_or_else(why))
}

/// Two clues that follow each other and do not fit.
fn unjoined(puzzle: &Puzzle) -> Option<String> {
    let (board, clues) = (puzzle.board(), puzzle.clues());
    let around = if puzzle.is_closed() { clues.first() } else { None };
    for (place, one) in clues.iter().enumerate() {
        let Some(other) = clues.get(place + 1).or(around).filter(|other| *other != one) else {
            continue;
        };
        let both = || format!("{} and {}", one.words(board), other.words(board));
        let moves = (other.step + board.squares() - one.step) % board.squares();
        if distance(puzzle, one.square, other.square).is_none_or(|least| least > moves) {
            return Some(format!("two clues that no path joins: {}", both()));
        }
        let fits = (board.colour(one.square) == board.colour(other.square)) == (moves % 2 == 0);
        if board.has_colours() && !fits {
            return Some(format!(
                "every move changes the colour of the square, which does not fit two clues: {}",
                both()
            ));
        }
    }
    None
}

/// The length of the shortest path between two squares that avoids all other clues.
fn distance(puzzle: &Puzzle, from: Square, to: Square) -> Option<usize> {
    let board = puzzle.board();
    let mut is_free = vec![true; board.squares()];
    puzzle.clues().iter().for_each(|clue| is_free[clue.square.index()] = false);
    is_free[to.index()] = true;
    // The squares that are reached first after so many moves.
    let (mut reached, mut moves) = (vec![from], 0);
    while !reached.contains(&to) {
        let next = reached.iter().flat_map(|&square| board.moves(square));
        reached = next.filter(|next| mem::take(&mut is_free[next.index()])).collect();
        if reached.is_empty() {
            return None;
        }
        moves += 1;
    }
    Some(moves)
}
