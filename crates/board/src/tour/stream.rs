//! Writes tours of any size as text in portions, so that the text is never in memory as a whole.
//!
//! A table with the name of every square would also be large. Names are put together from the names
//! of columns and rows instead.

use super::text::{TextRows, TourFormat, json_end};
use crate::board::{Board, Square, column_name};

/// The number of bytes from which on a portion is written.
const PORTION: usize = 1 << 16;

/// Passes the text of a tour to `sink`, in portions of about 64 KiB, until it returns an error.
///
/// The text begins with [`TourFormat::header`], which says whether a closed tour was wanted. If the
/// board is a graph, squares are written instead of a grid.
///
/// `squares` yields the tour. For a grid, `numbers` returns the step, from 1, at which each square
/// is visited, by the index of the square; it is not called for other formats.
///
/// # Errors
/// The error that `sink` returned.
pub fn stream<E>(
    board: &Board,
    format: TourFormat,
    is_closed: bool,
    squares: impl Iterator<Item = Square>,
    numbers: impl FnOnce() -> Vec<u32>,
    sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut text = format.header(board, is_closed).into_bytes();
    let mut pass_on = |text: &mut Vec<u8>| {
        if text.len() >= PORTION {
            sink(text)?;
            text.clear();
        }
        Ok(())
    };
    let [before, between, after] = match format.on(board) {
        TourFormat::Grid => {
            let numbers = numbers();
            let TextRows { width, rows } = TextRows::new(board, board.squares().to_string().len());
            for (indent, row, cols) in rows {
                text.resize(text.len() + indent, b' ');
                let first = cols.start;
                for col in cols {
                    let square = board.at(row.into(), col.into());
                    // The first column has no blank before its numbers.
                    let width = width + usize::from(col > first);
                    let cell = square.map_or(HOLE, |square| right_aligned(numbers[square.index()]));
                    text.extend_from_slice(&cell[cell.len() - width..]);
                }
                text.push(b'\n');
                pass_on(&mut text)?;
            }
            return sink(&text);
        }
        TourFormat::Squares => ["", " ", "\n"],
        TourFormat::Json => ["{\"tour\":[\"", "\",\"", "\"]"],
    };
    let letters: Vec<String> = (0..board.cols()).map(column_name).collect();
    let rows: Vec<String> = (1..=board.rows()).map(|row| row.to_string()).collect();
    let (is_graph, mut ends) = (board.is_graph(), None);
    text.extend_from_slice(before.as_bytes());
    for square in squares {
        if let Some((_, last)) = &mut ends {
            text.extend_from_slice(between.as_bytes());
            *last = square;
        }
        ends = ends.or(Some((square, square)));
        if is_graph {
            text.extend_from_slice(board.name(square).as_bytes());
        } else {
            text.extend_from_slice(letters[board.col(square) as usize].as_bytes());
            text.extend_from_slice(rows[board.row(square) as usize].as_bytes());
        }
        pass_on(&mut text)?;
    }
    text.extend_from_slice(after.as_bytes());
    if format == TourFormat::Json {
        let ends = ends.filter(|_| board.squares() > 2);
        let closed = ends.is_some_and(|(first, last)| board.are_neighbours(first, last));
        text.extend_from_slice(json_end(board, closed).as_bytes());
    }
    sink(&text)
}

/// A hole in a grid.
const HOLE: [u8; 12] = *b"           #";

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
