//! A text as paragraphs: what is between the tours and boards of a text, and what it says about
//! them.

use super::cells::{self, BracketRows, Entry, EntryRow};
use super::table::Paragraph;
use super::wrong::{Misread, Wrong, quoted};
use crate::board::{Board, BoardError, Layout, Piece, Wrap, square_name};
use crate::tour::{CLOSED, HEADER, LINKS};
use serde_json::Value;

/// The part of the board that is known before a text is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownBoard {
    /// The board of all tours. The text cannot change it.
    pub board: Option<Board>,
    /// The piece of boards whose sides the text tells.
    pub piece: Option<Piece>,
    /// The joined edges of boards whose sides the text tells.
    pub wrap: Option<Wrap>,
    /// Whether all tours are closed. The text cannot change it.
    pub is_closed: Option<bool>,
    /// Signs that are squares to fill.
    pub blanks: String,
    /// Signs that are holes.
    pub holes: String,
}

impl KnownBoard {
    /// Boards about whose signs it is known which are squares to fill and which are holes.
    ///
    /// # Errors
    /// [`Wrong`] if a sign has two meanings, or is a digit other than 0, a blank, or a mark that
    /// stands between cells or around them.
    pub fn of_signs(blanks: String, holes: String) -> Result<Self, Wrong> {
        let [blanks, holes] = [blanks, holes].map(|signs| signs.replace(cells::DASHES, "-"));
        if let Some(both) = blanks.chars().find(|sign| holes.contains(*sign)) {
            return Err(Wrong::TwoMeanings(both));
        }
        let is_mark =
            |sign: char| cells::is_end(sign) && !"=:".contains(sign) || "'`".contains(sign);
        let is_none = |sign: &char| ('1'..='9').contains(sign) || is_mark(*sign);
        match blanks.chars().chain(holes.chars()).find(is_none) {
            Some(none) => Err(Wrong::NoSign(none)),
            None => Ok(Self { blanks, holes, ..Self::default() }),
        }
    }

    /// True if a sign is known to be a hole, false if it is known to be a square to fill.
    pub(super) fn is_hole(&self, sign: char) -> Option<bool> {
        let sign = if sign == cells::NULL { '?' } else { sign };
        let is_known = |signs: &str| signs.contains(sign);
        is_known(&self.holes).then_some(true).or(is_known(&self.blanks).then_some(false))
    }

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
        if text.starts_with("graph ") { text.parse() } else { self.board_of(text.parse()?) }
    }
}

/// Reads tours or part-filled boards line by line: see [`TourReader`](super::TourReader) and
/// [`PartFilledReader`](super::PartFilledReader).
#[derive(Debug)]
pub struct Reader<T> {
    pub(super) paragraphs: Paragraphs,
    /// What a paragraph is.
    pub(super) of: fn(&KnownBoard, Paragraph) -> T,
}

impl<T> Reader<T> {
    /// Reads the next line, with or without its line end.
    ///
    /// Returns what the line completes: the tour or the board that ended before it, and that of the
    /// line itself.
    pub fn read(&mut self, line: &str) -> [Option<T>; 2] {
        let done = self.paragraphs.add(line);
        done.map(|paragraph| Some((self.of)(&self.paragraphs.expected, paragraph?)))
    }

    /// Ends an unfinished tour or board and returns it. To be called at the end of the text.
    pub fn finish(&mut self) -> Option<T> {
        self.paragraphs.end().map(|paragraph| (self.of)(&self.paragraphs.expected, paragraph))
    }

    /// Reads a text to its end.
    ///
    /// ```
    /// # use kt_enum_formats as kt_enum;
    /// use kt_enum::tour::TourReader;
    /// let read = TourReader::new(None).read_all("a1 b1\na1 c2\n");
    /// assert_eq!(read.iter().map(|read| read.line).collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub fn read_all(mut self, text: &str) -> Vec<T> {
        let mut all: Vec<_> = text.lines().flat_map(|line| self.read(line)).flatten().collect();
        all.extend(self.finish());
        all
    }

    /// The number of lines of words that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> Option<(usize, usize)> {
        self.paragraphs.skipped
    }
}

