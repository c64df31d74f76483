//! Lines that belong together: the rows of a grid, a list of squares, or steps with their squares.

use super::entries::{Entry, Token, headings, is_rule, plain_row, tokens};
use super::wrong::Wrong;
use crate::board::Board;

/// The cells of a line, or of a pair of brackets.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryRow {
    /// The number of the line.
    pub line: usize,
    pub cells: Vec<Entry>,
    /// The step that stands before the squares, or after one.
    step: Option<u64>,
    /// The number beside a frame, which may be that of the row.
    label: Option<u64>,
    /// The number of brackets around it.
    depth: usize,
    has_bars: bool,
    /// True if a comma follows the last cell.
    has_comma: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Numbers,
    Squares,
    Steps,
}

impl EntryRow {
    fn kind(&self) -> RowKind {
        let is_name = |cell: &Entry| match cell {
            Entry::Square(..) => true,
            Entry::Word(word) => word.starts_with(char::is_alphabetic),
            _ => false,
        };
        match self.step {
            Some(_) => RowKind::Steps,
            None if self.cells.iter().any(|cell| matches!(cell, Entry::Square(..))) => {
                RowKind::Squares
            }
            None if self.cells.len() == 1 && is_name(&self.cells[0]) => RowKind::Squares,
            None => RowKind::Numbers,
        }
    }

    /// The two numbers of a square written as its row and its column.
    fn pair(&self) -> Option<(u32, u32)> {
        match self.cells[..] {
            [Entry::Number(row), Entry::Number(col)] => {
                let side = |number: u64| u32::try_from(number).ok();
                Some((side(row)?, side(col)?)).filter(|&(r, c)| r.max(c) < Board::LONGEST_SIDE)
            }
            _ => None,
        }
    }
}

/// The content of a paragraph.
#[derive(Debug)]
pub(super) enum Form {
    /// Rows of the same length, the top row first.
    Grid(Vec<EntryRow>),
    /// Squares in the order of a tour, as rows and columns.
    Squares(Vec<(u32, u32)>),
    /// Squares with their steps, in the order of the text.
    Steps(Vec<GivenStep>),
}

/// A step with its square.
#[derive(Debug)]
pub(super) struct GivenStep {
    pub line: usize,
    pub number: u64,
    /// The row and the column of the square.
    pub place: (u32, u32),
}

/// A text whose brackets, bars or lines can be read in several ways, or in none.
fn unclear<T>(why: &str) -> Result<T, Wrong> {
    Err(Wrong::Unclear(why.to_owned()))
}

/// Lines that belong together.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    /// The number of the first line, or of the line that is wrong.
    pub line: usize,
    /// The board that the text says it is of.
    pub board: Option<Board>,
    rows: Vec<EntryRow>,
    depth: usize,
    deepest: usize,
    /// True if the last row continues in the next line.
    is_cut: bool,
    is_complete: bool,
    /// The number of columns that are named in a line of their own.
    named: Option<usize>,
    /// The marks that set the text apart from plain rows and squares.
    pub notes: Vec<&'static str>,
    /// The squares of a JSON object.
    pub names: Option<Vec<String>>,
    /// True if this is not a tour, but the board before a search.
    pub is_skipped: bool,
    wrong: Option<Wrong>,
}

impl Paragraph {
    /// The largest number of lines of a paragraph.
    const MOST_LINES: usize = 1 << 20;

    /// A paragraph of one line.
    pub fn new(line: usize, text: &str, board: Option<Board>) -> Self {
        let mut paragraph = Self { line, board, ..Self::default() };
        paragraph.add(line, text);
        paragraph
    }

    /// The squares of a JSON object.
    pub fn of_names(line: usize, names: Vec<String>, board: Option<Board>) -> Self {
        Self { line, board, names: Some(names), ..Self::default() }
    }

    /// A line of nothing but numbers and dots between blanks.
    pub fn of_plain_row(line: usize, text: &str, board: Option<&Board>) -> Option<Self> {
        let most = Board::LONGEST_SIDE as usize;
        let cells = plain_row(text, most + 1).filter(|_| !text.contains("\t\t"))?;
        let mut paragraph = Self { line, board: board.cloned(), ..Self::default() };
        if cells.len() > most {
            let cols = cells.len();
            paragraph.fail(line, Wrong::Grid { rows: 1, cols, wanted: "a board".to_owned() });
        } else {
            paragraph.rows.push(EntryRow { line, cells, ..EntryRow::default() });
        }
        Some(paragraph)
    }

