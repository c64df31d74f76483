//! Reads tours from text: lines of squares, grids of numbers and JSON objects.
//!
//! The formats are those that the program writes and that people type:
//!
//! - A line that begins with a letter, or with `row,col`, is a tour as its squares. Blanks separate
//!   them, and between names also commas, dashes and arrows.
//! - Lines of numbers up to an empty line are a grid, counted from 1 or from 0. Brackets and commas
//!   around the numbers are ignored.
//! - A line that begins with `{` is an object with an array `tour`.
//! - A byte order mark before the first line is skipped.
//! - Lines of text that `find` writes around a grid, and lines that begin with `#`, are skipped.
//!
//! The board is given, or it is that of the grid, or it reaches to the highest row and column of
//! the squares.

use super::{Tour, TourError, check_steps, plural};
use crate::board::{Board, Square};

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
pub enum Wrong {
    /// A word does not name a square.
    #[error(
        "`{0}` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2), and \
         blanks between squares"
    )]
    Square(String),
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
    /// A line is not an object with a tour.
    #[error("not a JSON object with a list of squares under \"tour\"")]
    Json,
    /// The squares are not a path of knight's moves.
    #[error(transparent)]
    Path(#[from] TourError),
}

/// An unfinished grid: the number of its first line and its lines, or the first line with an error
/// and the error.
type Grid = (usize, Result<Vec<Vec<u64>>, Wrong>);

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
    line: usize,
    grid: Option<Grid>,
}

impl TourReader {
    /// Creates a reader of tours of one board, or of any board if it is `None`.
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
        if is_grid_line(line) {
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
            return [grid, None];
        }
        let tour = match line.starts_with('{') {
            true => self.json(line),
            false => self.squares(line.split_ascii_whitespace().flat_map(names)),
        };
        let line = self.line;
        [grid, Some(Read { line, tour })]
    }

    /// Ends an unfinished grid and returns it. To be called at the end of the text.
    pub fn finish(&mut self) -> Option<Read> {
        let (line, grid) = self.grid.take()?;
        let tour = grid.map_err(|wrong| (0, wrong)).and_then(|lines| self.grid(&lines));
        Some(match tour {
            Ok(tour) => Read { line, tour: Ok(tour) },
            Err((lines, wrong)) => Read { line: line + lines, tour: Err(wrong) },
        })
    }

    /// The tour of a grid, or the first error and the number of lines before it.
    fn grid(&self, lines: &[Vec<u64>]) -> Result<Tour, (usize, Wrong)> {
        let (rows, cols) = (lines.len(), lines[0].len());
        let not = |wanted: String| (0, Wrong::Grid { rows, cols, wanted });
        let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
        let board = Board::new(side(rows), side(cols)).map_err(|_| not("a board".to_owned()))?;
        if let Some(wanted) = self.board.filter(|&wanted| wanted != board) {
            return Err(not(wanted.to_string()));
        }
        let first = u64::from(!lines.iter().flatten().any(|&number| number == 0));
        let last = board.squares() as u64 - 1 + first;
        let mut squares: Vec<Option<Square>> = vec![None; board.squares()];
        let numbers = lines.iter().rev().flatten();
        for (square, &number) in board.all_squares().zip(numbers) {
            let name = || board.name(square);
            let lines_before = rows - 1 - board.row(square) as usize;
            let place = (number >= first).then(|| squares.get_mut((number - first) as usize));
            match place.flatten() {
                None => {
                    let square = name();
                    let wrong = Wrong::OutOfRange { number, square, board, first, last };
                    return Err((lines_before, wrong));
                }
                Some(Some(other)) => {
                    let (square, other) = (name(), board.name(*other));
                    return Err((lines_before, Wrong::Twice { number, square, other }));
                }
                Some(place) => *place = Some(square),
            }
        }
        // There are as many different numbers as squares, and all are in range, so none is missing.
        let tour = Tour::new(board, squares.into_iter().flatten().collect());
        tour.map_err(|wrong| (0, wrong.into()))
    }

    fn json(&self, line: &str) -> Result<Tour, Wrong> {
        let object: serde_json::Value = serde_json::from_str(line).map_err(|_| Wrong::Json)?;
        let names = object["tour"].as_array().ok_or(Wrong::Json)?;
        let names: Option<Vec<&str>> = names.iter().map(serde_json::Value::as_str).collect();
        self.squares(names.ok_or(Wrong::Json)?.into_iter())
    }

    fn squares<'a>(&self, words: impl Iterator<Item = &'a str>) -> Result<Tour, Wrong> {
        let mut are_numbers = true;
        let place = |word: &str| {
            are_numbers &= word.starts_with(|c: char| c.is_ascii_digit());
            Square::row_and_column(word).ok_or_else(|| Wrong::Square(quoted(word)))
        };
        let places: Vec<(u32, u32)> = words.map(place).collect::<Result<_, _>>()?;
        let (rows, cols) =
            places.iter().fold((0, 0), |(rows, cols), &(row, col)| (row.max(rows), col.max(cols)));
        // Every tour visits row 0 and column 0.
        if are_numbers
            && rows > 0
            && places.iter().all(|&(row, col)| row > 0 && col > 0)
            && places.len() as u64 == u64::from(rows) * u64::from(cols)
        {
            return Err(Wrong::FromOne);
        }
        let board = match self.board {
            Some(board) => board,
            None => Board::new(rows + 1, cols + 1).map_err(|_| Wrong::Json)?,
        };
        let mut squares = Vec::with_capacity(places.len());
        for (row, col) in places {
            let square = board.at(row.into(), col.into());
            squares.push(square.ok_or_else(|| off_board(row, col, board))?);
        }
        if squares.len() == board.squares() + 1 && squares.first() == squares.last() {
            return Err(Wrong::Repeated);
        }
        if squares.len() != board.squares() {
            check_steps(board, &squares)?;
            return Err(wrong_length(board, &squares));
        }
        Ok(Tour::new(board, squares)?)
    }
}

