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
use std::ops::Range;

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
    /// One line with a JSON object: `{"tour":["a1",...],"closed":false,"board":"6x6"}`.
    Json,
}

/// The beginning of the line before tours that says what board they are of.
pub const HEADER: &str = "# board ";

/// What stands in that line before the pairs of squares that have to follow each other.
pub const LINKS: &str = " links=";

/// The end of that line before a puzzle whose solutions are closed.
pub const CLOSED: &str = " closed";

impl TourFormat {
    /// The line before a puzzle or tours that says what they are.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::{board::Board, tour::TourFormat};
    /// let king: Board = "3x3 piece=king".parse()?;
    /// assert_eq!(TourFormat::board_line(&king, &[], true), "# board 3x3 piece=king closed\n");
    /// # Ok::<(), kt_enum::board::BoardError>(())
    /// ```
    pub fn board_line(board: &Board, links: &[String], is_closed: bool) -> String {
        let links = match links {
            [] => String::new(),
            links => LINKS.to_owned() + &links.join(","),
        };
        let closed = if is_closed { CLOSED } else { "" };
        format!("{HEADER}{}{links}{closed}\n", board.description())
    }

    /// The line to write before the first tour of a board, from which a reader learns
    /// the board, and whether the tours are closed. It is empty for JSON, and before the squares of
    /// a full knight's board: they are all of its squares, one tour per line.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::{board::Board, tour::TourFormat};
    /// let king: Board = "3x3 piece=king".parse()?;
    /// assert_eq!(TourFormat::Squares.header(&king, true), "# board 3x3 piece=king closed\n");
    /// assert_eq!(TourFormat::Grid.header(&Board::new(3, 4)?, false), "# board 3x4\n");
    /// assert_eq!(TourFormat::Squares.header(&Board::new(3, 4)?, false), "");
    /// # Ok::<(), kt_enum::board::BoardError>(())
    /// ```
    pub fn header(self, board: &Board, is_closed: bool) -> String {
        match self {
            Self::Json => String::new(),
            Self::Squares if board.is_plain() => String::new(),
            Self::Squares | Self::Grid => Self::board_line(board, &[], is_closed),
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
    // A description has no character that JSON escapes.
    format!(",\"closed\":{is_closed},\"board\":\"{}\"}}\n", board.description())
}

/// The arrangement of a board of numbers as text, the top row first.
///
/// The rows of a hexagonal board go from its first square to its last one, each half a cell to the
/// right of the one above, so that a cell has an odd number of characters and a blank after it.
#[derive(Debug, Clone)]
pub struct TextRows {
    /// The number of characters of a cell.
    pub width: usize,
    /// The number of blanks before each row, the row, and its columns.
    pub rows: Vec<(usize, u32, Range<u32>)>,
}

impl TextRows {
    /// The arrangement of a board whose widest cell has so many characters.
    pub fn new(board: &Board, width: usize) -> Self {
        let (rows, cols) = ((0..board.rows()).rev(), 0..board.cols());
        if !board.is_hexagonal() {
            return Self { width, rows: rows.map(|row| (0, row, cols.clone())).collect() };
        }
        let is_square = |row: u32, col: &u32| board.at(row.into(), (*col).into()).is_some();
        let columns = |row| {
            let mut squares = cols.clone().filter(|col| is_square(row, col));
            let first = squares.next()?;
            Some((row, first..squares.next_back().unwrap_or(first) + 1))
        };
        // A row without squares is one of holes.
        let rows: Vec<(u32, Range<u32>)> =
            rows.map(|row| columns(row).unwrap_or((row, cols.clone()))).collect();
        let halves = |(row, cols): &(u32, Range<u32>)| 2 * cols.start + board.rows() - 1 - row;
        let (least, width) = (rows.iter().map(halves).min().unwrap_or(0), width | 1);
        let indent = |row| (halves(row) - least) as usize * width.div_ceil(2);
        Self { width, rows: rows.iter().map(|row| (indent(row), row.0, row.1.clone())).collect() }
    }
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
/// assert_eq!(text, b"{\"tour\":[\"a1\"],\"closed\":false,\"board\":\"1x1\"}\n");
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
    /// For a grid, the number of blanks before each row, and the place in `steps` of each of its
    /// places, the top row first.
    rows: Vec<(usize, Vec<usize>)>,
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
        let digits = squares.to_string().len();
        // The vertices of a graph may be many, and are in no rows.
        let TextRows { width, rows } = match format {
            TourFormat::Grid => TextRows::new(&board, digits),
            _ => TextRows { width: digits, rows: Vec::new() },
        };
        let cell = |square: Square| match format {
            TourFormat::Squares => Cell::new(&format!("{} ", board.name(square))),
            TourFormat::Grid => Cell::new(&format!("{:>width$} ", square.index() + 1)),
            TourFormat::Json => Cell::new(&format!("\"{}\",", board.name(square))),
        };
        let hole = Cell::new(&format!("{:>width$} ", '#'));
        let place =
            |row: u32, col: u32| board.at(row.into(), col.into()).map_or(squares, Square::index);
        let places = |row: u32, cols: Range<u32>| cols.map(|col| place(row, col)).collect();
        Self {
            format,
            cells: board.all_squares().map(cell).chain([hole]).collect(),
            steps: (0..=squares).collect(),
            rows: rows.into_iter().map(|(indent, row, cols)| (indent, places(row, cols))).collect(),
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
                for (indent, places) in &self.rows {
                    text.resize(text.len() + indent, b' ');
                    self.write_cells(places.iter().map(|&place| self.steps[place]), b'\n', text);
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
            format!("{{\"tour\":[\"{names}\"],\"closed\":false,\"board\":\"3x4\"}}\n")
        );
    }

    #[test]
    fn a_tour_whose_ends_are_a_move_apart_is_closed_in_json() {
        // The ring leaves the middle out; only its ends count here.
        let board = Board::new(3, 3).expect("in range");
        let ring = "a1 c2 a3 b1 c3 a2 c1 b3";
        assert!(
            written(&board, ring, TourFormat::Json)
                .ends_with("],\"closed\":true,\"board\":\"3x3\"}\n")
        );
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
