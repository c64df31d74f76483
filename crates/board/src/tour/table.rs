//! The second pass over a text: rows that belong together become a table, a list of squares, or
//! steps with their squares.
//!
//! The numbers and the names of rows and columns, empty headings, and the columns between others
//! that tabs align are left out of a table.

use super::cells::{
    Entry, EntryRow, Line, NOWHERE, Span, are_pairs, headings, is_rule, is_run_of_signs,
    without_piece,
};
use super::text::TextRows;
use super::wrong::{Misread, Wrong, quoted, unclear};
use crate::board::{Board, column_name};
use std::ops::RangeInclusive;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Numbers,
    Squares,
    Steps,
}

impl EntryRow {
    fn kind(&self) -> Kind {
        let is_square = |cell: &Entry| matches!(cell, Entry::Square(..));
        let is_sign = |cell: &Entry| matches!(cell, Entry::Sign(sign) if !"- ".contains(*sign));
        let count = |is: &dyn Fn(&Entry) -> bool| self.cells.iter().filter(|cell| is(cell)).count();
        match &self.cells[..] {
            _ if self.step.is_some() => Kind::Steps,
            [Entry::Word(word)] if word.starts_with(char::is_alphabetic) => Kind::Squares,
            // Among signs, a square is a number that is misspelt: `l4`.
            cells if cells.iter().any(is_square) && count(&is_sign) <= count(&is_square) => {
                Kind::Squares
            }
            _ => Kind::Numbers,
        }
    }

    /// True for a row of so many numbers and signs.
    fn is_of(&self, cells: usize) -> bool {
        self.kind() == Kind::Numbers && self.cells.len() == cells
    }

    /// True for a row of nothing but empty places between tabs.
    fn is_of_tabs(&self) -> bool {
        self.has_tabs && (0..self.cells.len()).all(|col| self.is_empty_at(col))
    }

    /// The number in a column, if there is one.
    fn number_at(&self, col: usize) -> Option<u64> {
        if let Entry::Number(number) = self.cells[col] { Some(number) } else { None }
    }

    /// The squares of a row. Single dashes and empty places between them mean nothing.
    fn squares(&self) -> Result<Vec<(u32, u32)>, Misread> {
        if let Some(pair) = self.pair().filter(|_| self.step.is_some()) {
            return Ok(vec![pair]);
        }
        let square = |cell: &Entry| match cell {
            Entry::Square(row, col) => Ok((*row, *col)),
            Entry::Number(number) => Err(number.to_string()),
            Entry::Sign(sign) => Err(sign.to_string()),
            Entry::Word(word) => Err(word.to_string()),
        };
        let squares = self.cells.iter().filter(|cell| !matches!(cell, Entry::Sign('-' | ' ')));
        let squares = squares.map(square).collect::<Result<_, _>>();
        squares.or_else(|word| Misread::at(self.line, Wrong::Square(word)))
    }
}

/// The content of a paragraph.
#[derive(Debug)]
pub(super) enum Form {
    /// Rows of the same length, the top row first.
    Grid(Vec<EntryRow>),
    /// Squares in the order of a tour, and whether they are written as rows and columns.
    Squares(Vec<(u32, u32)>, bool),
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
    /// The pairs of squares that have to follow each other, as in `b2-b3`.
    pub links: Vec<String>,
    /// True if the text of the paragraph names its board.
    pub names_board: bool,
    /// The line that names the board, with its number, if an earlier paragraph stands between.
    pub assumed: Option<(usize, String)>,
    /// The rows so far; none after an error.
    pub rows: Vec<EntryRow>,
    /// The largest number of brackets around a row.
    deepest: usize,
    /// True if the lines around it belong to other tours or boards.
    pub is_whole: bool,
    /// The number of columns that are named in a line of their own.
    named: Option<usize>,
    /// The number of rows above each rule, or the largest one for a rule without bars.
    rules: Vec<usize>,
    /// The marks that set the text apart from plain rows and squares.
    pub notes: Vec<&'static str>,
    /// True if squares are written as rows and columns.
    are_pairs: bool,
    /// True if each row stands half a cell beside the one above, as on a hexagonal board.
    pub is_staggered: bool,
    wrong: Option<Misread>,
}

