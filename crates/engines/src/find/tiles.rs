//! Constructs a tour of any board with both sides of 5 or more from tours of small boards.
//!
//! The board is cut into a grid of tiles with sides of 5 to 11. Every tile with an even number of
//! squares has a closed tour, stored as text ([`CLOSED`]). Two neighbouring tiles are joined by
//! exchanging one link on either side of their border ([`Links`]). First the tiles of each band are
//! joined from left to right, then the bands from bottom to top. The result is one cycle through
//! the whole board, and so an open tour from any of its squares.
//!
//! A board with both sides odd has no closed tour. One of its tiles, the one that holds the start,
//! has both sides odd too, and is filled with a path from the start. All tiles before it have even
//! sides, so its corner has the colour of a1, which is the majority colour of board and tile. The
//! start has to have that colour.
//!
//! The construction never fails, because it depends on finitely many cases: the tours of the tiles,
//! the paths of the odd tiles from each square, and the borders between them. The tests go through
//! all of them. The idea is Parberry's (An efficient algorithm for the knight's tour problem,
//! 1997). It costs one byte per square and a constant time per square.

use super::links::{Links, turned};
use super::search::PaddedSearch;
use super::{FindEffort, FindLimits, rule};
use crate::board::{Board, KNIGHT_MOVES, MoveOrder, Square};
use std::ops::Range;

/// Closed tours from a1 of all tiles with an even number of rows, as the indices of their moves.
const CLOSED: &str = include_str!("tiles.txt");

/// The sides of odd tiles. They suffice to cover any place of any odd length.
const ODD_SIDES: [usize; 4] = [5, 7, 9, 11];

/// Returns the moves of a tour from `from`, closed if the number of squares is even.
///
/// Returns `None` if a side is below 5, or if the number of squares is odd and `from` has the
/// minority colour.
pub(super) fn tour(board: &Board, from: Square, effort: &mut FindEffort) -> Option<Vec<u8>> {
    let tiling = Tiling::of(board, from)?;
    let links = match tiling.odd {
        None => tiling.filled(board, None)?,
        Some((row, col)) => {
            let (rows, cols) = (tiling.rows[row].start, tiling.cols[col].start);
            let tile =
                Board::new(tiling.rows[row].len() as u32, tiling.cols[col].len() as u32).ok()?;
            let start = tile.at(
                i64::from(board.row(from)) - rows as i64,
                i64::from(board.col(from)) - cols as i64,
            );
            let start = start.filter(|&start| tile.colour(start) == 1)?;
            paths(tile, start, effort).find_map(|path| tiling.filled(board, Some(&path)))?
        }
    };
    Some(links.trace(from))
}

/// The cut of a board into tiles, as ranges of rows and of columns.
#[derive(Debug)]
struct Tiling {
    rows: Vec<Range<usize>>,
    cols: Vec<Range<usize>>,
    /// The indices of the odd tile in `rows` and `cols`, if there is one.
    odd: Option<(usize, usize)>,
}

impl Tiling {
    fn of(board: &Board, from: Square) -> Option<Self> {
        let (rows, cols) = (board.rows() as usize, board.cols() as usize);
        if rows.min(cols) < ODD_SIDES[0] {
            return None;
        }
        let (lengths, odd) = match (rows % 2, cols % 2) {
            (0, _) => ((even_sides(rows)?, any_sides(cols)), None),
            (_, 0) => ((any_sides(rows), even_sides(cols)?), None),
            _ => {
                let (rows, row) = sides_around(rows, board.row(from) as usize)?;
                let (cols, col) = sides_around(cols, board.col(from) as usize)?;
                ((rows, cols), Some((row, col)))
            }
        };
        let (rows, cols) = (ranges(&lengths.0), ranges(&lengths.1));
        Some(Self { rows, cols, odd })
    }

    /// Fills the board with tiles and joins them all.
    ///
    /// Returns `None` if the path of the odd tile has no link that can be exchanged at a border.
    fn filled(&self, board: &Board, odd: Option<&Links>) -> Option<Links> {
        let mut links = Links::none(board);
        let odd_band = self.odd.map(|(row, _)| row);
        // The band of the odd tile comes first, so that a path that cannot be joined is rejected
        // early.
        if let Some(band) = odd_band {
            self.fill_band(&mut links, &self.rows[band], odd)?;
        }
        for (index, rows) in self.rows.iter().enumerate() {
            let mut earlier = self.rows[..index].iter().enumerate();
            let same_height = earlier
                .find(|(other, range)| odd_band != Some(*other) && range.len() == rows.len());
            match same_height {
                _ if odd_band == Some(index) => {}
                Some((_, other)) => links.copy_rows(other.clone(), rows.start),
                None => self.fill_band(&mut links, rows, None)?,
            }
        }
        let mut borders = self.rows.iter().skip(1).map(|rows| rows.start);
        borders.all(|border| links.join_rows(border)).then_some(links)
    }

