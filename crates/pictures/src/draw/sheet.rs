//! A sheet of puzzles: a page that is printed on A4 or Letter, with the answers at the end.
//!
//! Each page of the sheet is a part of the document whose size fits the smaller side of both
//! formats, so the sheet has the same pages on both. All sizes are in millimetres. Boards stand in
//! a grid; as many go on a page as leave their squares large enough to write in.

use super::joined::extent;
use super::markup::{self, Template, escaped};
use super::puzzle::{PuzzleDrawing, has_one_move, own_title, piece, rules};
use std::fmt::Write;

const PAGE: &str = include_str!("sheet.html");
const STYLE: &str = include_str!("sheet.css");

/// The part of a page that boards may take: A4 is less wide and Letter less high, each with a
/// margin of 12 mm, and above the boards are the title and the rules.
const AREA: [f64; 2] = [186.0, 216.0];

/// The space between boards side by side, and the space below a board.
const BESIDE: f64 = 8.0;
const BELOW: [f64; 2] = [3.0, 12.0];

/// The boards of a part of the sheet, such as its answers.
struct Part {
    class: &'static str,
    is_answers: bool,
    /// The height of a caption: a line, and for a puzzle two small ones with its techniques.
    caption: f64,
    /// The least and the most side of a square.
    side: [f64; 2],
}

const PARTS: [Part; 2] = [
    Part { class: "puzzles", is_answers: false, caption: 9.0, side: [7.5, 15.0] },
    Part { class: "answers", is_answers: true, caption: 6.0, side: [4.5, 8.0] },
];

/// The arrangement of the boards of a part on each of its pages.
#[derive(Debug, Clone, Copy)]
struct Arrangement {
    across: usize,
    down: usize,
    side: f64,
    /// The space below a board.
    below: f64,
}

/// A page to print: the puzzles, and their answers on pages of their own.
pub fn sheet(title: Option<&str>, puzzles: &[PuzzleDrawing]) -> String {
    let parts = PARTS.map(|part| (part.arrangement(puzzles), part));
    let grids = parts.iter().map(|(Arrangement { across, below, .. }, part)| {
        let columns = format!("grid-template-columns: repeat({across}, 1fr)");
        format!(".{} {{ {columns}; row-gap: {below:.1}mm }}\n", part.class)
    });
    let title = title.map_or_else(|| own_title(puzzles), str::to_owned);
    let page = Template {
        text: PAGE,
        board: grids.collect(),
        style: STYLE.to_owned(),
        script: None,
        title: title.clone(),
    };
    let pages = || {
        parts.iter().map(|(arrangement, part)| part.pages(*arrangement, &title, puzzles)).collect()
    };
    markup::filled(&page, |name| if name == "pages" { pages() } else { String::new() })
}

impl Part {
    /// The arrangement of as many boards as possible with squares that are not too small, which
    /// fills all pages as evenly as possible, with squares as large as possible.
    fn arrangement(&self, puzzles: &[PuzzleDrawing]) -> Arrangement {
        let all = puzzles.iter().map(|one| extent(one.board()));
        let sides = all.fold([1.0_f64; 2], |most, one| [most[0].max(one.0), most[1].max(one.1)]);
        /// The most boards side by side.
        const MOST: usize = 8;
        let all = (1..=MOST).flat_map(|across| (1..=MOST).map(move |down| (across, down)));
        let arrangement = |(across, down)| {
            let [width, height] = [AREA[0] / across as f64, AREA[1] / down as f64];
            let wide = (width - BESIDE) / sides[0];
            let high = (height - self.caption - BELOW[0]) / sides[1];
            let side = wide.min(high).min(self.side[1]);
            let below = (height - self.caption - side * sides[1]).clamp(BELOW[0], BELOW[1]);
            Arrangement { across, down, side, below }
        };
        let all: Vec<Arrangement> = all.map(arrangement).collect();
        // A wide board may have smaller squares even alone.
        let least = self.side[0].min(all[0].side);
        let is_legible = |arrangement: &&Arrangement| arrangement.side >= least;
        let most = all.iter().filter(is_legible).map(Arrangement::boards).max().unwrap_or(1);
        let each = puzzles.len().div_ceil(puzzles.len().div_ceil(most).max(1));
        let enough = all.iter().copied().filter(|arrangement| arrangement.boards() >= each);
        let larger = |one: &Arrangement, other: &Arrangement| one.side.total_cmp(&other.side);
        enough.max_by(larger).unwrap_or(all[0])
    }

    fn pages(&self, arrangement: Arrangement, title: &str, puzzles: &[PuzzleDrawing]) -> String {
        let heading = escaped(title) + if self.is_answers { ": answers" } else { "" };
        let mut rules = format!("<p>{}</p>\n", escaped(&rules(puzzles)));
        let (names_pieces, mut text) = (!has_one_move(puzzles), String::new());
        let are_mixed = puzzles.iter().any(|puzzle| puzzle.is_closed() != puzzles[0].is_closed());
        for (page, part) in puzzles.chunks(arrangement.boards()).enumerate() {
            let has_rules = page == 0 && !self.is_answers;
            let rules = if has_rules { std::mem::take(&mut rules) } else { String::new() };
            // Writing to a string does not fail.
            let _ = write!(text, "<section class=\"page\">\n<h1>{heading}</h1>\n{rules}");
            let _ = writeln!(text, "<div class=\"boards {}\">", self.class);
            for (puzzle, number) in part.iter().zip(page * arrangement.boards() + 1..) {
                let is_named = are_mixed && puzzle.is_closed();
                let caption = match (piece(puzzle.board()), puzzle.caption()) {
                    _ if self.is_answers => String::new(),
                    (piece, caption) if names_pieces && is_named => {
                        format!("{piece}, closed: {caption}")
                    }
                    (piece, caption) if names_pieces => format!("{piece}: {caption}"),
                    (_, caption) if is_named => format!("closed: {caption}"),
                    (_, caption) => caption,
                };
                let techniques = if self.is_answers { "" } else { puzzle.techniques() };
                let _ = writeln!(
                    text,
                    "<figure>\n<figcaption><b>{number}</b> <span>{caption}<small>{techniques}</small></span></figcaption>"
                );
                let (width, height) = extent(puzzle.board());
                let [width, height] =
                    [width, height].map(|squares| (squares + 0.1) * arrangement.side);
                let size = format!("width=\"{width:.1}mm\" height=\"{height:.1}mm\"");
                text += &(puzzle.on_page(&size, false, self.is_answers) + "</figure>\n");
            }
            text += "</div>\n</section>\n";
        }
        text
    }
}

impl Arrangement {
    /// The number of boards of a page.
    fn boards(&self) -> usize {
        self.across * self.down
    }
}
