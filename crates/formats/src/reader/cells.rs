//! The first pass over a text: the characters of a line become rows of cells with their places.
//!
//! A cell is a number, the name of a square, a sign of a square to fill or of a hole, or another
//! word. Blanks, commas, semicolons, tabs, bars, brackets and quotation marks stand between cells.
//! Brackets and semicolons begin rows, as the end of a line does.

use super::wrong::{Misread, Wrong, quoted, unclear};
use crate::board::{Board, Square};

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

/// An empty place.
pub(super) const EMPTY: Entry = Sign(' ');

/// The signs that are written `-1` and `null`.
pub(super) const MINUS_ONE: char = '\u{1}';
pub(super) const NULL: char = '\u{2}';

/// The signs of holes.
pub(super) const HOLES: &str = "#Xx*\u{25a0}";
/// The signs of squares to fill.
pub(super) const FILLS: &str = "_?\u{25a1}\u{2}";
/// The signs that may be either.
pub(super) const OPEN: &str = ".- 0\u{1}";
/// The signs that are read as `-`.
pub(super) const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];

/// The first column of characters of a cell, and the first after it.
pub(super) type Span = (u16, u16);

/// The place of a cell that other marks than blanks separate from others.
const NOWHERE: Span = (0, 0);

/// The last column of characters that is a place. Rows of puzzles are shorter.
const LAST: u16 = 1 << 13;

/// The cells of a line, or of a pair of brackets.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryRow {
    /// The number of the line.
    pub line: usize,
    pub cells: Vec<Entry>,
    /// The columns of characters of each cell, or nothing unless only blanks separate them.
    pub places: Vec<Span>,
    /// The number beside a frame, which may be that of the row.
    pub label: Option<u64>,
    /// The number of brackets around it.
    pub depth: usize,
    pub has_bars: bool,
    /// True if a comma follows the last place, which is empty.
    pub has_comma: bool,
    /// True if tabs separate the cells.
    pub has_tabs: bool,
}

impl Entry {
    /// True for a word of dashes, arrows and signs that join squares.
    fn is_arrow(&self) -> bool {
        matches!(self, Word(word) if word.chars().all(|c| joins(c) || "=:".contains(c)))
    }

    /// True for a word between squares that only joins them.
    pub fn is_joint(&self) -> bool {
        self.is_arrow() || *self == Sign('-')
    }

    pub fn number(&self) -> Option<u64> {
        if let Number(number) = self { Some(*number) } else { None }
    }

    /// True for a word that stands for an empty place or for an error.
    pub fn is_void(&self) -> bool {
        matches!(self, Word(word) if is_void(word))
    }
}

impl EntryRow {
    /// True if the columns of characters of all cells are known.
    pub fn has_places(&self) -> bool {
        let is_place = |place: &Span| *place != NOWHERE && place.1 < LAST;
        let count = self.places.len();
        count > 0 && count == self.cells.len() && self.places.iter().all(is_place)
    }

    /// The square that is written as its row and its column.
    pub fn pair(&self) -> Option<(u32, u32)> {
        let [Number(row), Number(col)] = self.cells[..] else { return None };
        (row.max(col) < Board::LONGEST_SIDE.into()).then_some((row as u32, col as u32))
    }
}

/// The rows of a line, or of the lines from one that opens a bracket to the one that closes it.
#[derive(Debug, Default)]
pub(super) struct BracketRows {
    pub rows: Vec<EntryRow>,
    /// The largest number of brackets around a row.
    pub deepest: usize,
    /// For a line between rows, the least number of rows above it.
    pub rule: Option<usize>,
    /// The row that is not complete.
    row: EntryRow,
    /// The step that stands before its brackets.
    step: Option<u64>,
    depth: usize,
}

// Characters to tokens

/// A token of a line with its columns of characters: a cell, or one of `[],;|=` for all marks that
/// mean the same.
#[derive(Debug, PartialEq)]
enum Token {
    Cell(Entry, Span),
    Mark(char, u16),
}

fn mark(letter: char) -> Option<char> {
    Some(match letter {
        '[' | '(' | '{' => '[',
        ']' | ')' | '}' => ']',
        '|' | '\u{2502}' | '\u{2503}' | '\u{2551}' => '|',
        ';' | '/' => ';',
        '=' | ':' => '=',
        ',' => ',',
        _ => return None,
    })
}