    /// True while a bracket is open.
    pub fn is_open(&self) -> bool {
        self.depth > 0 && self.wrong.is_none()
    }

    /// True if the next line belongs to another tour or board.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// True if there is nothing to be read.
    pub fn is_empty(&self) -> bool {
        let is_right = self.wrong.is_none() && self.depth == 0 && self.names.is_none();
        self.is_skipped || self.rows.is_empty() && is_right
    }

    /// True if the last row has bars.
    pub fn has_bars(&self) -> bool {
        self.rows.last().is_some_and(|row| row.has_bars)
    }

    /// The number of columns of its first row.
    pub fn cols(&self) -> usize {
        self.rows.first().map_or(0, |row| row.cells.len())
    }

    fn note(&mut self, note: &'static str) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub fn fail(&mut self, line: usize, wrong: Wrong) {
        if self.wrong.is_none() {
            (self.line, self.wrong) = (line, Some(wrong));
            self.rows.clear();
        }
    }

    /// Adds a line.
    pub fn add(&mut self, line: usize, text: &str) {
        let (before, was_open) = (self.rows.len(), self.depth > 0);
        let is_short = line < self.line + Self::MOST_LINES;
        let taken = if is_short { self.take(line, text) } else { unclear("too many lines") };
        if let Err(wrong) = taken {
            self.fail(line, wrong);
        }
        let added = self.rows.get(before..).unwrap_or_default();
        let has_steps = self.rows.first().is_some_and(|row| row.kind() == RowKind::Steps);
        let is_list = |row: &EntryRow| row.kind() == RowKind::Squares && row.cells.len() > 1;
        let is_whole = was_open || self.deepest > 1 || added.len() > 1 || added.iter().any(is_list);
        self.is_complete = self.depth == 0 && is_whole && (!has_steps || self.deepest > 0);
    }

    /// Adds the paragraph of the next line, or returns it if it begins another tour or board.
    pub fn join(&mut self, next: Self, restarts: bool) -> Option<Self> {
        let first = self.rows.first().map(|row| (row.kind(), row.step));
        let are_joined = match (first, next.rows.first()) {
            _ if next.depth > 0 || next.is_complete || next.names.is_some() => false,
            // The rows after an error in a grid are not kept.
            (None, Some(row)) => self.wrong.is_none() || row.kind() == RowKind::Numbers,
            (Some((kind, _)), None) => kind == RowKind::Numbers,
            (None, None) => true,
            // A step never stays on its square: equal lines are tours of one square.
            (Some((RowKind::Squares, _)), Some(row)) => {
                row.kind() == RowKind::Squares
                    && self.rows.last().is_none_or(|l| l.cells != row.cells)
            }
            (Some(first), Some(row)) if row.kind() == RowKind::Steps => {
                first.0 == RowKind::Steps && !(restarts && first.1 == row.step)
            }
            (Some((kind, _)), Some(row)) => kind == row.kind(),
        };
        if !are_joined {
            return Some(next);
        }
        let Self { rows, notes, named, wrong, line, .. } = next;
        notes.into_iter().for_each(|note| self.note(note));
        self.named = self.named.or(named);
        if self.wrong.is_some() {
            return None;
        }
        let cols = rows.first().map_or(0, |row| row.cells.len());
        self.rows.extend(rows);
        let (rows, side) = (self.rows.len(), Board::LONGEST_SIDE as usize);
        if let Some(wrong) = wrong {
            self.fail(line, wrong);
        } else if rows > Self::MOST_LINES || cols > 2 && rows > side {
            self.fail(line, Wrong::Grid { rows, cols, wanted: "a board".to_owned() });
        }
        None
    }

    fn take(&mut self, line: usize, text: &str) -> Result<(), Wrong> {
        if text.contains("\t\t") {
            check_tabs(text)?;
        }
        if self.depth == 0 {
            if is_rule(text) {
                self.note("in a frame");
                return Ok(());
            }
            self.named = headings(text);
            if self.named.is_some() {
                return Ok(());
            }
        }
        let tokens = tokens(text);
        if tokens.contains(&Token::Bar) {
            self.note("in a frame");
            let row = barred(&tokens)?;
            self.rows.push(EntryRow { line, ..row });
            return Ok(());
        }
        self.rows_of(line, tokens)
    }

