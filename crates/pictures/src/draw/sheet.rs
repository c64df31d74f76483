//! A sheet of puzzles: chapters that are printed on A4 or Letter, with all answers at the end.
//!
//! Each page of the sheet is a part of the document whose size fits the smaller side of both
//! formats, so the sheet has the same pages on both. All sizes are in millimetres. The boards of a
//! page stand in a grid; as many go on a page as leave their squares large enough to write in, so
//! small boards stand in more columns than large ones.

use super::markup::{self, Template, escaped};
use super::puzzle::{PuzzleDrawing, has_one_move, own_title, piece, rules};
use super::svg::size_on_page;
use std::fmt::Write;

const PAGE: &str = include_str!("sheet.html");
const STYLE: &str = include_str!("sheet.css");

/// The printed part of a page: A4 is less wide and Letter less high, each with a margin of 12 mm.
const AREA: [f64; 2] = [186.0, 253.0];

/// The height of a line of the title and of the rules, and the number of its letters.
const TITLE: (f64, f64) = (7.0, 48.0);
const RULES: (f64, f64) = (5.2, 90.0);

/// The height of what is around the title and the rules.
const AROUND: f64 = 10.0;

/// The space between boards side by side, and the space below a board.
const BESIDE: f64 = 8.0;
const BELOW: [f64; 2] = [3.0, 12.0];

/// The most boards side by side.
const MOST: usize = 8;

/// How a sheet is printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct SheetStyle {
    /// True if rows and columns have their names.
    pub coordinates: bool,
    /// True if squares and letters are half as large again.
    pub is_large: bool,
}

/// Puzzles that follow each other below a title.
#[derive(Debug, Clone, Copy)]
pub struct Chapter<'a> {
    /// The title; without one, what kind of puzzles they are.
    pub title: Option<&'a str>,
    /// The puzzles.
    pub puzzles: &'a [PuzzleDrawing],
}

/// The boards of a part of the sheet, such as its answers.
#[derive(Debug, Clone, Copy)]
struct Part {
    class: &'static str,
    is_answers: bool,
    /// The height of a caption: a line, and for a puzzle two small ones with its techniques.
    caption: f64,
    /// The least and the most side of a square.
    side: [f64; 2],
}

const PUZZLES: Part = Part { class: "puzzles", is_answers: false, caption: 9.0, side: [7.5, 15.0] };
const ANSWERS: Part = Part { class: "answers", is_answers: true, caption: 6.0, side: [4.5, 8.0] };

/// The arrangement of the boards of a page.
#[derive(Debug, Clone, Copy)]
struct Arrangement {
    across: usize,
    /// The number of boards of a page.
    boards: usize,
    side: f64,
    /// The space below a board.
    below: f64,
}

/// A page to print: the puzzles of each chapter, numbered from the first chapter to the last, and
/// then the answers of all.
pub fn sheet(chapters: &[Chapter], style: SheetStyle) -> String {
    let scale = if style.is_large { 1.5 } else { 1.0 };
    let [questions, answers] = [PUZZLES, ANSWERS].map(|part| part.scaled(scale));
    let (mut pages, mut first) = (String::new(), 1);
    let title = |one: &Chapter| one.title.map_or_else(|| own_title(one.puzzles), str::to_owned);
    let titles: Vec<String> = chapters.iter().map(title).collect();
    for (chapter, title) in chapters.iter().zip(&titles) {
        let rules = rules(chapter.puzzles);
        let text = Text { title, rules: &rules, first, scale, coordinates: style.coordinates };
        pages += &questions.pages(&text, chapter.puzzles);
        first += chapter.puzzles.len();
    }
    let all: Vec<_> = chapters.iter().flat_map(|chapter| chapter.puzzles).cloned().collect();
    let title = titles.first().cloned().unwrap_or_default();
    let heading = match titles.iter().all(|other| *other == title) {
        true => format!("{title}: answers"),
        false => "Answers".to_owned(),
    };
    let text = Text { title: &heading, rules: "", first: 1, scale, coordinates: style.coordinates };
    pages += &answers.pages(&text, &all);
    let page = Template {
        text: PAGE,
        board: format!(":root {{ font-size: {}pt }}\n", 10.0 * scale) + &grids(),
        style: STYLE.to_owned(),
        script: None,
        title,
    };
    markup::filled(&page, |name| if name == "pages" { pages.clone() } else { String::new() })
}

/// The grids of boards. The policy of a page forbids styles of single elements.
fn grids() -> String {
    let across = (1..=MOST).map(|across| {
        format!(".across{across} {{ grid-template-columns: repeat({across}, 1fr) }}\n")
    });
    let below = BELOW[0] as usize..=BELOW[1] as usize;
    let below = below.map(|below| format!(".below{below} {{ row-gap: {below}mm }}\n"));
    across.chain(below).collect()
}

/// What stands around the boards of a part of the sheet.
struct Text<'a> {
    title: &'a str,
    rules: &'a str,
    /// The number of the first board.
    first: usize,
    /// The size of letters.
    scale: f64,
    coordinates: bool,
}

impl Text<'_> {
    /// The height that is left to the boards of a page, the same on all, so that boards of one
    /// size look the same.
    fn height(&self) -> f64 {
        let lines = |text: &str, (line, letters): (f64, f64)| {
            (text.chars().count() as f64 * self.scale / letters).ceil() * line * self.scale
        };
        AREA[1] - AROUND - lines(self.title, TITLE) - lines(self.rules, RULES)
    }
}

