//! Many tours as one page: a gallery that shows a page of them at a time, and a player.
//!
//! The page is one file without any address in it. Its policy (a `meta` element) allows no network
//! and no script or style but the two inside, by their SHA-256. The tours are letters and digits
//! only:
//!
//! - A run is tours of one board, one after the other; all its records have the same length, so
//!   that the script finds any of them at once.
//! - A record is digits of base 64: two for the kind and the symmetries (a bit each), four for the
//!   start square, and one for every two moves, 3 bits each, in the order of [`KNIGHT_MOVES`].
//!
//! On a board that is not a full knight's board, squares are numbered by their places in the
//! rectangle, and a move is the number of its target, in as many digits as the last place has. What
//! the script has to know about such a board stands in a list of grounds. Lines of the script that
//! only such boards need are left out of other pages.

use super::joined::{Joined, Point, extent, holes, middle, names, outline, place};
use super::markup::{self, Template, page_script, page_style, push_digits};
use super::{NotDrawn, Subject, svg};
use crate::board::{Board, KNIGHT_MOVES, Square, Symmetry};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("gallery.html");
const STYLE: &str = include_str!("gallery.css");
const SCRIPT: &str = include_str!("gallery.js");

/// The end of the lines of the script that only boards other than full knight's boards need.
const ANY_BOARD: &str = " // any board";

/// A page of tours.
#[derive(Debug, Clone, Default)]
pub struct Gallery {
    style: svg::Style,
    runs: Vec<BoardRun>,
    tours: usize,
    squares: usize,
    /// The symmetries of tours in words, by the bits of their symmetries.
    under: BTreeMap<usize, String>,
}

#[derive(Debug, Clone)]
struct BoardRun {
    board: Board,
    records: String,
}

impl Gallery {
    /// The most tours of a page.
    pub const MOST_TOURS: usize = 1 << 18;

    /// The most squares of all tours of a page: as many tours of 8x8 as a page has. It is 10 MB
    /// then.
    pub const MOST_SQUARES: usize = 1 << 24;

    /// A page without tours. Its title, unless one is given, names the board that all tours are of.
    pub fn new(style: svg::Style) -> Self {
        Self { style, ..Self::default() }
    }

    /// The number of tours.
    pub fn tours(&self) -> usize {
        self.tours
    }

    /// Adds a tour.
    ///
    /// # Errors
    /// [`NotDrawn::Full`] when there is no room for it.
    pub fn add(&mut self, subject: &Subject) -> Result<(), NotDrawn> {
        let squares = self.squares + subject.squares().len();
        if self.tours == Self::MOST_TOURS || squares > Self::MOST_SQUARES {
            return Err(NotDrawn::Full);
        }
        (self.tours, self.squares) = (self.tours + 1, squares);
        let board = &subject.board;
        if self.runs.last().is_none_or(|run| run.board != *board) {
            self.runs.push(BoardRun { board: board.clone(), records: String::new() });
        }
        let symmetries = symmetry_bits(subject);
        let under = super::under(&subject.symmetries);
        self.under.extend(under.map(|under| (symmetries, under)));
        if let Some(run) = self.runs.last_mut() {
            push_record(subject, symmetries, &mut run.records);
        }
        Ok(())
    }

    /// The page as HTML.
    pub fn html(&self) -> String {
        let page = Template {
            text: PAGE,
            title: self.style.title.clone().unwrap_or_else(|| self.own_title()),
            board: svg::STYLE.to_owned(),
            style: page_style(STYLE),
            script: Some(self.script()),
        };
        markup::filled(&page, |name| match name {
            "numbers" if self.style.numbers => " checked".to_owned(),
            "tours" => self.data(),
            _ => String::new(),
        })
    }

    fn own_title(&self) -> String {
        let plural = if self.tours == 1 { "" } else { "s" };
        // Runs beside each other are of different boards.
        match &self.runs[..] {
            [run] if run.board.is_plain() => format!("Knight's tour{plural} of {}", run.board),
            [run] => format!("Tour{plural} of {}", run.board),
            _ => format!("Knight's tour{plural}"),
        }
    }

