//! Reads tours from text: lines of squares, grids of numbers and JSON objects.
//!
//! The formats are those that the program writes and that people type:
//!
//! - A line that begins with a letter, or with `row,col`, is a tour as its squares. Blanks separate
//!   them, and between names also commas, dashes and arrows.
//! - Lines of numbers up to an empty line are a grid, counted from 1 or from 0. Brackets and commas
//!   around the numbers are ignored. A dot stands in the place of a hole.
//! - A line that begins with `{` is an object with an array `tour`, and perhaps a text `board`.
//! - A line `# board 8x8 piece=king` says what board the tours after it are of.
//! - A byte order mark before the first line is skipped.
//! - Lines of text that `find` writes around a grid, and lines that begin with `#`, are skipped.
//!
//! The board is given, or it is that of the object or of the line `# board`. Otherwise it is a
//! knight's board: that of the grid, or one that reaches to the highest row and column of the
//! squares.

use super::text::HEADER;
use super::{Tour, TourError, check_steps, plural};
use crate::board::{Board, BoardError, Layout, Square, SquareError};
use crate::legible::is_harmful;
use std::collections::HashSet;

/// A tour, or the first error in a text that should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The number of its first line, from 1, or of the line with the error in a grid.
    pub line: usize,
    /// The tour or the error.
    pub tour: Result<Tour, Wrong>,
}

/// A text is not a tour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Wrong {
    /// A word does not name a square.
    #[error(
        "`{0}` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2), and \
         blanks between squares"
    )]
    Square(String),
    /// A word does not name a vertex of the graph.
    #[error(transparent)]
    Vertex(#[from] SquareError),
    /// A line or an object says what board its tours are of, but not one that exists.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Rows and columns are counted from 1.
    #[error("no square is in row 0 or column 0: rows and columns are counted from 0")]
    FromOne,
    /// The last square is the first one again.
    #[error("the last square repeats the first: end a closed tour on the square before it")]
    Repeated,
    /// A square is not on the board.
    #[error("{square} is not on the {board} board")]
    OffBoard {
        /// The name of the square.
        square: String,
        /// The board.
        board: Board,
    },
    /// There are too few or too many squares.
    #[error("{given} square{} where {board} has {wanted}{}", plural(*given), missing.as_ref().map_or(String::new(), |square| format!(": {square} is not visited")))]
    Length {
        /// The number of squares given.
        given: usize,
        /// The board.
        board: Board,
        /// The number of squares of the board.
        wanted: usize,
        /// The name of the first square that is missing, if one is.
        missing: Option<String>,
    },
    /// A word in a grid is not a number.
    #[error("`{0}` is not a number of a grid")]
    Number(String),
    /// A line of a grid has more or fewer numbers than its first line.
    #[error("{given} number{} where the grid's first line has {wanted}", plural(*given))]
    Ragged {
        /// The number of numbers in it.
        given: usize,
        /// The number of numbers in the first line.
        wanted: usize,
    },
    /// A number of a grid is not the step of a tour.
    #[error(
        "{number} on {square} is out of range: the numbers of a {board} grid go from {first} to {last}"
    )]
    OutOfRange {
        /// The number.
        number: u64,
        /// The name of its square.
        square: String,
        /// The board.
        board: Board,
        /// The lowest number.
        first: u64,
        /// The highest number.
        last: u64,
    },
    /// A number stands in a grid twice.
    #[error("{number} stands on {square} and on {other}")]
    Twice {
        /// The number.
        number: u64,
        /// The name of its second square.
        square: String,
        /// The name of its first square.
        other: String,
    },
    /// A grid does not have the size of a board, or of the board that was given.
    #[error("a grid of {rows} x {cols} is not {wanted}")]
    Grid {
        /// The number of lines.
        rows: usize,
        /// The number of numbers in each line.
        cols: usize,
        /// The size that was expected.
        wanted: String,
    },
    /// A grid has a hole where the board has a square.
    #[error("there is no number on {0}")]
    NoNumber(String),
    /// A line is not an object with a tour.
    #[error("not a JSON object with a list of squares under \"tour\"")]
    Json,
    /// The squares are not a path of moves.
    #[error(transparent)]
    Path(#[from] TourError),
}

