//! Orders in which the eight knight moves are tried.
//!
//! The start and the move order decide in which order a plain depth-first search meets the tours of
//! a board.

use super::{Board, KNIGHT_MOVES, Square};
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// The eight knight moves, each once, in the order in which they are tried.
///
/// An order is written as its name, if it has one, or as eight steps `right:up` with commas.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::board::MoveOrder;
/// let order: MoveOrder = "linear".parse()?;
/// assert_eq!(order.steps()[0], (-2, -1));
/// assert_eq!(order.to_string(), "linear");
/// # Ok::<(), kt_enum::board::MoveOrderError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveOrder {
    steps: [(i32, i32); 8],
}

/// A text or a list of steps is not an order of the knight moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveOrderError {
    /// The text is neither a known name nor a list of steps.
    #[error(
        "`{0}` is not a move order: say row-major, linear or report, or name the eight steps as \
         right:up with commas, such as {example}",
        example = MoveOrder::ROW_MAJOR.typed()
    )]
    Unknown(String),
    /// A part between two commas is not a pair of numbers.
    #[error("`{0}` is not a step: write how far to the right and how far up, such as 1:2 or -2:1")]
    Step(String),
    /// A pair of numbers is not a knight's move.
    #[error("{right}:{up} is not a knight's move: one number is 1 or -1, the other 2 or -2")]
    NotAKnightMove {
        /// Columns to the right.
        right: i32,
        /// Rows up.
        up: i32,
    },
    /// A move is named twice.
    #[error("{right}:{up} stands there twice: name each of the eight moves once")]
    Twice {
        /// Columns to the right.
        right: i32,
        /// Rows up.
        up: i32,
    },
    /// Fewer than eight moves are given.
    #[error("{given} steps where a knight has 8: {right}:{up} is missing")]
    Missing {
        /// The number of steps given.
        given: usize,
        /// Columns to the right of the first missing move.
        right: i32,
        /// Rows up of the first missing move.
        up: i32,
    },
    /// The order is for another board.
    #[error("order {0} is for a knight on a whole rectangle: leave it out")]
    OtherBoard(String),
}

impl MoveOrder {
    /// The default order: target squares by row from the top, then by column from the left.
    pub const ROW_MAJOR: Self =
        Self { steps: [(2, -1), (2, 1), (1, -2), (1, 2), (-1, -2), (-1, 2), (-2, -1), (-2, 1)] };

    /// The offsets -25 -14 10 23 25 14 -10 -23 on a board 12 cells wide whose rows go up.
    ///
    /// A program on a linear board uses this order, published in a blog post of 12 February 2023.
    pub const LINEAR: Self =
        Self { steps: [(-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1)] };

    /// The steps (2,1) (2,-1) (-2,1) (-2,-1) (-1,2) (1,2) (-1,-2) (1,-2) as (row, column), with
    /// rows counted down from the top.
    ///
    /// A report on blind search tries the moves in this order.
    pub const REPORT: Self =
        Self { steps: [(-2, 1), (-2, -1), (2, 1), (2, -1), (1, 2), (-1, 2), (1, -2), (-1, -2)] };

    /// The order, if it is one for a board: only the knight on a whole rectangle has other orders
    /// than the default one.
    ///
    /// # Errors
    /// [`MoveOrderError::OtherBoard`] if it is not.
    pub fn for_board(self, board: &Board) -> Result<Self, MoveOrderError> {
        let fits = board.is_plain() || self == Self::ROW_MAJOR;
        if fits { Ok(self) } else { Err(MoveOrderError::OtherBoard(self.to_string())) }
    }

