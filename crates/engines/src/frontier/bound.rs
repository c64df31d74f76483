//! A bound on the memory of a whole process, divided among what a count by the frontier needs.
//!
//! A process holds constants (the program itself and the tables of matchings), the scratch memory
//! of each worker, and states: those that are kept between rounds and those that are worked on.
//! Scratch has a quarter of what the constants leave, within the limits between which more of it is
//! faster. States have the rest.

use super::round::MOST_SCRATCH;
use crate::board::Board;
use crate::question::Question;
use crate::work::Work;

/// The program, its main thread and the tables of matchings.
const CONSTANTS: u64 = 40 << 20;

/// The same for boards with more than eight moves from a square. Their states come in larger
/// blocks, and the allocator holds back memory of those that are gone: with 40 MiB for constants,
/// a count on 6x6 of pieces that move as kings and knights took 86 MB of 64, and 125 of 120.
const CONSTANTS_OF_DENSE: u64 = 72 << 20;

/// With less scratch memory for each worker, slices would be worked on almost block by block.
const LEAST_SCRATCH: u64 = 8 << 20;

/// With less for states, the output of a slice would not fit beside the slice.
const LEAST_STATES: u64 = 8 << 20;

/// A bound on the memory of a process, divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryShares {
    /// The bytes of scratch memory of each worker.
    pub scratch: u64,
    /// The bytes for all states.
    pub states: u64,
}

impl MemoryShares {
    /// The smallest bound under which a number of workers can count a question, in whole mebibytes.
    ///
    /// One unit has to fit, when what is kept for the units is on disk. Of most boards with more
    /// than 72 squares the size of a unit is not known before its states are there.
    pub fn least(question: &Question, threads: usize) -> u64 {
        let of_small = most_of_small(&question.board);
        let small = of_small.map(|most| most + ((threads.max(1) as u64) << 20));
        small.unwrap_or_else(|| Self::least_reserved(question, threads))
    }

    /// The smallest bound under which the shares are reserved, if not all of them used.
    pub fn least_reserved(question: &Question, threads: usize) -> u64 {
        let unit = largest_unit(question);
        let scratch = LEAST_SCRATCH * threads.max(1) as u64;
        // Scratch is a quarter of it, or the least.
        let rest = (unit.max(LEAST_STATES) + scratch).max(unit * 4 / 3);
        (constants(question) + rest).next_multiple_of(1 << 20)
    }

    /// The shares of a bound for a question. A bound that is too small has those of one that
    /// suffices for a small board.
    pub fn of(bound: u64, question: &Question, threads: usize) -> Self {
        let threads = threads.max(1) as u64;
        let rest =
            bound.saturating_sub(constants(question)).max(threads * LEAST_SCRATCH + LEAST_STATES);
        let scratch = (rest / (4 * threads)).clamp(LEAST_SCRATCH, MOST_SCRATCH);
        Self { scratch, states: rest - threads * scratch }
    }

    /// Bounds the workers of a count by the shares. Units in progress have half of the states,
    /// as in a run.
    pub fn limit(&self, work: &mut dyn Work, threads: usize) {
        work.limit_memory(self.scratch, self.states / 2 / threads.max(1) as u64);
    }
}

/// The bytes of a process that are neither scratch memory nor states.
fn constants(question: &Question) -> u64 {
    if question.board.most_moves() > 8 { CONSTANTS_OF_DENSE } else { CONSTANTS }
}

/// The bytes that a process takes to count a small board or to number its tours, beside a mebibyte
/// for each worker: the measured 11 MB of 5x5 and 23 of 6x8, and some more. Such a count never
/// comes near the shares that larger ones have to leave for scratch and states.
fn most_of_small(board: &Board) -> Option<u64> {
    let is_narrow = board.is_plain() && board.rows().min(board.cols()) <= 6;
    let mebibytes = match board.squares() {
        ..=30 => 14,
        31..=48 => 26,
        _ => return None,
    };
    is_narrow.then_some(mebibytes << 20)
}

/// The bytes that the largest unit of a board takes, with what the allocator holds back of memory
/// that was freed before. So measured that a process stays within the least bound on 7x7, 7x8, 7x9,
/// 7x10 and 8x8 open, on 7x8, 7x10, 8x8 and 8x9 closed, for kings on 8x8 and, closed, on 9x9, for
/// wazirs on 9x9, and on a hexagon of side 5.
fn largest_unit(question: &Question) -> u64 {
    let board = &question.board;
    let short = board.rows().min(board.cols());
    let mebibytes = match (question.is_closed(), short, board.squares()) {
        (_, ..=8, ..=64) | (true, ..=9, ..=81) if has_short_moves(board) => 8,
        (_, ..=9, ..=81) if has_short_moves(board) && board.most_moves() <= 6 => 8,
        (_, ..=7, ..=63) | (true, ..=7, _) | (true, _, ..=64) => 8,
        (true, _, ..=72) => 24,
        (true, ..) => 195,
        (false, ..=7, _) => 32,
        (false, _, ..=64) => 350,
        (false, ..) => 700,
    };
    mebibytes << 20
}

/// True if moves lead to the next row and column at most. Then a cut has half as many squares as
/// one through the moves of a knight.
fn has_short_moves(board: &Board) -> bool {
    let is_near = |one: u32, other: u32| one.abs_diff(other) <= 1;
    let is_short = |from, to| {
        is_near(board.row(from), board.row(to)) && is_near(board.col(from), board.col(to))
    };
    let mut squares = board.all_squares();
    !board.is_graph() && squares.all(|from| board.moves(from).all(|to| is_short(from, to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_have_a_quarter_of_a_bound_and_states_three_quarters() {
        let question = Question::open(Board::new(8, 8).expect("in range"));
        let shares = |bound| {
            let MemoryShares { scratch, states } =
                MemoryShares::of(CONSTANTS + bound, &question, 2);
            [scratch, states].map(|bytes| bytes >> 20)
        };
        assert_eq!(shares(160 << 20), [20, 120]);
        assert_eq!(shares(40 << 20), [8, 24], "the least for workers");
    }

    #[test]
    fn the_shares_of_a_bound_do_not_exceed_it_and_a_larger_one_leaves_more_for_states() {
        for threads in [1, 2, 7, 64, 1000] {
            for size in [7, 8, 10] {
                let question = Question::closed(Board::new(size, size).expect("in range"));
                let least = MemoryShares::least(&question, threads);
                let mut before = 0;
                for more in [0, 1, 1000, 1 << 20, 1 << 24, 1 << 28, 1 << 32, 1 << 40] {
                    let bound = least + more;
                    let MemoryShares { scratch, states } =
                        MemoryShares::of(bound, &question, threads);
                    let scratch = threads as u64 * scratch;
                    assert!(CONSTANTS + scratch + states <= bound);
                    assert!(states >= before && states >= LEAST_STATES);
                    assert!(states + threads as u64 >= largest_unit(&question));
                    before = states;
                }
            }
            let question = Question::open(Board::new(5, 5).expect("in range"));
            let none = MemoryShares::of(0, &question, threads);
            assert!(none.states >= LEAST_STATES && none.scratch >= LEAST_SCRATCH);
        }
    }
}
