//! The second pass over a text: rows that belong together become a table, a list of squares, or
//! steps with their squares.
//!
//! The numbers and the names of rows and columns, empty headings, the size in the first line, and
//! the columns between others that tabs align are left out of a table.

use super::cells::{BracketRows, EMPTY, Entry, EntryRow, HOLES, Span, without_piece};
use super::wrong::{Misread, Wrong, unclear};
use crate::board::{Board, column_name, square_name};
use crate::tour::TextRows;
use std::collections::{BTreeSet, HashSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    #[default]
    Numbers,
    Squares,
    Steps,
}

/// The note of a text in which places without a sign are holes.
pub(super) const BLANKS_AS_HOLES: &str = "with blanks as holes";

impl EntryRow {
    fn kind(&self) -> Kind {
        let count = |is: fn(&Entry) -> bool| self.cells.iter().filter(|cell| is(cell)).count();
        let squares = count(|cell| matches!(cell, Entry::Square(..)));
        let signs = || count(|cell| matches!(cell, Entry::Sign(sign) if !"- ".contains(*sign)));
        match &self.cells[..] {
            [cell @ Entry::Word(word)] if word.starts_with(char::is_alphabetic) => {
                let is_of_table = cell.is_void() || self.is_named();
                if is_of_table { Kind::Numbers } else { Kind::Squares }
            }
            // Among signs, a square is a number that is misspelt: `l4`.
            _ if squares == 0 || signs() > squares => Kind::Numbers,
            _ if self.number().is_some() => Kind::Steps,
            _ => Kind::Squares,
        }
    }

    /// The first number.
    fn number(&self) -> Option<u64> {
        self.cells.iter().find_map(Entry::number)
    }

    /// True for a row of nothing but empty places.
    fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| *cell == EMPTY)
    }

    /// The cells without an empty place before them.
    fn names(&self) -> &[Entry] {
        self.cells.strip_prefix(&[EMPTY]).unwrap_or(&self.cells)
    }

    /// True for the names of columns: `a b c`.
    pub fn is_named(&self) -> bool {
        let is_name = |(cell, col): (&Entry, u32)| match cell {
            Entry::Word(word) => word.eq_ignore_ascii_case(&column_name(col)),
            Entry::Sign(sign) => column_name(col).eq_ignore_ascii_case(&sign.to_string()),
            _ => false,
        };
        !self.names().is_empty() && self.names().iter().zip(0..).all(is_name)
    }

    /// True if some cells can only be squares to fill.
    fn has_fills(&self) -> bool {
        let is_fill = |cell: &Entry| match cell {
            Entry::Sign(sign) => *sign != ' ' && !HOLES.contains(*sign),
            cell => *cell == Entry::Number(0),
        };
        self.cells.iter().any(is_fill)
    }
}

/// The content of a paragraph.
#[derive(Debug)]
pub(super) enum Form {
    /// The rows of the paragraph, which have the same length, the top row first.
    Grid,
    /// The rows and columns of squares in the order of a tour.
    Squares(Vec<(u32, u32)>),
    /// Steps with their squares, in the order of the text.
    Steps(Vec<GivenStep>),
}

/// A step with its square.
#[derive(Debug, Clone, Copy)]
pub(super) struct GivenStep {
    pub line: usize,
    /// The row and the column in a grid, from 1 at the top left.
    pub place: Option<(usize, usize)>,
    pub number: u64,
    /// The row and the column of the square.
    pub at: (u32, u32),
}

