//! The first pass over a text: the characters of a line become rows of cells with their places.
//!
//! A cell is a number, the name of a square, a sign of a square to fill or of a hole, or another
//! word. Blanks, commas, semicolons, tabs, bars, brackets and quotation marks stand between cells.
//! Brackets and semicolons begin rows, as the end of a line does.

use super::wrong::{Misread, Wrong, quoted, unclear};
use crate::board::{Board, Square, column_name};

/// A place of a grid or of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Entry {
    Number(u64),
    /// A square to fill or a hole. [`MINUS_ONE`] stands for `-1` and a blank for an empty place.
    Sign(char),
    /// The row and the column of a named square.
    Square(u32, u32),
    /// Any other word. Cells are many and words are few, so a cell has the size of a number.
    #[allow(clippy::box_collection)]
    Word(Box<String>),
}

use Entry::{Number, Sign, Word};

/// The sign that is written `-1`.
pub(super) const MINUS_ONE: char = '\u{2212}';

/// The cells of a line, or of a pair of brackets.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryRow {
    /// The number of the line.
    pub line: usize,
    pub cells: Vec<Entry>,
    /// The columns of characters of each cell, if only blanks separate cells.
    pub places: Vec<Span>,
    /// The step that stands before the squares, or after one.
    pub step: Option<u64>,
    /// The number beside a frame, which may be that of the row.
    pub label: Option<u64>,
    /// The number of brackets around it.
    pub depth: usize,
    pub has_bars: bool,
    /// True if a comma follows the last cell.
    pub has_comma: bool,
    /// True if tabs separate the cells.
    pub has_tabs: bool,
}

impl EntryRow {
    pub fn is_empty_at(&self, col: usize) -> bool {
        self.cells[col] == Sign(' ')
    }

    /// The square that is written as its row and its column.
    pub fn pair(&self) -> Option<(u32, u32)> {
        let [Number(row), Number(col)] = self.cells[..] else { return None };
        (row.max(col) < Board::LONGEST_SIDE.into()).then_some((row as u32, col as u32))
    }
}

/// The rows of a line, or of the lines from one that opens a bracket to the one that closes it.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub rows: Vec<EntryRow>,
    lines: usize,
    /// The largest number of brackets around a row.
    pub deepest: usize,
    /// The marks that set the text apart from plain rows and squares.
    pub notes: Vec<&'static str>,
}

/// The first column of characters of a cell, and the first after it. Of a cell whose place means
/// nothing, both are 0.
pub(super) type Span = (u16, u16);

/// The place of a cell that other marks than blanks separate from others.
pub(super) const NOWHERE: Span = (0, 0);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Cell(Entry, Span),
    /// A bracket, and the column of characters after it.
    Open(u16),
    Close,
    Bar,
    Comma,
    Semicolon,
    Equals,
    /// A dash, an arrow, or a colon or an equals sign with a blank beside it.
    Joint(&'static str, Span),
}

// Characters to tokens

fn mark(letter: char) -> Option<Token> {
    Some(match letter {
        '[' | '(' | '{' => Token::Open(0),
        ']' | ')' | '}' => Token::Close,
        '|' | '\u{2502}' | '\u{2503}' | '\u{2551}' => Token::Bar,
        ',' => Token::Comma,
        ';' | '/' => Token::Semicolon,
        '=' | ':' => Token::Equals,
        _ => return None,
    })
}

fn is_bar(letter: char) -> bool {
    mark(letter) == Some(Token::Bar)
}

fn is_end(letter: char) -> bool {
    letter.is_whitespace() || letter == '"' || mark(letter).is_some()
}

/// The tokens of a line. Dashes and arrows join squares, or pairs in brackets. Among numbers, a
/// dash alone is a sign, and any other joint is a wrong word.
fn tokens(line: &str) -> Vec<Token> {
    let tokens = all_tokens(line);
    let is_of_list = |token: &Token| matches!(token, Token::Cell(Entry::Square(..) | Word(_), _));
    let is_list = tokens.iter().any(is_of_list);
    let known = |(at, token): (usize, &Token)| {
        let is_beside = at > 0 && tokens[at - 1] == Token::Close;
        let is_before = matches!(tokens.get(at + 1), Some(Token::Open(_)));
        let joins = is_list || is_beside || is_before;
        match token {
            Token::Joint(":" | "=", _) if joins => Some(Token::Equals),
            Token::Joint(..) if joins => None,
            Token::Joint("-", place) => Some(Token::Cell(Sign('-'), *place)),
            Token::Joint(joint, place) => {
                Some(Token::Cell(Word(Box::new((*joint).to_owned())), *place))
            }
            token => Some(token.clone()),
        }
    };
    without_boxes(tokens.iter().enumerate().filter_map(known).collect())
}

