//! Tours read from text: lines of squares, grids of numbers, JSON objects, as they are written here
//! and by hand.
//!
//! A line that begins with a letter, or with `row,col`, is a tour by its squares. Lines of numbers up
//! to an empty line are a grid, counted from 1 or from 0; brackets and commas around the numbers are
//! passed over. A line that begins with `{` is an object with `tour`. The lines of text that `find`
//! writes around a grid and lines that begin with `#` are left out. The board is that of the grid, or
//! the highest row and column of the squares, unless it is given.

use super::{Tour, TourError, check_steps, plural};
use crate::board::{Board, Square};

/// A tour read, or the first thing wrong with what should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its first line, from 1.
    pub line: usize,
    /// What was read.
    pub tour: Result<(Board, Tour), Wrong>,
}

/// Why a text is not a tour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A word that names no square.
    #[error("`{0}` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2)")]
    Square(String),
    /// A square past the sides of the board.
    #[error("{square} is not on a {board} board")]
    OffBoard {
        /// The square.
        square: String,
        /// The board.
        board: Board,
    },
    /// Too few or too many squares.
    #[error("{given} square{} where {board} has {wanted}{}", plural(*given), missing.as_ref().map_or(String::new(), |square| format!(": {square} is not visited")))]
    Length {
        /// The number of squares given.
        given: usize,
        /// The board.
        board: Board,
        /// Its number of squares.
        wanted: usize,
        /// The first square that is missing.
        missing: Option<String>,
    },
    /// A word in a grid that is not a number.
    #[error("`{0}` is not a number of a grid")]
    Number(String),
    /// A line of a grid with more or fewer numbers than its first.
    #[error("line {line} has {given} number{} where the grid's first line has {wanted}", plural(*given))]
    Ragged {
        /// The line.
        line: usize,
        /// Its numbers.
        given: usize,
        /// Those of the first line.
        wanted: usize,
    },
    /// A number of a grid that no step of a tour has.
    #[error(
        "{number} on {square} is out of range: the numbers of a {board} grid go from {first} to {last}"
    )]
    OutOfRange {
        /// The number.
        number: u64,
        /// Where it stands.
        square: String,
        /// The board.
        board: Board,
        /// The lowest number.
        first: u64,
        /// The highest number.
        last: u64,
    },
    /// A number that stands in a grid twice.
    #[error("{number} stands on {square} and on {other}")]
    Twice {
        /// The number.
        number: u64,
        /// Where it stands.
        square: String,
        /// Where else.
        other: String,
    },
    /// A grid that is no board, or not the board that was given.
    #[error("a grid of {rows} x {cols} is not {wanted}")]
    Grid {
        /// Its lines.
        rows: usize,
        /// The numbers in each.
        cols: usize,
        /// What it should be.
        wanted: String,
    },
    /// An object without a tour.
    #[error("not a JSON object with a list of squares under \"tour\"")]
    Json,
    /// Not a path of knight's moves.
    #[error(transparent)]
    Path(#[from] TourError),
}

/// A grid begun: the number of its first line, and its lines or what is wrong with them.
type Grid = (usize, Result<Vec<Vec<u64>>, Wrong>);

/// Reads tours line by line.
#[derive(Debug, Default)]
pub struct TourReader {
    board: Option<Board>,
    line: usize,
    grid: Option<Grid>,
}

impl TourReader {
    /// A reader of tours of one board; of any board, each told by its tour, when `None`.
    pub fn new(board: Option<Board>) -> Self {
        Self { board, ..Self::default() }
    }

    /// Takes the next line, with or without its end. What ends with it: a grid and a line's tour at most.
    pub fn read(&mut self, line: &str) -> [Option<Read>; 2] {
        self.line += 1;
        let line = line.trim();
        if is_grid_line(line) {
            let (_, grid) = self.grid.get_or_insert((self.line, Ok(Vec::new())));
            // What is wrong already is not kept.
            if let Ok(lines) = grid
                && let Err(wrong) = add_grid_line(lines, line, self.line)
            {
                *grid = Err(wrong);
            }
            return [None, None];
        }
        let grid = self.finish();
        if line.is_empty() || is_remark(line) {
            return [grid, None];
        }
        let tour = match line.starts_with('{') {
            true => self.json(line),
            false => self.squares(line.split_ascii_whitespace()),
        };
        let line = self.line;
        [grid, Some(Read { line, tour })]
    }