pub(super) fn is_end(letter: char) -> bool {
    letter.is_whitespace() || letter == '"' || mark(letter).is_some()
}

/// True for a part of a dash or an arrow.
fn joins(letter: char) -> bool {
    "->\u{2192}\u{21d2}".contains(letter) || DASHES.contains(&letter)
}

fn tokens(line: &str) -> Vec<Token> {
    let boxed = if line.contains(['[', '(', '{']) { without_boxes(line) } else { None };
    let are_pairs = are_pairs(line);
    let line = boxed.as_deref().unwrap_or(line);
    let (mut tokens, mut rest, mut from, mut is_name) = (Vec::new(), line, 0, false);
    while let Some(first) = rest.chars().next() {
        let text = if are_pairs { rest.split_whitespace().next() } else { None };
        let text = text.filter(|_| !first.is_whitespace()).unwrap_or_else(|| word(rest, is_name));
        let (before, after) = (&line[..line.len() - rest.len()], &rest[text.len()..]);
        let to = text.chars().fold(from, |at: u16, _| at.saturating_add(1));
        let is_mark = text.len() == first.len_utf8();
        is_name = false;
        if first.is_whitespace() {
        } else if let Some(mark) = mark(first).filter(|_| is_mark) {
            // Between two cells an equals sign separates them. Elsewhere it is a word.
            let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
            let is_apart = is_apart || after.is_empty() || after.starts_with(is_end);
            tokens.push(match mark {
                '=' if is_apart => Token::Cell(Word(Box::new(text.to_owned())), (from, to)),
                mark => Token::Mark(mark, to),
            });
        } else if let Some(inside) = in_quotes(text) {
            // Blanks beside other quotation marks mean nothing, as in lines with commas.
            let place = if first == '`' { (from, to) } else { NOWHERE };
            let cells = self::tokens(inside);
            match inside.split_whitespace().count() {
                0 => tokens.push(Token::Cell(EMPTY, place)),
                1 => tokens.extend(cells.into_iter().map(|token| match token {
                    Token::Cell(cell, _) => Token::Cell(cell, place),
                    mark => mark,
                })),
                // A row in quotation marks.
                _ => {
                    tokens.push(Token::Mark('[', 0));
                    tokens.extend(cells);
                    tokens.push(Token::Mark(']', 0));
                }
            }
        } else {
            let cell = cell(text);
            is_name = first.is_alphabetic() && !matches!(cell, Sign(_));
            tokens.push(Token::Cell(cell, (from, to)));
        }
        (rest, from) = (after, to);
    }
    tokens
}

/// The text between quotation marks.
fn in_quotes(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|mark| "\"'`".contains(*mark))?;
    text[1..].strip_suffix(mark)
}

/// The first blank, mark, word, or text in quotation marks. `1.Nb3` is two words, and `a1-c2` is
/// three. A name may end before the text.
fn word(text: &str, is_after_name: bool) -> &str {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let up_to = |end: Option<usize>| &text[..end.unwrap_or(text.len())];
    let is_name = text.starts_with(char::is_alphabetic);
    // Slashes and colons may be parts of words for errors.
    let whole = up_to(text.find(|c: char| is_end(c) && !"/:".contains(c)));
    if whole.contains(['/', ':']) && is_void(whole) {
        return whole;
    }
    if text.starts_with(is_end) && !text.starts_with('"') {
        return &text[..first];
    }
    if text.starts_with(['"', '\'', '`'])
        && let Some(end) = text[1..].find(&text[..1])
    {
        return &text[..end + 2];
    }
    let joint = up_to(text.find(|c| !joins(c)));
    if !joint.is_empty() && (is_after_name || joint.contains(['>', '\u{2192}', '\u{21d2}'])) {
        return joint;
    }
    // The first character is part of the word, whatever it is.
    let end = text[first..].find(|c| is_end(c) || is_name && joins(c));
    let word = up_to(end.map(|end| first + end));
    match word.split_once('.') {
        Some((digits, after)) if is_digits(digits) && after.starts_with(char::is_alphabetic) => {
            &word[..=digits.len()]
        }
        _ => word,
    }
}