    /// Adds the rows of a line without bars.
    fn rows_of(&mut self, line: usize, tokens: Vec<Token>) -> Result<(), Wrong> {
        // Semicolons and slashes end rows if there are several cells between them.
        let cells = |part: &[Token]| part.iter().filter(|t| matches!(t, Token::Entry(_))).count();
        let ends_rows = tokens.contains(&Token::Semicolon)
            && tokens.split(|token| *token == Token::Semicolon).any(|part| cells(part) > 1);
        let goes_on = std::mem::take(&mut self.is_cut);
        let first = EntryRow { line, depth: self.depth, ..EntryRow::default() };
        let mut row = goes_on.then(|| self.rows.pop()).flatten().unwrap_or(first);
        let (mut before, count) = (None, tokens.len());
        for (place, token) in tokens.into_iter().enumerate() {
            let is_comma = token == Token::Comma || token == Token::Semicolon && !ends_rows;
            let after_comma = before == Some(Token::Comma);
            if is_comma {
                let is_first = before.is_none() && self.depth == 0;
                if after_comma || is_first || before == Some(Token::Open) {
                    row.cells.push(Entry::Sign(' '));
                }
                row.has_comma = place + 1 == count;
                before = Some(Token::Comma);
                continue;
            }
            match &token {
                Token::Open => {
                    let step = match row.cells[..] {
                        [Entry::Number(step)]
                            if self.depth == 0 || before == Some(Token::Equals) =>
                        {
                            row.cells.clear();
                            Some(step)
                        }
                        _ => None,
                    };
                    // A name before the brackets, as in `board = [`.
                    if self.deepest == 0 && before == Some(Token::Equals) && step.is_none() {
                        row.cells.clear();
                    }
                    self.end_row(&mut row);
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                    self.note("in brackets");
                    (row.step, row.depth) = (step, self.depth);
                    if self.depth > 2 {
                        return unclear("brackets inside brackets inside brackets");
                    }
                }
                Token::Close => {
                    self.end_row(&mut row);
                    let depth = self.depth.checked_sub(1);
                    let Some(depth) = depth else {
                        return unclear("a bracket that closes nothing");
                    };
                    (self.depth, row.depth) = (depth, depth);
                }
                Token::Semicolon => self.end_row(&mut row),
                Token::Entry(cell) => {
                    self.push(&mut row, cell.clone(), before == Some(Token::Equals))
                }
                Token::Equals | Token::Comma | Token::Bar => {}
            }
            before = Some(token);
        }
        // Rows of two pairs of brackets may be cut by the end of a line.
        self.is_cut = self.depth > 1 && !row.cells.is_empty();
        self.end_row(&mut row);
        Ok(())
    }

    /// Adds a cell to a row. A number before a square, or after it and an equals sign, is its step.
    fn push(&mut self, row: &mut EntryRow, cell: Entry, is_equal: bool) {
        match (&cell, row.cells.last()) {
            (Entry::Square(..), Some(&Entry::Number(step))) => {
                row.cells.pop();
                self.end_row(row);
                (row.step, row.cells) = (Some(step), vec![cell]);
            }
            (&Entry::Number(step), Some(Entry::Square(..))) if is_equal && row.step.is_none() => {
                row.step = Some(step);
                self.end_row(row);
            }
            (&Entry::Number(step), None) if is_equal => match self.rows.last_mut() {
                Some(last) if last.step.is_none() => last.step = Some(step),
                _ => row.cells.push(cell),
            },
            _ => row.cells.push(cell),
        }
    }

    fn end_row(&mut self, row: &mut EntryRow) {
        let next = EntryRow { line: row.line, depth: row.depth, ..EntryRow::default() };
        let row = std::mem::replace(row, next);
        if !row.cells.is_empty() || row.step.is_some() {
            self.rows.push(row);
        }
    }

