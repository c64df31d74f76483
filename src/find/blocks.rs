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
use super::rule::{FarFromCentre, FewestOptions, LookAhead};
use super::search::{End, Search};
use super::{Effort, Limits};
use crate::board::{Board, MoveOrder, Square};
use std::ops::Range;

/// A closed tour from a1 of each block with an even number of rows, as the indices of its moves.
const CLOSED: &str = include_str!("blocks.txt");

/// The sides of odd blocks: enough that one covers any place of any odd length.
const ODD_SIDES: [usize; 4] = [5, 7, 9, 11];

/// The moves of a tour from `from`, closed where the number of squares is even. Nothing when a side is
/// short of 5, or `from` has the minority colour.
pub(super) fn tour(board: Board, from: Square, effort: &mut Effort) -> Option<Vec<u8>> {
    let grid = Grid::of(board, from)?;
    let odd = match grid.odd {
        Some((row, col)) => Some(odd_block(board, from, &grid.rows[row], &grid.cols[col], effort)?),
        None => None,
    };
    let mut links = Links::none(board);
    let mut borders = Vec::new();
    for (index, rows) in grid.rows.iter().enumerate() {
        let has_odd = grid.odd.is_some_and(|(row, _)| row == index);
        let like = grid.rows[..index].iter().position(|other| other.len() == rows.len());
        match like.filter(|_| !has_odd) {
            Some(other) => links.copy_rows(grid.rows[other].clone(), rows.start),
            None => {
                let odd = odd.as_ref().filter(|_| has_odd);
                fill_band(&mut links, rows, &grid, odd)?;
            }
        }
        borders.extend((index > 0).then_some(rows.start));
    }
    let joined = borders.into_iter().all(|border| links.join_rows(border));
    joined.then(|| links.trace(from))
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
    (rest % 2 == 0).then(|| sides.collect())
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

/// Fills a band of blocks and joins them.
fn fill_band(
    links: &mut Links,
    rows: &Range<usize>,
    grid: &Grid,
    odd: Option<&Links>,
) -> Option<()> {
    for (index, cols) in grid.cols.iter().enumerate() {
        let has_odd = grid.odd.is_some_and(|(_, col)| col == index);
        match odd.filter(|_| has_odd) {
            Some(odd) => links.place(odd, rows.start, cols.start),
            None => links.place(&closed_block(rows.len(), cols.len())?, rows.start, cols.start),
        }
    }
    let mut borders = grid.cols.iter().skip(1).map(|cols| cols.start);
    borders.all(|border| links.join_columns(border, rows.clone())).then_some(())
}

/// The links of a block's closed tour.
fn closed_block(rows: usize, cols: usize) -> Option<Links> {
    let is_turned = rows % 2 == 1;
    let (even, other) = if is_turned { (cols, rows) } else { (rows, cols) };
    let board = Board::new(even as u32, other as u32).ok()?;
    let name = board.to_string();
    let line = CLOSED.lines().find_map(|line| line.strip_prefix(&name)?.strip_prefix(' '))?;
    let steps: Vec<u8> = line.bytes().map(|digit| digit - b'0').collect();
    let links = Links::of_path(board, Square::from_index(0), &steps, true);
    Some(if is_turned { links.turned() } else { links })
}

/// The links of a path over an odd x odd block from the start.
///
/// Of three rules with three move orders one finds it for every block and start within the limit.
fn odd_block(
    board: Board,
    from: Square,
    rows: &Range<usize>,
    cols: &Range<usize>,
    effort: &mut Effort,
) -> Option<Links> {
    let block = Board::new(rows.len() as u32, cols.len() as u32).ok()?;
    let start = block.at(
        i64::from(board.row(from)) - rows.start as i64,
        i64::from(board.col(from)) - cols.start as i64,
    )?;
    if !block.has_colour_of_a1(start) {
        return None;
    }
    let limits = Limits { moves: None, backtracks: Some(MOST_BACKTRACKS) };
    let orders = [MoveOrder::ROW_MAJOR, MoveOrder::LINEAR, MoveOrder::REPORT];
    let never = || false;
    orders.into_iter().find_map(|order| {
        (0..3).find_map(|rule| {
            let mut search = Search::new(block, start, order, false);
            let end = match rule {
                0 => search.run(&FarFromCentre { board: block }, &limits, &never),
                1 => search.run(&LookAhead, &limits, &never),
                _ => search.run(&FewestOptions, &limits, &never),
            };
            effort.add(&search.effort);
            let found = end == End::Found;
            found.then(|| Links::of_path(block, start, &search.into_steps(), false))
        })
    })
}

/// Moves that a search for a path of an odd block may take back.
const MOST_BACKTRACKS: u64 = 10_000;