/// An unfinished grid: the number of its first line and its lines, or the first line with an error
/// and the error.
type Grid = (usize, Result<Vec<Vec<GridCell>>, Wrong>);

/// The number at a place of a grid, or `None` for a hole.
type GridCell = Option<u64>;

/// Reads tours line by line.
///
/// ```
/// use kt_enum::tour::TourReader;
/// let mut reader = TourReader::new(None);
/// let [_, read] = reader.read("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3");
/// assert!(read.is_some_and(|read| read.tour.is_ok()));
/// assert!(reader.finish().is_none());
/// ```
#[derive(Debug, Default)]
pub struct TourReader {
    board: Option<Board>,
    /// The board of the last line `# board`.
    said: Option<Board>,
    /// The board of the last object that has one.
    of_object: Option<Board>,
    line: usize,
    grid: Option<Grid>,
}

impl TourReader {
    /// Creates a reader of tours of one board, or of any board if it is `None`.
    ///
    /// If a board is given, the text has no say in it: lines `# board` are remarks.
    pub fn new(board: Option<Board>) -> Self {
        Self { board, ..Self::default() }
    }

    /// Reads the next line, with or without its line end.
    ///
    /// Returns what the line completes: a grid that ended before it, and the tour of the line
    /// itself.
    pub fn read(&mut self, line: &str) -> [Option<Read>; 2] {
        self.line += 1;
        let line = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let line = line.trim();
        let is_graph = self.board().is_some_and(Board::is_graph);
        if is_grid_line(line) && !is_graph {
            let (first, grid) = self.grid.get_or_insert((self.line, Ok(Vec::new())));
            // The lines of a grid are not stored after the first error in it.
            if let Ok(lines) = grid
                && let Err(wrong) = add_grid_line(lines, line)
            {
                (*first, *grid) = (self.line, Err(wrong));
            }
            return [None, None];
        }
        let grid = self.finish();
        if line.is_empty() || is_remark(line) {
            let wrong = self.remark(line).err().map(Wrong::from);
            return [grid, wrong.map(|wrong| Read { line: self.line, tour: Err(wrong) })];
        }
        let tour = if line.starts_with('{') {
            self.json(line)
        } else {
            squares(self.board(), self.names(line))
        };
        let line = self.line;
        [grid, Some(Read { line, tour })]
    }

    /// The board of the tours to come, if it is known.
    fn board(&self) -> Option<&Board> {
        self.board.as_ref().or(self.said.as_ref())
    }

