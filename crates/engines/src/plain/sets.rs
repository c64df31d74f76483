//! Dynamic programming over sets of squares (Held and Karp 1962): a counter for dense graphs that
//! shares nothing with the engines.
//!
//! All paths through the same squares to the same square can be continued in the same ways. So the
//! paths of one length are counted by their set of squares and their last square, and each count is
//! added to those of the paths that are one square longer.

use super::{may_end, may_start};
use crate::board::{Board, Square, SquareSet};
use crate::question::Question;
use crate::rounds::Stop;
use crate::tally::Tally;
use std::collections::HashMap;

/// The largest number of squares: the sets of half of them take 200 MB. There are at most `22!`
/// paths, which 128 bits hold.
const LARGEST_BOARD: usize = 22;

/// True if the sets of a board fit `memory` bytes and the board is not too large.
pub fn fits(board: &Board, memory: u64) -> bool {
    // Half of the squares of 22 have 2^19.4 sets, each with counts and its place in a table.
    let squares = board.squares();
    squares <= LARGEST_BOARD && 1 << (squares + 7) <= memory
}

/// Returns the number of directed tours that answer a question, as [`count`](super::count) does.
/// Returns `None` if the board is too large, and if `stop`, which is called every few milliseconds,
/// returned true.
pub fn count(question: &Question, stop: Stop) -> Option<Tally> {
    let board = &question.board;
    let squares = board.squares();
    if squares > LARGEST_BOARD {
        return None;
    }
    let moves: Vec<u64> = board.all_squares().map(|square| u64::of(board.moves(square))).collect();
    let is_start = |start: usize| may_start(question, Square::from_index(start));
    let is_end = |&end: &usize| may_end(question, Square::from_index(end));
    let start = |start: usize| (u64::single(start), vec![u128::from(is_start(start)); squares]);
    let mut paths: HashMap<u64, Vec<u128>> = (0..squares).map(start).collect();
    for _ in 1..squares {
        let mut longer: HashMap<u64, Vec<u128>> = HashMap::new();
        for (place, (set, counts)) in paths.into_iter().enumerate() {
            if place % 1_024 == 0 && stop() {
                return None;
            }
            for last in set.indices().filter(|&last| counts[last] > 0) {
                for next in (moves[last] & !set).indices() {
                    let set = set | u64::single(next);
                    longer.entry(set).or_insert_with(|| vec![0; squares])[next] += counts[last];
                }
            }
        }
        paths = longer;
    }
    let of_set =
        |counts: &Vec<u128>| (0..squares).filter(is_end).map(|end| counts[end]).sum::<u128>();
    Some(paths.values().map(of_set).sum::<u128>().into())
}
