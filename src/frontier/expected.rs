//! How much memory a count will take, from what others have taken.

use crate::question::Question;

/// Bytes that the states of a board took at their peak, counted by two half boards on two threads: the short and
/// the long side, for closed tours and for open ones (0: not measured).
const MEASURED: &[(u32, u32, u64, u64)] = &[
    (4, 12, 0, 1_100_000),
    (5, 6, 0, 1_800_000),
    (5, 8, 400_000, 8_400_000),
    (5, 10, 2_100_000, 37_000_000),
    (5, 12, 3_900_000, 63_000_000),
    (5, 20, 4_900_000, 73_000_000),
    (6, 6, 1_500_000, 43_000_000),
    (6, 8, 22_000_000, 390_000_000),
    (6, 10, 71_000_000, 780_000_000),
    (6, 12, 135_000_000, 0),
    (7, 7, 0, 690_000_000),
    (7, 8, 365_000_000, 0),
];

/// A number of bytes that will hardly do with less than: what the largest board measured took that is
/// no larger than this one. 0 when nothing is known.
pub(crate) fn bytes_at_least(question: &Question) -> u64 {
    let board = question.board;
    let (short, long) = (
        board.rows().min(board.cols()),
        board.rows().max(board.cols()),
    );
    let fixed_ends = !question.is_whole();
    let within = MEASURED
        .iter()
        .filter(|(rows, cols, ..)| *rows <= short && *cols <= long);
    let bytes = |&(_, _, closed, open): &(u32, u32, u64, u64)| match question.is_closed() {
        true => closed,
        // Fixed ends leave fewer states, by how many was not measured.
        false if fixed_ends => open / 8,
        false => open,
    };
    within.map(bytes).max().unwrap_or(0)
}