    /// The names of squares in a line. The name of a vertex may have dashes.
    fn names<'a>(&self, line: &'a str) -> impl Iterator<Item = &'a str> {
        let graph = self.board().filter(|board| board.is_graph());
        line.split_whitespace().flat_map(move |word| {
            let is_vertex = |word| graph.is_some_and(|graph| graph.parse_square(word).is_ok());
            let is_whole = word.contains('-') && is_vertex(word);
            is_whole.then_some(word).into_iter().chain(names(if is_whole { "" } else { word }))
        })
    }

    /// Takes the board of a line `# board`. Remarks that only look like it begin with another word.
    fn remark(&mut self, line: &str) -> Result<(), BoardError> {
        let is_board = |text: &&str| {
            text.starts_with("graph ") || text.starts_with(|c: char| c.is_ascii_digit())
        };
        let text = line.strip_prefix(HEADER).filter(is_board);
        if let Some(text) = text.filter(|_| self.board.is_none()) {
            self.said = Some(text.parse()?);
        }
        Ok(())
    }

    /// Ends an unfinished grid and returns it. To be called at the end of the text.
    pub fn finish(&mut self) -> Option<Read> {
        let (mut line, grid) = self.grid.take()?;
        let tour = grid.and_then(|lines| self.grid(&lines, &mut line));
        Some(Read { line, tour })
    }

    /// The tour of a grid, or the first error. `line` is the number of the first line, and becomes
    /// that of the line with the error.
    fn grid(&self, lines: &[Vec<GridCell>], line: &mut usize) -> Result<Tour, Wrong> {
        let first_line = *line;
        let board = self.board_of_grid(lines)?;
        let first = u64::from(!lines.iter().flatten().any(|&number| number == Some(0)));
        let last = board.squares() as u64 - 1 + first;
        let mut squares: Vec<Option<Square>> = vec![None; board.squares()];
        let rows = lines.iter().enumerate().rev().zip(0..);
        let places = rows.flat_map(|((before, line), row)| {
            line.iter().zip(0..).map(move |(&number, col)| (before, row, col, number))
        });
        for (lines_before, row, col, number) in places {
            *line = first_line + lines_before;
            let (square, number) = match (board.at(row.into(), col.into()), number) {
                (Some(square), Some(number)) => (square, number),
                (None, None) => continue,
                (None, Some(_)) => return Err(off_board(row, col, &board)),
                (Some(square), None) => return Err(Wrong::NoNumber(board.name(square))),
            };
            let place = (number >= first).then(|| squares.get_mut((number - first) as usize));
            match place.flatten() {
                None => {
                    let square = board.name(square);
                    return Err(Wrong::OutOfRange { number, square, board, first, last });
                }
                Some(Some(other)) => {
                    let (square, other) = (board.name(square), board.name(*other));
                    return Err(Wrong::Twice { number, square, other });
                }
                Some(place) => *place = Some(square),
            }
        }
        *line = first_line;
        // Each square has a number, all are different and in range, so none is missing.
        Ok(Tour::new(&board, squares.into_iter().flatten().collect())?)
    }

    /// The board of a grid: the one that is known, or a knight's board with the holes of the grid.
    fn board_of_grid(&self, lines: &[Vec<GridCell>]) -> Result<Board, Wrong> {
        let (rows, cols) = (lines.len(), lines[0].len());
        let not = |wanted: String| Wrong::Grid { rows, cols, wanted };
        let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
        let mut layout = Layout::new(side(rows), side(cols));
        let full = layout.board().map_err(|_| not("a board".to_owned()))?;
        if let Some(wanted) = self.board() {
            let fits = (full.rows(), full.cols()) == (wanted.rows(), wanted.cols());
            return fits.then(|| wanted.clone()).ok_or_else(|| not(wanted.to_string()));
        }
        for (line, row) in lines.iter().rev().zip(0..) {
            let holes = line.iter().zip(0..).filter(|(number, _)| number.is_none());
            layout.without.extend(holes.map(|(_, col)| (row, col)));
        }
        Ok(layout.board()?)
    }

    fn json(&mut self, line: &str) -> Result<Tour, Wrong> {
        let object: serde_json::Value = serde_json::from_str(line).map_err(|_| Wrong::Json)?;
        let names = object["tour"].as_array().ok_or(Wrong::Json)?;
        let names: Option<Vec<&str>> = names.iter().map(serde_json::Value::as_str).collect();
        let names = names.ok_or(Wrong::Json)?.into_iter();
        let Some(text) = object["board"].as_str().filter(|_| self.board.is_none()) else {
            return squares(self.board(), names);
        };
        // Lists of objects repeat the board, and the tables of a board take time.
        if self.of_object.as_ref().is_none_or(|board| board.description() != text) {
            self.of_object = Some(text.parse()?);
        }
        squares(self.of_object.as_ref(), names)
    }
}

/// The tour that visits squares with these names, on a board or on that which they reach over.
fn squares<'a>(board: Option<&Board>, words: impl Iterator<Item = &'a str>) -> Result<Tour, Wrong> {
    if let Some(graph) = board.filter(|board| board.is_graph()) {
        let vertices = words.map(|word| graph.parse_square(&quoted(word)));
        return tour(graph, vertices.collect::<Result<_, _>>()?);
    }
    let mut are_numbers = true;
    let place = |word: &str| {
        are_numbers &= word.starts_with(|c: char| c.is_ascii_digit());
        Square::row_and_column(word).ok_or_else(|| Wrong::Square(quoted(word)))
    };
    let places: Vec<(u32, u32)> = words.map(place).collect::<Result<_, _>>()?;
    let (rows, cols) =
        places.iter().fold((0, 0), |(rows, cols), &(row, col)| (row.max(rows), col.max(cols)));
    // Every tour of a full board visits row 0 and column 0.
    if are_numbers
        && rows > 0
        && places.iter().all(|&(row, col)| row > 0 && col > 0)
        && places.len() as u64 == u64::from(rows) * u64::from(cols)
        && board.is_none_or(Board::is_plain)
    {
        return Err(Wrong::FromOne);
    }
    let board = match board {
        Some(board) => board,
        None => &Board::new(rows + 1, cols + 1).map_err(|_| Wrong::Json)?,
    };
    let square = |(row, col): (u32, u32)| {
        board.at(row.into(), col.into()).ok_or_else(|| off_board(row, col, board))
    };
    tour(board, places.into_iter().map(square).collect::<Result<_, _>>()?)
}

