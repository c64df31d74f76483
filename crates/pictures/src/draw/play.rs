//! A page to solve puzzles in, without a network.
//!
//! The script finds what it needs in a list of puzzles: squares are numbered by the steps of the
//! solution, from 0. Each puzzle has the places of its squares in the rectangle of the board, the
//! steps that are given, for each square those that a move leads to, and the hints that solve the
//! puzzle one after the other. So a number is right if it is that of its square, and a hint follows
//! from the numbers on the board once those of the hints before it are there.

use super::joined::{middle, outline, place};
use super::markup::{self, Template, escaped, page_script, page_style};
use super::puzzle::{self, PuzzleDrawing, has_one_move, own_title, piece, rules};
use crate::board::Wrap;
use serde_json::{Value, json};

const PAGE: &str = include_str!("play.html");
const STYLE: &str = include_str!("play.css");
const SCRIPT: &str = include_str!("play.js");

/// A page to solve puzzles in.
pub fn play(title: Option<&str>, puzzles: &[PuzzleDrawing]) -> String {
    let page = Template {
        text: PAGE,
        title: title.map_or_else(|| own_title(puzzles), str::to_owned),
        board: puzzle::STYLE.to_owned(),
        style: page_style(STYLE),
        script: Some(page_script(SCRIPT)),
    };
    let about = |puzzle: &PuzzleDrawing| match has_one_move(puzzles) {
        true => puzzle.to_string(),
        false => format!("{}, {puzzle}", piece(puzzle.board())),
    };
    let board = |puzzle: &PuzzleDrawing| {
        let label = format!("aria-label=\"{}\"", escaped(&about(puzzle)));
        puzzle.on_page(&label, true, false)
    };
    let data = || {
        let puzzles: Value = puzzles.iter().map(|puzzle| data(puzzle, about(puzzle))).collect();
        // No text ends the element that it is in.
        puzzles.to_string().replace('<', "\\u003c")
    };
    markup::filled(&page, |name| match name {
        "rules" => escaped(&rules(puzzles)),
        "boards" => puzzles.iter().map(board).collect(),
        "puzzles" => data(),
        _ => String::new(),
    })
}

/// The facts that the script has to know about a puzzle.
fn data(puzzle: &PuzzleDrawing, about: String) -> Value {
    let (board, squares) = (puzzle.board(), puzzle.solution.squares());
    let mut steps = vec![0; squares.len()];
    squares.iter().zip(0..).for_each(|(square, step)| steps[square.index()] = step);
    let near = |&square: &_| board.moves(square).map(|to| steps[to.index()]).collect::<Vec<i32>>();
    let given = puzzle.is_given.iter().enumerate().filter(|(_, is_given)| **is_given);
    json!({
        "about": about,
        "rows": board.rows(),
        "cols": board.cols(),
        "closed": puzzle.is_closed(),
        "hex": board.is_hexagonal(),
        "middles": squares.iter().map(|&square| middle(board, square)).collect::<Vec<_>>(),
        "outlines": squares.iter().map(|&at| outline(board, at)).collect::<Vec<_>>(),
        "wraps": board.layout().is_some_and(|layout| layout.wrap != Wrap::None),
        "places": squares.iter().map(|&square| place(board, square)).collect::<Vec<_>>(),
        "given": given.map(|(step, _)| step).collect::<Vec<_>>(),
        "near": squares.iter().map(near).collect::<Vec<_>>(),
        "hints": puzzle.hints.iter().map(|(step, words)| json!([step - 1, words])).collect::<Vec<_>>(),
    })
}
