//! Writes tours of any size as text in portions, so that the text is never in memory as a whole.
//!
//! A table with the name of every square would also be large. Names are put together from the names
//! of columns and rows instead.

use super::text::{TourFormat, json_end};
use crate::board::{Board, Square, column_name};

/// The number of bytes from which on a portion is written.
const PORTION: usize = 1 << 16;

/// Passes the text of a tour to `sink`, in portions of about 64 KiB, until it returns an error.
///
/// The text begins with [`TourFormat::header`]. If the board is a graph, squares are written
/// instead of a grid.
///
/// `squares` yields the tour. For a grid, `numbers` returns the step, from 1, at which each square
/// is visited, by the index of the square; it is not called for other formats.
///
/// # Errors
/// The error that `sink` returned.
pub fn stream<E>(
    board: &Board,
    format: TourFormat,
    squares: impl Iterator<Item = Square>,
    numbers: impl FnOnce() -> Vec<u32>,
    sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut portion = Vec::with_capacity(PORTION + 64);
    let mut push = |text: &[u8], is_last: bool| {
        portion.extend_from_slice(text);
        if is_last || portion.len() >= PORTION {
            sink(&portion)?;
            portion.clear();
        }
        Ok(())
    };
    push(format.header(board).as_bytes(), false)?;
    match format.on(board) {
        TourFormat::Grid => push_grid(board, &numbers(), &mut push),
        TourFormat::Squares => {
            push_names(board, squares, ["", " ", ""], &mut push)?;
            push(b"\n", true)
        }
        TourFormat::Json => {
            let mut ends = None;
            let squares = squares.inspect(|&square| {
                let (first, _) = ends.unwrap_or((square, square));
                ends = Some((first, square));
            });
            push_names(board, squares, ["{\"tour\":[\"", "\",\"", "\""], &mut push)?;
            let ends = ends.filter(|_| board.squares() > 2);
            let closed = ends.is_some_and(|(a, b)| board.are_neighbours(a, b));
            push(format!("],\"closed\":{closed}{}", json_end(board)).as_bytes(), true)
        }
    }
}

type Push<'a, E> = &'a mut dyn FnMut(&[u8], bool) -> Result<(), E>;

/// Writes the names of squares with texts before, between and after them.
fn push_names<E>(
    board: &Board,
    squares: impl Iterator<Item = Square>,
    [before, between, after]: [&str; 3],
    push: Push<'_, E>,
) -> Result<(), E> {
    let letters: Vec<String> = (0..board.cols()).map(column_name).collect();
    let rows: Vec<String> = (1..=board.rows()).map(|row| row.to_string()).collect();
    let is_graph = board.is_graph();
    push(before.as_bytes(), false)?;
    for (place, square) in squares.enumerate() {
        if place > 0 {
            push(between.as_bytes(), false)?;
        }
        if is_graph {
            push(board.name(square).as_bytes(), false)?;
        } else {
            push(letters[board.col(square) as usize].as_bytes(), false)?;
            push(rows[board.row(square) as usize].as_bytes(), false)?;
        }
    }
    push(after.as_bytes(), false)
}

fn push_grid<E>(board: &Board, numbers: &[u32], push: Push<'_, E>) -> Result<(), E> {
    // A blank and the widest number. The first column has no blank.
    let width = board.squares().to_string().len() + 1;
    for row in (0..board.rows()).rev() {
        for col in 0..board.cols() {
            let square = board.at(row.into(), col.into());
            let text = square.map_or(HOLE, |square| right_aligned(numbers[square.index()]));
            let width = width - usize::from(col == 0);
            push(&text[text.len() - width..], false)?;
        }
        push(b"\n", false)?;
    }
    push(b"", true)
}

/// A hole in a grid.
const HOLE: [u8; 12] = *b"           .";

/// A number with blanks before it. `format!` would take most of the time of a large grid.
fn right_aligned(mut number: u32) -> [u8; 12] {
    let mut text = [b' '; 12];
    for place in text.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::TourWriter;
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn what_is_streamed_is_what_is_written_at_once() {
        for (rows, cols) in [(1, 1), (3, 4), (7, 30), (120, 30)] {
            let board = Board::new(rows, cols).expect("in range");
            let tour: Vec<Square> = board.all_squares().collect();
            for format in [TourFormat::Squares, TourFormat::Grid, TourFormat::Json] {
                let mut whole = Vec::new();
                TourWriter::new(board.clone(), format).write(&tour, &mut whole);
                let mut streamed = Vec::new();
                let numbers = || (1..=board.squares() as u32).collect();
                let squares = tour.iter().copied();
                let done: Result<(), Infallible> =
                    stream(&board, format, squares, numbers, &mut |portion| {
                        streamed.extend_from_slice(portion);
                        Ok(())
                    });
                assert_eq!(done, Ok(()));
                assert_eq!(streamed, whole, "{board} {format:?}");
            }
        }
    }
}
