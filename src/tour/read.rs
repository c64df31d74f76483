//! Reads tours from text, in the forms that the program writes and that people write.
//!
//! - A line that begins with a letter, or with `row,col`, is a tour as its squares. Blanks separate
//!   them, and between names also commas, semicolons, dashes and arrows. The letter of a piece may
//!   stand before a name, and numbers may count the squares or the moves.
//! - Squares may also stand in brackets, in quotation marks or on a line each, or as rows and
//!   columns in brackets.
//! - Rows of numbers up to an empty line are a grid, counted from 1 or from 0, with the top row
//!   first. They may have brackets and commas, bars and frames, and rows and columns that are
//!   numbered or named beside them. `.`, `#` or an empty place between bars is a hole.
//! - A JSON object has an array `tour`, and perhaps a text `board`, or an array of rows.
//! - A line `# board 8x8 piece=king` says what board the tours after it are of.
//! - A byte order mark before the first line is skipped, and so are lines that begin with `#`, the
//!   lines that `find` writes around a grid, and lines of words.
//!
//! The plain forms are read as they come, at the cost of their characters. Any other line goes
//! through its tokens ([`super::entries`]) into a paragraph of lines that belong together
//! ([`super::paragraph`]), and the reader says what it took the paragraph for. A text that could be
//! two things is an error.
//!
//! The board is given, or it is that of the object or of the line `# board`. Otherwise it is a
//! knight's board, or that of a given piece: that of the grid, or one that reaches to the highest
//! row and column of the squares.

use super::entries::{Entry, without_piece};
use super::grid::{Grid, form};
use super::paragraph::{EntryRow, Form, Paragraph, pairs};
use super::paragraphs::{KnownBoard, Paragraphs, is_remark};
use super::wrong::{Wrong, off_board, quoted};
use super::{Tour, check_steps};
use crate::board::{Board, Layout, Square};
use std::collections::HashSet;

/// A tour, or the first error in a text that should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The number of its first line, from 1, or of the line with the error in a grid.
    pub line: usize,
    /// The tour or the error.
    pub tour: Result<Tour, Wrong>,
    /// The form in which the text was read, unless it is a plain one.
    pub form: Option<String>,
}

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
    paragraphs: Paragraphs,
}

impl TourReader {
    /// Creates a reader of tours of one board, or of any board if it is `None`.
    ///
    /// If a board is given, the text cannot change it: lines `# board` are remarks.
    pub fn new(board: Option<Board>) -> Self {
        Self::expecting(KnownBoard { board, ..KnownBoard::default() })
    }

    /// Creates a reader of tours of boards of which something is known.
    pub fn expecting(expected: KnownBoard) -> Self {
        Self { paragraphs: Paragraphs::new(expected, true) }
    }

    /// Reads the next line, with or without its line end.
    ///
    /// Returns what the line completes: the tour that ended before it, and the tour of the line
    /// itself.
    pub fn read(&mut self, line: &str) -> [Option<Read>; 2] {
        let line = self.paragraphs.begin(line);
        if let Some(tour) = self.plain(line) {
            let is_graph = self.paragraphs.board().is_some_and(Board::is_graph);
            let has_piece = !is_graph && without_piece(line).len() < line.len();
            let form = has_piece.then(|| "squares after the letter of a piece".to_owned());
            let read = Read { line: self.paragraphs.line, tour, form };
            return [self.finish(), Some(read)];
        }
        self.paragraphs.add(line).map(|paragraph| paragraph.map(|paragraph| self.tour(paragraph)))
    }

    /// Ends an unfinished tour and returns it. To be called at the end of the text.
    pub fn finish(&mut self) -> Option<Read> {
        self.paragraphs.end().map(|paragraph| self.tour(paragraph))
    }

