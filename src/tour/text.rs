//! Tours as text: a line of squares, a grid of numbers, or a JSON object.
//!
//! Formatting each square would take most of the time of a list. Instead, a tour is put together
//! from one cell per square, which is a name or a number and the character after it. Cells are made
//! once per board and copied as 16 bytes, whatever their length. A tour costs a few instructions
//! per square.

use crate::board::{Board, Square};

/// The format of a tour as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TourFormat {
    /// One line with the squares in order, separated by blanks.
    #[default]
    Squares,
    /// The step, from 1, at which each square is visited, with the top row first and numbers
    /// right-aligned.
    Grid,
    /// One line with a JSON object: `{"tour":["a1",...],"closed":false}`.
    Json,
}

/// Writes tours of one board in one format.
///
/// ```
/// use kt_enum::board::{Board, Square};
/// use kt_enum::tour::{TourFormat, TourWriter};
/// let board = Board::new(1, 1)?;
/// let mut text = Vec::new();
/// TourWriter::new(board, TourFormat::Json).write(&[Square::from_index(0)], &mut text);
/// assert_eq!(text, b"{\"tour\":[\"a1\"],\"closed\":false}\n");
/// # Ok::<(), kt_enum::board::BoardError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TourWriter {
    board: Board,
    format: TourFormat,
    /// The name of each square, by its index. For a grid, the number of each step.
    cells: Vec<Cell>,
    /// For a grid, the step at which each square is visited, by the index of the square.
    steps: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    bytes: [u8; Cell::ROOM],
    length: usize,
}

impl Cell {
    /// The largest number of bytes: the last name on the largest board, with quotes and a comma.
    const ROOM: usize = 16;

    fn new(text: &str) -> Self {
        let mut bytes = [0; Self::ROOM];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        let length = text.len();
        Self { bytes, length }
    }

    #[inline(always)]
    fn write(&self, text: &mut Vec<u8>) {
        let end = text.len() + self.length;
        text.extend_from_slice(&self.bytes);
        text.truncate(end);
    }
}

impl TourWriter {
    /// A writer for the tours of a board.
    pub fn new(board: Board, format: TourFormat) -> Self {
        let squares = board.squares();
        let widest = squares.to_string().len();
        let cell = |square: Square| match format {
            TourFormat::Squares => Cell::new(&format!("{} ", board.name(square))),
            TourFormat::Grid => Cell::new(&format!("{:>widest$} ", square.index() + 1)),
            TourFormat::Json => Cell::new(&format!("\"{}\",", board.name(square))),
        };
        Self {
            board,
            format,
            cells: board.all_squares().map(cell).collect(),
            steps: vec![0; squares],
        }
    }

    /// The text between two tours: an empty line between grids, otherwise nothing.
    pub fn separator(&self) -> &'static [u8] {
        match self.format {
            TourFormat::Grid => b"\n",
            TourFormat::Squares | TourFormat::Json => b"",
        }
    }

    /// The number of lines of a tour, without the separator.
    pub fn lines(&self) -> usize {
        match self.format {
            TourFormat::Grid => self.board.rows() as usize,
            TourFormat::Squares | TourFormat::Json => 1,
        }
    }

    /// Appends a tour, which has to visit every square of the board once, to a text.
    ///
    /// # Panics
    /// If a square is not on the board.
    pub fn write(&mut self, tour: &[Square], text: &mut Vec<u8>) {
        match self.format {
            TourFormat::Squares => self.write_row(tour, text),
            TourFormat::Grid => self.write_grid(tour, text),
            TourFormat::Json => self.write_json(tour, text),
        }
    }

    fn write_row(&self, tour: &[Square], text: &mut Vec<u8>) {
        for square in tour {
            self.cells[square.index()].write(text);
        }
        text.pop();
        text.push(b'\n');
    }

    fn write_grid(&mut self, tour: &[Square], text: &mut Vec<u8>) {
        for (step, square) in tour.iter().enumerate() {
            self.steps[square.index()] = step;
        }
        for row in self.steps.chunks(self.board.cols() as usize).rev() {
            for &step in row {
                self.cells[step].write(text);
            }
            text.pop();
            text.push(b'\n');
        }
    }

    fn write_json(&self, tour: &[Square], text: &mut Vec<u8>) {
        text.extend_from_slice(b"{\"tour\":[");
        for square in tour {
            self.cells[square.index()].write(text);
        }
        text.pop();
        let ends = tour.first().zip(tour.last());
        let is_closed = ends.is_some_and(|(&a, &b)| self.board.are_knight_neighbours(a, b));
        text.extend_from_slice(match is_closed {
            true => b"],\"closed\":true}\n",
            false => b"],\"closed\":false}\n",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(board: Board, names: &str, format: TourFormat) -> String {
        let square = |name| board.parse_square(name).expect("a square");
        let tour: Vec<Square> = names.split(' ').map(square).collect();
        let mut text = Vec::new();
        TourWriter::new(board, format).write(&tour, &mut text);
        String::from_utf8(text).expect("ASCII")
    }

    #[test]
    fn a_tour_is_written_as_squares_as_a_grid_from_the_top_and_as_json() {
        let board = Board::new(3, 4).expect("in range");
        let tour = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
        assert_eq!(written(board, tour, TourFormat::Squares), format!("{tour}\n"));
        assert_eq!(
            written(board, tour, TourFormat::Grid),
            " 3  6  9 12\n 8 11  2  5\n 1  4  7 10\n"
        );
        let names = tour.replace(' ', "\",\"");
        assert_eq!(
            written(board, tour, TourFormat::Json),
            format!("{{\"tour\":[\"{names}\"],\"closed\":false}}\n")
        );
    }

    #[test]
    fn a_tour_whose_ends_are_a_move_apart_is_closed_in_json() {
        // The ring leaves the middle out; only its ends count here.
        let board = Board::new(3, 3).expect("in range");
        let ring = "a1 c2 a3 b1 c3 a2 c1 b3";
        assert!(written(board, ring, TourFormat::Json).ends_with("],\"closed\":true}\n"));
    }

    #[test]
    fn the_longest_names_have_room() {
        let board = Board::new(Board::LONGEST_SIDE, 703).expect("in range");
        let last = Square::from_index(board.squares() - 1);
        let name = format!("\"{}\",", board.name(last));
        assert_eq!(name, "\"aaa10000\",");
        let mut text = Vec::new();
        Cell::new(&name).write(&mut text);
        assert_eq!(text, name.as_bytes());
    }
}