    /// Fills one band with tiles and joins them from left to right.
    fn fill_band(&self, links: &mut Links, rows: &Range<usize>, odd: Option<&Links>) -> Option<()> {
        let odd_col = self.odd.map(|(_, col)| col);
        for (index, cols) in self.cols.iter().enumerate() {
            match odd.filter(|_| odd_col == Some(index)) {
                Some(path) => links.place(path, rows.start, cols.start),
                None => links.place(&closed_tile(rows.len(), cols.len())?, rows.start, cols.start),
            }
        }
        let mut borders = self.cols.iter().skip(1).map(|cols| cols.start);
        borders.all(|border| links.join_columns(border, rows.clone())).then_some(())
    }
}

fn ranges(sides: &[usize]) -> Vec<Range<usize>> {
    let ends = sides.iter().scan(0, |end, side| {
        *end += side;
        Some(*end)
    });
    ends.zip(sides).map(|(end, side)| end - side..end).collect()
}

/// Divides a length into sides of 6 and at most one of 8 or 10. Returns `None` for 2, 4 and odd
/// lengths.
fn even_sides(length: usize) -> Option<Vec<usize>> {
    let rest = length % 6;
    let last = if rest == 0 { 0 } else { 6 + rest };
    let sixes = length.checked_sub(last)? / 6;
    let sides = (0..sixes).map(|_| 6).chain((last > 0).then_some(last));
    rest.is_multiple_of(2).then(|| sides.collect())
}

/// Divides a length of at least 5 into sides of 5, the last of 5 to 9.
fn any_sides(length: usize) -> Vec<usize> {
    let fives = length / 5 - 1;
    let sides = (0..fives).map(|_| 5);
    sides.chain([length - 5 * fives]).collect()
}

/// Divides an odd length into even sides and one odd side that covers `place`.
///
/// Returns the sides and the index of the odd one.
fn sides_around(length: usize, place: usize) -> Option<(Vec<usize>, usize)> {
    ODD_SIDES.into_iter().find_map(|odd| {
        let offsets = (place + 1).saturating_sub(odd)..=place;
        offsets.into_iter().find_map(|before| {
            let mut sides = even_sides(before)?;
            let after = even_sides(length.checked_sub(before + odd)?)?;
            let index = sides.len();
            sides.push(odd);
            sides.extend(after);
            Some((sides, index))
        })
    })
}

/// The links of the closed tour of a tile, read from the text, with rows and columns exchanged if
/// need be.
fn closed_tile(rows: usize, cols: usize) -> Option<Links> {
    let board = Board::new(rows as u32, cols as u32).ok()?;
    let kept = |name: String| CLOSED.lines().find_map(|line| line.strip_prefix(&name));
    let steps = |line: &str| line.bytes().map(|digit| digit - b'0').collect::<Vec<u8>>();
    let steps = match kept(format!("{rows}x{cols} ")) {
        Some(line) => steps(line),
        None => steps(kept(format!("{cols}x{rows} "))?).into_iter().map(turned).collect(),
    };
    Some(Links::of_path(&board, Square::from_index(0), &steps, true))
}

/// Finds paths through an odd tile from a start, by three rules and eight move orders.
fn paths(tile: Board, start: Square, effort: &mut FindEffort) -> impl Iterator<Item = Links> {
    const RULES: usize = 3;
    let sides = (tile.rows(), tile.cols());
    let limits = FindLimits { moves: None, backtracks: Some(MOST_BACKTRACKS) };
    (0..KNIGHT_MOVES.len() * RULES).filter_map(move |attempt| {
        let mut steps = KNIGHT_MOVES;
        steps.rotate_left(attempt / RULES);
        let order = MoveOrder::new(&steps).unwrap_or_default();
        let mut search = PaddedSearch::new(&tile, start, order, false);
        let end = match attempt % RULES {
            0 => search
                .run::<true>(|next, _| rule::far_from_centre(sides, next), &limits, &|_| false),
            1 => search.run::<true>(rule::look_ahead, &limits, &|_| false),
            _ => search.run::<true>(|next, _| rule::fewest_options(next), &limits, &|_| false),
        };
        effort.add(&search.effort);
        end.is_ok().then(|| Links::of_path(&tile, start, &search.into_steps(), false))
    })
}

/// The largest number of moves that one search for a path takes back.
const MOST_BACKTRACKS: u64 = 10_000;
