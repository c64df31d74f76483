//! Tours as text: a line of squares, a grid of numbers, or a JSON object.
//!
//! Formatting each square would take most of the time of a list. Instead, a tour is put together
//! from one cell per square, which is a name or a number and the character after it. Cells are made
//! once per board and copied as 32 bytes, whatever their length. A tour costs a few instructions
//! per square.
//!
//! Tours are preceded by a line with the description of the board ([`TourFormat::header`]), and JSON
//! objects have it in a field, so that a reader needs nothing else. A full knight's board follows
//! from the squares of its tours.

use crate::board::{Board, LONGEST_NAME, Square};

/// The format of a tour as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TourFormat {
    /// One line with the squares in order, separated by blanks.
    #[default]
    Squares,
    /// The step, from 1, at which each square is visited, with the top row first and numbers
    /// right-aligned.
    Grid,
    /// One line with a JSON object: `{"tour":["a1",...],"closed":false}`.
    ///
    /// If the board is not a full knight's board, a field `board` with its description follows.
    Json,
}

/// The beginning of the line before tours that says what board they are of.
pub(super) const HEADER: &str = "# board ";

/// The end of that line before a puzzle whose solutions are closed.
pub(super) const CLOSED: &str = " closed";

impl TourFormat {
    /// The line before a puzzle that says what it is.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::{board::Board, tour::TourFormat};
    /// let king: Board = "3x3 piece=king".parse()?;
    /// assert_eq!(TourFormat::board_line(&king, true), "# board 3x3 piece=king closed\n");
    /// # Ok::<(), kt_enum::board::BoardError>(())
    /// ```
    pub fn board_line(board: &Board, is_closed: bool) -> String {
        let closed = if is_closed { CLOSED } else { "" };
        format!("{HEADER}{}{closed}\n", board.description())
    }

    /// The line to write before the first tour of a board, from which [`super::TourReader`] learns
    /// the board. It is empty for JSON, and before the squares of a full knight's board.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::{board::Board, tour::TourFormat};
    /// let king: Board = "3x3 piece=king".parse()?;
    /// assert_eq!(TourFormat::Squares.header(&king), "# board 3x3 piece=king\n");
    /// assert_eq!(TourFormat::Grid.header(&Board::new(3, 4)?), "# board 3x4\n");
    /// assert_eq!(TourFormat::Squares.header(&Board::new(3, 4)?), "");
    /// # Ok::<(), kt_enum::board::BoardError>(())
    /// ```
    pub fn header(self, board: &Board) -> String {
        match self {
            Self::Json => String::new(),
            Self::Squares if board.is_plain() => String::new(),
            Self::Squares | Self::Grid => Self::board_line(board, false),
        }
    }

    /// The format itself, or that of squares instead of a grid if the board is a graph, whose
    /// vertices have no places.
    pub(super) fn on(self, board: &Board) -> Self {
        if self == Self::Grid && board.is_graph() { Self::Squares } else { self }
    }
}

/// The end of a JSON object, after the array of its squares.
pub(super) fn json_end(board: &Board, is_closed: bool) -> String {
    if board.is_plain() {
        return format!(",\"closed\":{is_closed}}}\n");
    }
    // A description has no character that JSON escapes.
    format!(",\"closed\":{is_closed},\"board\":\"{}\"}}\n", board.description())
}

/// Writes tours of one board in one format.
///
/// ```
/// # use kt_enum_board as kt_enum;
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
    /// The name of each square, by its index. For a grid, the number of each step, and last a hole.
    cells: Vec<Cell>,
    /// For a grid, the step at which each square is visited, by the index of the square, and last
    /// the cell of a hole.
    steps: Vec<usize>,
    /// For a grid, the place in `steps` of each place of the board, row by row from the bottom.
    places: Vec<usize>,
    /// The ends of a JSON object with an open tour and with a closed one.
    ends: [String; 2],
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    bytes: [u8; Cell::ROOM],
    length: usize,
}

impl Cell {
    /// The largest number of bytes: the longest name in a graph, with quotes and a comma.
    const ROOM: usize = LONGEST_NAME + 4;

    fn new(text: &str) -> Self {
        let mut bytes = [0; Self::ROOM];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, length: text.len() }
    }

    #[inline(always)]
    fn write(&self, text: &mut Vec<u8>) {
        let end = text.len() + self.length;
        text.extend_from_slice(&self.bytes);
        text.truncate(end);
    }
}