/// A line with quotation marks in place of brackets, if each pair is around one cell or around
/// nothing, and no mark but a blank is between cells: `[67] [ ]`, `(1) 2`.
fn without_boxes(line: &str) -> Option<String> {
    let is_mark = |c: char| mark(c).is_some();
    let (parts, ends): (Vec<_>, Vec<_>) =
        (line.split(is_mark).collect(), line.matches(is_mark).collect());
    let inside = || parts.iter().skip(1).step_by(2);
    let words = parts.iter().flat_map(|part| part.split_whitespace());
    let empty = inside().filter(|text| text.trim().is_empty()).count();
    let are_boxes = parts.len() % 2 == 1
        && words.count() + empty > 1
        && inside().all(|text| text.split_whitespace().count() < 2)
        && ends.chunks(2).all(|two| "[({".contains(two[0]) && "])}".contains(two[1]))
        && !line.contains('"');
    are_boxes.then(|| line.replace(is_mark, "`"))
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
        "null" | "None" => return Some(NULL),
        _ => word.chars().next()?,
    };
    let sign = if DASHES.contains(&first) { '-' } else { first };
    let is_known = [HOLES, FILLS, OPEN].iter().any(|signs| signs.contains(sign));
    let is_sign = is_known && sign != '0' && !sign.is_control();
    let is_short = word.len() <= 4 || !first.is_ascii();
    (is_sign && is_short && word.chars().all(|c| c == first)).then_some(sign)
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

/// The vertices of a graph: a tour, or some with their steps as in `1=x 5=y`.
pub(super) fn vertices(
    line: usize,
    text: &str,
    graph: &Board,
    are_steps: bool,
) -> Result<BracketRows, Wrong> {
    // A tour may have steps too.
    let is_step = |word: &str| word.split_once('=').is_some_and(|(step, _)| is_digits(step));
    let are_steps = are_steps || text.split_whitespace().all(is_step);
    let row = |word: &str| -> Result<EntryRow, Wrong> {
        let (step, name) =
            if are_steps { word.split_once('=').unwrap_or((word, "")) } else { ("", word) };
        let form = |_| Wrong::Unclear(format!("`{}` is not STEP=VERTEX", quoted(word)));
        let step = are_steps.then(|| step.parse().map(Number).map_err(form)).transpose()?;
        let square = graph.parse_square(&quoted(name))?;
        let square = Entry::Square(graph.row(square), graph.col(square));
        let cells = step.into_iter().chain([square]).collect();
        Ok(EntryRow { line, cells, ..EntryRow::default() })
    };
    let separators = if are_steps { "," } else { ",;->\u{2013}\u{2192}" };
    let words = text.split_whitespace().flat_map(|word| {
        // The name of a vertex may have dashes.
        let is_whole = word.contains('-') && graph.parse_square(word).is_ok();
        word.split(move |c| !is_whole && separators.contains(c))
    });
    words.filter(|word| !word.is_empty()).map(row).collect::<Result<_, _>>().map(BracketRows::of)
}

/// The rows of a text, whose first line has this number and whose brackets are complete.
pub(super) fn rows(number: usize, text: &str) -> Result<BracketRows, Misread> {
    let mut read = BracketRows::default();
    if is_rule(text) {
        let has_bars = text.contains('|') && !text.contains('+');
        read.rule = Some(if has_bars { 0 } else { usize::MAX });
        return Ok(read);
    }
    // A line of several equal signs.
    let run = text.trim_matches([' ', '"', ',']);
    if run.chars().count() > 1 && sign(run).is_some_and(|sign| run.chars().all(|c| c == sign)) {
        let why = "signs without blanks between them may be one square or several: write a blank \
                   between squares";
        return unclear(number, why);
    }
    if let Some(row) = plain_row(text) {
        return Ok(BracketRows::of(vec![EntryRow { line: number, ..row }]));
    }
    for (number, line) in (number..).zip(text.lines()) {
        let tokens = tokens(line);
        if tokens.iter().any(|token| matches!(token, Token::Mark('|', _))) {
            read.rows.push(barred(number, tokens)?);
            continue;
        }
        match read.row.cells.is_empty() {
            true => read.row.line = number,
            false => read.row.places.push(NOWHERE),
        }
        read.add(tokens)?;
        // Rows of two pairs of brackets may be cut by the end of a line.
        if read.depth < 2 {
            read.end_row();
        }
    }
    if read.depth > 0 { unclear(number, "a bracket that is not closed") } else { Ok(read) }
}