    /// Reads a text to its end.
    ///
    /// ```
    /// use kt_enum::tour::TourReader;
    /// let read = TourReader::new(None).read_all("a1 b1\na1 c2\n");
    /// assert_eq!(read.iter().map(|read| read.line).collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub fn read_all(mut self, text: &str) -> Vec<Read> {
        let mut all: Vec<_> = text.lines().flat_map(|line| self.read(line)).flatten().collect();
        all.extend(self.finish());
        all
    }

    /// The number of lines of words that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> Option<(usize, usize)> {
        self.paragraphs.skipped()
    }

    /// The tour of a line of several squares, which is most lines of most texts.
    fn plain(&self, line: &str) -> Option<Result<Tour, Wrong>> {
        let board = self.paragraphs.board();
        if self.paragraphs.is_open() || line.is_empty() || line.starts_with('{') {
            return None;
        }
        if board.is_some_and(Board::is_graph) {
            return (!is_remark(line)).then(|| self.squares(board, self.names(line)));
        }
        let is_pair = begins_with_pair(line);
        if !is_pair && !line.starts_with(char::is_alphabetic) {
            return None;
        }
        match places(self.names(line)) {
            Ok(places) if places.len() > 1 => Some(self.tour_of(board, places, is_pair)),
            Err(wrong) if is_pair && line.contains(' ') => Some(Err(wrong)),
            _ => None,
        }
    }

    /// The names of squares in a line. The name of a vertex may have dashes.
    fn names<'a>(&self, line: &'a str) -> impl Iterator<Item = &'a str> {
        let graph = self.paragraphs.board().filter(|board| board.is_graph());
        line.split_whitespace().flat_map(move |word| {
            let is_vertex = |word| graph.is_some_and(|graph| graph.parse_square(word).is_ok());
            let is_whole = word.contains('-') && is_vertex(word);
            is_whole.then_some(word).into_iter().chain(names(if is_whole { "" } else { word }))
        })
    }

    /// The tour of a paragraph.
    fn tour(&self, mut paragraph: Paragraph) -> Read {
        let board = paragraph.board.take();
        let mut said = None;
        let tour = match paragraph.names.take() {
            Some(names) => self.squares(board.as_ref(), names.iter().map(String::as_str)),
            None => self.content(&mut paragraph, board.as_ref(), &mut said),
        };
        Read { line: paragraph.line, tour, form: said }
    }

    /// The tour of the lines of a paragraph, which `said` describes afterwards.
    fn content(
        &self,
        paragraph: &mut Paragraph,
        board: Option<&Board>,
        said: &mut Option<String>,
    ) -> Result<Tour, Wrong> {
        let (squares, is_pair) = match paragraph.end()? {
            Form::Squares(squares) => (squares, false),
            Form::Steps(mut steps) => {
                steps.sort_by_key(|step| step.number);
                let first = steps.first().map_or(1, |step| step.number.min(1));
                if let Some((step, _)) = steps.iter().zip(first..).find(|(s, n)| s.number != *n) {
                    paragraph.line = step.line;
                    let why = format!("step {} is not the one after that before it", step.number);
                    return Err(Wrong::Unclear(why));
                }
                (steps.into_iter().map(|step| step.place).collect(), false)
            }
            Form::Grid(rows) => match pairs(&rows) {
                Some(squares) => {
                    paragraph.notes.push("as rows and columns from 0");
                    (squares, true)
                }
                None => return self.grid(paragraph, board, &rows, said),
            },
        };
        *said = form("squares", &paragraph.notes, Vec::new());
        self.tour_of(board, squares, is_pair)
    }

    /// The tour of a grid.
    fn grid(
        &self,
        paragraph: &mut Paragraph,
        board: Option<&Board>,
        rows: &[EntryRow],
        said: &mut Option<String>,
    ) -> Result<Tour, Wrong> {
        let is_zero = |row: &EntryRow| row.cells.contains(&Entry::Number(0));
        let first = u64::from(!rows.iter().any(is_zero));
        let (holes, fills) = (vec!['.', '#', ' '], Vec::new());
        let grid = Grid { rows, holes, fills, first, is_zero_sign: false };
        let meaning = if board.is_none() { grid.meaning() } else { Vec::new() };
        *said = form("rows of numbers", &paragraph.notes, meaning);
        // Most places of a puzzle are empty, and those of a tour are not.
        let count = |is: fn(&Entry) -> bool| {
            rows.iter().flat_map(|row| &row.cells).filter(|e| is(e)).count()
        };
        let numbers = count(|entry| matches!(entry, Entry::Number(_)));
        let empty = count(|entry| matches!(entry, Entry::Sign('.' | ' ')));
        if board.is_none() && (1..empty).contains(&numbers) {
            let why = "more places are empty than numbered: name the board, or write # for a hole";
            return Err(Wrong::Unclear(why.to_owned()));
        }
        let board = grid.board(board, &self.paragraphs.expected)?;
        let squares = grid.squares(&board).map_err(|(row, _, wrong)| {
            paragraph.line = rows[row].line;
            wrong
        })?;
        // Each square has a number, all are different and in range, so none is missing.
        Ok(Tour::new(&board, squares.into_iter().flatten().collect())?)
    }

    /// The tour that visits squares with these names.
    fn squares<'a>(
        &self,
        board: Option<&Board>,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Tour, Wrong> {
        if let Some(graph) = board.filter(|board| board.is_graph()) {
            let vertices = words.map(|word| graph.parse_square(&quoted(word)));
            return tour(graph, vertices.collect::<Result<_, _>>()?);
        }
        let mut are_pairs = true;
        let words = words.inspect(|word| are_pairs &= begins_with_pair(word));
        let places = places(words)?;
        self.tour_of(board, places, are_pairs)
    }

    /// The tour that visits these rows and columns of a board, or of that which they reach over.
    fn tour_of(
        &self,
        board: Option<&Board>,
        places: Vec<(u32, u32)>,
        are_numbers: bool,
    ) -> Result<Tour, Wrong> {
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
            None => &self.paragraphs.expected.board_of(Layout::new(rows + 1, cols + 1))?,
        };
        let square = |(row, col): (u32, u32)| {
            board.at(row.into(), col.into()).ok_or_else(|| off_board(row, col, board))
        };
        tour(board, places.into_iter().map(square).collect::<Result<_, _>>()?)
    }
}

/// The rows and columns of squares with these names.
fn places<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<(u32, u32)>, Wrong> {
    let place = |word| Square::row_and_column(without_piece(word));
    words.map(|word| place(word).ok_or_else(|| Wrong::Square(quoted(word)))).collect()
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

/// True if the first word of a line is `row,col` without a blank after the comma.
fn begins_with_pair(line: &str) -> bool {
    let first = line.split_ascii_whitespace().next().unwrap_or("");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    first.split_once(',').is_some_and(|(row, col)| is_number(row) && is_number(col))
}

/// The names of squares in a word: `a1-c2`, `a1,` and `->` have two, one and none. `1,2` is one.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let has_separators =
        word.starts_with(char::is_alphabetic) || !word.contains(char::is_alphanumeric);
    let is_separator = move |c: char| has_separators && ",;->\u{2013}\u{2192}".contains(c);
    word.split(is_separator).filter(|name| !name.is_empty())
}