impl TourWriter {
    /// A writer for the tours of a board. It writes squares if it is asked for grids of a graph.
    pub fn new(board: Board, format: TourFormat) -> Self {
        let (squares, format) = (board.squares(), format.on(&board));
        let widest = squares.to_string().len();
        let cell = |square: Square| match format {
            TourFormat::Squares => Cell::new(&format!("{} ", board.name(square))),
            TourFormat::Grid => Cell::new(&format!("{:>widest$} ", square.index() + 1)),
            TourFormat::Json => Cell::new(&format!("\"{}\",", board.name(square))),
        };
        let hole = Cell::new(&format!("{:>widest$} ", '#'));
        let place = |(row, col): (u32, u32)| {
            board.at(row.into(), col.into()).map_or(squares, Square::index)
        };
        let rows = if format == TourFormat::Grid { board.rows() } else { 0 };
        let places = (0..rows).flat_map(|row| (0..board.cols()).map(move |col| (row, col)));
        Self {
            format,
            cells: board.all_squares().map(cell).chain([hole]).collect(),
            steps: (0..=squares).collect(),
            places: places.map(place).collect(),
            ends: [false, true].map(|is_closed| json_end(&board, is_closed)),
            board,
        }
    }

    /// The text between two tours: an empty line between grids, otherwise nothing.
    pub fn separator(&self) -> &'static [u8] {
        if self.format == TourFormat::Grid { b"\n" } else { b"" }
    }

    /// The number of lines of a tour, without the separator.
    pub fn lines(&self) -> usize {
        if self.format == TourFormat::Grid { self.board.rows() as usize } else { 1 }
    }

    /// Appends a tour, which has to visit every square of the board once, to a text.
    ///
    /// # Panics
    /// If a square is not on the board.
    pub fn write(&mut self, tour: &[Square], text: &mut Vec<u8>) {
        let squares = tour.iter().map(|square| square.index());
        match self.format {
            TourFormat::Squares => self.write_cells(squares, b'\n', text),
            TourFormat::Grid => {
                squares.enumerate().for_each(|(step, square)| self.steps[square] = step);
                for row in self.places.chunks(self.board.cols() as usize).rev() {
                    self.write_cells(row.iter().map(|&place| self.steps[place]), b'\n', text);
                }
            }
            TourFormat::Json => {
                text.extend_from_slice(b"{\"tour\":[");
                self.write_cells(squares, b']', text);
                let is_closed =
                    tour.len() > 2 && self.board.are_neighbours(tour[0], tour[tour.len() - 1]);
                text.extend_from_slice(self.ends[usize::from(is_closed)].as_bytes());
            }
        }
    }

    /// Appends some cells, and `end` in place of what follows the last one.
    #[inline(always)]
    fn write_cells(&self, cells: impl Iterator<Item = usize>, end: u8, text: &mut Vec<u8>) {
        cells.for_each(|cell| self.cells[cell].write(text));
        text.pop();
        text.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(board: &Board, names: &str, format: TourFormat) -> String {
        let square = |name| board.parse_square(name).expect("a square");
        let tour: Vec<Square> = names.split(' ').map(square).collect();
        let mut text = Vec::new();
        TourWriter::new(board.clone(), format).write(&tour, &mut text);
        String::from_utf8(text).expect("ASCII")
    }

    #[test]
    fn a_tour_is_written_as_squares_as_a_grid_from_the_top_and_as_json() {
        let board = Board::new(3, 4).expect("in range");
        let tour = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
        assert_eq!(written(&board, tour, TourFormat::Squares), format!("{tour}\n"));
        assert_eq!(
            written(&board, tour, TourFormat::Grid),
            " 3  6  9 12\n 8 11  2  5\n 1  4  7 10\n"
        );
        let names = tour.replace(' ', "\",\"");
        assert_eq!(
            written(&board, tour, TourFormat::Json),
            format!("{{\"tour\":[\"{names}\"],\"closed\":false}}\n")
        );
    }

    #[test]
    fn a_tour_whose_ends_are_a_move_apart_is_closed_in_json() {
        // The ring leaves the middle out; only its ends count here.
        let board = Board::new(3, 3).expect("in range");
        let ring = "a1 c2 a3 b1 c3 a2 c1 b3";
        assert!(written(&board, ring, TourFormat::Json).ends_with("],\"closed\":true}\n"));
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