/// Lines that belong together.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    /// The number of the first line.
    pub line: usize,
    /// The board that the text says it is of.
    pub board: Option<Board>,
    /// Whether the text says that its tours are closed.
    pub is_closed: Option<bool>,
    /// True if a line above it says so.
    pub is_kind_told: bool,
    /// The pairs of squares that have to follow each other, as in `b2-b3`.
    pub links: Vec<String>,
    /// True if the text of the paragraph names its board.
    pub names_board: bool,
    /// The reason to doubt what the line that names the board says of it, if an earlier paragraph
    /// stands between.
    pub doubt: Option<Wrong>,
    /// The rows so far, or up to an error; at its end those of its table, of which a list has none.
    pub rows: Vec<EntryRow>,
    /// The largest number of brackets around a row.
    deepest: usize,
    /// True if the lines around it belong to other tours or boards.
    pub is_whole: bool,
    /// The number of rows above each rule, or the largest one for a rule without bars.
    rules: Vec<usize>,
    /// The marks that set the text apart from plain rows and squares.
    pub notes: Vec<&'static str>,
    /// The form in which the text was read, unless it is a plain one.
    pub form: Option<String>,
    /// What its first row is of.
    kind: Kind,
    /// True if each row stands half a cell beside the one above, as on a hexagonal board.
    pub is_staggered: bool,
    wrong: Option<Misread>,
}

// Lines that belong together

impl Paragraph {
    /// The largest number of rows of a paragraph.
    const MOST_ROWS: usize = 1 << 20;

    /// A paragraph of the rows of a line, or of all lines between brackets.
    pub fn new(
        line: usize,
        text: &str,
        rows: Result<BracketRows, Misread>,
        board: Option<Board>,
    ) -> Self {
        let (BracketRows { rows, deepest, rule, .. }, wrong) = match rows {
            Ok(read) => (read, None),
            Err(wrong) => (BracketRows::default(), Some(wrong)),
        };
        let mut paragraph = Self { line, board, deepest, ..Self::default() };
        let kind = rows.first().map(EntryRow::kind).unwrap_or_default();
        paragraph.kind = if paragraph.is_of_graph() { Kind::Steps } else { kind };
        let is_square = |cell: &&Entry| matches!(cell, Entry::Square(..));
        let is_list = |row: &EntryRow| {
            row.kind() != Kind::Numbers && row.cells.iter().filter(is_square).count() > 1
        };
        let is_list = rows.iter().any(is_list);
        let is_whole = deepest > 1 || rows.len() > 1 || is_list;
        paragraph.is_whole = text.contains('\n')
            || wrong.is_some() && text.contains(['[', '(', '{'])
            || is_whole && (paragraph.kind != Kind::Steps || deepest > 0);
        let has_piece = without_piece(text.trim_start()).len() < text.trim_start().len();
        let notes = [
            (rule.is_some() || rows.iter().any(|row| row.has_bars), "in a frame"),
            (deepest > 0, "in brackets"),
            (is_list && has_piece, "after the letter of a piece"),
        ];
        notes.iter().filter(|note| note.0).for_each(|note| paragraph.note(note.1));
        paragraph.rules.extend(rule);
        Self { rows, wrong, ..paragraph }
    }

    /// A paragraph of a line that is wrong.
    pub fn wrong(line: usize, why: Wrong) -> Self {
        Self { is_whole: true, ..Self::new(line, "", Misread::at(line, why), None) }
    }

    fn is_of_graph(&self) -> bool {
        self.board.as_ref().is_some_and(Board::is_graph)
    }

    /// True for squares that may be of a whole knight's board, which no line has to name.
    pub fn is_bare(&self) -> bool {
        let may_be_plain = self.board.as_ref().is_none_or(Board::is_plain);
        !self.names_board && self.kind == Kind::Squares && may_be_plain
    }

    /// True if there is nothing to be read, or only a line like `# 1` and no board is known.
    pub fn is_empty(&self, is_known: bool) -> bool {
        use Entry::{Number, Sign};
        let is_nothing = |row: &EntryRow| row.has_tabs && row.is_empty() || row.is_named();
        let is_heading =
            |row: &EntryRow| !row.has_tabs && matches!(row.cells[..], [Sign('#'), Number(_)]);
        let is_heading = !is_known && matches!(&self.rows[..], [row] if is_heading(row));
        is_heading || self.rows.iter().all(is_nothing) && self.wrong.is_none() && !self.is_whole
    }

    /// True if its last row has so many cells, or if it is wrong already.
    pub fn is_of(&self, cells: usize) -> bool {
        let is_of = |row: &EntryRow| row.kind() == Kind::Numbers && row.cells.len() == cells;
        self.wrong.is_some() || self.rows.last().is_some_and(is_of)
    }