impl BracketRows {
    pub fn of(rows: Vec<EntryRow>) -> Self {
        Self { rows, ..Self::default() }
    }

    /// Adds the tokens of a line without bars.
    fn add(&mut self, tokens: Vec<Token>) -> Result<(), Misread> {
        // Semicolons and slashes end rows of numbers if there are several between them.
        let is_cell = |token: &&Token| matches!(token, Token::Cell(cell, _) if !cell.is_arrow());
        let is_square = |token: &Token| matches!(token, Token::Cell(Entry::Square(..), _));
        let mut parts = tokens.split(|token| matches!(token, Token::Mark(';', _)));
        let ends_rows = parts.any(|part| part.iter().filter(is_cell).count() > 1)
            && !tokens.iter().any(is_square);
        // The mark before a token, or a full stop for a cell.
        let (mut before, mut left, count) = (None, 0, tokens.len());
        for (at, token) in tokens.into_iter().enumerate() {
            let this = if let Token::Mark(mark, _) = token { mark } else { '.' };
            match token {
                // A joint between pairs of brackets.
                Token::Cell(cell, _) if before == Some(']') && cell.is_joint() => continue,
                Token::Cell(cell, (from, to)) => {
                    self.row.places.push((from.saturating_sub(left), to.saturating_sub(left)));
                    self.row.cells.push(cell);
                }
                Token::Mark('[', column) => {
                    left = column;
                    self.open(before == Some('='))?;
                }
                Token::Mark(']', _) => {
                    let is_empty = before == Some('[') && count > 2;
                    self.row.cells.extend(is_empty.then_some(EMPTY));
                    self.end_row();
                    let Some(outside) = self.depth.checked_sub(1) else {
                        return unclear(self.row.line, "a bracket that closes nothing");
                    };
                    (self.depth, self.row.depth, left) = (outside, outside, 0);
                }
                Token::Mark(';', _) if ends_rows => {
                    // Rows of one line do not stand under each other.
                    self.row.places.push(NOWHERE);
                    self.end_row();
                    self.row.places.push(NOWHERE);
                }
                Token::Mark(',' | ';', _) => {
                    // Blanks beside commas mean nothing.
                    self.row.places.push(NOWHERE);
                    let is_first = before.is_none() && self.depth == 0;
                    let is_empty = is_first || before.is_some_and(|mark| ",;[".contains(mark));
                    self.row.cells.extend(is_empty.then_some(EMPTY));
                    let is_of_row =
                        !matches!(self.row.cells.last(), None | Some(Entry::Square(..)));
                    self.row.has_comma = at + 1 == count && self.depth == 0 && is_of_row;
                    self.row.cells.extend(self.row.has_comma.then_some(EMPTY));
                }
                Token::Mark(..) => {}
            }
            before = Some(this);
        }
        Ok(())
    }

    /// Opens a bracket, perhaps after a step, or after a name as in `board = [`.
    fn open(&mut self, is_equal: bool) -> Result<(), Misread> {
        let cells = &mut self.row.cells;
        let count = cells.len();
        cells.retain(|cell| !cell.is_arrow());
        let is_equal = is_equal || cells.len() < count;
        let is_step = cells.len() == 1 && (self.depth == 0 || is_equal);
        let step = cells.first().and_then(Entry::number).filter(|_| is_step);
        let is_content = |cell: &Entry| matches!(cell, Number(_) | Entry::Square(..));
        let is_name = is_equal && !cells.iter().any(is_content);
        if step.is_some() || is_name && self.deepest == 0 {
            cells.clear();
        }
        self.end_row();
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        (self.step, self.row.depth) = (step, self.depth);
        match self.depth {
            0..3 => Ok(()),
            _ => unclear(self.row.line, "brackets inside brackets inside brackets"),
        }
    }