fn all_tokens(line: &str) -> Vec<Token> {
    let (mut tokens, mut at, are_pairs) = (Vec::new(), 0, are_pairs(line));
    let is_ascii = line.is_ascii();
    // Rows of puzzles are shorter.
    let column = |at: usize| match &line[..at.min(1 << 13)] {
        before if is_ascii => before.len() as u16,
        before => before.chars().count() as u16,
    };
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if let Some((joint, length)) = joint(rest, &line[..at]) {
            tokens.push(Token::Joint(joint, (column(at), column(at + length))));
            at += length;
        } else if let Some(token) = mark(first) {
            at += first.len_utf8();
            let is_open = token == Token::Open(0);
            tokens.push(if is_open { Token::Open(column(at)) } else { token });
        } else if let Some(text) = in_quotes(rest) {
            match text.split_whitespace().count() {
                0 => tokens.push(Token::Cell(Sign(' '), NOWHERE)),
                1 => tokens.extend(all_tokens(text).into_iter().map(nowhere)),
                // A row in quotation marks.
                _ => {
                    tokens.push(Token::Open(0));
                    tokens.extend(all_tokens(text));
                    tokens.push(Token::Close);
                }
            }
            at += text.len() + 2;
        } else {
            let word = if are_pairs { rest.split_whitespace().next() } else { None };
            let word = word.unwrap_or_else(|| self::word(rest));
            let cell = cell(word);
            let is_name = word.starts_with(char::is_alphabetic) && !matches!(cell, Sign(_));
            tokens.push(Token::Cell(cell, (column(at), column(at + word.len()))));
            at += word.len();
            // A dash right after a name joins it to the next one.
            if is_name && line[at..].starts_with('-') {
                at += usize::from(!line[at..].starts_with("->"));
            }
        }
    }
    tokens
}

/// A token without its place.
fn nowhere(token: Token) -> Token {
    if let Token::Cell(cell, _) = token { Token::Cell(cell, NOWHERE) } else { token }
}

/// The joint that a text begins with, if `before` is before it, and its length.
fn joint(text: &str, before: &str) -> Option<(&'static str, usize)> {
    const JOINTS: [&str; 9] =
        ["->", "=>", ">", "\u{2192}", "\u{2013}", "\u{2014}", "\u{21d2}", ":", "="];
    let joint = JOINTS.into_iter().find(|joint| text.starts_with(joint))?;
    let after = text.trim_start_matches(joint);
    let is_end = |c: char| c.is_whitespace() || mark(c).is_some();
    match joint {
        ":" | "=" => {
            let is_joined = before.ends_with(|c: char| !c.is_whitespace());
            let is_joined = is_joined && text[1..].starts_with(|c| !is_end(c));
            (!is_joined).then_some((joint, 1))
        }
        "\u{2013}" | "\u{2014}" if after.is_empty() || after.starts_with(is_end) => {
            Some(("-", text.len() - after.len()))
        }
        _ => Some((joint, joint.len())),
    }
}

/// The text between the quotation marks that a text begins with.
fn in_quotes(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|mark| "\"'`".contains(*mark))?;
    text[1..].split_once(mark).map(|(inside, _)| inside)
}

/// The word that a text begins with. `1.Nb3` is two words, and so is `a1-c2`.
fn word(text: &str) -> &str {
    let is_name = text.starts_with(char::is_alphabetic);
    // A slash may be part of a word for an error.
    let whole = text.split(|c| is_end(c) && c != '/').next().unwrap_or_default();
    if whole.contains('/') && is_void(whole) {
        return whole;
    }
    let is_joint = |c: char| is_name && "->\u{2192}\u{2013}\u{2014}".contains(c);
    // The first character is part of the word, whatever it is.
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = text[first..].find(|c: char| is_end(c) || is_joint(c));
    let word = &text[..end.map_or(text.len(), |end| first + end)];
    match word.split_once('.') {
        Some((digits, after)) if is_digits(digits) && after.starts_with(char::is_alphabetic) => {
            &word[..=digits.len()]
        }
        _ => word,
    }
}