    fn note(&mut self, note: &'static str) {
        if !self.is_of_graph() && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Says in which form the text was read, unless there is nothing to add.
    pub fn form(&mut self, of: &str, meaning: Vec<String>) {
        let notes: Vec<String> =
            self.notes.iter().map(ToString::to_string).chain(meaning).collect();
        self.form = (!notes.is_empty()).then(|| format!("{of} {}", notes.join(", ")));
    }

    /// Adds the paragraph of the next line, or returns it if it begins another tour or board.
    pub fn join(&mut self, next: Self, restarts: bool) -> Option<Self> {
        let [first, last, row] = [self.rows.first(), self.rows.last(), next.rows.first()];
        let is_another = match next.kind {
            kind if next.is_whole || kind != self.kind => true,
            // Lines of tabs are rows beside others as long, and otherwise empty lines.
            _ if first.is_some_and(|first| first.has_tabs) && self.is_empty(true) => {
                let cells = first.map_or(0, |row| row.cells.len());
                !row.is_some_and(|row| row.has_tabs && row.cells.len() == cells)
            }
            Kind::Numbers => false,
            // A step never stays on its square: equal lines are tours of one square.
            Kind::Squares => last.map(|row| &row.cells) == row.map(|row| &row.cells),
            Kind::Steps => restarts && first.map(EntryRow::number) == row.map(EntryRow::number),
        };
        if is_another {
            return Some(next);
        }
        next.notes.into_iter().for_each(|note| self.note(note));
        let rows = self.rows.len();
        self.rules.extend(next.rules.into_iter().map(|rule| rule.max(rows)));
        // The rows after an error in a grid are not kept.
        if self.wrong.is_none() {
            self.rows.extend(next.rows);
            let (rows, cols) =
                (self.rows.len(), self.rows.first().map_or(0, |row| row.cells.len()));
            let most = if cols > 2 { Board::LONGEST_SIDE as usize } else { Self::MOST_ROWS };
            let why = || Wrong::Grid { rows, cols, wanted: "a board".to_owned() };
            let too_many = || Misread { line: next.line, place: None, why: why() };
            self.wrong = next.wrong.or_else(|| (rows > most).then(too_many));
        }
        None
    }
}

// Rows to a table

impl Paragraph {
    /// The table of the paragraph, of a tour or of a part-filled board. Afterwards `line` is the
    /// line of its first row.
    pub fn end(&mut self, is_of_tour: bool) -> Result<Form, Misread> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let named = self.without_headings();
        let Some(first) = self.rows.first() else { return Ok(Form::Squares(Vec::new())) };
        self.line = first.line;
        if let Some(row) = self.rows.iter().find(|row| row.depth != first.depth) {
            return unclear(row.line, "some cells stand in more brackets than others");
        }
        if self.rows.iter().all(|row| row.kind() != Kind::Numbers) {
            return self.list();
        }
        without_commas(&mut self.rows, named);
        self.without_labels(named)?;
        for row in &self.rows {
            for (cell, column) in row.cells.iter().zip(1..) {
                let word = match cell {
                    Entry::Word(word) => word.to_string(),
                    Entry::Square(row, col) => square_name(*row, *col),
                    _ => continue,
                };
                return Misread::at(row.line, Wrong::Number { word, column });
            }
        }
        self.without_size()?;
        self.by_columns(is_of_tour)?;
        self.without_empty_columns(is_of_tour);
        if let Some(squares) = pairs(&self.rows).filter(|_| is_of_tour) {
            self.note("as rows and columns from 0");
            return Ok(Form::Squares(squares));
        }
        let wanted = self.rows[0].cells.len();
        match self.rows.iter().find(|row| row.cells.len() != wanted) {
            Some(row) => Misread::at(row.line, Wrong::Ragged { given: row.cells.len(), wanted }),
            None => Ok(Form::Grid),
        }
    }

