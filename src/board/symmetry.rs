//! The symmetries of a board: the 8 of the square, or the 4 of a rectangle.

use super::{Board, Square};

/// A symmetry of a board, as a map of its squares onto themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Every square stays.
    Identity,
    /// Half a turn.
    HalfTurn,
    /// The rows change places, bottom with top.
    FlipRows,
    /// The columns change places, left with right.
    FlipCols,
    /// Reflection in the diagonal from a1 (square boards).
    Transpose,
    /// Reflection in the other diagonal (square boards).
    AntiTranspose,
    /// A quarter of a turn, rows onto columns (square boards).
    QuarterTurn,
    /// Three quarters of a turn (square boards).
    ThreeQuarterTurn,
}

use Symmetry::{
    AntiTranspose, FlipCols, FlipRows, HalfTurn, Identity, QuarterTurn, ThreeQuarterTurn, Transpose,
};

impl Symmetry {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Identity => "identity",
            HalfTurn => "half turn",
            FlipRows => "mirror top to bottom",
            FlipCols => "mirror left to right",
            Transpose => "mirror in the diagonal from a1",
            AntiTranspose => "mirror in the other diagonal",
            QuarterTurn => "quarter turn",
            ThreeQuarterTurn => "three-quarter turn",
        }
    }

    /// The symmetries of a board: 8 of a square, 4 of a rectangle; the identity comes first.
    pub fn of(board: Board) -> &'static [Symmetry] {
        const ALL: [Symmetry; 8] = [
            Identity,
            HalfTurn,
            FlipRows,
            FlipCols,
            Transpose,
            AntiTranspose,
            QuarterTurn,
            ThreeQuarterTurn,
        ];
        if board.is_square() { &ALL } else { &ALL[..4] }
    }

    /// Where a square goes.
    pub fn apply(self, board: Board, square: Square) -> Square {
        let (row, col) = (board.row(square), board.col(square));
        let (flipped_row, flipped_col) = (board.rows() - 1 - row, board.cols() - 1 - col);
        let (row, col) = match self {
            Identity => (row, col),
            HalfTurn => (flipped_row, flipped_col),
            FlipRows => (flipped_row, col),
            FlipCols => (row, flipped_col),
            Transpose => (col, row),
            AntiTranspose => (flipped_col, flipped_row),
            QuarterTurn => (col, flipped_row),
            ThreeQuarterTurn => (flipped_col, row),
        };
        Square::from_index(row as usize * board.cols() as usize + col as usize)
    }
}

/// The squares that `group` maps `square` to, ascending and without repetition.
pub fn orbit(board: Board, group: &[Symmetry], square: Square) -> Vec<Square> {
    let mut orbit: Vec<Square> = group.iter().map(|s| s.apply(board, square)).collect();
    orbit.sort_unstable();
    orbit.dedup();
    orbit
}

/// The squares of a board in orbits under all its symmetries, each in order, in the order of their first squares.
pub fn orbits(board: Board) -> Vec<Vec<Square>> {
    let orbits =
        board.all_squares().map(|square| (square, orbit(board, Symmetry::of(board), square)));
    let is_new = |(square, orbit): &(Square, Vec<Square>)| orbit[0] == *square;
    orbits.filter(is_new).map(|(_, orbit)| orbit).collect()
}

/// The symmetries of `group` that leave `square` where it is.
pub fn stabiliser(board: Board, group: &[Symmetry], square: Square) -> Vec<Symmetry> {
    let fixes = |symmetry: &Symmetry| symmetry.apply(board, square) == square;
    group.iter().copied().filter(fixes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_board() -> impl Strategy<Value = Board> {
        (1..9u32, 1..9u32).prop_map(|(rows, cols)| Board::new(rows, cols).expect("in range"))
    }

    proptest! {
        #[test]
        fn symmetries_are_a_group_of_maps_that_keep_knight_moves(board in any_board()) {
            let image = |s: Symmetry| -> Vec<Square> {
                board.all_squares().map(|square| s.apply(board, square)).collect()
            };
            let images: Vec<_> = Symmetry::of(board).iter().map(|&s| image(s)).collect();
            for (&one, map) in Symmetry::of(board).iter().zip(&images) {
                for &other in Symmetry::of(board) {
                    let product: Vec<_> =
                        map.iter().map(|&square| other.apply(board, square)).collect();
                    prop_assert!(images.contains(&product));
                }
                for a in board.all_squares() {
                    for b in board.knight_moves(a) {
                        let (a, b) = (one.apply(board, a), one.apply(board, b));
                        prop_assert!(board.are_knight_neighbours(a, b));
                    }
                }
            }
        }

        #[test]
        fn orbit_size_times_stabiliser_size_is_the_group_size(board in any_board()) {
            let group = Symmetry::of(board);
            for square in board.all_squares() {
                let orbit = orbit(board, group, square).len();
                prop_assert_eq!(orbit * stabiliser(board, group, square).len(), group.len());
            }
        }
    }
}