/// Divides a text into paragraphs, line by line.
#[derive(Debug, Default)]
pub(super) struct Paragraphs {
    pub expected: KnownBoard,
    /// True if steps that begin again from the first are those of another tour.
    is_of_tours: bool,
    /// The number of the current line.
    line: usize,
    /// The number of lines of words around tours, and the number of the first of them.
    pub skipped: Option<(usize, usize)>,
    /// The board of the last line that names one.
    said: Option<Board>,
    /// True if that line says that tours are closed. It never says that they are open.
    says_closed: Option<bool>,
    /// The pairs of squares that have to follow each other, as that line names them.
    says_links: Vec<String>,
    /// That line, with its number, and whether a paragraph before was of its board.
    header: Option<(usize, String, bool)>,
    /// The reason to doubt what follows that line, if it names another board than the known one.
    doubt: Option<Wrong>,
    /// The last board that was named anywhere.
    last: Option<Board>,
    paragraph: Option<Paragraph>,
    /// The line of words before, which is a wrong row if the next row is as long.
    doubtful: Option<EntryRow>,
    open: Option<Open>,
    skips_next: bool,
    /// The paragraphs that are complete.
    done: Vec<Paragraph>,
}

/// The lines since one that opens a bracket.
#[derive(Debug, Default)]
struct Open {
    /// The number of the first line.
    line: usize,
    text: String,
    /// The number of brackets that are open.
    depth: usize,
    /// The marks of the first line.
    notes: Vec<&'static str>,
}

impl Paragraphs {
    /// The most bytes of a text in brackets on several lines.
    const LONGEST: usize = 1 << 26;

    pub fn new(expected: KnownBoard, is_of_tours: bool) -> Self {
        Self { expected, is_of_tours, ..Self::default() }
    }

    /// The board of the tours to come, if it is known.
    fn board(&self) -> Option<&Board> {
        self.expected.board.as_ref().or(self.said.as_ref())
    }

    /// The board of a name. Objects and lines repeat it, and the tables of a board take time.
    fn board_named(&mut self, text: &str) -> Result<Board, BoardError> {
        let known = self.last.take().filter(|last| last.description() == text);
        let board = known.map_or_else(|| self.expected.board_named(text), Ok)?;
        Ok(self.last.insert(board).clone())
    }

    /// The reason to doubt that puzzles below a text are of the known board: it names another, or
    /// none.
    fn not_known(&mut self, text: &str) -> Option<Wrong> {
        let is_checked = |known: &Board| !self.is_of_tours && !known.is_graph();
        let known = self.expected.board.clone().filter(is_checked)?;
        match self.board_named(text) {
            Ok(named) => (named != known).then_some(Wrong::NotKnown { named, known }),
            Err(why) => Some(why.into()),
        }
    }

    /// Adds a line. Returns the paragraphs that it completes: the one before it, and its own.
    pub fn add(&mut self, line: &str) -> [Option<Paragraph>; 2] {
        self.line += 1;
        let text = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
        self.read(text.trim_end_matches(['\r', '\n']));
        let mut done = self.done.drain(..);
        match [done.next(), done.next()] {
            [Some(own), None] if own.is_whole => [None, Some(own)],
            two => two,
        }
    }

    /// Ends the paragraph of the lines so far and returns it.
    pub fn end(&mut self) -> Option<Paragraph> {
        self.end_all();
        self.done.pop()
    }

    fn read(&mut self, text: &str) {
        let (line, is_graph) = (text.trim(), self.board().is_some_and(Board::is_graph));
        let row = if is_graph || self.open.is_some() { None } else { self.simple_row(text) };
        if let Some(row) = row {
            return self.join(row);
        }
        if line.is_empty() {
            return self.end_all();
        }
        if line.contains('\r') {
            let is_text = line.chars().all(|c| !c.is_control() || "\r\t".contains(c));
            let why = match is_text {
                true => "lines end with a carriage return alone: tr '\\r' '\\n' mends the file",
                false => "this is no text",
            };
            self.end_all();
            return self.join(Paragraph::wrong(self.line, Wrong::Unclear(why.to_owned())));
        }
        if self.open.is_some() {
            return self.bracketed(line);
        }
        if self.is_remark(line, is_graph) {
            if !self.is_wrong_row(text)
                && let Err(why) = self.remark(line)
            {
                self.join(Paragraph::wrong(self.line, why.into()));
            }
            return;
        }
        let without_colours = cells::without_colours(text);
        let text = without_colours.as_deref().unwrap_or(text);
        let line = text.trim();
        // A line of dashes is part of a frame only after a row with bars.
        let is_dashed = line.chars().all(|c| "-= ".contains(c)) && cells::is_rule(line);
        let last = self.paragraph.as_ref().and_then(|paragraph| paragraph.rows.last());
        if is_dashed && !last.is_some_and(|row| row.has_bars) {
            return self.end_all();
        }
        let titled = line.split_once(':').filter(|(title, _)| !is_graph && cells::is_title(title));
        let after_title = titled.map(|(_, rest)| rest.trim());
        let is_frame = after_title.is_some_and(|rest| rest.starts_with('|'));
        if !is_graph && !is_frame && cells::is_title(line) {
            if !self.is_wrong_row(text) {
                self.title(line);
            }
            return;
        }
        let notes = without_colours.as_ref().map(|_| "without colours").into_iter();
        let notes = notes.chain(after_title.map(|_| "after a title")).collect();
        self.open = Some(Open { line: self.line, notes, ..Open::default() });
        self.bracketed(after_title.unwrap_or(text.trim_end()));
    }