    /// Ends the grid that was begun, as the end of the text does.
    pub fn finish(&mut self) -> Option<Read> {
        let (line, grid) = self.grid.take()?;
        let tour = grid.and_then(|lines| self.grid(&lines));
        Some(Read { line, tour })
    }

    fn grid(&self, lines: &[Vec<u64>]) -> Result<(Board, Tour), Wrong> {
        let (rows, cols) = (lines.len(), lines[0].len());
        let not = |wanted: String| Wrong::Grid { rows, cols, wanted };
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
            let place = (number >= first).then(|| squares.get_mut((number - first) as usize));
            match place.flatten() {
                None => {
                    let square = name();
                    return Err(Wrong::OutOfRange { number, square, board, first, last });
                }
                Some(Some(other)) => {
                    let (square, other) = (name(), board.name(*other));
                    return Err(Wrong::Twice { number, square, other });
                }
                Some(place) => *place = Some(square),
            }
        }
        // As many different numbers as squares, all in range: none is missing.
        let tour = Tour::new(board, squares.into_iter().flatten().collect())?;
        Ok((board, tour))
    }

    fn json(&self, line: &str) -> Result<(Board, Tour), Wrong> {
        let object: serde_json::Value = serde_json::from_str(line).map_err(|_| Wrong::Json)?;
        let names = object["tour"].as_array().ok_or(Wrong::Json)?;
        let names: Option<Vec<&str>> = names.iter().map(serde_json::Value::as_str).collect();
        self.squares(names.ok_or(Wrong::Json)?.into_iter())
    }

    fn squares<'a>(&self, words: impl Iterator<Item = &'a str>) -> Result<(Board, Tour), Wrong> {
        let place =
            |word: &str| Square::row_and_column(word).ok_or_else(|| Wrong::Square(quoted(word)));
        let places: Vec<(u32, u32)> = words.map(place).collect::<Result<_, _>>()?;
        let board = match self.board {
            Some(board) => board,
            None => {
                let highest = places
                    .iter()
                    .fold((0, 0), |(rows, cols), &(row, col)| (row.max(rows), col.max(cols)));
                Board::new(highest.0 + 1, highest.1 + 1).map_err(|_| Wrong::Json)?
            }
        };
        let mut squares = Vec::with_capacity(places.len());
        for (row, col) in places {
            let square = board.at(row.into(), col.into());
            squares.push(square.ok_or_else(|| off_board(row, col, board))?);
        }
        if squares.len() != board.squares() {
            check_steps(board, &squares)?;
            return Err(wrong_length(board, &squares));
        }
        Ok((board, Tour::new(board, squares)?))
    }
}

/// Adds the numbers of a line to the lines of a grid.
fn add_grid_line(lines: &mut Vec<Vec<u64>>, text: &str, line: usize) -> Result<(), Wrong> {
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
        return Err(Wrong::Ragged { line, given, wanted });
    }
    lines.push(numbers);
    Ok(())
}

fn off_board(row: u32, col: u32, board: Board) -> Wrong {
    // A board that the square is the last of, for its name.
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

/// The beginning of a word, without what a terminal would obey.
fn quoted(word: &str) -> String {
    let harmless = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    word.chars().take(40).map(harmless).collect()
}

/// Whether a line is of numbers: `row,col` without a blank after the comma is a square.
fn is_grid_line(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or("");
    let is_square = first.split_once(',').is_some_and(|(row, col)| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_number(row) && is_number(col)
    });
    line.starts_with(|c: char| c.is_ascii_digit() || c == '[' || c == '-') && !is_square
}

/// Whether a line is not meant as part of a tour.
fn is_remark(line: &str) -> bool {
    let remarks = ["#", "Number of moves ", "No solution found"];
    remarks.iter().any(|remark| line.starts_with(remark))
}