impl Part {
    fn scaled(self, scale: f64) -> Self {
        Self { caption: self.caption * scale, side: self.side.map(|side| side * scale), ..self }
    }

    fn pages(&self, text: &Text, puzzles: &[PuzzleDrawing]) -> String {
        let sizes: Vec<_> =
            puzzles.iter().map(|one| size_on_page(one.board(), text.coordinates)).collect();
        let height = text.height();
        let fewest = self.arrangements(&sizes, height, usize::MAX).len();
        // The last page has nearly as many boards as the others.
        let mut even = (1..).map(|most| self.arrangements(&sizes, height, most));
        let pages = even.find(|pages| pages.len() == fewest);
        let (mut html, mut first) = (String::new(), 0);
        for (arrangement, count) in pages.into_iter().flatten() {
            html += &self.page(arrangement, text, puzzles, first..first + count);
            first += count;
        }
        html
    }

    /// The pages of boards of these sizes, each with the number of its boards: as many as are
    /// legible, and at most the given number.
    fn arrangements(
        &self,
        mut sizes: &[(f64, f64)],
        height: f64,
        most: usize,
    ) -> Vec<(Arrangement, usize)> {
        let mut pages = Vec::new();
        loop {
            let mut largest: (f64, f64) = (0.0, 0.0);
            let page = (1..=most).zip(sizes).map_while(|(count, &(wide, high))| {
                largest = (largest.0.max(wide), largest.1.max(high));
                let arrangement = self.arrangement(largest, height, most);
                (arrangement.boards >= count).then_some((arrangement, count))
            });
            let Some(page) = page.last() else { return pages };
            sizes = &sizes[page.1..];
            pages.push(page);
        }
    }

    /// The arrangement of as many boards of a size as are legible, up to a number, with squares as
    /// large as possible.
    fn arrangement(&self, (wide, high): (f64, f64), height: f64, most: usize) -> Arrangement {
        let all = (1..=MOST).flat_map(|across| (1..=MOST).map(move |down| (across, down)));
        let arrangement = |(across, down)| {
            let [width, height] = [AREA[0] / across as f64, height / down as f64];
            let side = (width - BESIDE) / wide;
            let side = side.min((height - self.caption - BELOW[0]) / high).min(self.side[1]);
            let below = (height - self.caption - side * high).clamp(BELOW[0], BELOW[1]);
            Arrangement { across, boards: across * down, side, below }
        };
        let all: Vec<Arrangement> = all.map(arrangement).collect();
        // A wide board may have smaller squares even alone.
        let least = self.side[0].min(all[0].side);
        let is_legible = |arrangement: &&Arrangement| arrangement.side >= least;
        let legible = all.iter().filter(is_legible).map(|one| one.boards).max().unwrap_or(1);
        let enough = all.iter().filter(|arrangement| arrangement.boards >= legible.min(most));
        let larger = |one: &&Arrangement, other: &&Arrangement| one.side.total_cmp(&other.side);
        enough.max_by(larger).copied().unwrap_or(all[0])
    }

    fn page(
        &self,
        arrangement: Arrangement,
        text: &Text,
        puzzles: &[PuzzleDrawing],
        shown: std::ops::Range<usize>,
    ) -> String {
        let Arrangement { across, below, side, .. } = arrangement;
        let mut html = format!("<section class=\"page\">\n<h1>{}</h1>\n", escaped(text.title));
        if shown.start == 0 && !self.is_answers {
            html += &format!("<p>{}</p>\n", escaped(text.rules));
        }
        let below = below.floor();
        html += &format!("<div class=\"boards {} across{across} below{below}\">\n", self.class);
        for place in shown {
            let (puzzle, number) = (&puzzles[place], text.first + place);
            let (caption, techniques) = match self.is_answers {
                true => (String::new(), ""),
                false => (caption(puzzle, puzzles), puzzle.techniques()),
            };
            let (width, height) = size_on_page(puzzle.board(), text.coordinates);
            let [width, height] = [width * side, height * side];
            let size = format!("width=\"{width:.1}mm\" height=\"{height:.1}mm\"");
            let drawing = puzzle.on_page(&size, text.coordinates, self.is_answers);
            // Writing to a string does not fail.
            let _ = writeln!(
                html,
                "<figure>\n<figcaption><b>{number}</b> <span>{caption}<small>{techniques}</small></span></figcaption>\n{drawing}</figure>"
            );
        }
        html + "</div>\n</section>\n"
    }
}

/// What stands above a puzzle: what tells it from the others of its chapter, and the number of its
/// clues.
fn caption(puzzle: &PuzzleDrawing, puzzles: &[PuzzleDrawing]) -> String {
    let piece = piece(puzzle.board());
    let is_closed = puzzle.is_closed();
    let are_mixed = puzzles.iter().any(|other| other.is_closed() != is_closed);
    let kind = match (has_one_move(puzzles), is_closed && are_mixed) {
        (true, true) => "closed: ".to_owned(),
        (true, false) => String::new(),
        (false, true) => format!("{piece}, closed: "),
        (false, false) => format!("{piece}: "),
    };
    // The rules name the last number of boards of one size.
    let last = puzzle.is_given.len();
    let have_one_size = puzzles.iter().all(|other| other.is_given.len() == last);
    let is_known = have_one_size || puzzle.is_given[last - 1];
    let last = if is_known { String::new() } else { format!("; the last is {last}") };
    format!("{kind}{}{last}", puzzle.caption())
}