    /// The row of a line of cells between blanks alone, or between tabs. A line of tabs alone is
    /// one of a part-filled board, at its beginning or below a row that is as long.
    fn simple_row(&self, text: &str) -> Option<Paragraph> {
        let row = cells::plain_row(text).or_else(|| cells::tabbed_row(text))?;
        let last = self.paragraph.as_ref().and_then(|paragraph| paragraph.rows.last());
        let is_beside = |last: &EntryRow| {
            last.has_tabs && last.cells.len() == row.cells.len() || last.is_named()
        };
        let is_below = last.is_none_or(is_beside);
        let is_row = !text.trim().is_empty() || !self.is_of_tours && is_below;
        let rows = || Ok(BracketRows::of(vec![EntryRow { line: self.line, ..row }]));
        is_row.then(|| Paragraph::new(self.line, text, rows(), self.board().cloned()))
    }

    /// True for a line of words that is a wrong row of the paragraph, which ends otherwise.
    fn is_wrong_row(&mut self, text: &str) -> bool {
        let row = cells::doubtful_row(self.line, text);
        if let (Some(row), Some(paragraph)) = (&row, &mut self.paragraph)
            && paragraph.is_of(row.cells.len())
        {
            paragraph.rows.push(row.clone());
            return true;
        }
        self.end_all();
        self.doubtful = row;
        false
    }

    /// Adds a line to those since a bracket was opened, or to none.
    fn bracketed(&mut self, line: &str) {
        let open = self.open.get_or_insert_default();
        open.depth = cells::open_brackets(line, open.depth);
        open.text += line;
        if open.depth > 0 && open.text.len() < Self::LONGEST {
            open.text.push('\n');
            self.end_paragraph();
        } else {
            self.close();
        }
    }

    /// Joins the paragraphs of the lines since a bracket was opened.
    fn close(&mut self) {
        let Some(Open { line, text, notes, .. }) = self.open.take() else { return };
        let objects = objects(&text);
        if objects.is_empty() {
            let (before, value) = cells::value(&text);
            let line = line + before.matches('\n').count();
            self.join_noted(self.paragraph(line, value, self.board()), &notes);
        }
        for object in objects {
            let read = self.object(line, &object);
            match read.unwrap_or_else(|why| Some(Paragraph::wrong(line, why))) {
                Some(paragraph) => self.join_noted(paragraph, &notes),
                None => self.end_paragraph(),
            }
        }
    }

