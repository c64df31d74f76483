//! Counting without listing: the frontier method, also known as dynamic enumeration (Knuth, TAOCP
//! pre-fascicle 8A, 2025), Simpath, or the transfer matrix.
//!
//! Squares are processed row by row on the short side ([`strip`]). What lies behind is known by what the squares
//! ahead see of it ([`state`]): which of them have edges already, and which ends belong together. All
//! ways to one state are counted as one number ([`count`]; with the ends of the tours, [`by_end`]) and go on
//! together ([`step`], [`table`]). The invariant: the number beside a state is the number of ways to choose the
//! edges of all processed squares so that it comes about.
//!
//! A whole sweep takes the states of the widest frontier, tens of times more than two sweeps that meet in the
//! middle: the top half with every edge that leaves it, the bottom half with its own edges only ([`half`]); the
//! halves are then joined pattern by pattern ([`mod@join`], [`matching`]). Everything here works on one partition
//! of the states at a time; a run gives the partitions to threads.

mod by_end;
mod count;
mod expected;
mod half;
mod join;
mod matching;
mod packed;
mod state;
mod step;
mod strip;
mod table;

pub(crate) use by_end::{ByEnd, FEW_ORBITS, MOST_ORBITS};
pub(crate) use count::{Count, Total, Tours};
pub(crate) use expected::Expected;
pub(crate) use half::{Halves, balanced_cut};
pub(crate) use join::{Joined, Side, join};
pub(crate) use matching::Matchings;
pub(crate) use packed::{Malformed, pack, sort, unpack};
pub(crate) use step::Stage;
pub(crate) use table::{Batches, Budget, By, Entry, Full, Places, Table, bytes};

use crate::board::Board;
use crate::question::Question;
use strip::Strip;
pub(crate) use strip::orbits_of_ends;

/// The name of this engine, as on the command line.
pub const ENGINE: &str = "frontier";

/// The longest short side of a board that the frontier takes on.
pub const LONGEST_SHORT_SIDE: u32 = state::MOST_WIDTH as u32;

/// The board's short side is past [`LONGEST_SHORT_SIDE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a {0} board is too wide to count without listing: its short side may be up to \
     {LONGEST_SHORT_SIDE}; --engine walk takes any board"
)]
pub struct TooWide(pub Board);

/// Checks that the frontier can take a board on.
///
/// # Errors
/// [`TooWide`] when it cannot.
pub fn check(board: Board) -> Result<(), TooWide> {
    match board.rows().min(board.cols()) <= LONGEST_SHORT_SIDE {
        true => Ok(()),
        false => Err(TooWide(board)),
    }
}

/// Whether a board is so large that counting without listing is faster than visiting every tour. On one
/// thread, 6x6 open took the walk 0.04 s and the frontier 0.42, 4x10 0.17 and 0.01, 6x7 9.9 and 1.1; 6x6
/// closed took edges 0.003 s and the frontier 0.01, 6x7 0.05 and 0.03.
pub fn pays(question: &Question) -> bool {
    let most_listed = if question.is_closed() { 40 } else { 36 };
    check(question.board).is_ok() && question.board.squares() > most_listed
}

/// The stages of one sweep over the whole board.
pub(crate) fn sweep(question: &Question, merge_mirrors: bool) -> Vec<Stage> {
    let strip = Strip::of(question);
    let merge = merge_mirrors && question.is_whole();
    let close = |place| Stage::close(&strip, place, merge);
    (0..question.board.squares()).map(close).collect()
}

/// The stages of one sweep along the columns of a question's board that meets, on its way, the boards of
/// its first `step`, twice `step` ... squares.
///
/// # Errors
/// [`TooWide`] when there are too many rows.
pub(crate) fn endless_sweep(question: &Question, step: usize) -> Result<Vec<Stage>, TooWide> {
    let board = question.board;
    if board.rows() > LONGEST_SHORT_SIDE {
        return Err(TooWide(board));
    }
    let strip = Strip::endless(question, step);
    // Boards that end within a row are no mirror images of themselves.
    let merge_mirrors = step.is_multiple_of(strip.width);
    let close = |place| Stage::close(&strip, place, merge_mirrors);
    Ok((0..board.squares()).map(close).collect())
}
