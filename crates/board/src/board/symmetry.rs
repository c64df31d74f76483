//! The symmetries of a board: the 8 of a square, or the 4 of a rectangle.
//!
//! A symmetry maps tours onto tours. So the engines search one representative of each orbit of
//! squares or prefixes and multiply its count by the size of the orbit.

use super::{Board, Square};

/// A symmetry of a board, as a map from its squares onto its squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// The map that leaves every square in place.
    Identity,
    /// The half turn, by 180 degrees.
    HalfTurn,
    /// The reflection that exchanges the bottom row with the top row.
    FlipRows,
    /// The reflection that exchanges the left column with the right column.
    FlipCols,
    /// The reflection in the diagonal through a1 (square boards only).
    Transpose,
    /// The reflection in the other diagonal (square boards only).
    AntiTranspose,
    /// The counter-clockwise quarter turn, which takes rows to columns (square boards only).
    QuarterTurn,
    /// The counter-clockwise three-quarter turn (square boards only).
    ThreeQuarterTurn,
    /// A shift along joined edges, alone or after a turn or a reflection, by its number on its
    /// board.
    Shift(u16),
    /// A symmetry of an explicit graph, by its number on its board.
    Automorphism(u16),
}

use Symmetry::{
    AntiTranspose, Automorphism, FlipCols, FlipRows, HalfTurn, Identity, QuarterTurn, Shift,
    ThreeQuarterTurn, Transpose,
};

impl Symmetry {
    /// The symmetries that people ask for, by the names that they type.
    #[doc(hidden)]
    pub const NAMED: [(Self, &'static str); 6] = [
        (HalfTurn, "half-turn"),
        (QuarterTurn, "quarter-turn"),
        (FlipCols, "left-right"),
        (FlipRows, "top-bottom"),
        (Transpose, "diagonal"),
        (AntiTranspose, "anti-diagonal"),
    ];

    /// The turns and reflections of a square; the first four are those of any rectangle.
    #[doc(hidden)]
    pub const OF_SQUARE: [Self; 8] = [
        Identity,
        HalfTurn,
        FlipRows,
        FlipCols,
        Transpose,
        AntiTranspose,
        QuarterTurn,
        ThreeQuarterTurn,
    ];

    /// The name of the symmetry, for display.
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
            Shift(_) => "map across joined edges",
            Automorphism(_) => "automorphism",
        }
    }

    /// All symmetries of a board. The identity comes first.
    ///
    /// A full knight's board has 8 if it is square, and 4 otherwise. Other boards have those of the
    /// turns, reflections and shifts of their rectangle that map squares onto squares and moves
    /// onto moves. An explicit graph has its automorphisms, or the identity alone if there are more
    /// than a few thousand.
    pub fn of(board: &Board) -> &[Symmetry] {
        match &board.ground {
            Some(ground) => &ground.symmetries().all,
            None => Self::of_rectangle((board.rows, board.cols)),
        }
    }

    /// The turns and reflections of a rectangle. The identity comes first.
    pub(super) fn of_rectangle((rows, cols): (u32, u32)) -> &'static [Symmetry] {
        if rows == cols { &Self::OF_SQUARE } else { &Self::OF_SQUARE[..4] }
    }

    /// The image of a square. The symmetry has to be one of the board.
    pub fn apply(self, board: &Board, square: Square) -> Square {
        match self {
            Shift(number) | Automorphism(number) => {
                let ground = board.ground.as_ref();
                ground.map_or(square, |ground| {
                    ground.symmetries().images[usize::from(number)][square.index()]
                })
            }
            _ => {
                let place = (board.row(square), board.col(square));
                let (row, col) = self.lead((board.rows(), board.cols()), place);
                board.at(row.into(), col.into()).unwrap_or(square)
            }
        }
    }

    /// The image of a place of a rectangle under a turn or a reflection. On rectangles that are not
    /// square, only the first four variants are defined.
    pub(super) fn lead(self, (rows, cols): (u32, u32), (row, col): (u32, u32)) -> (u32, u32) {
        let (flipped_row, flipped_col) = (rows - 1 - row, cols - 1 - col);
        match self {
            Identity | Shift(_) | Automorphism(_) => (row, col),
            HalfTurn => (flipped_row, flipped_col),
            FlipRows => (flipped_row, col),
            FlipCols => (row, flipped_col),
            Transpose => (col, row),
            AntiTranspose => (flipped_col, flipped_row),
            QuarterTurn => (col, flipped_row),
            ThreeQuarterTurn => (flipped_col, row),
        }
    }
}

/// The orbit of `square`: its images under `group`, ascending and without repetition.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::board::{Board, Symmetry};
/// use kt_enum_board::board::orbit;
/// let board = Board::new(8, 8)?;
/// let b3 = board.parse_square("b3")?;
/// assert_eq!(orbit(&board, Symmetry::of(&board), b3).len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn orbit(board: &Board, group: &[Symmetry], square: Square) -> Vec<Square> {
    let mut orbit: Vec<Square> = group.iter().map(|s| s.apply(board, square)).collect();
    orbit.sort_unstable();
    orbit.dedup();
    orbit
}

/// All orbits of squares under the symmetries of a board.
///
/// Each orbit is ascending, and the orbits are in the order of their first squares.
pub fn orbits(board: &Board) -> Vec<Vec<Square>> {
    let orbits =
        board.all_squares().map(|square| (square, orbit(board, Symmetry::of(board), square)));
    let is_new = |(square, orbit): &(Square, Vec<Square>)| orbit[0] == *square;
    orbits.filter(is_new).map(|(_, orbit)| orbit).collect()
}

/// The stabilizer of `square`: the symmetries in `group` that leave it in place.
pub fn stabilizer(board: &Board, group: &[Symmetry], square: Square) -> Vec<Symmetry> {
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
                board.all_squares().map(|square| s.apply(&board, square)).collect()
            };
            let images: Vec<_> = Symmetry::of(&board).iter().map(|&s| image(s)).collect();
            for (&one, map) in Symmetry::of(&board).iter().zip(&images) {
                for &other in Symmetry::of(&board) {
                    let product: Vec<_> =
                        map.iter().map(|&square| other.apply(&board, square)).collect();
                    prop_assert!(images.contains(&product));
                }
                for a in board.all_squares() {
                    for b in board.moves(a) {
                        let (a, b) = (one.apply(&board, a), one.apply(&board, b));
                        prop_assert!(board.are_neighbours(a, b));
                    }
                }
            }
        }

        #[test]
        fn orbit_size_times_stabilizer_size_is_the_group_size(board in any_board()) {
            let group = Symmetry::of(&board);
            for square in board.all_squares() {
                let orbit = orbit(&board, group, square).len();
                prop_assert_eq!(orbit * stabilizer(&board, group, square).len(), group.len());
            }
        }
    }
}