    /// The content of the paragraph. After an error `line` is the line that is wrong.
    pub fn end(&mut self) -> Result<Form, Wrong> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        if self.depth > 0 {
            return unclear("a bracket that is not closed");
        }
        let mut rows = std::mem::take(&mut self.rows);
        if let Some(cols) = self.named {
            self.note("without the names of columns");
            let is_labelled = |row: &EntryRow| row.label.is_none() && row.cells.len() == cols + 1;
            if rows.iter().all(is_labelled) {
                for row in &mut rows {
                    if let Entry::Number(label) = row.cells[0] {
                        row.cells.remove(0);
                        row.label = Some(label);
                    }
                }
            }
        }
        if let Some(row) = rows.iter().find(|row| row.depth != rows[0].depth) {
            self.line = row.line;
            return unclear("brackets that stand around some rows only");
        }
        if rows.iter().any(|row| row.kind() != RowKind::Numbers) {
            return self.list(rows);
        }
        self.without_labels(&mut rows)?;
        let is_blank = |row: &EntryRow| row.cells.contains(&Entry::Sign(' '));
        let commas = rows.iter().filter(|row| row.has_comma && row.depth == 0).count();
        // Commas end the lines, or are followed by an empty place where some lines have none.
        if commas > 0 && (commas + 1 < rows.len() || rows.iter().any(is_blank)) {
            let ends = rows.iter_mut().filter(|row| row.has_comma && row.depth == 0);
            ends.for_each(|row| row.cells.push(Entry::Sign(' ')));
        }
        let wanted = rows.first().map_or(0, |row| row.cells.len());
        for row in &rows {
            self.line = row.line;
            for (cell, column) in row.cells.iter().zip(1..) {
                if let Entry::Word(word) = cell {
                    return Err(Wrong::Number { word: word.to_string(), column });
                }
            }
            let given = row.cells.len();
            if given != wanted {
                return Err(Wrong::Ragged { given, wanted });
            }
        }
        self.line = rows.first().map_or(self.line, |row| row.line);
        Ok(Form::Grid(rows))
    }

    /// Leaves out the numbers of rows and columns around a frame.
    fn without_labels(&mut self, rows: &mut Vec<EntryRow>) -> Result<(), Wrong> {
        let Some(framed) = rows.iter().position(|row| row.has_bars) else {
            return self.check_labels(rows);
        };
        let cols = rows[framed].cells.len() as u64;
        let is_heading = |row: &EntryRow| {
            let numbers = |from| (from..from + cols).map(Entry::Number);
            !row.has_bars
                && [0, 1].into_iter().any(|from| row.cells.iter().cloned().eq(numbers(from)))
        };
        let before = rows.len();
        rows.retain(|row| !is_heading(row));
        if rows.len() < before {
            self.note("without the numbers of columns");
        }
        if let Some(row) = rows.iter().find(|row| !row.has_bars) {
            self.line = row.line;
            return unclear("a row without bars among rows with bars");
        }
        self.check_labels(rows)
    }

    /// Checks that the numbers beside the rows count them.
    fn check_labels(&mut self, rows: &[EntryRow]) -> Result<(), Wrong> {
        let labels: Vec<u64> = rows.iter().filter_map(|row| row.label).collect();
        if labels.is_empty() {
            return Ok(());
        }
        let count = rows.len() as u64;
        let is = |from: u64| {
            labels.iter().copied().eq(from..from + count)
                || labels.iter().copied().eq((from..from + count).rev())
        };
        if is(0) || is(1) {
            self.note("without the numbers of rows");
            return Ok(());
        }
        self.line = rows[0].line;
        unclear(
            "bars at one end of the rows only: they stand at both ends or between squares, unless \
             rows are numbered beside them",
        )
    }

    /// The squares of a list, in their order or with their steps.
    fn list(&mut self, rows: Vec<EntryRow>) -> Result<Form, Wrong> {
        let mut lists = Vec::with_capacity(rows.len());
        for row in &rows {
            self.line = row.line;
            let squares = match row.pair().filter(|_| row.step.is_some()) {
                Some(pair) => vec![pair],
                None => squares(&row.cells)?,
            };
            lists.push((row.step, squares));
        }
        self.line = rows[0].line;
        let is_single = lists.iter().all(|(_, squares)| squares.len() == 1);
        let steps: Vec<u64> = lists.iter().filter_map(|(step, _)| *step).collect();
        let count = steps.len();
        if count == lists.len() && is_single {
            self.note("with their steps");
            let places = lists.into_iter().flat_map(|(_, squares)| squares);
            let steps = rows.iter().zip(steps).zip(places);
            let steps =
                steps.map(|((row, number), place)| GivenStep { line: row.line, number, place });
            return Ok(Form::Steps(steps.collect()));
        }
        if count > 0 {
            // Moves in pairs, as games of chess are written.
            let (last, others) = (&lists[lists.len() - 1], &lists[..lists.len() - 1]);
            let are_pairs =
                others.iter().all(|(_, squares)| squares.len() == 2) && last.1.len() < 3;
            if count < lists.len() || !are_pairs || !steps.iter().copied().eq(1..=count as u64) {
                return unclear("numbers among squares that do not count them");
            }
            self.note("numbered in pairs");
        } else if lists.len() > 1 {
            if !is_single && self.deepest != 1 {
                return unclear("several lists of squares in one: write each tour on a line");
            }
            self.note("over several lines");
        }
        Ok(Form::Squares(lists.into_iter().flat_map(|(_, squares)| squares).collect()))
    }
}

