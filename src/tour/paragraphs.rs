//! A text as paragraphs: what is between the tours and boards of a text, and what it says about
//! them.

use super::entries::{self, Entry, Token};
use super::paragraph::Paragraph;
use super::text::HEADER;
use super::wrong::Wrong;
use crate::board::{Board, BoardError, Layout, Piece, Wrap};
use serde_json::Value;

/// The part of the board that is known before a text is read.
#[derive(Debug, Clone, Default)]
pub struct KnownBoard {
    /// The board of all tours. The text cannot change it.
    pub board: Option<Board>,
    /// The piece of boards whose sides the text tells.
    pub piece: Option<Piece>,
    /// The joined edges of boards whose sides the text tells.
    pub wrap: Option<Wrap>,
}

impl KnownBoard {
    /// The board of a description, with the piece and the joined edges that are known.
    ///
    /// # Errors
    /// As [`Layout::board`].
    pub fn board_of(&self, mut layout: Layout) -> Result<Board, BoardError> {
        if let Some(piece) = &self.piece {
            layout.piece = piece.clone();
        }
        layout.wrap = self.wrap.unwrap_or(layout.wrap);
        layout.board()
    }

    /// The board that a text names.
    fn board_named(&self, text: &str) -> Result<Board, BoardError> {
        let board: Board = text.parse()?;
        let is_changed = self.piece.is_some() || self.wrap.is_some();
        match board.layout().filter(|_| is_changed) {
            Some(layout) => self.board_of(layout),
            None => Ok(board),
        }
    }
}

/// Divides a text into paragraphs, line by line.
#[derive(Debug, Default)]
pub(super) struct Paragraphs {
    pub expected: KnownBoard,
    /// True if steps that begin again from the first are those of another tour.
    is_of_tours: bool,
    /// The number of the current line.
    pub line: usize,
    /// The number of lines of words around tours, and the first of them.
    skipped: usize,
    first_skipped: usize,
    /// The board of the last line that names one.
    said: Option<Board>,
    /// The board of the last object that has one.
    of_object: Option<Board>,
    paragraph: Option<Paragraph>,
    /// The beginning of a JSON object, and the number of its open brackets.
    object: String,
    braces: usize,
    skips_next: bool,
}

impl Paragraphs {
    pub fn new(expected: KnownBoard, is_of_tours: bool) -> Self {
        Self { expected, is_of_tours, ..Self::default() }
    }