    /// Leaves out the names and the numbers of columns around a grid, and an empty row above its
    /// rule. Returns the number of names.
    fn without_headings(&mut self) -> Option<usize> {
        let mut rows = std::mem::take(&mut self.rows);
        let (count, first, mut named) = (rows.len(), rows.first()?.line, None);
        let framed = rows.iter().skip(1).find(|row| row.has_bars).map(|row| row.cells.len());
        rows.retain(|row| {
            let counts = |from: u64| {
                let mut cells = row.names().iter().zip(from..);
                !row.names().is_empty() && cells.all(|(cell, n)| *cell == Entry::Number(n))
            };
            let is_above = self.rules == [1] && row.has_bars && row.line == first;
            // Two rows with a rule between them may be a board.
            let note = if is_above && count > 1 && row.is_empty() {
                "without an empty heading"
            } else if row.is_named() || is_above && count > 2 && counts(1) {
                named = Some(row.names().len());
                "without the names of columns"
            } else if !row.has_bars && framed == Some(row.cells.len()) && (counts(0) || counts(1)) {
                "without the numbers of columns"
            } else {
                return true;
            };
            self.note(note);
            false
        });
        self.rows = rows;
        named
    }

    /// Leaves out the numbers of rows beside a grid with so many named columns.
    fn without_labels(&mut self, named: Option<usize>) -> Result<(), Misread> {
        let rows = &mut self.rows;
        if let Some(cols) = named {
            if rows.iter().all(|row| row.label.is_none() && row.cells.len() == cols + 1) {
                let labels = |col: usize| rows.iter().map(move |row| row.cells[col].number());
                let ends = [0, cols].into_iter().filter(|end| are_labels(labels(*end)));
                let [end] = ends.collect::<Vec<_>>()[..] else {
                    let why = "one column more than names, and rows not numbered at one end";
                    return unclear(rows[0].line, why);
                };
                for row in rows.iter_mut() {
                    row.label = row.cells.remove(end).number();
                    row.places.drain(row.places.len().min(end)..row.places.len().min(end + 1));
                }
            }
            if let Some(row) = rows.iter().find(|row| row.cells.len() != cols) {
                let why = format!("{cols} names of columns for {} cells", row.cells.len());
                return unclear(row.line, &why);
            }
        }
        let has_bars = rows.iter().any(|row| row.has_bars);
        if let Some(row) = rows.iter().find(|row| has_bars && !row.has_bars) {
            return unclear(row.line, "a row without bars among rows with bars");
        }
        if rows.iter().any(|row| row.label.is_some()) {
            if !are_labels(rows.iter().map(|row| row.label)) {
                let why = "bars at one end of the rows only: they stand at both ends or between \
                           squares, unless rows are numbered beside them";
                return unclear(rows[0].line, why);
            }
            self.note("without the numbers of rows");
        }
        Ok(())
    }

    /// Leaves out a first row with the number of rows, or of rows and columns.
    fn without_size(&mut self) -> Result<(), Misread> {
        let rows = &self.rows;
        let [size, grid @ ..] = &rows[..] else { return Ok(()) };
        let cols = grid.first().map_or(0, |row| row.cells.len());
        let is_known = self.board.as_ref().is_some_and(|board| board.rows() as usize == rows.len());
        let sides = [grid.len() as u64, cols as u64].map(Entry::Number);
        let is_size = match &size.cells[..] {
            [side] => *side == sides[0] && grid.len() > 1,
            both => *both == sides || both.iter().rev().eq(&sides),
        };
        let is_rectangle = cols > 0 && grid.iter().all(|row| row.cells.len() == cols);
        let mut cells = grid.iter().flat_map(|row| &row.cells);
        let most = (grid.len() * cols) as u64;
        let is_high = |cell: &Entry| matches!(cell, Entry::Number(number) if *number > most);
        if is_known || size.has_bars || !is_size || !is_rectangle || cells.clone().any(is_high) {
            return Ok(());
        }
        // As a row, its number may stand there twice.
        let is_twice = sides[0] == sides[1] || cells.any(|cell| size.cells.contains(cell));
        if size.cells.len() == cols && !is_twice {
            return unclear(size.line, "the first row may be a row or the size of the board");
        }
        self.note("without the size in the first line");
        self.rows.remove(0);
        Ok(())
    }