/// Adds a line of numbers to a grid.
fn add_grid_line(lines: &mut Vec<Vec<u64>>, text: &str) -> Result<(), Wrong> {
    let words = text.split(|c: char| c.is_ascii_whitespace() || "[],".contains(c));
    let number = |word: &str| word.parse().map_err(|_| Wrong::Number(quoted(word)));
    let words = words.filter(|word| !word.is_empty());
    let numbers: Vec<u64> = words.map(number).collect::<Result<_, _>>()?;
    let (rows, given) = (lines.len() + 1, numbers.len());
    let longest = Board::LONGEST_SIDE as usize;
    if rows > longest || given > longest {
        let (cols, wanted) = (given, "a board".to_owned());
        return Err(Wrong::Grid { rows, cols, wanted });
    }
    let wanted = lines.first().map_or(given, Vec::len);
    if given != wanted {
        return Err(Wrong::Ragged { given, wanted });
    }
    lines.push(numbers);
    Ok(())
}

fn off_board(row: u32, col: u32, board: Board) -> Wrong {
    // A board whose last square is the one to name.
    let large = Board::new(row + 1, col + 1).unwrap_or(board);
    let square = large.name(Square::from_index(large.squares() - 1));
    Wrong::OffBoard { square, board }
}

fn wrong_length(board: Board, squares: &[Square]) -> Wrong {
    let (given, wanted) = (squares.len(), board.squares());
    let mut visited = squares.to_vec();
    visited.sort_unstable();
    visited.dedup();
    let mut expected =
        board.all_squares().zip(visited.iter().map(Some).chain(std::iter::repeat(None)));
    let missing = expected.find(|(square, visited)| *visited != Some(square));
    Wrong::Length { given, board, wanted, missing: missing.map(|(square, _)| board.name(square)) }
}

/// The beginning of a word, without control characters that a terminal would obey.
fn quoted(word: &str) -> String {
    let harmless = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    word.chars().take(40).map(harmless).collect()
}

/// True if a line belongs to a grid. `row,col` without a blank after the comma is a square instead.
fn is_grid_line(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or("");
    let is_square = first.split_once(',').is_some_and(|(row, col)| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_number(row) && is_number(col)
    });
    line.starts_with(|c: char| c.is_ascii_digit() || c == '[' || c == '-') && !is_square
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
    let remarks = ["#", "Number of moves ", "No solution found"];
    remarks.iter().any(|remark| line.starts_with(remark))
}