/// The tour that visits these squares of a board.
fn tour(board: &Board, squares: Vec<Square>) -> Result<Tour, Wrong> {
    if squares.len() == board.squares() + 1 && squares.first() == squares.last() {
        return Err(Wrong::Repeated);
    }
    let (given, wanted) = (squares.len(), board.squares());
    if given != wanted {
        check_steps(board, &squares)?;
        let visited: HashSet<&Square> = squares.iter().collect();
        let missing = board.all_squares().find(|square| !visited.contains(square));
        let (board, missing) = (board.clone(), missing.map(|square| board.name(square)));
        return Err(Wrong::Length { given, board, wanted, missing });
    }
    Ok(Tour::new(board, squares)?)
}

/// Adds a line of numbers to a grid.
fn add_grid_line(lines: &mut Vec<Vec<GridCell>>, text: &str) -> Result<(), Wrong> {
    let words = text.split(|c: char| c.is_ascii_whitespace() || "[],".contains(c));
    let number = |word: &str| match word {
        "." => Ok(None),
        _ => word.parse().map(Some).map_err(|_| Wrong::Number(quoted(word))),
    };
    let longest = Board::LONGEST_SIDE as usize;
    let words = words.filter(|word| !word.is_empty()).take(longest + 1);
    let numbers: Vec<GridCell> = words.map(number).collect::<Result<_, _>>()?;
    let (rows, given) = (lines.len() + 1, numbers.len());
    if rows > longest || given > longest {
        return Err(Wrong::Grid { rows, cols: given, wanted: "a board".to_owned() });
    }
    let wanted = lines.first().map_or(given, Vec::len);
    if given != wanted {
        return Err(Wrong::Ragged { given, wanted });
    }
    lines.push(numbers);
    Ok(())
}

fn off_board(row: u32, col: u32, board: &Board) -> Wrong {
    // A board whose last square is the one to name.
    let large = Board::new(row + 1, col + 1).unwrap_or_else(|_| board.clone());
    let square = large.name(Square::from_index(large.squares() - 1));
    Wrong::OffBoard { square, board: board.clone() }
}

/// The beginning of a word, without characters that a terminal would obey.
fn quoted(word: &str) -> String {
    let harmless = |c: char| if is_harmful(c) { '\u{fffd}' } else { c };
    word.chars().take(40).map(harmless).collect()
}

/// True if a line belongs to a grid. `row,col` without a blank after the comma is a square instead.
fn is_grid_line(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or("");
    let is_square = first.split_once(',').is_some_and(|(row, col)| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_number(row) && is_number(col)
    });
    let is_number = line.starts_with(|c: char| c.is_ascii_digit() || c == '[' || c == '-');
    is_number && !is_square || first == "."
}

/// The names of squares in a word: `a1-c2`, `a1,` and `->` have two, one and none. `1,2` is one.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let has_separators =
        word.starts_with(char::is_alphabetic) || !word.contains(char::is_alphanumeric);
    let is_separator = move |c: char| has_separators && ",;->\u{2013}\u{2192}".contains(c);
    word.split(is_separator).filter(|name| !name.is_empty())
}

/// True if a line is not part of any tour.
fn is_remark(line: &str) -> bool {
    let remarks = ["#", "Number of moves ", "No solution found", "No Hamiltonian "];
    remarks.iter().any(|remark| line.starts_with(remark))
}