/// Refuses a line with single tabs and others: an empty place may be between those.
fn check_tabs(text: &str) -> Result<(), Wrong> {
    let mut tabs = text.split(|c| c != '\t').filter(|tabs| !tabs.is_empty()).map(str::len);
    let first = tabs.next();
    if tabs.any(|length| Some(length) != first) {
        return unclear("an empty place between tabs: write . for a square to fill, # for a hole");
    }
    Ok(())
}

/// The squares of a row. Single dashes between them mean nothing.
fn squares(cells: &[Entry]) -> Result<Vec<(u32, u32)>, Wrong> {
    let cells = cells.iter().filter(|cell| **cell != Entry::Sign('-'));
    let square = |cell: &Entry| match cell {
        Entry::Square(row, col) => Ok((*row, *col)),
        Entry::Number(number) => Err(Wrong::Square(number.to_string())),
        Entry::Sign(sign) => Err(Wrong::Square(sign.to_string())),
        Entry::Word(word) => Err(Wrong::Square(word.to_string())),
    };
    cells.map(square).collect()
}

/// The squares of rows that are rows and columns: where every row is two numbers, and they cannot
/// be the steps of a grid, because some number stands there twice.
pub(super) fn pairs(rows: &[EntryRow]) -> Option<Vec<(u32, u32)>> {
    let pairs: Vec<(u32, u32)> = rows.iter().map(EntryRow::pair).collect::<Option<_>>()?;
    let mut numbers: Vec<u32> = pairs.iter().flat_map(|&(row, col)| [row, col]).collect();
    numbers.sort_unstable();
    numbers.windows(2).any(|two| two[0] == two[1]).then_some(pairs)
}

/// The row of a line with bars: around the row, or between its cells, of which some may be empty.
fn barred(tokens: &[Token]) -> Result<EntryRow, Wrong> {
    let mut parts: Vec<Vec<Entry>> = vec![Vec::new()];
    for token in tokens {
        match (token, parts.last_mut()) {
            (Token::Bar, _) => parts.push(Vec::new()),
            (Token::Entry(cell), Some(part)) => part.push(cell.clone()),
            (Token::Comma, _) => {}
            _ => return unclear("brackets among bars"),
        }
    }
    let (left, right) = (parts.remove(0), parts.pop().unwrap_or_default());
    let is_one_part = parts.len() == 1 && parts[0].len() > 1;
    let mut row = EntryRow { has_bars: true, ..EntryRow::default() };
    match (&left[..], &right[..]) {
        ([], []) => {}
        ([Entry::Number(label)], []) | ([], [Entry::Number(label)]) if !parts.is_empty() => {
            row.label = Some(*label);
        }
        ([Entry::Number(label)], [Entry::Number(other)]) if is_one_part && label == other => {
            row.label = Some(*label);
        }
        ([Entry::Number(label)], [_, _, ..]) if parts.is_empty() => {
            row.label = Some(*label);
            parts.push(right);
        }
        (_, []) | ([], _) => return unclear("a bar at one end of a row only"),
        _ => {
            parts.insert(0, left);
            parts.push(right);
        }
    }
    let is_one_each = parts.iter().all(|part| part.len() <= 1);
    for part in parts {
        if part.is_empty() && !is_one_each {
            return unclear("an empty place between bars, and several numbers between others");
        }
        if part.is_empty() {
            row.cells.push(Entry::Sign(' '));
        }
        row.cells.extend(part);
    }
    Ok(row)
}
