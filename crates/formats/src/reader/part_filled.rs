//! Reads boards with some steps given: puzzles, in the forms that people write.
//!
//! - Rows of numbers and signs up to an empty line, the top row first, in all the forms of a grid
//!   that a tour may have. `.`, `_`, `?`, `0`, a dash or an empty place is a square to fill; `#`,
//!   `-1`, and beside another sign `X`, `x` and `*` are holes.
//! - Steps with their squares, as in `1=a1 18=e7`, if the board is known.

use super::paragraphs::{KnownBoard, Paragraphs, Reader};
use super::squares::Filled;
use super::table::{Form, Paragraph};
use super::wrong::{Misread, Wrong, quoted, unclear};
use crate::board::{Board, Square};
use crate::tour::PartFilled;

/// Reads boards with some steps given, line by line.
///
/// ```
/// # use kt_enum_formats as kt_enum;
/// use kt_enum::tour::{KnownBoard, PartFilledReader};
/// let read = PartFilledReader::new(KnownBoard::default()).read_all("3 . . 11\n. # 2 .\n1 . . .");
/// let puzzle = read.into_iter().next().expect("a board")?;
/// assert_eq!(puzzle.board.to_string(), "3x4 without=b2");
/// assert_eq!(puzzle.steps.len(), 4);
/// # Ok::<(), kt_enum::tour::Misread>(())
/// ```
pub type PartFilledReader = Reader<Result<PartFilled, Misread>>;

impl PartFilledReader {
    /// Creates a reader of boards of which something is known.
    pub fn new(expected: KnownBoard) -> Self {
        Self { paragraphs: Paragraphs::new(expected, false), of: board }
    }
}

fn board(known: &KnownBoard, mut paragraph: Paragraph) -> Result<PartFilled, Misread> {
    let Filled { board, squares } = match paragraph.end(false)? {
        Form::Grid => Filled::of_rows(&mut paragraph, known, false)?,
        Form::Steps(steps) => Filled::of_list(&steps, &mut paragraph)?,
        Form::Squares(_) => {
            return unclear(paragraph.line, "squares without their steps: write 1=a1 18=e7");
        }
    };
    let rows: Vec<usize> = paragraph.rows.iter().map(|row| row.line).collect();
    let (line, form) = (rows.first().copied().unwrap_or(paragraph.line), paragraph.form);
    let links = paragraph.links.iter().map(|text| link(&board, text));
    let links = links.collect::<Result<_, _>>().or_else(|why| Misread::at(line, why))?;
    let steps = (1..).zip(squares).filter_map(|(step, at)| Some((step, at?)));
    let (steps, is_closed): (Vec<_>, _) = (steps.collect(), paragraph.is_closed);
    // A solution is of the board of its puzzle, but the next puzzle may be of any board.
    let is_whole = steps.len() == board.squares();
    let may_be_whole =
        |why: &Wrong| matches!(why, Wrong::OtherBoard { .. } | Wrong::OtherKind { .. });
    match paragraph.doubt.filter(|why| !(is_whole && may_be_whole(why))) {
        Some(why) => Misread::at(line, why),
        None => Ok(PartFilled { line, board, steps, is_closed, links, form, rows }),
    }
}

/// Two squares with a dash between them: `b2-b3`.
///
/// # Errors
/// [`Wrong`] if they are not two squares of the board.
pub fn link(board: &Board, text: &str) -> Result<[Square; 2], Wrong> {
    let form = || Wrong::Unclear(format!("`{}` is not two squares, such as b2-b3", quoted(text)));
    let (one, other) = text.split_once('-').ok_or_else(form)?;
    Ok([board.parse_square(one)?, board.parse_square(other)?])
}
