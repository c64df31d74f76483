//! The words of a line: numbers, signs of squares to fill and of holes, names of squares, and the
//! brackets, bars, commas and equals signs between them.

use super::wrong::{Wrong, quoted};
use crate::board::{Board, Square, column_name};
use std::ops::RangeInclusive;

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

/// The sign that is written `-1`.
pub(super) const MINUS_ONE: char = '\u{2212}';

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Entry(Entry),
    Open,
    Close,
    Bar,
    Comma,
    Semicolon,
    Equals,
    /// A dash, an arrow, or a colon or an equals sign with a blank beside it.
    Joint(&'static str),
}

/// The tokens of a line. Dashes and arrows join squares, or pairs in brackets. Among numbers, a
/// dash alone is a sign, and any other joint is a wrong word.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    use Entry::{Square, Word};
    let tokens = all_tokens(line);
    let is_of_list = |token: &Token| matches!(token, Token::Entry(Square(..) | Word(_)));
    let is_list = tokens.iter().any(is_of_list);
    let known = |(at, token): (usize, &Token)| {
        let is_beside = at > 0 && tokens[at - 1] == Token::Close;
        let joins = is_list || is_beside || tokens.get(at + 1) == Some(&Token::Open);
        match token {
            Token::Joint(":" | "=") if joins => Some(Token::Equals),
            Token::Joint(_) if joins => None,
            Token::Joint("-") => Some(Token::Entry(Entry::Sign('-'))),
            Token::Joint(joint) => Some(Token::Entry(Word(Box::new((*joint).to_owned())))),
            token => Some(token.clone()),
        }
    };
    tokens.iter().enumerate().filter_map(known).collect()
}

/// The joint that a text begins with, if `before` is before it.
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

fn all_tokens(line: &str) -> Vec<Token> {
    let (mut tokens, mut at, are_pairs) = (Vec::new(), 0, are_pairs(line));
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if let Some((joint, length)) = joint(rest, &line[..at]) {
            tokens.push(Token::Joint(joint));
            at += length;
        } else if let Some(token) = mark(first) {
            tokens.push(token);
            at += first.len_utf8();
        } else if let Some(text) = in_quotes(rest) {
            match text.split_whitespace().count() {
                0 => tokens.push(Token::Entry(Entry::Sign(' '))),
                1 => tokens.extend(all_tokens(text)),
                // A row in quotation marks.
                _ => {
                    tokens.push(Token::Open);
                    tokens.extend(all_tokens(text));
                    tokens.push(Token::Close);
                }
            }
            at += text.len() + 2;
        } else {
            let word = if are_pairs { rest.split_whitespace().next() } else { None };
            let word = word.unwrap_or_else(|| self::word(rest));
            tokens.push(Token::Entry(cell(word)));
            at += word.len();
            // A dash right after a name joins it to the next one.
            if word.starts_with(char::is_alphabetic) && line[at..].starts_with('-') {
                at += usize::from(!line[at..].starts_with("->"));
            }
        }
    }
    tokens
}

/// The cells of a line of nothing but numbers and signs, or squares, between blanks. Most lines are
/// such, and their tokens would take three times as long. Of numbers, which are a row of a board,
/// it has no more than one that is too many.
pub(super) fn plain_row(line: &str) -> Option<Vec<Entry>> {
    let plain_cell = |word: &str| {
        let is_plain = word == "." || word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_plain.then(|| cell(word)).filter(|cell| !matches!(cell, Entry::Word(_)))
    };
    let is_name = line.trim_start().starts_with(char::is_alphabetic);
    let most = if is_name { usize::MAX } else { Board::LONGEST_SIDE as usize + 1 };
    let cells = line.split_ascii_whitespace().take(most).map(plain_cell);
    let cells = cells.collect::<Option<Vec<_>>>()?;
    let is_square = |cell: &&Entry| matches!(cell, Entry::Square(..));
    let (squares, count) = (cells.iter().filter(is_square).count(), cells.len());
    (count > 0 && (squares == 0 || squares == count) && !line.contains('\t')).then_some(cells)
}

/// The cells of a line of numbers and signs between tabs, some of which may be empty.
pub(super) fn tabbed_row(line: &str) -> Option<Vec<Entry>> {
    let is_cell = |cell: &Entry| matches!(cell, Entry::Number(_) | Entry::Sign(_));
    let cell = |word: &str| Some(cell(word.trim())).filter(is_cell);
    line.contains('\t').then(|| line.split('\t').map(cell).collect())?
}

/// The blanks of lines in which nothing else separates numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Blanks {
    /// The number of blanks before the first line, and the largest difference to it.
    indent: usize,
    shift: usize,
    /// The shortest and the longest run between two words.
    shortest: usize,
    longest: usize,
}

impl Blanks {
    pub fn of(line: &str) -> Self {
        let line = if line.contains([',', ';', '|', '[', '\t']) { "" } else { line.trim_end() };
        let indent = line.len() - line.trim_start().len();
        let runs = || line[indent..].split(|c| c != ' ').map(str::len).filter(|run| *run > 0);
        let (shortest, longest) = (runs().min().unwrap_or(usize::MAX), runs().max().unwrap_or(0));
        Self { indent, shift: 0, shortest, longest }
    }