    fn end_row(&mut self) {
        let next = EntryRow { line: self.row.line, depth: self.depth, ..EntryRow::default() };
        let mut row = std::mem::replace(&mut self.row, next);
        if let Some(step) = self.step.take() {
            let square = row.pair().map(|(row, col)| vec![Entry::Square(row, col)]);
            row.cells = square.unwrap_or(row.cells);
            row.cells.insert(0, Number(step));
        }
        if !row.cells.is_empty() {
            self.rows.push(row);
        }
    }
}

/// The row of a line of nothing but numbers and signs, or squares, between blanks. Most lines are
/// such, and their tokens would take three times as long. Of numbers, which are a row of a board,
/// it has no more than one that is too many.
pub(super) fn plain_row(line: &str) -> Option<EntryRow> {
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
    let is_row = if squares == 0 { count > 1 } else { squares == count };
    let is_plain = is_row && !line.contains(['\t', '\r', '\n']);
    let at = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let place = |word: &str| (at(word) as u16, (at(word) + word.len()) as u16);
    let has_places = is_plain && squares == 0 && line.len() < LAST.into();
    let places = if has_places { words().map(place).collect() } else { Vec::new() };
    is_plain.then(|| EntryRow { cells, places, ..EntryRow::default() })
}

/// The row of a line of numbers and signs between tabs, some of which may be empty.
pub(super) fn tabbed_row(line: &str) -> Option<EntryRow> {
    let is_cell = |cell: &Entry| matches!(cell, Number(_) | Sign(_)) || cell.is_void();
    let cell = |word: &str| Some(cell(word.trim())).filter(is_cell);
    let cells = line.split('\t').map(cell).collect::<Option<Vec<_>>>()?;
    (cells.len() > 1).then(|| EntryRow { cells, has_tabs: true, ..EntryRow::default() })
}

/// The row of a line with bars: around the row, or between its cells, of which some may be empty.
fn barred(line: usize, tokens: Vec<Token>) -> Result<EntryRow, Misread> {
    let mut parts: Vec<Vec<(Entry, Span)>> = vec![Vec::new()];
    for token in tokens {
        match (token, parts.last_mut()) {
            (Token::Cell(cell, place), Some(part)) => part.push((cell, place)),
            (Token::Mark('|', _), _) => parts.push(Vec::new()),
            (Token::Mark(',', _), _) => {}
            _ => return unclear(line, "brackets among bars"),
        }
    }
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
    let blank = vec![(EMPTY, NOWHERE)];
    let all = cells.iter().flat_map(|part| if part.is_empty() { &blank } else { part });
    let (all, mut places): (_, Vec<Span>) = all.cloned().unzip();
    // Blanks mean something only if no bars are between the cells.
    places.truncate(if cells.len() == 1 { places.len() } else { 0 });
    Ok(EntryRow { line, label, cells: all, places, has_bars: true, ..EntryRow::default() })
}

// Lines that are no rows