    /// Fills the places where blanks stand for holes, if columns of characters tell them: the cells
    /// of all rows stand under each other, and some rows have fewer. Any other text whose cells do
    /// not stand under each other is refused, unless they are all separated by the same blanks.
    fn by_columns(&mut self, is_of_tour: bool) -> Result<(), Misread> {
        let rows = &mut self.rows;
        if let Some(board) = self.board.as_ref().filter(|board| board.is_hexagonal()) {
            widen(rows, board);
            return Ok(());
        }
        let cols = rows[0].cells.len();
        let is_rectangle = rows.iter().all(|row| row.cells.len() == cols);
        let is_known = self.board.as_ref().is_some_and(|board| board.cols() as usize == cols);
        if is_rectangle && is_known || !rows.iter().all(EntryRow::has_places) {
            return Ok(());
        }
        if self.board.is_none() && stagger(rows).is_some() {
            self.is_staggered = true;
            self.note("as hexagons");
            return Ok(());
        }
        let places = || rows.iter().flat_map(|row| &row.places);
        let width = places().map(|place| place.1 - place.0).max().unwrap_or(0);
        let gap = |two: &[Span]| two[1].0.saturating_sub(two[0].1);
        let gaps = rows.iter().flat_map(|row| row.places.windows(2)).map(gap);
        let gaps: BTreeSet<u16> = gaps.collect();
        let is_even = gaps.len() < 2 && (cols > 2 || gaps.iter().all(|gap| *gap <= 1 + width));
        let is_straight = rows.iter().all(|row| row.places[0].0 == rows[0].places[0].0);
        if is_even && is_straight {
            return Ok(());
        }
        // Runs of columns of characters in which cells stand, each as wide as one of them.
        let covered: BTreeSet<u16> = places().flat_map(|place| place.0..place.1).collect();
        let covered: Vec<u16> = covered.into_iter().collect();
        let columns = covered.chunk_by(|one, two| one + 1 == *two);
        let columns: Vec<Span> = columns.map(|run| (run[0], run[run.len() - 1] + 1)).collect();
        let known: HashSet<&Span> = places().collect();
        let least = if columns.len() > 2 { columns.windows(2).map(gap).min() } else { None };
        let is_tight = columns.windows(2).all(|two| gap(two) <= least.unwrap_or(1) + width);
        let column = |place: &Span| columns.partition_point(|column| column.0 <= place.0) - 1;
        let filled: Vec<Vec<usize>> =
            rows.iter().map(|row| row.places.iter().map(column).collect()).collect();
        let are_single = filled.iter().all(|row| row.windows(2).all(|two| two[0] < two[1]));
        let is_regular =
            is_tight && are_single && columns.iter().all(|column| known.contains(column));
        // Rows may be cut at their ends.
        let is_cut = |filled: &Vec<usize>| filled.iter().copied().eq(0..filled.len());
        if is_regular && (is_rectangle || is_straight) && filled.iter().all(is_cut) {
            return Ok(());
        }
        let mut beside = filled.iter().flat_map(|row| row.windows(2));
        let has_neighbours = beside.any(|two| two[1] == two[0] + 1);
        if is_regular && has_neighbours && (is_of_tour || rows.iter().any(EntryRow::has_fills)) {
            for (row, filled) in rows.iter_mut().zip(filled) {
                let mut cells = vec![Entry::Sign('#'); columns.len()];
                for (cell, col) in row.cells.drain(..).zip(filled) {
                    cells[col] = cell;
                }
                row.cells = cells;
            }
            self.note(BLANKS_AS_HOLES);
            return Ok(());
        }
        let row = filled.iter().position(|row| *row != filled[0]).unwrap_or(0);
        let why = "cells do not stand under each other, or blanks may be squares: write . for a \
                   square to fill, # for a hole";
        unclear(rows[row].line, why)
    }