/// The tokens without brackets, if each is around one cell or around nothing, and no mark but a
/// blank is between them: `[67] [ ]`, `(1) 2`.
fn without_boxes(tokens: Vec<Token>) -> Vec<Token> {
    let (mut cells, mut rest, mut boxes) = (Vec::new(), &tokens[..], 0);
    while let Some((first, after)) = rest.split_first() {
        let (cell, after) = match (first, after) {
            (Token::Open(_), [Token::Close, after @ ..]) => {
                (Token::Cell(Sign(' '), NOWHERE), after)
            }
            (
                Token::Open(left),
                [Token::Cell(cell @ (Number(_) | Sign(_)), (_, right)), Token::Close, after @ ..],
            ) => (Token::Cell(cell.clone(), (left.saturating_sub(1), right + 1)), after),
            (cell @ Token::Cell(Number(_) | Sign(_), _), _) => (cell.clone(), after),
            _ => return tokens,
        };
        boxes += usize::from(matches!(first, Token::Open(_)));
        cells.push(cell);
        rest = after;
    }
    if boxes > 0 && cells.len() > 1 { cells } else { tokens }
}

// Words to cells

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn cell(word: &str) -> Entry {
    // `1.` and `1.0` are numbers too, and so is a marked one, `1*`.
    if word.starts_with(|c: char| c.is_ascii_digit())
        && let word = word.strip_suffix('*').unwrap_or(word)
        && let (digits, zeros) = word.split_once('.').unwrap_or((word, ""))
        && zeros.bytes().all(|byte| byte == b'0')
        && let Ok(number) = digits.parse()
    {
        return Number(number);
    }
    square(word).or_else(|| sign(word).map(Sign)).unwrap_or_else(|| Word(Box::new(quoted(word))))
}

/// The sign that a word is: none for an empty place, one of these characters, or several times the
/// same as in `__`.
fn sign(word: &str) -> Option<char> {
    let first = match word {
        "" => return Some(' '),
        "-1" | "\u{2212}1" => return Some(MINUS_ONE),
        "null" | "None" => return Some('?'),
        _ => word.chars().next()?,
    };
    let sign = match first {
        '\u{2013}' | '\u{2014}' | '\u{2212}' => '-',
        '\u{25a0}' => '#',
        '\u{25a1}' => '_',
        _ => Some(first).filter(|first| ".-_?#Xx*".contains(*first) && word.len() <= 4)?,
    };
    word.chars().all(|letter| letter == first).then_some(sign)
}

/// The square that a word names, perhaps after the letter of a piece as in `Nb3`.
pub(super) fn square(word: &str) -> Option<Entry> {
    Square::row_and_column(without_piece(word)).map(|(row, col)| Entry::Square(row, col))
}

/// The name of a square without the capital letter of a piece before it.
pub(super) fn without_piece(word: &str) -> &str {
    match word.as_bytes() {
        [b'A'..=b'Z', b'a'..=b'z', ..] => &word[1..],
        _ => word,
    }
}

// Tokens to rows

/// The rows of a text, whose first line has this number and whose brackets are complete.
pub(super) fn line(number: usize, text: &str) -> Result<Line, Misread> {
    /// The largest number of lines.
    const MOST_LINES: usize = 1 << 20;
    if let Some(row) = plain_row(text) {
        return Ok(Line::of(EntryRow { line: number, ..row }));
    }
    let (mut line, mut row, mut depth) = (Line::default(), EntryRow::default(), 0);
    for (number, text) in (number..).zip(text.lines()) {
        if line.lines == MOST_LINES {
            return unclear(number, "too many lines");
        }
        line.lines += 1;
        let tokens = tokens(text);
        if tokens.contains(&Token::Bar) {
            line.note("in a frame");
            line.rows.push(barred(number, &tokens)?);
            continue;
        }
        match row.cells.is_empty() {
            true => row.line = number,
            false => row.places.push(NOWHERE),
        }
        line.add(&mut row, tokens, &mut depth)?;
        // Rows of two pairs of brackets may be cut by the end of a line.
        if depth < 2 {
            line.end_row(&mut row);
        }
    }
    if depth > 0 { unclear(number, "a bracket that is not closed") } else { Ok(line) }
}