// Lines that belong together

impl Paragraph {
    /// The largest number of rows of a paragraph.
    const MOST_ROWS: usize = 1 << 20;

    /// A paragraph of a line, or of all lines between brackets.
    pub fn new(line: usize, text: &str, board: Option<Board>) -> Self {
        let mut paragraph = Self { line, board, are_pairs: are_pairs(text), ..Self::default() };
        if is_rule(text) {
            paragraph.note("in a frame");
            let has_bars = text.contains('|') && !text.contains('+');
            paragraph.rules.push(if has_bars { 0 } else { usize::MAX });
            return paragraph;
        }
        paragraph.named = headings(text);
        if paragraph.named.is_some() {
            return paragraph;
        }
        if is_run_of_signs(text.trim_matches([' ', '"', ','])) {
            let why = "signs without blanks between them may be one square or several: write a \
                       blank between squares";
            return paragraph.but(Misread {
                line,
                place: None,
                why: Wrong::Unclear(why.to_owned()),
            });
        }
        match super::cells::line(line, text) {
            Ok(read) => paragraph.of_rows(text, read),
            Err(wrong) => {
                let is_whole = text.contains(['\n', '[', '(', '{']);
                Self { is_whole, ..paragraph }.but(wrong)
            }
        }
    }

    /// A paragraph of a row between tabs.
    pub fn of_row(line: usize, text: &str, row: EntryRow, board: Option<Board>) -> Self {
        let row = Line::of(EntryRow { line, ..row });
        Self { line, board, ..Self::default() }.of_rows(text, row)
    }

    /// The paragraph with the rows of its text.
    fn of_rows(mut self, text: &str, Line { rows, deepest, notes, .. }: Line) -> Self {
        let is_list = |row: &EntryRow| row.kind() == Kind::Squares && row.cells.len() > 1;
        let is_list = rows.iter().any(is_list);
        let has_steps = rows.first().is_some_and(|row| row.kind() == Kind::Steps);
        let is_whole = deepest > 1 || rows.len() > 1 || is_list;
        self.is_whole = text.contains('\n') || is_whole && (!has_steps || deepest > 0);
        notes.into_iter().for_each(|note| self.note(note));
        if is_list && without_piece(text.trim_start()).len() < text.trim_start().len() {
            self.note("after the letter of a piece");
        }
        let cols = rows.iter().filter(|row| row.kind() == Kind::Numbers).map(|row| row.cells.len());
        let (cols, wanted) = (cols.max().unwrap_or(0), "a board".to_owned());
        if cols > Board::LONGEST_SIDE as usize {
            let (line, place) = (self.line, None);
            return self.but(Misread { line, place, why: Wrong::Grid { rows: 1, cols, wanted } });
        }
        Self { rows, deepest, ..self }
    }

    /// A paragraph of the vertices of a graph: a tour, or some with their steps as in `1=x 5=y`.
    pub fn of_vertices(line: usize, text: &str, graph: &Board, are_steps: bool) -> Self {
        let row = |word: &str| -> Result<EntryRow, Wrong> {
            let step =
                word.split_once('=').and_then(|(n, name)| Some((Some(n.parse().ok()?), name)));
            let wrong = || Wrong::Unclear(format!("`{}` is not STEP=VERTEX", quoted(word)));
            let (step, name) = if are_steps { step.ok_or_else(wrong)? } else { (None, word) };
            let square = graph.parse_square(&quoted(name))?;
            let cells = vec![Entry::Square(graph.row(square), graph.col(square))];
            Ok(EntryRow { line, step, cells, ..EntryRow::default() })
        };
        let separators = if are_steps { "," } else { ",;->\u{2013}\u{2192}" };
        let words = text.split_whitespace().flat_map(|word| {
            // The name of a vertex may have dashes.
            let is_whole = word.contains('-') && graph.parse_square(word).is_ok();
            word.split(move |c| !is_whole && separators.contains(c))
        });
        let rows = words.filter(|word| !word.is_empty()).map(row).collect::<Result<_, _>>();
        let of_graph = |rows| {
            let board = Some(graph.clone());
            Self { line, board, rows, is_whole: !are_steps, ..Self::default() }
        };
        let wrong = |why| of_graph(Vec::new()).but(Misread { line, place: None, why });
        rows.map_or_else(wrong, of_graph)
    }