    /// Leaves out the columns that are empty in all rows if tabs align rows without any other empty
    /// place. In a part-filled board, squares to fill have another sign then, or there are none.
    fn without_empty_columns(&mut self, is_of_tour: bool) {
        let rows = &mut self.rows;
        let cols = rows[0].cells.len();
        let is_wanted = self.board.as_ref().is_some_and(|board| board.cols() as usize == cols);
        if is_wanted || !rows.iter().all(|row| row.has_tabs && row.cells.len() == cols) {
            return;
        }
        let is_kept = |col: &usize| rows.iter().any(|row| row.cells[*col] != EMPTY);
        let kept: Vec<usize> = (0..cols).filter(is_kept).collect();
        let is_even = kept.windows(3).all(|cols| cols[1] - cols[0] == cols[2] - cols[1]);
        let is_full = rows.iter().all(|row| kept.iter().all(|col| row.cells[*col] != EMPTY));
        let is_board = rows.iter().any(EntryRow::has_fills) || kept.len() > 2;
        if is_even && is_full && (is_of_tour || is_board) {
            for row in rows {
                row.cells = kept.iter().map(|col| row.cells[*col].clone()).collect();
            }
        }
    }

    /// The squares of the rows of a list, in their order or with their steps. Single dashes, arrows
    /// and empty places between them mean nothing.
    fn list(&mut self) -> Result<Form, Misread> {
        let rows = std::mem::take(&mut self.rows);
        let (mut steps, mut squares, mut order) = (Vec::new(), Vec::new(), String::new());
        let mut joints = 0;
        let cells = rows.iter().flat_map(|row| row.cells.iter().map(|cell| (row.line, cell)));
        for (line, cell) in cells {
            match cell {
                Entry::Number(number) => steps.push((line, *number)),
                Entry::Square(row, col) => squares.push((*row, *col)),
                cell if cell.is_joint() || *cell == EMPTY => {
                    joints += usize::from(*cell != EMPTY);
                    continue;
                }
                Entry::Sign(sign) => return Misread::at(line, Wrong::Square(sign.to_string())),
                Entry::Word(word) => return Misread::at(line, Wrong::Square(word.to_string())),
            }
            order.push(if cell.number().is_some() { 'n' } else { 's' });
        }
        let (count, has_steps) = (steps.len(), !steps.is_empty());
        if ["ns", "sn"].iter().any(|two| order == two.repeat(count)) {
            self.note("with their steps");
            let step = |((line, number), at)| GivenStep { line, place: None, number, at };
            return Ok(Form::Steps(steps.into_iter().zip(squares).map(step).collect()));
        }
        // Moves in pairs, as games of chess are written.
        let moves = "nss".repeat(count);
        let is_game = steps.iter().zip(1..).all(|(step, number)| step.1 == number)
            && [&moves[..], &moves[..moves.len().saturating_sub(1)]].contains(&&order[..]);
        if is_game {
            self.note("numbered in pairs");
        } else if has_steps && order.starts_with('s') {
            return Misread::at(steps[0].0, Wrong::Square(steps[0].1.to_string()));
        } else if has_steps {
            return unclear(self.line, "numbers among squares that do not count them");
        } else if rows.len() > 1 {
            if squares.len() > rows.len() && self.deepest != 1 {
                let why = "several lists of squares in one: write each tour on a line";
                return unclear(self.line, why);
            }
            self.note("over several lines");
        }
        // Moves may have both of their squares, as in `a1-c2 c2-a3`.
        let last = squares.len().saturating_sub(1);
        let between = squares.get(1..last).filter(|_| 2 * joints == squares.len() && joints > 1);
        if between.is_some_and(|between| between.chunks(2).all(|two| two[0] == two[1])) {
            self.note("two for each move");
            squares = squares.iter().step_by(2).chain(&squares[last..]).copied().collect();
        }
        Ok(Form::Squares(squares))
    }
}