    /// The boards of the page that are not full knight's boards, each once.
    fn grounds(&self) -> Vec<&Board> {
        let boards = self.runs.iter().map(|run| &run.board).filter(|board| !board.is_plain());
        boards.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The script, without the lines that the page does not need.
    fn script(&self) -> String {
        let has_grounds = !self.grounds().is_empty();
        let lines = SCRIPT.split_inclusive('\n');
        let is_needed = |line: &&str| has_grounds || !line.trim_end().ends_with(ANY_BOARD);
        page_script(&lines.filter(is_needed).collect::<String>())
    }

    /// The input of the script: numbers, names from here and base 64, none of which contains `<`.
    fn data(&self) -> String {
        let grounds = self.grounds();
        let runs = self.runs.iter().map(|run| {
            let (rows, cols) = (run.board.rows(), run.board.cols());
            let mut object = json!({ "rows": rows, "cols": cols, "records": run.records });
            if let Ok(ground) = grounds.binary_search(&&run.board) {
                object["ground"] = ground.into();
            }
            object
        });
        let mut data = json!({
            "kinds": super::TourKind::ALL.map(super::TourKind::name),
            "under": self.under,
            "moves": KNIGHT_MOVES,
            "runs": runs.collect::<Vec<_>>(),
        });
        if !grounds.is_empty() {
            data["grounds"] = grounds.into_iter().map(ground).collect();
        }
        data.to_string()
    }
}

/// The number of digits of a place in the rectangle of a board.
fn digits(board: &Board) -> u32 {
    (board.rows() * board.cols()).saturating_sub(1).checked_ilog(64).unwrap_or(0) + 1
}

/// The description of a board for the script: the lines of moves across edges are texts of a path.
fn ground(board: &Board) -> Value {
    let gap = |(from, to, [(x, y), (to_x, to_y)]): (Square, Square, [Point; 2])| {
        let line = format!("L{x:.3} {y:.3}M{to_x:.3} {to_y:.3}");
        (format!("{},{}", place(board, from), place(board, to)), Value::from(line))
    };
    let mut ground = json!({
        "name": board.description(),
        "squares": board.squares(),
        "digits": digits(board),
        "holes": holes(board).collect::<Vec<_>>(),
        "gaps": Joined::of(board).gaps().map(gap).collect::<serde_json::Map<_, _>>(),
    });
    if board.is_hexagonal() {
        ground["hexagons"] = hexagons(board);
    }
    ground
}

/// The drawing of a hexagonal board: the middles of its cells by their places, and what is around.
fn hexagons(board: &Board) -> Value {
    let mut middles = vec![None; board.rows() as usize * board.cols() as usize];
    board.all_squares().for_each(|at| middles[place(board, at)] = Some(middle(board, at)));
    json!({
        "middles": middles,
        "cells": board.all_squares().map(|at| outline(board, at)).collect::<String>(),
        "extent": extent(board),
        "names": names(board),
    })
}

/// A bit for each symmetry of the tour, in the order of [`Symmetry::OF_SQUARE`]. Every tour has the
/// identity, so its bit is free to be 0 if the tour has a shift.
fn symmetry_bits(subject: &Subject) -> usize {
    let all = Symmetry::OF_SQUARE.iter().enumerate();
    let kept = all.filter(|(_, symmetry)| subject.symmetries.contains(symmetry));
    let bits = kept.fold(0, |bits, (place, _)| bits | 1 << place);
    let is_shift = |symmetry: &Symmetry| matches!(symmetry, Symmetry::Shift(_));
    bits & !usize::from(subject.symmetries.iter().any(is_shift))
}

fn push_record(subject: &Subject, symmetries: usize, text: &mut String) {
    let board = &subject.board;
    push_digits((subject.kind as usize) << 8 | symmetries, 2, text);
    let squares = subject.squares();
    push_digits(place(board, squares[0]), 4, text);
    if !board.is_plain() {
        let digits = digits(board);
        squares[1..].iter().for_each(|&to| push_digits(place(board, to), digits, text));
        return;
    }
    let step = |pair: &[Square]| board.move_index(pair[0], pair[1]);
    let moves: Vec<usize> = squares.windows(2).map(step).collect();
    for pair in moves.chunks(2) {
        push_digits(pair[0] << 3 | pair.get(1).copied().unwrap_or(0), 1, text);
    }
}
