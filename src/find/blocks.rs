//! A tour of any board with both sides of 5 or more, put together from small ones.
//!
//! The board is cut into a grid of blocks with sides of 5 to 11. Blocks with an even number of
//! squares have a closed tour that is kept as text ([`CLOSED`]). Neighbours are joined by exchanging a
//! link on either side of their border ([`Links`]), the blocks of a band from left to right and then
//! the bands from bottom to top: one cycle of the whole board, and an open tour from any square of it.
//! On odd x odd boards one block is odd x odd, the one that holds the start, with a path from there;
//! its corner has the majority colour, so the start has it on the block too.
//!
//! That it never fails is a matter of finitely many cases: the tours of the blocks, the paths of the
//! odd ones from each square, and the borders between them; the tests go through all of them.
//! The idea is Parberry's (An efficient algorithm for the knight's tour problem, 1997). Cost: a byte
//! a square and one look at each.

use super::links::Links;
use super::search::{End, Search};
use super::{Effort, Limits, rule};
use crate::board::{Board, KNIGHT_MOVES, MoveOrder, Square};
use std::ops::Range;

/// A closed tour from a1 of each block with an even number of rows, as the indices of its moves.
const CLOSED: &str = include_str!("blocks.txt");

/// The sides of odd blocks: enough that one covers any place of any odd length.
const ODD_SIDES: [usize; 4] = [5, 7, 9, 11];

/// The moves of a tour from `from`, closed where the number of squares is even. Nothing when a side is
/// short of 5, or `from` has the minority colour.
pub(super) fn tour(board: Board, from: Square, effort: &mut Effort) -> Option<Vec<u8>> {
    let grid = Grid::of(board, from)?;
    let links = match grid.odd {
        None => grid.filled(board, None)?,
        Some((row, col)) => {
            let (rows, cols) = (grid.rows[row].start, grid.cols[col].start);
            let block =
                Board::new(grid.rows[row].len() as u32, grid.cols[col].len() as u32).ok()?;
            let start = block.at(
                i64::from(board.row(from)) - rows as i64,
                i64::from(board.col(from)) - cols as i64,
            );
            let start = start.filter(|&start| block.has_colour_of_a1(start))?;
            paths(block, start, effort).find_map(|path| grid.filled(board, Some(&path)))?
        }
    };
    Some(links.trace(from))
}

/// How a board is cut.
#[derive(Debug)]
struct Grid {
    rows: Vec<Range<usize>>,
    cols: Vec<Range<usize>>,
    /// The place of the odd x odd block among the rows and columns of blocks.
    odd: Option<(usize, usize)>,
}

impl Grid {
    fn of(board: Board, from: Square) -> Option<Self> {
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

    /// The board filled with blocks, all joined, if its odd block's path lets itself be joined.
    fn filled(&self, board: Board, odd: Option<&Links>) -> Option<Links> {
        let mut links = Links::none(board);
        let odd_band = self.odd.map(|(row, _)| row);
        // First, so that a path that does not fit is found out soon.
        if let Some(band) = odd_band {
            self.fill_band(&mut links, &self.rows[band], odd)?;
        }
        for (index, rows) in self.rows.iter().enumerate() {
            let mut earlier = self.rows[..index].iter().enumerate();
            let like = earlier
                .find(|(other, range)| odd_band != Some(*other) && range.len() == rows.len());
            match like {
                _ if odd_band == Some(index) => {}
                Some((_, other)) => links.copy_rows(other.clone(), rows.start),
                None => self.fill_band(&mut links, rows, None)?,
            }
        }
        let mut borders = self.rows.iter().skip(1).map(|rows| rows.start);
        borders.all(|border| links.join_rows(border)).then_some(links)
    }

    /// Fills a band of blocks and joins them.
    fn fill_band(&self, links: &mut Links, rows: &Range<usize>, odd: Option<&Links>) -> Option<()> {
        let odd_col = self.odd.map(|(_, col)| col);
        for (index, cols) in self.cols.iter().enumerate() {
            match odd.filter(|_| odd_col == Some(index)) {
                Some(path) => links.place(path, rows.start, cols.start),
                None => links.place(&closed_block(rows.len(), cols.len())?, rows.start, cols.start),
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

/// Sides of 6, and for the rest one of 8 or 10; nothing for 2, 4 and odd lengths.
fn even_sides(length: usize) -> Option<Vec<usize>> {
    let rest = length % 6;
    let last = if rest == 0 { 0 } else { 6 + rest };
    let sixes = length.checked_sub(last)? / 6;
    let sides = (0..sixes).map(|_| 6).chain((last > 0).then_some(last));
    rest.is_multiple_of(2).then(|| sides.collect())
}

/// Sides of 5, the last of 5 to 9.
fn any_sides(length: usize) -> Vec<usize> {
    let fives = length / 5 - 1;
    let sides = (0..fives).map(|_| 5);
    sides.chain([length - 5 * fives]).collect()
}

/// The sides of an odd length: even ones but for one that lies over a place. With the index of that.
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

/// The links of a block's closed tour, as it is kept or with rows and columns exchanged.
fn closed_block(rows: usize, cols: usize) -> Option<Links> {
    let kept = |rows: usize, cols: usize| {
        let board = Board::new(rows as u32, cols as u32).ok()?;
        let name = format!("{board} ");
        let line = CLOSED.lines().find_map(|line| line.strip_prefix(&name))?;
        let steps: Vec<u8> = line.bytes().map(|digit| digit - b'0').collect();
        Some(Links::of_path(board, Square::from_index(0), &steps, true))
    };
    kept(rows, cols).or_else(|| Some(kept(cols, rows)?.turned()))
}

/// Paths over an odd x odd block from a start, found by three rules and as many move orders as it takes.
fn paths(block: Board, start: Square, effort: &mut Effort) -> impl Iterator<Item = Links> {
    const RULES: usize = 3;
    let limits = Limits { moves: None, backtracks: Some(MOST_BACKTRACKS) };
    (0..KNIGHT_MOVES.len() * RULES).filter_map(move |attempt| {
        let mut steps = KNIGHT_MOVES;
        steps.rotate_left(attempt / RULES);
        let order = MoveOrder::new(&steps).unwrap_or_default();
        let mut search = Search::new(block, start, order, false);
        let end = match attempt % RULES {
            0 => search.run::<true>(rule::far_from_centre, &limits, &|| false),
            1 => search.run::<true>(rule::look_ahead, &limits, &|| false),
            _ => search.run::<true>(rule::fewest_options, &limits, &|| false),
        };
        effort.add(&search.effort);
        let found = end == End::Found;
        found.then(|| Links::of_path(block, start, &search.into_steps(), false))
    })
}

/// Moves that a search for a path may take back.
const MOST_BACKTRACKS: u64 = 10_000;
