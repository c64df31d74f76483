//! How much memory a count will take, from what others have taken.

use crate::question::Question;

/// Bytes that the states of a board took at their peak, counted by two half boards on two threads: the short and
/// the long side, for closed tours and for open ones (0: not measured).
const MEASURED: &[(u32, u32, u64, u64)] = &[
    (4, 12, 0, 900_000),
    (5, 6, 0, 1_600_000),
    (5, 8, 600_000, 8_900_000),
    (5, 10, 1_700_000, 35_000_000),
    (5, 12, 3_500_000, 57_000_000),
    (5, 20, 5_400_000, 67_000_000),
    (6, 6, 1_400_000, 40_000_000),
    (6, 8, 20_000_000, 346_000_000),
    (6, 10, 70_000_000, 782_000_000),
    (6, 12, 108_000_000, 0),
    (7, 7, 0, 906_000_000),
    (7, 8, 357_000_000, 0),
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