    /// Joins a paragraph of a text with these notes.
    fn join_noted(&mut self, mut next: Paragraph, notes: &[&'static str]) {
        // Columns of characters count no escape sequences.
        let is_bare = notes.is_empty();
        next.rows.iter_mut().filter(|_| !is_bare).for_each(|row| row.places.clear());
        next.notes.extend(notes);
        self.join(next);
    }

    /// The paragraph of a text whose brackets are complete.
    fn paragraph(&self, line: usize, text: &str, board: Option<&Board>) -> Paragraph {
        let graph = board.filter(|board| board.is_graph());
        let rows = match graph {
            Some(graph) => cells::vertices(line, text, graph, !self.is_of_tours)
                .or_else(|why| Misread::at(line, why)),
            None => cells::rows(line, text),
        };
        let mut paragraph = Paragraph::new(line, text, rows, board.cloned());
        // Steps may stand on a line each.
        let is_step =
            |row: &EntryRow| row.cells.first().is_some_and(|cell| cell.number().is_some());
        paragraph.is_whole |=
            graph.is_some() && self.is_of_tours && !paragraph.rows.iter().any(is_step);
        for cell in paragraph.rows.iter_mut().flat_map(|row| &mut row.cells) {
            // A word of one known character is the sign that it is.
            if let Entry::Word(word) = cell
                && let Some(first) = word.chars().next()
                && self.expected.is_hole(first).is_some()
                && word.chars().all(|letter| letter == first)
            {
                *cell = Entry::Sign(first);
            }
        }
        paragraph
    }

    /// Joins a paragraph to the one before it, or begins another.
    fn join(&mut self, mut next: Paragraph) {
        // Lines of a frame may be between them.
        let doubtful = if next.rows.is_empty() { None } else { self.doubtful.take() };
        if let Some(row) = doubtful.filter(|row| next.is_of(row.cells.len())) {
            next.rows.insert(0, row);
        }
        let next = match &mut self.paragraph {
            Some(paragraph) => paragraph.join(next, self.is_of_tours),
            None => Some(next),
        };
        if let Some(next) = next {
            self.end_paragraph();
            if self.paragraph.insert(next).is_whole {
                self.end_paragraph();
            }
        }
    }

    fn end_all(&mut self) {
        self.doubtful = None;
        self.close();
        self.end_paragraph();
    }

    fn end_paragraph(&mut self) {
        let Some(mut paragraph) = self.paragraph.take() else { return };
        if std::mem::take(&mut self.skips_next) || paragraph.is_empty(self.board().is_some()) {
            return;
        }
        let KnownBoard { board, is_closed, .. } = &self.expected;
        paragraph.is_closed = is_closed.or(paragraph.is_closed);
        // Bare squares may be of another board than the line above, which says nothing of them.
        let is_bare = self.is_of_tours && paragraph.is_bare();
        let is_kind_told = self.says_closed.is_some() && paragraph.is_closed.is_none() && !is_bare;
        paragraph.is_closed = paragraph.is_closed.or(self.says_closed.filter(|_| !is_bare));
        paragraph.is_kind_told = is_kind_told;
        if !paragraph.names_board {
            let are_links_told =
                !self.says_links.is_empty() && paragraph.links.is_empty() && !is_bare;
            if are_links_told {
                paragraph.links.clone_from(&self.says_links);
            }
            let is_told = board.is_none() || is_kind_told || are_links_told;
            if let Some((line, text, is_used)) = self.header.as_mut().filter(|_| is_told) {
                let (line, text) = (*line, text.clone());
                paragraph.doubt = is_used.then_some(match board {
                    None => Wrong::OtherBoard { line, text },
                    Some(_) => Wrong::OtherKind { line, text },
                });
                *is_used = true;
            }
            paragraph.doubt = paragraph.doubt.or_else(|| self.doubt.clone());
        }
        self.done.push(paragraph);
    }

    /// True for the lines that searches print around a tour, and for lines that begin with `#`, but
    /// for rows that begin with a hole.
    fn is_remark(&self, line: &str, is_graph: bool) -> bool {
        let first = self.paragraph.as_ref().and_then(|paragraph| paragraph.rows.first());
        let is_single = first.is_some_and(|row| row.cells.len() == 1 + usize::from(row.has_comma))
            || self.board().is_some_and(|board| board.cols() == 1);
        REMARKS.iter().any(|remark| line.starts_with(remark))
            || line.starts_with('#') && (is_graph || !cells::is_row_with_hole(line, is_single))
    }

    /// Takes the board of a line `# board`. Remarks that only look like it begin with another word.
    fn remark(&mut self, line: &str) -> Result<(), BoardError> {
        self.skips_next |= line.starts_with(INITIAL);
        let is_board = |text: &&str| {
            text.starts_with("graph ") || text.starts_with(|c: char| c.is_ascii_digit())
        };
        let Some(text) = line.strip_prefix(HEADER).filter(is_board) else { return Ok(()) };
        self.says_closed = text.ends_with(CLOSED).then_some(true);
        self.header = Some((self.line, line.to_owned(), false));
        let text = text.strip_suffix(CLOSED).unwrap_or(text);
        let (text, links) = text.split_once(LINKS).unwrap_or((text, ""));
        self.says_links = links.split(',').filter(|link| !link.is_empty()).map(quoted).collect();
        self.doubt = self.not_known(text);
        if self.expected.board.is_none() {
            self.said = Some(self.board_named(text)?);
        } else if self.is_of_tours && self.board_named(text).ok() != self.expected.board {
            // What a line says of another board is not said of the tours of the known one.
            (self.says_closed, self.says_links) = (None, Vec::new());
        }
        Ok(())
    }

    /// Takes the board of a line above a drawn tour, as in `3x3 piece=king, open, asymmetric`.
    fn title(&mut self, line: &str) {
        let is_kind = |text: &str| ["open", "closed", "re-entrant"].contains(&text);
        let mut parts = line.split(", ");
        let board = parts.next().and_then(|text| self.expected.board_named(text).ok());
        let kind = parts.next();
        if let Some(board) = board.filter(|_| kind.is_some_and(is_kind)) {
            self.said = Some(board).filter(|board| !board.is_plain());
            self.says_closed = (kind == Some("closed")).then_some(true);
            (self.says_links, self.header, self.doubt) = (Vec::new(), None, None);
        } else {
            let (lines, first) = self.skipped.unwrap_or((0, self.line));
            self.skipped = Some((lines + 1, first));
        }
    }

    /// The squares of an object with an array `tour` or `solution`, the steps of one with an array
    /// `clues`, or the rows in an object with a single array of rows; `None` for the answer that
    /// there is none.
    fn object(&mut self, line: usize, text: &str) -> Result<Option<Paragraph>, Wrong> {
        let object: Value = serde_json::from_str(text).map_err(|_| Wrong::Json)?;
        let has = |name: &str| !object[name].is_null();
        let solutions = object["solutions"].as_array().map_or(&[][..], Vec::as_slice);
        let has_none = has("verdict") && has("solutions") && solutions.is_empty();
        if has_none || object.get("tour") == Some(&Value::Null) && has("reason") {
            return Ok(None);
        }
        if has("closed") && !object["closed"].is_boolean() {
            return Err(Wrong::Unclear("`closed` is true or false".to_owned()));
        }
        let mut board = self.board().cloned();
        if let Some(text) = object["board"].as_str().filter(|_| self.expected.board.is_none()) {
            board = Some(self.board_named(text)?);
        } else if board.is_none() && self.expected.piece.is_none() && has("piece") {
            return Err(Wrong::Unclear("a piece without a board: name the piece".to_owned()));
        }
        // A row and a column may have a blank between them, a chess name is one word.
        let word = |name: &str| match cells::square(name) {
            Some(Entry::Square(row, col)) if name.contains(',') => square_name(row, col),
            _ => name.to_owned(),
        };
        let clue =
            |clue: &Value| Some(format!("{}={}", clue[0].as_u64()?, word(clue[1].as_str()?)));
        let is_graph = board.as_ref().is_some_and(Board::is_graph);
        let is_square = |name: &&str| is_graph || cells::square(name).is_some();
        let is_solved = self.is_of_tours && (has("solution") || !solutions.is_empty());
        let solution = match solutions {
            [one] => one,
            [_, ..] if self.is_of_tours => {
                let why = "several solutions in one object: write each tour on a line";
                return Err(Wrong::Unclear(why.to_owned()));
            }
            _ => &object["solution"],
        };
        let solution = texts(solution).filter(|names| is_solved && names.iter().all(is_square));
        let clues = object["clues"].as_array().filter(|clues| !is_solved && !are_objects(clues));
        let names = texts(&object["tour"]).or(solution);
        let (text, note) = if let Some(names) = names {
            if let Some(name) = names.iter().find(|name| !is_square(name)) {
                return Err(Wrong::Square(quoted(name)));
            }
            (Some(names.into_iter().map(word).collect::<Vec<_>>().join(" ")), None)
        } else if let Some(clues) = clues {
            let steps: Option<Vec<String>> = clues.iter().map(clue).collect();
            (steps.map(|steps| steps.join(" ")), None)
        } else {
            (rows_of(&object, self.is_of_tours)?, Some("of a JSON object"))
        };
        let mut next = self.paragraph(line, &text.ok_or(Wrong::Json)?, board.as_ref());
        next.is_whole = true;
        next.names_board = object["board"].is_string();
        next.doubt = object["board"].as_str().and_then(|text| self.not_known(text));
        next.is_closed = object["closed"].as_bool();
        let links = object["links"].as_array().into_iter().flatten();
        next.links = links.map(|link| quoted(link.as_str().unwrap_or_default())).collect();
        next.notes.extend(note);
        Ok(Some(next))
    }
}

/// The objects of a text in JSON that is one, or an array of them; none for any other text.
fn objects(text: &str) -> Vec<String> {
    let is_object =
        |text: &str| text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
    let text = text.trim();
    let in_array = text.strip_prefix('[').map(str::trim_start).filter(|text| is_object(text));
    match in_array.and_then(|_| serde_json::from_str::<Vec<Value>>(text).ok()) {
        Some(objects) => objects.iter().map(Value::to_string).collect(),
        None if is_object(text) => vec![text.to_owned()],
        None => Vec::new(),
    }
}

/// The texts of an array of texts.
fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

fn are_objects(values: &[Value]) -> bool {
    !values.is_empty() && values.iter().all(Value::is_object)
}

/// The rows in an object with a single array of rows, or text of rows, beside the solution of a
/// puzzle or, of tours, that solution; or the rows that the places of its numbers make:
/// `{"row": 0, "col": 0, "value": 1}`.
fn rows_of(object: &Value, is_of_tours: bool) -> Result<Option<String>, Wrong> {
    let has = |name: &str| !object[name].is_null();
    let is_solved = is_of_tours && has("solution") && (has("puzzle") || has("clues"));
    let only = if is_solved { "solution" } else { "puzzle" };
    let is_wanted = |key: &str| match is_solved || has("puzzle") {
        true => key == only,
        false => is_of_tours || key != "solution",
    };
    // A text of several lines is as good as an array of them.
    let rows = |(_, value): (&String, &Value)| match value {
        Value::Array(rows) => Some(rows.clone()),
        Value::String(text) if text.contains('\n') => Some(text.lines().map(Value::from).collect()),
        _ => None,
    };
    let wanted = object.as_object().into_iter().flatten().filter(|(key, _)| is_wanted(key));
    let [rows] = &wanted.filter_map(rows).collect::<Vec<_>>()[..] else { return Ok(None) };
    if are_objects(rows) {
        return Ok(Some(placed(object, rows)?.to_string()));
    }
    let are_rows = rows.iter().all(Value::is_array) || rows.iter().all(Value::is_string);
    Ok(are_rows.then(|| Value::from(&rows[..]).to_string()))
}

/// The rows of an object that says its size, with numbers at these places. Rows and columns are
/// counted from the top left, from 0 if one of them is 0, and from 1 if one is as high as the size.
fn placed(object: &Value, numbers: &[Value]) -> Result<Value, Wrong> {
    let side = |name: &str, other: &str| {
        let names = [name, other, "size"].into_iter();
        names.map(|name| &object[name]).find_map(Value::as_u64).filter(|side| *side <= 1 << 10)
    };
    let at = |number: &Value| {
        Some(([number["row"].as_u64()?, number["col"].as_u64()?], number["value"].as_u64()?))
    };
    let places = numbers.iter().map(at).collect::<Option<Vec<_>>>();
    let sides = side("rows", "height").zip(side("cols", "width"));
    let (places, (rows, cols)) = places.zip(sides).ok_or(Wrong::Json)?;
    let is_first = places.iter().any(|(at, _)| at.contains(&0));
    let is_last = places.iter().any(|(at, _)| at[0] == rows || at[1] == cols);
    if is_first == is_last {
        let why = "rows and columns may be counted from 0 or from 1: write the rows of numbers";
        return Err(Wrong::Unclear(why.to_owned()));
    }
    let mut grid = vec![vec![Value::Null; cols as usize]; rows as usize];
    for (at, value) in places {
        let [row, col] = at.map(|line| (line - u64::from(is_last)) as usize);
        let cell = grid.get_mut(row).and_then(|row| row.get_mut(col));
        let why = "a number that is not on the board, or beside another on its square";
        let free = cell.filter(|cell| cell.is_null());
        *free.ok_or_else(|| Wrong::Unclear(why.to_owned()))? = value.into();
    }
    Ok(grid.into_iter().collect())
}

/// The line above the board before a search.
const INITIAL: &str = "INITIAL STATE:";

/// The beginnings of the lines that searches print around a tour.
const REMARKS: [&str; 7] = [
    // A fence of Markdown.
    "```",
    "Number of moves ",
    "No solution found",
    "No Hamiltonian ",
    INITIAL,
    "FINAL STATE:",
    "Runtime: ",
];