    pub fn join(&mut self, next: Self) {
        self.shift = self.shift.max(self.indent.abs_diff(next.indent));
        self.shortest = self.shortest.min(next.shortest);
        self.longest = self.longest.max(next.longest);
    }

    /// True if a number of a full board, of this width at most, could stand in a gap.
    pub fn has_gap(&self, width: usize, cols: usize) -> bool {
        // Columns that are all as far apart are those of a wide print, if there are several.
        let usual = if cols > 2 { self.shortest } else { 1 };
        self.longest > usual.saturating_add(width) || cols <= 2 && self.shift > width
    }
}

/// The numbers of cells of a row beside which a line of words is a row with a wrong word, and the
/// error.
pub(super) fn misspelt_row(text: &str) -> Option<(RangeInclusive<usize>, Wrong)> {
    let (parts, is_marked) = parts(text);
    let is_tight = |row: &str| row.len() > 1 && row.chars().all(|sign| "#._?".contains(sign));
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
    let is_number = |part: &str| matches!(cell(part), Entry::Number(_));
    let is_sign = |part: &str| sign(part).is_some_and(|sign| !" Xx".contains(sign));
    let is_word = |part: &&&str| matches!(cell(part), Entry::Square(..) | Entry::Word(_));
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
    let is_bar = |c: char| mark(c) == Some(Token::Bar);
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

/// True for a line of several words of which the first and the last are `row,col`.
pub(super) fn are_pairs(line: &str) -> bool {
    let is_pair =
        |word: &str| word.split_once(',').is_some_and(|(a, b)| is_digits(a) && is_digits(b));
    let mut words = line.split_whitespace();
    words.next().is_some_and(is_pair) && words.next_back().is_some_and(is_pair)
}

fn mark(letter: char) -> Option<Token> {
    Some(match letter {
        '[' | '(' | '{' => Token::Open,
        ']' | ')' | '}' => Token::Close,
        '|' | '\u{2502}' | '\u{2503}' | '\u{2551}' => Token::Bar,
        ',' => Token::Comma,
        ';' | '/' => Token::Semicolon,
        '=' | ':' => Token::Equals,
        _ => return None,
    })
}

/// The text between the quotation marks that a text begins with.
fn in_quotes(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|mark| "\"'`".contains(*mark))?;
    text[1..].split_once(mark).map(|(inside, _)| inside)
}

/// The word that a text begins with. `1.Nb3` is two words, and so is `a1-c2`.
fn word(text: &str) -> &str {
    let is_name = text.starts_with(char::is_alphabetic);
    let is_end = |c: char| c.is_whitespace() || c == '"' || mark(c).is_some();
    // A slash may be part of a word for an error.
    let whole = text.split(|c| is_end(c) && c != '/').next().unwrap_or_default();
    if whole.contains('/') && is_void(whole) {
        return whole;
    }
    let is_joint = |c: char| is_name && "->\u{2192}\u{2013}\u{2014}".contains(c);
    // The first character is part of the word, whatever it is.
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = text[first..].find(|c: char| is_end(c) || is_joint(c));
    let end = end.map_or(text.len(), |end| first + end);
    let word = &text[..end];
    match word.split_once('.') {
        Some((digits, after)) if is_digits(digits) && after.starts_with(char::is_alphabetic) => {
            &word[..=digits.len()]
        }
        _ => word,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn cell(word: &str) -> Entry {
    // `1.` and `1.0` are numbers too.
    if word.starts_with(|c: char| c.is_ascii_digit())
        && let (digits, zeros) = word.split_once('.').unwrap_or((word, ""))
        && zeros.bytes().all(|byte| byte == b'0')
        && let Ok(number) = digits.parse()
    {
        return Entry::Number(number);
    }
    square(word)
        .or_else(|| sign(word).map(Entry::Sign))
        .unwrap_or_else(|| Entry::Word(Box::new(quoted(word))))
}

/// The sign that a word is: none for an empty place, one of these characters, or several times the
/// same as in `__`.
fn sign(word: &str) -> Option<char> {
    match word {
        "" => Some(' '),
        "-1" => Some(MINUS_ONE),
        "null" | "None" => Some('?'),
        _ => {
            let first = word.chars().next()?;
            let is_dash = "\u{2013}\u{2014}".contains(first);
            let is_sign = is_dash || ".-_?#Xx*".contains(first) && word.len() <= 4;
            let is_sign = is_sign && word.chars().all(|letter| letter == first);
            is_sign.then_some(if is_dash { '-' } else { first })
        }
    }
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
    let line = if line.contains(['[', '{']) { "" } else { line };
    let words = line.split(|c: char| c.is_whitespace() || ",;:.()\"|\u{2502}".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_prose = |word: &&str| {
        word.chars().filter(|c| c.is_alphabetic()).count() > 1
            && word.chars().all(|c| c.is_alphabetic() || "'\u{2019}-".contains(c))
            && sign(word).is_none()
    };
    let places = words.iter().filter(|word| !matches!(cell(word), Entry::Word(_))).count();
    words.iter().any(is_prose) && 2 * places <= words.len()
}