    const NAMED: [(&'static str, Self); 3] =
        [("row-major", Self::ROW_MAJOR), ("linear", Self::LINEAR), ("report", Self::REPORT)];

    /// Creates an order from eight steps (rows up, columns right), the first tried first.
    ///
    /// # Errors
    /// [`MoveOrderError`] if the steps are not the eight knight moves, each once.
    pub fn new(given: &[(i32, i32)]) -> Result<Self, MoveOrderError> {
        for (index, &(up, right)) in given.iter().enumerate() {
            if !KNIGHT_MOVES.contains(&(up, right)) {
                return Err(MoveOrderError::NotAKnightMove { right, up });
            }
            if given[..index].contains(&(up, right)) {
                return Err(MoveOrderError::Twice { right, up });
            }
        }
        let mut missing = KNIGHT_MOVES.into_iter().filter(|step| !given.contains(step));
        match (given.try_into(), missing.next()) {
            (Ok(steps), None) => Ok(Self { steps }),
            (_, missing) => {
                let (up, right) = missing.unwrap_or_default();
                let given = given.len();
                Err(MoveOrderError::Missing { given, right, up })
            }
        }
    }

    /// The moves as (rows up, columns right), like [`KNIGHT_MOVES`].
    pub fn steps(&self) -> [(i32, i32); 8] {
        self.steps
    }

    /// The squares that a move leads to from `from`, in this order.
    ///
    /// On boards that are not full knight's boards the order is that of
    /// [`ROW_MAJOR`](Self::ROW_MAJOR), whatever the steps.
    pub fn targets(&self, board: &Board, from: Square) -> impl Iterator<Item = Square> {
        let computed = board.is_plain().then(|| board.led_to(from, self.steps));
        let mut listed = Vec::new();
        if computed.is_none() {
            listed.extend(board.moves(from));
            listed.sort_unstable_by_key(|&to| (Reverse(board.row(to)), board.col(to)));
        }
        listed.into_iter().chain(computed.into_iter().flatten())
    }

    fn typed(&self) -> String {
        let typed = self.steps.map(|(up, right)| format!("{right}:{up}"));
        typed.join(",")
    }
}

impl Default for MoveOrder {
    fn default() -> Self {
        Self::ROW_MAJOR
    }
}

impl FromStr for MoveOrder {
    type Err = MoveOrderError;

    fn from_str(text: &str) -> Result<Self, MoveOrderError> {
        if let Some((_, order)) = Self::NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(*order);
        }
        if !text.contains(':') {
            return Err(MoveOrderError::Unknown(text.to_owned()));
        }
        let steps: Result<Vec<_>, _> = text.split(',').map(parse_step).collect();
        Self::new(&steps?)
    }
}

fn parse_step(text: &str) -> Result<(i32, i32), MoveOrderError> {
    let number = |text: &str| text.trim().parse().ok();
    text.split_once(':')
        .and_then(|(right, up)| number(up).zip(number(right)))
        .ok_or_else(|| MoveOrderError::Step(text.to_owned()))
}

impl fmt::Display for MoveOrder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::NAMED.iter().find(|(_, order)| order == self) {
            Some((name, _)) => out.write_str(name),
            None => out.write_str(&self.typed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn row_major_goes_through_the_targets_by_row_from_the_top_then_by_column() {
        let board = Board::new(9, 9).expect("in range");
        let targets = MoveOrder::ROW_MAJOR
            .steps()
            .map(|(up, right)| board.at(4 + i64::from(up), 4 + i64::from(right)));
        let key = |square| (std::cmp::Reverse(board.row(square)), board.col(square));
        let keys: Vec<_> = targets.into_iter().flatten().map(key).collect();
        assert_eq!(keys.len(), 8);
        assert!(keys.is_sorted());
        assert_eq!(MoveOrder::default(), MoveOrder::ROW_MAJOR);
    }

    #[test]
    fn linear_and_report_are_the_offsets_and_steps_of_their_sources() {
        let offsets = MoveOrder::LINEAR.steps().map(|(up, right)| 12 * up + right);
        assert_eq!(offsets, [-25, -14, 10, 23, 25, 14, -10, -23]);
        let rows_down = MoveOrder::REPORT.steps().map(|(up, right)| (-up, right));
        assert_eq!(
            rows_down,
            [(2, 1), (2, -1), (-2, 1), (-2, -1), (-1, 2), (1, 2), (-1, -2), (1, -2)]
        );
    }

    #[test]
    fn what_is_wrong_with_an_order_is_named() {
        let wrong = |text: &str| text.parse::<MoveOrder>().expect_err("wrong").to_string();
        assert!(wrong("clockwise").starts_with("`clockwise` is not a move order: say row-major,"));
        assert!(wrong("").ends_with("-1:2,1:2,-2:1,2:1,-2:-1,2:-1,-1:-2,1:-2"));
        assert!(wrong("1:2,x:1").starts_with("`x:1` is not a step"));
        assert!(wrong("1:2,2:2").starts_with("2:2 is not a knight's move"));
        assert!(wrong("1:2,2:1,1:2").starts_with("1:2 stands there twice"));
        assert_eq!(
            wrong("1:2,2:1,2:-1,1:-2,-1:-2,-2:-1,-2:1"),
            "7 steps where a knight has 8: -1:2 is missing"
        );
    }

    proptest! {
        #[test]
        fn what_is_displayed_reads_back(
            steps in Just(KNIGHT_MOVES.to_vec()).prop_shuffle(),
            named in 0..3usize,
        ) {
            for order in [MoveOrder::new(&steps).expect("all eight"), MoveOrder::NAMED[named].1] {
                prop_assert_eq!(order.to_string().parse(), Ok(order));
            }
        }
    }
}