    /// A paragraph of a line that is wrong.
    pub fn wrong(line: usize, why: Wrong) -> Self {
        Self { line, is_whole: true, ..Self::default() }.but(Misread { line, place: None, why })
    }

    /// The paragraph with an error, if it is the first, in place of its rows.
    pub fn but(mut self, wrong: Misread) -> Self {
        self.fail(wrong);
        self
    }

    /// Keeps an error, if it is the first, in place of the rows.
    pub fn fail(&mut self, wrong: Misread) {
        self.wrong.get_or_insert(wrong);
        self.rows.clear();
    }

    /// True if there is nothing to be read.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(EntryRow::is_of_tabs) && self.wrong.is_none() && !self.is_whole
    }

    /// True for a line like `# 1` alone.
    pub fn is_numbered_heading(&self) -> bool {
        use Entry::{Number, Sign};
        let is_numbered = |row: &EntryRow| matches!(row.cells[..], [Sign('#'), Number(_)]);
        matches!(&self.rows[..], [row] if !row.has_tabs && is_numbered(row))
    }

    /// True if its last row has one of these numbers of cells, or if it is wrong already.
    pub fn is_of(&self, cells: &RangeInclusive<usize>) -> bool {
        let last = self.rows.last();
        self.wrong.is_some() || last.is_some_and(|row| cells.clone().any(|cells| row.is_of(cells)))
    }

    fn note(&mut self, note: &'static str) {
        let is_graph = self.board.as_ref().is_some_and(Board::is_graph);
        if !is_graph && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Adds the paragraph of the next line, or returns it if it begins another tour or board.
    pub fn join(&mut self, next: Self, restarts: bool) -> Option<Self> {
        let is_graph = self.board.as_ref().is_some_and(Board::is_graph);
        let kind = |rows: &[EntryRow]| match rows.first() {
            _ if is_graph => Kind::Steps,
            row => row.map_or(Kind::Numbers, EntryRow::kind),
        };
        let [first, last, row] = [self.rows.first(), self.rows.last(), next.rows.first()];
        let is_another = match kind(&next.rows) {
            kind_of_row if next.is_whole || kind_of_row != kind(&self.rows) => true,
            // Lines of tabs are rows beside others as long, and otherwise empty lines.
            _ if first.is_some() && self.is_empty() => {
                let cells = first.map_or(0, |row| row.cells.len());
                !row.is_some_and(|row| row.has_tabs && row.is_of(cells))
            }
            Kind::Numbers => false,
            // A step never stays on its square: equal lines are tours of one square.
            Kind::Squares => last.map(|row| &row.cells) == row.map(|row| &row.cells),
            Kind::Steps => restarts && first.map(|row| row.step) == row.map(|row| row.step),
        };
        if is_another {
            return Some(next);
        }
        next.notes.into_iter().for_each(|note| self.note(note));
        self.named = self.named.or(next.named);
        let rows = self.rows.len();
        self.rules.extend(next.rules.into_iter().map(|rule| rule.max(rows)));
        // The rows after an error in a grid are not kept.
        if self.wrong.is_none() {
            let cols = next.rows.first().map_or(0, |row| row.cells.len());
            self.rows.extend(next.rows);
            self.wrong = next.wrong;
            let (rows, side) = (self.rows.len(), Board::LONGEST_SIDE as usize);
            if rows > Self::MOST_ROWS || cols > 2 && rows > side {
                let why = Wrong::Grid { rows, cols, wanted: "a board".to_owned() };
                self.fail(Misread { line: next.line, place: None, why });
            }
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
        let mut rows = std::mem::take(&mut self.rows);
        self.without_heading(&mut rows);
        if rows.is_empty() {
            return Ok(Form::Squares(Vec::new(), false));
        }
        if let Some(row) = rows.iter().find(|row| row.depth != rows[0].depth) {
            return unclear(row.line, "brackets that stand around some rows only");
        }
        if rows.iter().any(|row| row.kind() != Kind::Numbers) {
            return self.list(rows);
        }
        self.without_labels(&mut rows)?;
        self.line = rows[0].line;
        let is_blank = |row: &EntryRow| row.cells.contains(&Entry::Sign(' '));
        let has_comma = |row: &EntryRow| row.has_comma && row.depth == 0;
        let commas = rows.iter().filter(|row| has_comma(row)).count();
        // Commas end the lines, or are followed by an empty place where others are empty.
        let is_last = commas + 1 >= rows.len();
        if commas > 0 && (!is_last || rows.iter().any(is_blank)) {
            let ends = rows.iter_mut().filter(|row| has_comma(row));
            ends.for_each(|row| row.cells.push(Entry::Sign(' ')));
        }
        for row in &rows {
            for (cell, column) in row.cells.iter().zip(1..) {
                let word = match cell {
                    Entry::Word(word) => word.to_string(),
                    Entry::Square(row, col) => format!("{}{}", column_name(*col), row + 1),
                    _ => continue,
                };
                return Misread::at(row.line, Wrong::Number { word, column });
            }
        }
        self.without_size(&mut rows)?;
        self.by_columns(&mut rows, is_of_tour)?;
        self.without_empty_columns(&mut rows, is_of_tour);
        let wanted = rows[0].cells.len();
        let wrong = |row: &EntryRow| Some((row.line, row.cells.len())).filter(|of| of.1 != wanted);
        match rows.iter().find_map(wrong) {
            Some((line, given)) => Misread::at(line, Wrong::Ragged { given, wanted }),
            None => Ok(Form::Grid(rows)),
        }
    }

    /// Leaves out the first row of a table if nothing or the names of columns are above its rule.
    fn without_heading(&mut self, rows: &mut Vec<EntryRow>) {
        let Some(row) = rows.first().filter(|row| row.has_bars && self.rules == [1]) else {
            return;
        };
        let is_empty = (0..row.cells.len()).all(|col| row.is_empty_at(col));
        let names = row.cells.strip_prefix(&[Entry::Sign(' ')]).unwrap_or(&row.cells);
        let is_name = |(name, col): (&Entry, u32)| match name {
            Entry::Word(name) => name.eq_ignore_ascii_case(&column_name(col)),
            // Two rows with a rule between them may be a board.
            name => rows.len() > 2 && *name == Entry::Number(u64::from(col) + 1),
        };
        if rows.len() > 1 && is_empty {
            rows.remove(0);
            self.note("without an empty heading");
        } else if rows.len() > 1 && names.iter().zip(0..).all(is_name) {
            self.named = Some(names.len());
            rows.remove(0);
        }
    }

    /// Leaves out the numbers and the names of rows and columns around a grid.
    fn without_labels(&mut self, rows: &mut Vec<EntryRow>) -> Result<(), Misread> {
        if let Some(cols) = self.named {
            self.note("without the names of columns");
            if rows.iter().all(|row| row.label.is_none() && row.is_of(cols + 1)) {
                let ends = [0, cols].map(|end| (labels_at(rows, end), end));
                let ([(Some(labels), end), (None, _)] | [(None, _), (Some(labels), end)]) = ends
                else {
                    let why = "one column more than names, and rows not numbered at one end";
                    return unclear(rows[0].line, why);
                };
                for (row, label) in rows.iter_mut().zip(labels) {
                    row.cells.remove(end);
                    if !row.places.is_empty() {
                        row.places.remove(end);
                    }
                    row.label = Some(label);
                }
            }
            if let Some(row) = rows.iter().find(|row| row.cells.len() != cols) {
                let why = format!("{cols} names of columns for {} cells", row.cells.len());
                return unclear(row.line, &why);
            }
        }
        if let Some(framed) = rows.iter().find(|row| row.has_bars) {
            let cols = framed.cells.len() as u64;
            let is_heading = |row: &EntryRow| {
                let is_from =
                    |from| row.cells.iter().cloned().eq((from..from + cols).map(Entry::Number));
                !row.has_bars && (is_from(0) || is_from(1))
            };
            let before = rows.len();
            rows.retain(|row| !is_heading(row));
            if rows.len() < before {
                self.note("without the numbers of columns");
            }
            if let Some(row) = rows.iter().find(|row| !row.has_bars) {
                return unclear(row.line, "a row without bars among rows with bars");
            }
        }
        let labels: Vec<u64> = rows.iter().filter_map(|row| row.label).collect();
        if labels.len() == rows.len() && are_labels(&labels) {
            self.note("without the numbers of rows");
        } else if !labels.is_empty() {
            let why = "bars at one end of the rows only: they stand at both ends or between \
                       squares, unless rows are numbered beside them";
            return unclear(rows[0].line, why);
        }
        Ok(())
    }

    /// Leaves out a first row with the number of rows, or of rows and columns.
    fn without_size(&mut self, rows: &mut Vec<EntryRow>) -> Result<(), Misread> {
        let [size, grid @ ..] = &rows[..] else { return Ok(()) };
        let Some(first) = grid.first().filter(|_| !size.has_bars) else { return Ok(()) };
        if self.board.as_ref().is_some_and(|board| board.rows() as usize == rows.len()) {
            return Ok(());
        }
        let (sides, cols) = ([grid.len(), first.cells.len()], first.cells.len());
        let is_side = |cell: &Entry, side: usize| *cell == Entry::Number(side as u64);
        let is_size = match &size.cells[..] {
            [side] => is_side(side, sides[0]) && sides[0] > 1,
            [one, other] => {
                let fits = |[a, b]: [usize; 2]| is_side(one, a) && is_side(other, b);
                fits(sides) || fits([sides[1], sides[0]])
            }
            _ => false,
        };
        let highest =
            |row: &EntryRow| (0..row.cells.len()).filter_map(|col| row.number_at(col)).max();
        let fits =
            grid.iter().filter_map(highest).all(|number| number <= (grid.len() * cols) as u64);
        if !is_size || !fits || grid.iter().any(|row| row.cells.len() != cols) {
            return Ok(());
        }
        if size.cells.len() == cols {
            // As a row, its number may stand there twice.
            let mut cells = grid.iter().flat_map(|row| &row.cells);
            let is_twice = size.cells.windows(2).any(|two| two[0] == two[1]);
            if !is_twice && !cells.any(|cell| size.cells.contains(cell)) {
                return unclear(size.line, "the first row may be a row or the size of the board");
            }
        }
        self.note("without the size in the first line");
        rows.remove(0);
        Ok(())
    }

    /// Fills the places where blanks stand for holes, if columns of characters tell them: the cells
    /// of all rows stand under each other, and some rows have fewer. Any other text whose cells do
    /// not stand under each other is refused, unless they are all separated by the same blanks.
    fn by_columns(&mut self, rows: &mut [EntryRow], is_of_tour: bool) -> Result<(), Misread> {
        if let Some(board) = self.board.as_ref().filter(|board| board.is_hexagonal()) {
            widen(rows, board);
            return Ok(());
        }
        let cols = rows[0].cells.len();
        let is_rectangle = rows.iter().all(|row| row.cells.len() == cols);
        let is_known = self.board.as_ref().is_some_and(|board| board.cols() as usize == cols);
        let has_places = |row: &EntryRow| {
            let count = row.cells.len();
            count > 0 && row.places.len() == count && !row.places.contains(&NOWHERE)
        };
        if is_rectangle && is_known || !rows.iter().all(has_places) {
            return Ok(());
        }
        let places = || rows.iter().flat_map(|row| &row.places);
        let width = places().map(|place| place.1 - place.0).max().unwrap_or(0);
        if self.board.is_none() && stagger(rows).is_some() {
            self.is_staggered = true;
            self.note("as hexagons");
            return Ok(());
        }
        let places = || rows.iter().flat_map(|row| &row.places);
        let gaps = rows.iter().flat_map(|row| row.places.windows(2));
        let gaps: Vec<u16> = gaps.map(|two| two[1].0.saturating_sub(two[0].1)).collect();
        let is_straight = rows.iter().all(|row| row.places[0].0 == rows[0].places[0].0);
        let is_even = gaps.iter().all(|gap| *gap == gaps[0] && *gap > 0);
        if is_straight && is_even && (cols > 2 || gaps.iter().all(|gap| *gap <= 1 + width)) {
            return Ok(());
        }
        let columns = columns(places());
        let column = |place: &Span| columns.partition_point(|column| column.0 <= place.0) - 1;
        let filled: Vec<Vec<usize>> =
            rows.iter().map(|row| row.places.iter().map(column).collect()).collect();
        let is_full = |filled: &Vec<usize>| filled.len() == columns.len();
        let are = |is: &dyn Fn(&[Span]) -> bool| columns.windows(2).all(is);
        let pitch = |of: fn(&Span) -> u16| {
            let first = columns.get(1).map_or(0, |second| of(second) - of(&columns[0]));
            // A wide print of two columns has blanks before the first.
            let is_wide = columns.len() > 2 || (of(&columns[0]) + 1) / first.max(1) == 1;
            is_wide && are(&|two| of(&two[1]) - of(&two[0]) == first)
        };
        let gap = |two: &[Span]| two[1].0 - two[0].1;
        let least = if columns.len() > 2 { columns.windows(2).map(gap).min() } else { None };
        let is_tight = are(&|two| gap(two) <= least.unwrap_or(1) + width);
        let is_regular = pitch(|place| place.0) || pitch(|place| place.1) || is_tight;
        let is_apart = are(&|two| gap(two) > 0);
        let are_single = filled.iter().all(|row| row.windows(2).all(|two| two[0] < two[1]));
        if is_rectangle && is_apart && is_regular && are_single && filled.iter().all(is_full) {
            return Ok(());
        }
        let is_cut = |filled: &Vec<usize>| filled.iter().copied().eq(0..filled.len());
        if !is_rectangle && is_straight && filled.iter().all(is_cut) {
            return Ok(());
        }
        let has_neighbours = filled.iter().flat_map(|row| row.windows(2));
        let has_neighbours = { has_neighbours }.any(|two| two[1] == two[0] + 1);
        let is_fill = |cell: &Entry| match cell {
            Entry::Sign(sign) => !"#Xx*".contains(*sign),
            cell => *cell == Entry::Number(0),
        };
        let has_fills = rows.iter().any(|row| row.cells.iter().any(is_fill));
        let is_told = is_of_tour || has_fills;
        if is_apart && is_regular && are_single && has_neighbours && is_told {
            for (row, filled) in rows.iter_mut().zip(filled) {
                let mut cells = vec![Entry::Sign('#'); columns.len()];
                for (cell, col) in row.cells.drain(..).zip(filled) {
                    cells[col] = cell;
                }
                row.cells = cells;
            }
            self.note("with blanks as holes");
            return Ok(());
        }
        let row = filled.iter().position(|row| *row != filled[0]).unwrap_or(0);
        let why = "cells do not stand under each other, or blanks may be squares: write . for a \
                   square to fill, # for a hole";
        unclear(rows[row].line, why)
    }

    /// Leaves out the columns that are empty in all rows if tabs align rows without any other empty
    /// place. In a part-filled board, squares to fill have another sign then, or there are none.
    fn without_empty_columns(&self, rows: &mut [EntryRow], is_of_tour: bool) {
        let cols = rows[0].cells.len();
        let is_wanted = self.board.as_ref().is_some_and(|board| board.cols() as usize == cols);
        if is_wanted || !rows.iter().all(|row| row.has_tabs && row.cells.len() == cols) {
            return;
        }
        let is_kept = |col: &usize| rows.iter().any(|row| !row.is_empty_at(*col));
        let kept: Vec<usize> = (0..cols).filter(is_kept).collect();
        let is_even = kept.windows(3).all(|cols| cols[1] - cols[0] == cols[2] - cols[1]);
        let is_full = rows.iter().all(|row| kept.iter().all(|col| !row.is_empty_at(*col)));
        let most = (rows.len() * kept.len()) as u64;
        let is_fill = |cell: &Entry| match cell {
            Entry::Sign(sign) => !" #".contains(*sign),
            cell => *cell == Entry::Number(0),
        };
        let is_high = |cell: &Entry| matches!(cell, Entry::Number(number) if *number > most);
        let has = |is: &dyn Fn(&Entry) -> bool| rows.iter().any(|row| row.cells.iter().any(is));
        let is_board = has(&is_fill) || kept.len() > 2 && !has(&is_high);
        if is_even && is_full && (is_of_tour || is_board) {
            for row in rows {
                row.cells = kept.iter().map(|col| row.cells[*col].clone()).collect();
            }
        }
    }

    /// The squares of a list, in their order or with their steps.
    fn list(&mut self, rows: Vec<EntryRow>) -> Result<Form, Misread> {
        self.line = rows[0].line;
        let lists = rows.iter().map(EntryRow::squares).collect::<Result<Vec<_>, _>>()?;
        let is_single = lists.iter().all(|squares| squares.len() == 1);
        if is_single && rows.iter().all(|row| row.step.is_some()) {
            self.note("with their steps");
            let step = |(row, at): (&EntryRow, _)| {
                Some(GivenStep { line: row.line, place: None, number: row.step?, at })
            };
            let squares = lists.into_iter().flatten();
            return Ok(Form::Steps(rows.iter().zip(squares).filter_map(step).collect()));
        }
        if rows.iter().any(|row| row.step.is_some()) {
            // Moves in pairs, as games of chess are written.
            let are_counted = rows.iter().zip(1..).all(|(row, step)| row.step == Some(step));
            let mut lengths = lists.iter().rev().map(Vec::len);
            let is_end = lengths.next().is_some_and(|last| last < 3);
            if !(are_counted && is_end && lengths.all(|length| length == 2)) {
                return unclear(self.line, "numbers among squares that do not count them");
            }
            self.note("numbered in pairs");
        } else if lists.len() > 1 {
            if !is_single && self.deepest != 1 {
                let why = "several lists of squares in one: write each tour on a line";
                return unclear(self.line, why);
            }
            self.note("over several lines");
        }
        Ok(Form::Squares(lists.concat(), self.are_pairs))
    }
}

/// Fills the rows of a hexagonal board, which go from its first square to its last one, with holes.
fn widen(rows: &mut [EntryRow], board: &Board) {
    if rows.len() != board.rows() as usize {
        return;
    }
    for (row, (_, _, cols)) in rows.iter_mut().zip(TextRows::new(board, 1).rows) {
        if row.cells.len() == cols.len() {
            let holes = |from, to| (from..to).map(|_| Entry::Sign('#'));
            row.cells.splice(..0, holes(0, cols.start));
            row.cells.extend(holes(cols.end, board.cols()));
        }
    }
}

/// Reads rows of hexagons: each stands half a cell to the right or to the left of the one above, by
/// the first or the last characters of its cells, and has no gap. Fills the rows with holes.
fn stagger(rows: &mut [EntryRow]) -> Option<()> {
    let by = |end: fn(&Span) -> u16, other: fn(&Span) -> u16| {
        let ends = |row: &EntryRow| row.places.iter().map(end).map(i64::from).collect();
        let ends: Vec<Vec<i64>> = rows.iter().map(ends).collect();
        let mut gaps = ends.iter().flat_map(|row| row.windows(2)).map(|two| two[1] - two[0]);
        let pitch = gaps.next().filter(|pitch| pitch % 2 == 0 && gaps.all(|gap| gap == *pitch))?;
        let places: Vec<i64> = ends.iter().map(|row| row[0] - ends[0][0]).collect();
        let is_half = |two: &[i64]| (two[1] - two[0]).rem_euclid(pitch) == pitch / 2;
        // The letters of columns go along rows that lean to the left.
        let up = (0..rows.len() as i64).rev();
        let firsts: Vec<i64> = places.iter().zip(up).map(|(x, up)| x * 2 / pitch + up).collect();
        let least = *firsts.iter().min()?;
        let firsts: Vec<usize> = firsts.iter().map(|first| (first - least) as usize / 2).collect();
        // Cells of columns would stand under each other by the other end.
        let places_of = || rows.iter().flat_map(|row| &row.places);
        let others = || places_of().map(|place| i64::from(other(place)));
        let is_table = others().zip(others().skip(1)).all(|(one, two)| (two - one) % pitch == 0);
        let is_narrow = places_of().all(|place| i64::from(place.1 - place.0) < pitch);
        let is_staggered = rows.len() > 1 && places.windows(2).all(is_half);
        (is_staggered && is_narrow && !is_table).then_some(firsts)
    };
    let (left, right) = (|place: &Span| place.0, |place: &Span| place.1);
    let firsts = by(right, left).or_else(|| by(left, right))?;
    let cols = rows.iter().zip(&firsts).map(|(row, first)| first + row.cells.len()).max()?;
    for (row, first) in rows.iter_mut().zip(firsts) {
        row.cells.splice(..0, vec![Entry::Sign('#'); first]);
        row.cells.resize(cols, Entry::Sign('#'));
    }
    Some(())
}

/// The columns of characters in which cells stand: the places that some cells have in common.
fn columns<'a>(places: impl Iterator<Item = &'a Span> + Clone) -> Vec<Span> {
    let end = places.clone().map(|place| place.1).max().unwrap_or(0);
    // Each column of characters with whether the cell in it covers the next one too.
    let mut covered: Vec<Option<bool>> = vec![None; end.into()];
    for at in places.flat_map(|place| (place.0..place.1).map(|at| (at, at + 1 < place.1))) {
        let covers = &mut covered[usize::from(at.0)];
        *covers = Some(at.1 || *covers == Some(true));
    }
    let (mut columns, mut goes_on): (Vec<Span>, _) = (Vec::new(), false);
    for (at, covers) in (0..).zip(covered) {
        if let (Some(_), true, Some(last)) = (covers, goes_on, columns.last_mut()) {
            last.1 = at + 1;
        } else if covers.is_some() {
            columns.push((at, at + 1));
        }
        goes_on = covers == Some(true);
    }
    columns
}

/// True for the numbers of rows, from 0 or from 1, upwards or downwards.
fn are_labels(labels: &[u64]) -> bool {
    let labels = || labels.iter().copied();
    let count = |from| from..from + labels().len() as u64;
    [0, 1].into_iter().any(|from| labels().eq(count(from)) || labels().eq(count(from).rev()))
}

/// The numbers of the rows, if they are in this column.
fn labels_at(rows: &[EntryRow], col: usize) -> Option<Vec<u64>> {
    let labels = rows.iter().map(|row| row.number_at(col));
    labels.collect::<Option<Vec<_>>>().filter(|labels| are_labels(labels))
}