/// The squares of rows that are rows and columns: where every row is two numbers, and they cannot
/// be the steps of a grid, because some number stands there twice.
fn pairs(rows: &[EntryRow]) -> Option<Vec<(u32, u32)>> {
    let pairs = rows.iter().map(EntryRow::pair).collect::<Option<Vec<_>>>()?;
    let mut numbers = HashSet::new();
    let is_twice = rows.iter().flat_map(|row| &row.cells).any(|cell| !numbers.insert(cell));
    is_twice.then_some(pairs)
}

/// Leaves out the empty places after the commas that end rows, perhaps all but the last, unless
/// other places are empty too and columns are not named.
fn without_commas(rows: &mut [EntryRow], named: Option<usize>) {
    let ended = rows.iter().filter(|row| row.has_comma).count();
    let cells = rows.iter().flat_map(|row| &row.cells);
    let empty = cells.filter(|cell| **cell == EMPTY).count();
    let is_beside_names =
        named.is_some_and(|cols| rows.iter().all(|row| row.cells.len() == cols + 1));
    if ended + 1 >= rows.len() && (empty == ended || is_beside_names) {
        rows.iter_mut().filter(|row| row.has_comma).for_each(|row| drop(row.cells.pop()));
    }
}

/// Fills the rows of a hexagonal board, which go from its first square to its last one, with holes.
fn widen(rows: &mut [EntryRow], board: &Board) {
    if rows.len() != board.rows() as usize {
        return;
    }
    for (row, (_, _, cols)) in rows.iter_mut().zip(TextRows::new(board, 1).rows) {
        if row.cells.len() == cols.len() {
            pad(row, cols.start as usize, board.cols() as usize);
        }
    }
}

/// Puts so many holes before a row, and holes after it up to a number of cells.
fn pad(row: &mut EntryRow, before: usize, cells: usize) {
    row.cells.splice(..0, vec![Entry::Sign('#'); before]);
    row.cells.resize(cells, Entry::Sign('#'));
}

/// Reads rows of hexagons: each stands half a cell to the right or to the left of the one above, by
/// the last characters of its cells, and has no gap. Fills the rows with holes.
fn stagger(rows: &mut [EntryRow]) -> Option<()> {
    let ends = |row: &EntryRow| row.places.iter().map(|place| i64::from(place.1)).collect();
    let ends: Vec<Vec<i64>> = rows.iter().map(ends).collect();
    let mut gaps = ends.iter().flat_map(|row| row.windows(2)).map(|two| two[1] - two[0]);
    let pitch = gaps.next().filter(|pitch| pitch % 2 == 0 && gaps.all(|gap| gap == *pitch))?;
    let is_half = |two: &[Vec<i64>]| (two[1][0] - two[0][0]).rem_euclid(pitch) == pitch / 2;
    // The first characters of the cells of a table would stand under each other.
    let mut places = rows.iter().flat_map(|row| &row.places);
    let from = |place: &Span| i64::from(place.0);
    let first = from(&rows[0].places[0]);
    let is_table = places.clone().all(|place| (from(place) - first) % pitch == 0);
    let is_narrow = places.all(|place| i64::from(place.1 - place.0) < pitch);
    if rows.len() < 2 || is_table || !is_narrow || !ends.windows(2).all(is_half) {
        return None;
    }
    // The letters of columns go along rows that lean to the left.
    let firsts = ends.iter().rev().zip(0..).map(|(row, up)| row[0] * 2 / pitch + up);
    let firsts: Vec<i64> = firsts.collect();
    let least = *firsts.iter().min()?;
    let firsts = firsts.iter().rev().map(|first| (first - least) as usize / 2);
    let cols = rows.iter().zip(firsts.clone()).map(|(row, first)| first + row.cells.len()).max()?;
    rows.iter_mut().zip(firsts).for_each(|(row, first)| pad(row, first, cols));
    Some(())
}

/// True for the numbers of rows, from 0 or from 1, upwards or downwards.
fn are_labels(labels: impl DoubleEndedIterator<Item = Option<u64>> + Clone) -> bool {
    let counts = |from| {
        let is = |(label, number)| label == Some(number);
        labels.clone().zip(from..).all(is) || labels.clone().rev().zip(from..).all(is)
    };
    counts(0) || counts(1)
}