impl Line {
    /// The line of a single row.
    pub fn of(row: EntryRow) -> Self {
        Self { rows: vec![row], ..Self::default() }
    }

    fn note(&mut self, note: &'static str) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Adds the rows of a line without bars.
    fn add(
        &mut self,
        row: &mut EntryRow,
        tokens: Vec<Token>,
        depth: &mut usize,
    ) -> Result<(), Misread> {
        // Semicolons and slashes end rows of numbers if there are several between them.
        let is_cell = |token: &&Token| matches!(token, Token::Cell(..));
        let is_square = |token: &Token| matches!(token, Token::Cell(Entry::Square(..), _));
        let mut parts = tokens.split(|token| *token == Token::Semicolon);
        let ends_rows = parts.any(|part| part.iter().filter(is_cell).count() > 1);
        let ends_rows = ends_rows && !tokens.iter().any(is_square);
        let (count, mut before, mut left) = (tokens.len(), None, 0);
        for (place, token) in tokens.into_iter().enumerate() {
            let is_equal = before == Some(Token::Equals);
            match &token {
                Token::Semicolon if ends_rows => {
                    // Rows of one line do not stand under each other.
                    row.places.push(NOWHERE);
                    self.end_row(row);
                    row.places.push(NOWHERE);
                }
                Token::Comma | Token::Semicolon => {
                    let is_first = before.is_none() && *depth == 0;
                    let is_mark =
                        |token| matches!(token, Token::Comma | Token::Open(_) | Token::Semicolon);
                    if is_first || before.is_some_and(is_mark) {
                        row.cells.push(Sign(' '));
                    }
                    row.has_comma = place + 1 == count;
                    // Blanks beside commas mean nothing.
                    row.places.push(NOWHERE);
                }
                Token::Open(column) => {
                    left = *column;
                    let step = match row.cells[..] {
                        [Number(step)] if *depth == 0 || is_equal => Some(step),
                        _ => None,
                    };
                    // A step, or a name before the brackets as in `board = [`.
                    if step.is_some() || is_equal && self.deepest == 0 {
                        row.cells.clear();
                    }
                    self.end_row(row);
                    *depth += 1;
                    self.deepest = self.deepest.max(*depth);
                    self.note("in brackets");
                    (row.step, row.depth) = (step, *depth);
                    if *depth > 2 {
                        return unclear(row.line, "brackets inside brackets inside brackets");
                    }
                }
                Token::Close => {
                    let is_empty = matches!(before, Some(Token::Open(_))) && count > 2;
                    row.cells.extend(is_empty.then_some(Sign(' ')));
                    self.end_row(row);
                    let Some(outside) = depth.checked_sub(1) else {
                        return unclear(row.line, "a bracket that closes nothing");
                    };
                    (*depth, row.depth, left) = (outside, outside, 0);
                }
                Token::Cell(cell, place) => {
                    let place = (place.0.saturating_sub(left), place.1.saturating_sub(left));
                    row.places.extend((place != NOWHERE).then_some(place));
                    self.push(row, cell.clone(), is_equal);
                }
                Token::Equals | Token::Bar | Token::Joint(..) => {}
            }
            before = Some(token);
        }
        Ok(())
    }

    /// Adds a cell to a row. A number before a square, or after it and an equals sign, is its step.
    fn push(&mut self, row: &mut EntryRow, cell: Entry, is_equal: bool) {
        match (&cell, row.cells.last()) {
            (Entry::Square(..), Some(&Number(step))) => {
                row.cells.pop();
                self.end_row(row);
                (row.step, row.cells) = (Some(step), vec![cell]);
            }
            (&Number(step), Some(Entry::Square(..))) if is_equal && row.step.is_none() => {
                row.step = Some(step);
                self.end_row(row);
            }
            (&Number(step), None) if is_equal => match self.rows.last_mut() {
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
}

/// The row of a line of nothing but numbers and signs, or squares, between blanks. Most lines are
/// such, and their tokens would take three times as long. Of numbers, which are a row of a board,
/// it has no more than one that is too many.
fn plain_row(line: &str) -> Option<EntryRow> {
    let plain_cell = |word: &str| {
        let is_plain =
            word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".*?_".contains(&byte));
        is_plain.then(|| cell(word)).filter(|cell| !matches!(cell, Word(_)))
    };
    let is_name = line.trim_start().starts_with(char::is_alphabetic);
    let most = if is_name { usize::MAX } else { Board::LONGEST_SIDE as usize + 1 };
    let words = || line.split_ascii_whitespace().take(most);
    let cells = words().map(plain_cell).collect::<Option<Vec<_>>>()?;
    let is_square = |cell: &&Entry| matches!(cell, Entry::Square(..));
    let (squares, count) = (cells.iter().filter(is_square).count(), cells.len());
    let is_plain = count > 0 && (squares == 0 || squares == count) && !line.contains(['\t', '\n']);
    let at = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let place = |word: &str| (at(word) as u16, (at(word) + word.len()) as u16);
    let has_places = is_plain && squares == 0 && line.len() < 1 << 13;
    let places = if has_places { words().map(place).collect() } else { Vec::new() };
    is_plain.then(|| EntryRow { cells, places, ..EntryRow::default() })
}

/// The row of a line of numbers and signs between tabs, some of which may be empty.
pub(super) fn tabbed_row(line: &str) -> Option<EntryRow> {
    let is_cell = |cell: &Entry| matches!(cell, Number(_) | Sign(_));
    let cell = |word: &str| Some(cell(word.trim())).filter(is_cell);
    let cells: Option<Vec<Entry>> =
        line.contains('\t').then(|| line.split('\t').map(cell).collect())?;
    Some(EntryRow { cells: cells?, has_tabs: true, ..EntryRow::default() })
}

/// The row of a line with bars: around the row, or between its cells, of which some may be empty.
fn barred(line: usize, tokens: &[Token]) -> Result<EntryRow, Misread> {
    if !tokens.iter().all(|token| matches!(token, Token::Bar | Token::Cell(..) | Token::Comma)) {
        return unclear(line, "brackets among bars");
    }
    let entry = |token: &Token| match token {
        Token::Cell(cell, place) => Some((cell.clone(), *place)),
        _ => None,
    };
    let parts = tokens.split(|token| *token == Token::Bar);
    let parts: Vec<Vec<(Entry, Span)>> =
        parts.map(|part| part.iter().filter_map(entry).collect()).collect();
    let [left, inner @ .., right] = &parts[..] else { return unclear(line, "a line without bars") };
    let (label, cells) = match (&left[..], inner, &right[..]) {
        ([], _, []) => (None, inner),
        ([(Number(n), _)], [_, ..], []) | ([], [_, ..], [(Number(n), _)]) => (Some(*n), inner),
        ([(Number(n), _)], [one], [(Number(m), _)]) if one.len() > 1 && n == m => (Some(*n), inner),
        ([(Number(n), _)], [], [_, _, ..]) => (Some(*n), &parts[1..]),
        (_, _, []) | ([], _, _) => return unclear(line, "a bar at one end of a row only"),
        _ => (None, &parts[..]),
    };
    if cells.iter().any(Vec::is_empty) && cells.iter().any(|part| part.len() > 1) {
        let why = "an empty place between bars, and several numbers between others";
        return unclear(line, why);
    }
    let blank = [(Sign(' '), NOWHERE)];
    let part = |part| if <[_]>::is_empty(part) { &blank[..] } else { part };
    // Blanks mean something only if no bars are between the cells.
    let places = cells.iter().flatten().map(|cell| cell.1);
    let places = if cells.len() == 1 { places.collect() } else { Vec::new() };
    let cells = cells.iter().flat_map(|cells| part(cells)).map(|cell| cell.0.clone()).collect();
    Ok(EntryRow { line, label, cells, places, has_bars: true, ..EntryRow::default() })
}

// Lines that are no rows

/// True for a line of several equal signs without blanks between them.
pub(super) fn is_run_of_signs(line: &str) -> bool {
    line.chars().count() > 1 && sign(line).is_some_and(|sign| line.chars().all(|c| c == sign))
}

/// True for a line of several words of which the first and the last are `row,col`.
pub(super) fn are_pairs(line: &str) -> bool {
    let is_pair =
        |word: &str| word.split_once(',').is_some_and(|(a, b)| is_digits(a) && is_digits(b));
    let mut words = line.split_whitespace();
    words.next().is_some_and(is_pair) && words.next_back().is_some_and(is_pair)
}

/// True for a line between the rows of a frame.
pub(super) fn is_rule(line: &str) -> bool {
    let is_line = |c: char| "+-=|:".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c);
    let has = |marks: &str| line.contains(|c: char| marks.contains(c));
    line.chars().all(|c| c.is_whitespace() || is_line(c))
        && (has("\u{2500}\u{2501}\u{2550}")
            || has("+") && has("-=|")
            || (line.contains("---") || line.contains("===")) && (has("|") || !line.contains(' ')))
}

/// The number of columns whose names `a b c` a line holds, if it holds nothing else.
pub(super) fn headings(line: &str) -> Option<usize> {
    let is_name = |(word, col): (&str, u32)| word.eq_ignore_ascii_case(&column_name(col));
    line.split_whitespace().zip(0..).all(is_name).then(|| line.split_whitespace().count())
}

/// True for a line of words around tours: hardly any of them is a square, a number or a sign.
pub(super) fn is_title(line: &str) -> bool {
    let is_call = line.ends_with('(') && (line.contains('=') || !line.contains(' '));
    let line = if line.contains(['[', '{']) || is_call { "" } else { line };
    let words = line.split(|c: char| c.is_whitespace() || ",;:.()\"|\u{2502}".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_prose = |word: &&str| {
        word.chars().filter(|c| c.is_alphabetic()).count() > 1
            && word.chars().all(|c| c.is_alphabetic() || "'\u{2019}-".contains(c))
            && sign(word).is_none()
    };
    let places = words.iter().filter(|word| !matches!(cell(word), Word(_))).count();
    words.iter().any(is_prose) && 2 * places <= words.len()
}

/// True for a row that begins with a hole `#`; other lines that begin with `#` are remarks. The
/// board or the rows before have one column if `is_single`.
pub(super) fn is_row_with_hole(line: &str, is_single: bool) -> bool {
    let is_part = |token: &Token| {
        matches!(token, Token::Comma | Token::Semicolon | Token::Bar)
            || *token == Token::Equals && line.starts_with("#:")
            || matches!(token, Token::Cell(Number(_) | Sign(_), _))
    };
    let tokens = tokens(line);
    tokens.iter().all(is_part) && (tokens.len() > 1 || is_single)
}

/// The least and the largest number of cells of a line of words, if it is a row with a wrong word
/// beside rows as long; and the error.
pub(super) fn misspelt_row(text: &str) -> Option<(std::ops::RangeInclusive<usize>, Wrong)> {
    let (parts, is_marked) = parts(text);
    let is_sign = |sign: char| "#._?".contains(sign);
    let is_tight = |row: &str| {
        row.chars().all(|c| is_sign(c) || c.is_ascii_digit()) && row.chars().skip(1).any(is_sign)
    };
    let (cells, place) = match parts[..] {
        [row] if is_tight(row) => (row.len(), 0),
        _ => (parts.len(), wrong_word(&parts, is_marked)?),
    };
    // The parts before the first mark and after the last may be no cells.
    let least = cells.saturating_sub(if is_marked { 2 } else { 0 });
    let why = Wrong::Number { word: quoted(parts[place]), column: place + 1 };
    Some((least..=cells, why))
}

/// The place of the first word in the parts of a row. Beside words, a row has a number or a sign,
/// or one of the words is for an empty place, or all are the same. Between blanks none is prose, or
/// all are the same.
fn wrong_word(parts: &[&str], is_marked: bool) -> Option<usize> {
    let is_number = |part: &str| matches!(cell(part), Number(_));
    let is_sign = |part: &str| sign(part).is_some_and(|sign| !" Xx".contains(sign));
    let is_word = |part: &&&str| matches!(cell(part), Entry::Square(..) | Word(_));
    let words: Vec<&&str> = parts.iter().filter(is_word).collect();
    let word = *words.first()?;
    // The names of columns may begin with `#`.
    let mut places = parts.strip_prefix(&["#"]).unwrap_or(parts).iter();
    let has_place = places.any(|part| is_number(part) || is_sign(part));
    let is_same = words.iter().all(|other| *other == word);
    let is_row = has_place || is_same && words.len() > 1 || words.iter().any(|word| is_void(word));
    let is_numbered = matches!(parts, [name, number] if name == word && is_number(number));
    let is_alone = is_same && !is_numbered && !parts[0].starts_with('#');
    let is_clear = is_marked || is_alone || !words.iter().any(|word| is_prose(word));
    parts.iter().position(|part| is_row && is_clear && part == word)
}

/// The parts of a line between its tabs, bars, commas and semicolons, and true; or the words of the
/// first part that has several, and false.
fn parts(text: &str) -> (Vec<&str>, bool) {
    let is_mark = |c: char| "\t,;".contains(c) || is_bar(c);
    let text = text.trim_matches(' ');
    let parts = text.strip_prefix(is_bar).unwrap_or(text).split(is_mark).map(str::trim);
    let row = parts.clone().find(|part| part.contains(char::is_whitespace));
    let parts: Vec<&str> =
        row.map_or_else(|| parts.collect(), |row| row.split_whitespace().collect());
    let inner = parts.iter().map(|part| part.trim_matches(['"', '\'', '`', '(', ')']));
    (inner.collect(), row.is_none() && text.contains(is_mark))
}

/// True for a word that programs write for an empty place or for an error: `#REF!`, `Err:502`.
fn is_void(word: &str) -> bool {
    const VOID: [&str; 8] = ["na", "n/a", "nan", "null", "none", "empty", "blank", "#nv"];
    let is_error = word.starts_with('#') && word.contains(['!', '?', '/']);
    let is_upper = word.contains(char::is_uppercase) && !word.contains(char::is_lowercase);
    is_error && is_upper || word.starts_with("Err:5") || VOID.contains(&&word.to_lowercase()[..])
}

/// True for a word as titles and remarks have them.
fn is_prose(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    !is_void(word) && (letters > 1 || word.contains([':', '=', '/']))
}

/// The value of a declaration or a call in a program, or of a fact of Prolog, and the text before
/// it: `int[][] b = {{1, 2}};`, `np.array([[1, 2]], dtype=int)`, `P = [[1, _]].`
pub(super) fn value(text: &str) -> (&str, &str) {
    let text =
        if text.trim_end().ends_with("].") { text.trim_end_matches([' ', '.']) } else { text };
    let name = word(text.trim_start());
    let is_name = name.starts_with(char::is_alphabetic) && matches!(cell(name), Word(_));
    let from = text.find('=').map_or(0, |equals| equals + 1);
    let begins = |(at, letter): &(usize, char)| {
        // Brackets of types, sizes and calls follow their names; those of types may be empty.
        let is_after = text[..*at].ends_with(|c: char| c.is_alphanumeric() || "])_".contains(c));
        let is_empty = text[at + letter.len_utf8()..].trim_start().starts_with([']', ')']);
        *letter == '{' || "[(".contains(*letter) && !is_after && !is_empty
    };
    let mut letters = text.char_indices().filter(|(at, _)| is_name && *at >= from);
    let Some((begin, _)) = letters.find(begins) else { return ("", text) };
    let mut depth = 0;
    let close = |(_, letter): &(usize, char)| {
        depth = if mark(*letter) == Some(Token::Open(0)) { depth + 1 } else { depth };
        depth -= usize::from(mark(*letter) == Some(Token::Close));
        depth == 0
    };
    let end = text[begin..].char_indices().find(close).map_or(text.len(), |(at, _)| begin + at + 1);
    let has_rows = text[begin + 1..end].contains(['[', '(', '{', '"']);
    match has_rows && !text[end..].contains(['[', '{', '"']) {
        true => (&text[..begin], &text[begin..end]),
        false => ("", text),
    }
}

/// A line without the escape sequences that colour it, if there are any.
pub(super) fn without_colours(line: &str) -> Option<String> {
    let (first, rest) = line.split_once('\u{1b}')?;
    let after = |part: &'_ str| part.split_once('m').map_or(part, |(_, after)| after).to_owned();
    Some(first.to_owned() + &rest.split('\u{1b}').map(after).collect::<String>())
}

/// The number of brackets that a line opens beyond those it closes, if so many are open before it.
/// Brackets in quotation marks are part of names.
pub(super) fn open_brackets(line: &str, before: usize) -> usize {
    let without_escapes = line.contains('\\').then(|| line.replace(r"\\", "").replace("\\\"", ""));
    let quoted = without_escapes.as_deref().unwrap_or(line);
    let is_paired = quoted.matches('"').count().is_multiple_of(2);
    let parts = quoted.split('"').step_by(1 + usize::from(is_paired));
    parts.flat_map(str::chars).fold(before, |depth, letter| match mark(letter) {
        Some(Token::Open(_)) => depth + 1,
        Some(Token::Close) => depth.saturating_sub(1),
        _ => depth,
    })
}