/// True for a line of several words of which the first and the last are `row,col`.
fn are_pairs(line: &str) -> bool {
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

/// True for a line of words around tours: hardly any of them is a square, a number or a sign.
pub(super) fn is_title(line: &str) -> bool {
    let is_call = line.ends_with('(') && (line.contains('=') || !line.contains(' '));
    let line = if line.contains(['[', '{']) || is_call { "" } else { line };
    let words = line.split(|c: char| c.is_whitespace() || ",;:.()\"|\u{2502}".contains(c));
    let words = words.flat_map(|word| {
        // Steps have equals signs, and squares dashes or arrows between them; dates have these too.
        let parts = || word.split(|c| joins(c) || c == '=').filter(|part| !part.is_empty());
        let is_square = |part: &str| square(part).is_some();
        let is_list = parts().all(|part| is_digits(part) || is_square(part))
            && parts().any(is_square)
            && (parts().count() > 2 || word.contains('='));
        if is_list { parts().collect() } else { vec![word] }
    });
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
    let tokens = tokens(line);
    let is_part = |token: &Token| match token {
        Token::Cell(cell, _) => matches!(cell, Number(_) | Sign(_)),
        Token::Mark(mark, _) => ",;|".contains(*mark) || *mark == '=' && line.starts_with("#:"),
    };
    tokens.iter().all(is_part) && (tokens.len() > 1 || is_single)
}

/// The row that a line of words or a remark would be beside rows as long: some cells are numbers,
/// signs or words for empty places, and others are no prose unless each has a mark beside it.
pub(super) fn doubtful_row(line: usize, text: &str) -> Option<EntryRow> {
    let (text, is_sign) = (text.trim(), |sign: char| "#._?".contains(sign));
    if text.chars().all(|c| is_sign(c) || c.is_ascii_digit()) && text.chars().skip(1).any(is_sign) {
        let mut cells = vec![Word(Box::new(text.to_owned()))];
        cells.resize(text.len(), EMPTY);
        return Some(EntryRow { line, cells, ..EntryRow::default() });
    }
    let [row]: [EntryRow; 1] = rows(line, text).ok()?.rows.try_into().ok()?;
    let is_mark = |c: char| "\t,;".contains(c) || mark(c) == Some('|');
    let is_marked = text.contains(is_mark)
        && text.split(is_mark).all(|part| part.split_whitespace().count() < 2);
    // The names of columns may begin with `#`.
    let mut places = row.cells.strip_prefix(&[Sign('#')]).unwrap_or(&row.cells).iter();
    let is_place =
        |cell: &Entry| !matches!(cell, Sign(' ' | 'X' | 'x') | Entry::Square(..) | Word(_));
    // Words as titles and remarks have them.
    let is_prose = |cell: &Entry| match cell {
        Word(word) if !is_void(word) => word.chars().filter(|c| c.is_alphabetic()).count() > 1,
        _ => false,
    };
    let is_row = places.any(is_place) || row.cells.iter().any(Entry::is_void);
    let is_clear = is_marked || !row.cells.iter().any(is_prose);
    (is_row && is_clear).then_some(row)
}

/// True for a word that programs write for an empty place or for an error: `#REF!`, `Err:502`.
fn is_void(word: &str) -> bool {
    const VOID: [&str; 8] = ["na", "n/a", "nan", "null", "none", "empty", "blank", "#nv"];
    let is_error = word.starts_with('#') && word.contains(['!', '?', '/']);
    let is_upper = word.contains(char::is_uppercase) && !word.contains(char::is_lowercase);
    is_error && is_upper || word.starts_with("Err:5") || VOID.contains(&&word.to_lowercase()[..])
}

/// The value of a declaration or a call in a program, or of a fact of Prolog, and the text before
/// it: `int[][] b = {{1, 2}};`, `np.array([[1, 2]], dtype=int)`, `P = [[1, _]].`
pub(super) fn value(text: &str) -> (&str, &str) {
    let is_fact = text.trim_end().ends_with("].");
    let text = if is_fact { text.trim_end_matches([' ', '.']) } else { text };
    let is_named = text.trim_start().starts_with(char::is_alphabetic);
    let from = text.find('=').map_or(0, |equals| equals + 1);
    let begins = |(at, letter): &(usize, char)| {
        // Brackets of types, sizes and calls follow their names; those of types may be empty.
        let is_after = text[..*at].ends_with(|c: char| c.is_alphanumeric() || "])_".contains(c));
        let is_empty = text[at + letter.len_utf8()..].trim_start().starts_with([']', ')']);
        *letter == '{' || "[(".contains(*letter) && !is_after && !is_empty
    };
    let mut letters = text.char_indices().filter(|(at, _)| is_named && *at >= from);
    let Some((begin, _)) = letters.find(begins) else { return ("", text) };
    let mut depth = 0;
    let end = text[begin..].char_indices().find(|(_, letter)| {
        depth += usize::from(mark(*letter) == Some('['));
        depth -= usize::from(mark(*letter) == Some(']'));
        depth == 0
    });
    let end = end.map_or(text.len(), |(at, _)| begin + at + 1);
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
    let quoted = line.replace(r"\\", "").replace("\\\"", "");
    let is_paired = quoted.matches('"').count().is_multiple_of(2);
    let parts = quoted.split('"').step_by(1 + usize::from(is_paired));
    parts.flat_map(str::chars).fold(before, |depth, letter| match mark(letter) {
        Some('[') => depth + 1,
        Some(']') => depth.saturating_sub(1),
        _ => depth,
    })
}
