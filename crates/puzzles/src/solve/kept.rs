//! Tours that a symmetry of the board maps onto themselves.
//!
//! A symmetry maps such a tour onto itself step by step. An open tour is reversed, unless the
//! symmetry moves no square: the image of the first square is the last one. A closed tour is turned
//! along its cycle, so that the image of a square comes a fixed number of steps later, or reversed.
//! Each of these maps of steps makes a puzzle in which the image of a square has the image of its
//! step, and no tour belongs to two of them. The solver keeps both views consistent under the map,
//! so each decision decides two or four squares at once.
//!
//! How far a tour is turned is known: a symmetry of order `m` that moves every square turns a tour
//! by `k/m` of its length, with `k` and `m` coprime. What it reverses, it reverses about a point
//! that can lie anywhere, so there is a puzzle for each.

use super::link::{Link, StepMap, order};
use super::puzzle::Puzzle;
use super::reason::Reason;
use crate::board::{Square, Symmetry};
use crate::quantity::counted;

impl Puzzle {
    /// The puzzles whose solutions, together, are the solutions that a turn or a reflection of the
    /// board maps onto themselves. No solution belongs to two of them.
    ///
    /// ```
    /// # use kt_enum_puzzles as kt_enum;
    /// use kt_enum::board::{Board, Symmetry};
    /// use kt_enum::solve::{Extent, Puzzle, solve};
    /// use std::ops::ControlFlow;
    ///
    /// let puzzle = Puzzle::new(Board::new(6, 6)?, true, [])?;
    /// let count = |puzzle| {
    ///     solve(puzzle, Extent::default(), &|| false, &mut |_| ControlFlow::Continue(())).count
    /// };
    /// let turned: u64 = puzzle.kept_by(Symmetry::QuarterTurn)?.iter().map(count).sum();
    /// assert_eq!(turned, 2 * 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Reason`] if there is no such tour for a known reason.
    ///
    /// # Panics
    /// If the symmetry is neither a turn nor a reflection of the board.
    pub fn kept_by(&self, symmetry: Symmetry) -> Result<Vec<Self>, Reason> {
        let board = self.board();
        assert!(Symmetry::of(board).contains(&symmetry), "{symmetry:?} is none of the board");
        assert!(!matches!(symmetry, Symmetry::Shift(_) | Symmetry::Automorphism(_)));
        let images: Vec<Square> =
            board.all_squares().map(|square| symmetry.apply(board, square)).collect();
        let maps = step_maps(images.len(), order(&images), self.is_closed());
        let (mut puzzles, mut reasons) = (Vec::new(), Vec::new());
        if maps.is_empty() {
            let why = "done twice moves squares, and an open tour can only be reversed";
            reasons.push(why.to_owned());
        }
        for steps in maps {
            match self.refuted(&images, steps) {
                Some(reason) if reason.is_empty() || reasons.contains(&reason) => {}
                Some(reason) => reasons.push(reason),
                None => puzzles.push(self.keeping(Link::new(images.clone(), steps))),
            }
        }
        if !puzzles.is_empty() {
            return Ok(puzzles);
        }
        let name = symmetry.name();
        Err(Reason::Said(format!("a {name} {}", reasons.join(", and it "))))
    }

    /// The reason why no tour is kept with some map of its steps, if it can be told at once. Where
    /// only the other maps matter it is empty.
    fn refuted(&self, images: &[Square], map: StepMap) -> Option<String> {
        let (board, n) = (self.board(), images.len());
        let in_place = board.all_squares().filter(|square| images[square.index()] == *square);
        let (squares, steps) = (in_place.count(), 0..n);
        if squares != steps.clone().filter(|&step| map.of(step, n) == step).count() {
            let stay = counted(squares, "square");
            let why = format!(
                "leaves {stay} in place, and no tour that it keeps has as many steps that stay"
            );
            return Some(if squares > 0 { why } else { String::new() });
        }
        let keeps_colour = board.colour(images[0]) == board.colour(Square::from_index(0));
        let keeps_parity = map.of(0, n).is_multiple_of(2);
        if board.has_colours() && keeps_colour != keeps_parity {
            let [does, of] = if keeps_colour { ["keeps", "the other"] } else { ["changes", "its"] };
            return Some(format!(
                "{does} the colour of each square, but would map each step to one of {of} colour"
            ));
        }
        let is_joined = |square: Square| board.are_neighbours(square, images[square.index()]);
        let needs_joined = steps.clone().any(|step| map.of(step, n) == step + 1);
        let why = "joins no square to its image by a move, as the middle of a tour that it \
                   reverses needs";
        (needs_joined && !board.all_squares().any(is_joined)).then(|| why.to_owned())
    }
}

/// The maps of the steps of a tour that a symmetry of some order may induce.
fn step_maps(squares: usize, order: usize, is_closed: bool) -> Vec<StepMap> {
    let odd = (1..order).filter(|part| part % 2 == 1 && squares.is_multiple_of(order));
    let later = odd.map(|part| StepMap::Later(part * squares / order));
    let reverse = (0..squares).map(StepMap::Reverse);
    match (order, is_closed) {
        (1, _) => vec![StepMap::Later(0)],
        (2, false) => vec![StepMap::Reverse(squares - 1)],
        (2, true) => later.chain(reverse).collect(),
        (_, false) => vec![],
        (_, true) => later.collect(),
    }
}