    /// Begins the next line. Returns it without the blanks around it.
    pub fn begin<'a>(&mut self, line: &'a str) -> &'a str {
        self.line += 1;
        if self.line == 1 { line.trim_start_matches('\u{feff}').trim() } else { line.trim() }
    }

    /// The board of the tours to come, if it is known.
    pub fn board(&self) -> Option<&Board> {
        self.expected.board.as_ref().or(self.said.as_ref())
    }

    /// The number of lines of words that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> Option<(usize, usize)> {
        (self.skipped > 0).then_some((self.skipped, self.first_skipped))
    }

    /// True while the text of a paragraph is incomplete without the next line.
    pub fn is_open(&self) -> bool {
        self.braces > 0 || self.paragraph.as_ref().is_some_and(Paragraph::is_open)
    }

    /// Adds a line. Returns the paragraphs that it completes: the one before it, and its own.
    pub fn add(&mut self, line: &str) -> [Option<Paragraph>; 2] {
        if line.is_empty() {
            return [self.end(), None];
        }
        if let Some(open) = self.paragraph.as_mut().filter(|paragraph| paragraph.is_open()) {
            open.add(self.line, line);
            return [self.paragraph.take_if(|paragraph| paragraph.is_complete()), None];
        }
        if self.braces == 0
            && let Some(next) = Paragraph::of_plain_row(self.line, line, self.board())
        {
            return self.join(next);
        }
        // A list in braces that only looked like an object.
        if self.object == "{" && !line.starts_with(['"', '}']) {
            self.object.clear();
            self.braces = 0;
            let mut paragraph = Paragraph::new(self.line - 1, "{", self.board().cloned());
            paragraph.add(self.line, line);
            return self.join(paragraph);
        }
        let is_object = |rest: &str| rest.is_empty() || rest.trim_start().starts_with('"');
        if self.braces > 0 || line.strip_prefix('{').is_some_and(is_object) {
            return self.object(line);
        }
        if self.is_remark(line) {
            let before = self.end();
            let wrong = self.remark(line).err().map(|wrong| self.wrong(self.line, wrong.into()));
            return [before, wrong];
        }
        let plain: String;
        let mut notes = Vec::new();
        let mut line = line;
        if line.contains('\u{1b}') {
            plain = without_colours(line);
            line = plain.trim();
            notes.push("without colours");
        }
        if entries::is_title(line) {
            let before = self.end();
            self.title(line);
            return [before, None];
        }
        if let Some((title, rest)) = line.split_once(':')
            && entries::is_title(title)
            && !rest.trim().is_empty()
        {
            line = rest.trim();
            notes.push("after a title");
        }
        // A line of dashes is part of a frame only after a row with bars.
        let is_dashed = line.chars().all(|c| "-= ".contains(c)) && entries::is_rule(line);
        if is_dashed && !self.paragraph.as_ref().is_some_and(Paragraph::has_bars) {
            return [self.end(), None];
        }
        let mut next = Paragraph::new(self.line, line, self.board().cloned());
        next.notes.extend(notes);
        self.join(next)
    }

    /// Joins a paragraph to the one before it, or begins another.
    fn join(&mut self, next: Paragraph) -> [Option<Paragraph>; 2] {
        let next = match &mut self.paragraph {
            Some(paragraph) => paragraph.join(next, self.is_of_tours),
            None => Some(next),
        };
        let Some(mut next) = next else { return [None, None] };
        let before = self.end();
        next.is_skipped = std::mem::take(&mut self.skips_next);
        if next.is_complete() || next.names.is_some() {
            return [before, Some(next)];
        }
        self.paragraph = Some(next);
        [before, None]
    }

    /// Ends the paragraph of the lines so far.
    pub fn end(&mut self) -> Option<Paragraph> {
        if std::mem::take(&mut self.braces) > 0 {
            self.object.clear();
            return Some(self.wrong(self.line, Wrong::Json));
        }
        self.paragraph.take().filter(|paragraph| !paragraph.is_empty())
    }

    fn wrong(&self, line: usize, wrong: Wrong) -> Paragraph {
        let mut paragraph = Paragraph::default();
        paragraph.fail(line, wrong);
        paragraph
    }

    /// True if a line is not part of any tour. A row that begins with a hole is part of one.
    fn is_remark(&self, line: &str) -> bool {
        let is_part = |token: &Token| {
            matches!(token, Token::Comma | Token::Semicolon | Token::Bar)
                || matches!(token, Token::Entry(Entry::Number(_) | Entry::Sign(_)))
        };
        let is_row = || {
            let tokens = entries::tokens(line);
            let is_alone = tokens.len() == 1;
            let after_one = self.paragraph.as_ref().is_some_and(|paragraph| paragraph.cols() == 1);
            tokens.iter().all(is_part) && (!is_alone || after_one)
        };
        if line.starts_with('#') {
            return self.board().is_some_and(Board::is_graph) || !is_row();
        }
        is_remark(line)
    }

    /// Takes the board of a line `# board`. Remarks that only look like it begin with another word.
    fn remark(&mut self, line: &str) -> Result<(), BoardError> {
        self.skips_next |= line.starts_with(INITIAL);
        let is_board = |text: &&str| {
            text.starts_with("graph ") || text.starts_with(|c: char| c.is_ascii_digit())
        };
        let text = line.strip_prefix(HEADER).filter(is_board);
        if let Some(text) = text.filter(|_| self.expected.board.is_none()) {
            self.said = Some(self.expected.board_named(text)?);
        }
        Ok(())
    }

    /// Takes the board of a line above a drawn tour, as in `3x3 piece=king, open, asymmetric`.
    fn title(&mut self, line: &str) {
        let is_kind = |text: &str| ["open", "closed", "re-entrant"].contains(&text);
        let mut parts = line.split(", ");
        let board = parts.next().and_then(|text| self.expected.board_named(text).ok());
        match board.filter(|_| parts.next().is_some_and(is_kind)) {
            Some(board) => self.said = Some(board).filter(|board| !board.is_plain()),
            None => {
                self.skipped += 1;
                if self.skipped == 1 {
                    self.first_skipped = self.line;
                }
            }
        }
    }

    /// Adds a line to a JSON object.
    fn object(&mut self, line: &str) -> [Option<Paragraph>; 2] {
        let before = if self.braces == 0 { self.end() } else { None };
        self.object += line;
        let is_whole = self.braces == 0 && line.ends_with('}');
        let mut object = if is_whole { serde_json::from_str(line).ok() } else { None };
        if object.is_none() {
            let count = |marks: [char; 2]| line.matches(marks).count();
            self.braces = (self.braces + count(['{', '['])).saturating_sub(count(['}', ']']));
            if self.braces > 0 && self.object.len() < LONGEST_OBJECT {
                return [before, None];
            }
            object = serde_json::from_str(&self.object).ok();
        }
        self.object = String::new();
        self.braces = 0;
        let paragraph = object.ok_or(Wrong::Json).and_then(|object| self.of_object(object));
        [before, Some(paragraph.unwrap_or_else(|wrong| self.wrong(self.line, wrong)))]
    }

    /// The squares of an object with an array `tour`, the steps of one with an array `clues`, or
    /// the rows in an object with a single array of rows.
    fn of_object(&mut self, mut object: Value) -> Result<Paragraph, Wrong> {
        let mut board = self.board().cloned();
        if let Some(text) = object["board"].as_str().filter(|_| self.expected.board.is_none()) {
            // Lists of objects repeat the board, and the tables of a board take time.
            if self.of_object.as_ref().is_none_or(|board| board.description() != text) {
                self.of_object = Some(self.expected.board_named(text)?);
            }
            board = self.of_object.clone();
        } else if board.is_none() && self.expected.piece.is_none() && !object["piece"].is_null() {
            return Err(Wrong::Unclear("a piece without a board: name the piece".to_owned()));
        }
        let all = |value: &Value, is: fn(&Value) -> bool| {
            value.as_array().is_some_and(|values| values.iter().all(is))
        };
        if all(&object["tour"], Value::is_string) {
            let Value::Array(names) = object["tour"].take() else { return Err(Wrong::Json) };
            let name = |name| if let Value::String(name) = name { Some(name) } else { None };
            let names = names.into_iter().filter_map(name).collect();
            return Ok(Paragraph::of_names(self.line, names, board));
        }
        if let Some(clues) = object["clues"].as_array() {
            let step = |clue: &Value| Some(format!("{}={}", clue[0].as_u64()?, clue[1].as_str()?));
            let steps: Option<Vec<String>> = clues.iter().map(step).collect();
            return Ok(Paragraph::new(self.line, &steps.ok_or(Wrong::Json)?.join(" "), board));
        }
        let values = object.as_object().into_iter().flat_map(|object| object.values());
        let rows = |value: &&Value| all(value, Value::is_array) || all(value, Value::is_string);
        let rows: Vec<&Value> = values.filter(rows).collect();
        let [rows] = rows[..] else { return Err(Wrong::Json) };
        let mut paragraph = Paragraph::new(self.line, &rows.to_string(), board);
        paragraph.notes.push("of a JSON object");
        Ok(paragraph)
    }
}

/// The most bytes of a JSON object on several lines.
const LONGEST_OBJECT: usize = 1 << 26;

/// The line above the board before a search.
const INITIAL: &str = "INITIAL STATE:";

/// True for the lines that searches print around a tour.
pub(super) fn is_remark(line: &str) -> bool {
    let remarks = [
        "#",
        "Number of moves ",
        "No solution found",
        "No Hamiltonian ",
        INITIAL,
        "FINAL STATE:",
        "Runtime: ",
    ];
    remarks.iter().any(|remark| line.starts_with(remark))
}

/// A line without the escape sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default();
    let after = parts.map(|part| part.split_once('m').map_or(part, |(_, after)| after));
    first.to_owned() + &after.collect::<String>()
}
