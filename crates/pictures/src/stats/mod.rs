//! Statistics of tours: edges, slopes, turns, crossings, symmetries and ends.
//!
//! Each figure is a mean over tours, with its standard error if the tours are a random sample. Sums
//! are whole numbers, so the result does not depend on the order of the tours, and the means over
//! all tours of a board are exact up to the final division.
//!
//! To test every pair of moves for a crossing would take quadratic time per tour. Instead, the
//! crossing edges of each edge of the board are computed once, so a tour costs some 30 look-ups per
//! move.
//!
//! Slopes, turns and crossings are those of a knight on a full board. Tours of other boards have
//! none of them.

use crate::board::{Board, Square, Symmetry};
use crate::tour::Tour;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

mod document;

/// The four slopes of moves, as (columns to the right, rows up). A move and its reverse have one
/// slope.
pub const SLOPES: [(i64, i64); 4] = [(2, 1), (1, 2), (-1, 2), (-2, 1)];

/// The angles between a move and the next, in tenths of a degree, each with the scalar product of
/// both moves. Straight on is 0.
pub const TURNS: [(u32, i64); 6] = [(0, 5), (369, 4), (531, 3), (900, 0), (1269, -3), (1431, -4)];

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The standard error if the tours are a random sample. `None` for fewer than two tours, and
    /// for all tours.
    pub error: Option<f64>,
    /// The arithmetic mean.
    pub mean: f64,
}

/// The mean with its error, as `4.2500 ± 0.1250`.
impl fmt::Display for Mean {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.4}", self.mean)?;
        self.error.map_or(Ok(()), |error| write!(out, " ± {error:.4}"))
    }
}

/// The sums of a number that each tour has, and of its squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ValueSums {
    of_values: u64,
    of_squares: u64,
}

impl ValueSums {
    fn add(&mut self, value: u64) {
        self.of_values += value;
        self.of_squares += value * value;
    }

    fn mean(self, tours: u64) -> Mean {
        let (sum, squares) = (u128::from(self.of_values), u128::from(self.of_squares));
        let n = u128::from(tours);
        // This is n (n - 1) times the sample variance, without rounding.
        let spread = (n * squares - sum * sum) as f64;
        let times = (tours as f64) * (tours as f64 - 1.0);
        Mean {
            mean: self.of_values as f64 / tours.max(1) as f64,
            error: (tours > 1).then(|| (spread / times / tours as f64).sqrt()),
        }
    }
}

/// The sums over the tours of a board that were added so far.
///
/// ```
/// use kt_enum_pictures::{board::Board, stats::Stats, tour::Tour};
/// let board = Board::new(3, 4)?;
/// let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
/// let squares = names.map(|name| board.parse_square(name)).collect::<Result<_, _>>()?;
/// let mut stats = Stats::new(&board, false);
/// stats.add(&Tour::new(&board, squares)?)?;
/// assert_eq!(stats.turns().map(|(_, mean)| mean.mean).sum::<f64>(), 10.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stats {
    table: EdgeTable,
    /// True if tours are taken as cycles.
    pub is_closed: bool,
    /// True if the tours are all tours and not a sample, so that no mean has an error.
    pub is_all: bool,
    /// The number of tours added.
    pub tours: u64,
    reentrant: u64,
    symmetric: u64,
    symmetries: BTreeMap<&'static str, u64>,
    edges: Vec<u64>,
    /// The number of paths that end on each square, by the index of the square.
    pub ends: Vec<u64>,
    slopes: [ValueSums; SLOPES.len()],
    turns: [ValueSums; TURNS.len()],
    crossings: ValueSums,
    /// The number of tours for each number of crossings; none unless the board is a full knight's
    /// board.
    pub by_crossings: BTreeMap<u64, u64>,
}

/// A tour cannot be added to some [`Stats`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The tour is of another board.
    #[error("a tour of {given}, where the others are of {wanted}")]
    Board {
        /// The board of the tour.
        given: Board,
        /// The board of the tours before it.
        wanted: Board,
    },
    /// The tours are cycles, and no move joins the ends of this one.
    #[error("no move joins the ends of the tour, so it is not closed")]
    Open,
}

impl Stats {
    /// Creates the statistics of no tours. If `is_closed`, tours are taken as cycles, otherwise as
    /// paths.
    pub fn new(board: &Board, is_closed: bool) -> Self {
        let table = EdgeTable::new(board);
        Self {
            edges: vec![0; table.edges.len()],
            ends: vec![0; board.squares()],
            table,
            is_closed,
            is_all: false,
            tours: 0,
            reentrant: 0,
            symmetric: 0,
            symmetries: BTreeMap::new(),
            slopes: Default::default(),
            turns: Default::default(),
            crossings: ValueSums::default(),
            by_crossings: BTreeMap::new(),
        }
    }

    /// Adds a tour.
    ///
    /// # Errors
    /// [`Unfit`] if the tour is of another board, or tours are taken as cycles and this one is not
    /// closed. Nothing is added then.
    pub fn add(&mut self, tour: &Tour) -> Result<(), Unfit> {
        let (board, squares) = (self.table.board.clone(), tour.squares());
        if tour.board() != board {
            return Err(Unfit::Board { given: tour.board(), wanted: board });
        }
        let is_reentrant = tour.is_reentrant();
        if self.is_closed && !is_reentrant {
            return Err(Unfit::Open);
        }
        self.tours += 1;
        self.reentrant += u64::from(is_reentrant);
        let (first, last) = (squares[0], squares[squares.len() - 1]);
        let closing = self.is_closed.then_some((last, first));
        let moves = squares.windows(2).map(|pair| (pair[0], pair[1]));
        let moves: Vec<(Square, Square)> = moves.chain(closing).collect();
        self.add_edges(&moves);
        self.add_turns(&moves);
        if !self.is_closed {
            self.ends[first.index()] += 1;
            self.ends[last.index()] += 1;
        }
        let symmetries = tour.symmetries(self.is_closed);
        self.symmetric += u64::from(symmetries.len() > 1);
        let names: BTreeSet<_> =
            symmetries.iter().skip(1).map(|symmetry| symmetry.name()).collect();
        names.into_iter().for_each(|name| *self.symmetries.entry(name).or_default() += 1);
        Ok(())
    }

    fn add_edges(&mut self, moves: &[(Square, Square)]) {
        let mut is_used = vec![false; self.edges.len()];
        let (mut slopes, mut crossings) = ([0; SLOPES.len()], 0);
        for edge in moves.iter().filter_map(|&(one, other)| self.table.edge(one, other)) {
            self.edges[edge] += 1;
            let Edge { slope, crossed, .. } = &self.table.edges[edge];
            slopes[*slope] += 1;
            crossings += crossed.iter().filter(|&&other| is_used[other]).count() as u64;
            is_used[edge] = true;
        }
        self.slopes.iter_mut().zip(slopes).for_each(|(sums, value)| sums.add(value));
        self.crossings.add(crossings);
        if self.table.board.is_plain() {
            *self.by_crossings.entry(crossings).or_default() += 1;
        }
    }

    fn add_turns(&mut self, moves: &[(Square, Square)]) {
        let step = |&(one, other): &(Square, Square)| self.table.step(one, other);
        let closing = moves.first().filter(|_| self.is_closed);
        let mut turns = [0; TURNS.len()];
        for (before, after) in moves.iter().zip(moves.iter().skip(1).chain(closing)) {
            let ((x, y), (dx, dy)) = (step(before), step(after));
            let product = x * dx + y * dy;
            if let Some(turn) = TURNS.iter().position(|&(_, of)| of == product) {
                turns[turn] += 1;
            }
        }
        self.turns.iter_mut().zip(turns).for_each(|(sums, value)| sums.add(value));
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.table.board.clone()
    }

    /// The kind of the tours in a word.
    pub fn kind(&self) -> &'static str {
        if self.is_closed { "closed" } else { "open" }
    }

    /// The edges of the board, each with the number of tours that use it and their share of all
    /// tours.
    pub fn edges(&self) -> impl Iterator<Item = ([Square; 2], u64, Mean)> {
        let uses = self.table.edges.iter().zip(&self.edges);
        uses.map(|(edge, &uses)| (edge.ends, uses, self.share(uses)))
    }

    /// The slopes, each with the mean number of its moves per tour; none unless the board is a full
    /// knight's board.
    pub fn slopes(&self) -> impl Iterator<Item = ((i64, i64), Mean)> {
        let slopes = SLOPES.into_iter().zip(&self.slopes).filter(|_| self.table.board.is_plain());
        slopes.map(|(slope, sums)| (slope, self.mean(*sums)))
    }

    /// The angles in tenths of a degree, each with the mean number of its turns per tour; none
    /// unless the board is a full knight's board.
    pub fn turns(&self) -> impl Iterator<Item = (u32, Mean)> {
        let turns = TURNS.into_iter().zip(&self.turns).filter(|_| self.table.board.is_plain());
        turns.map(|((angle, _), sums)| (angle, self.mean(*sums)))
    }

    /// The mean number of pairs of moves per tour that cross each other, if the board is a full
    /// knight's board.
    pub fn crossings(&self) -> Option<Mean> {
        self.table.board.is_plain().then(|| self.mean(self.crossings))
    }

    /// The number of tours whose ends a move joins, and their share.
    pub fn reentrant(&self) -> (u64, Mean) {
        (self.reentrant, self.share(self.reentrant))
    }

    /// The number of tours that a symmetry other than the identity maps onto themselves, and their
    /// share.
    pub fn symmetric(&self) -> (u64, Mean) {
        (self.symmetric, self.share(self.symmetric))
    }

    /// The symmetries of the board except the identity, each with the number of tours that it maps
    /// onto themselves and their share. All shifts count as one.
    pub fn symmetries(&self) -> impl Iterator<Item = (&'static str, u64, Mean)> {
        let proper = Symmetry::of(&self.table.board).iter().skip(1);
        let mut names: Vec<_> = proper.map(|symmetry| symmetry.name()).collect();
        names.dedup();
        names.into_iter().map(|name| {
            let tours = self.symmetries.get(name).copied().unwrap_or(0);
            (name, tours, self.share(tours))
        })
    }

    fn mean(&self, sums: ValueSums) -> Mean {
        let mean = sums.mean(self.tours);
        Mean { error: mean.error.filter(|_| !self.is_all), ..mean }
    }

    /// The share of tours that have some property, as the mean of a number that is 1 for them and 0
    /// for the others.
    fn share(&self, tours: u64) -> Mean {
        self.mean(ValueSums { of_values: tours, of_squares: tours })
    }
}

/// The edges of a board, each with the edges that cross it.
#[derive(Debug, Clone)]
struct EdgeTable {
    board: Board,
    edges: Vec<Edge>,
    /// The neighbours of each square with a higher index, each with the index of the edge to it.
    upward: Vec<Vec<(Square, usize)>>,
}

#[derive(Debug, Clone)]
struct Edge {
    ends: [Square; 2],
    /// The index in [`SLOPES`], on a full knight's board.
    slope: usize,
    crossed: Vec<usize>,
}

impl EdgeTable {
    fn new(board: &Board) -> Self {
        let mut this = Self {
            board: board.clone(),
            edges: Vec::new(),
            upward: vec![Vec::new(); board.squares()],
        };
        for from in board.all_squares() {
            for to in board.moves(from).filter(|to| *to > from) {
                let step = this.step(from, to);
                let slope = SLOPES.iter().position(|&slope| slope == step).unwrap_or(0);
                this.upward[from.index()].push((to, this.edges.len()));
                this.edges.push(Edge { ends: [from, to], slope, crossed: Vec::new() });
            }
        }
        if !board.is_plain() {
            return this;
        }
        let row = |edge: &Edge| board.row(edge.ends[0]);
        for one in 0..this.edges.len() {
            let near = |edge: &Edge| row(edge).abs_diff(row(&this.edges[one])) <= 2;
            let all = this.edges.iter().enumerate();
            let crossed = all.filter(|(_, edge)| near(edge) && this.cross(&this.edges[one], edge));
            this.edges[one].crossed = crossed.map(|(other, _)| other).collect();
        }
        this
    }

    fn edge(&self, one: Square, other: Square) -> Option<usize> {
        let (low, high) = (one.min(other), one.max(other));
        let mut upward = self.upward[low.index()].iter();
        upward.find(|(to, _)| *to == high).map(|&(_, edge)| edge)
    }

    /// The difference between two squares as (columns to the right, rows up).
    fn step(&self, one: Square, other: Square) -> (i64, i64) {
        let place = |square| [self.board.col(square), self.board.row(square)].map(i64::from);
        let ([x, y], [to_x, to_y]) = (place(one), place(other));
        (to_x - x, to_y - y)
    }

    /// True if two edges cross between their ends. No edge passes through the centre of a third
    /// square.
    fn cross(&self, one: &Edge, other: &Edge) -> bool {
        let side = |edge: &Edge, of: Square| {
            let ((x, y), (to_x, to_y)) =
                (self.step(edge.ends[0], edge.ends[1]), self.step(edge.ends[0], of));
            (x * to_y - y * to_x).signum()
        };
        let parts = |edge: &Edge, of: &Edge| side(edge, of.ends[0]) * side(edge, of.ends[1]) < 0;
        parts(one, other) && parts(other, one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str], rows: u32, cols: u32, is_closed: bool) -> Stats {
        let board = Board::new(rows, cols).expect("in range");
        let mut stats = Stats::new(&board, is_closed);
        for line in lines {
            let squares = line.split(' ').map(|name| board.parse_square(name).expect("a square"));
            stats
                .add(&Tour::new(&board, squares.collect()).expect("a tour"))
                .expect("of the board");
        }
        stats
    }

    #[test]
    fn a_tour_of_3x4_is_what_it_is_by_hand() {
        let stats = of(&["a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3"], 3, 4, false);
        let means: Vec<f64> = stats.slopes().map(|(_, mean)| mean.mean).collect();
        assert_eq!(means, [4.0, 0.0, 3.0, 4.0]);
        let turns: f64 = stats.turns().map(|(_, mean)| mean.mean).sum();
        assert_eq!(turns, 10.0);
        assert_eq!(stats.edges().filter(|(_, uses, _)| *uses == 1).count(), 11);
        assert_eq!((stats.ends[0], stats.ends[11]), (1, 1));
        let names: Vec<_> = stats.symmetries().filter(|(_, tours, _)| *tours == 1).collect();
        assert_eq!(names.len(), 1);
        assert_eq!(names[0].0, "half turn");
        assert_eq!(stats.crossings().map(|mean| mean.error), Some(None));
    }

    #[test]
    fn the_crossings_of_an_edge_of_a_large_board_are_the_same_in_all_slopes() {
        let table = EdgeTable::new(&Board::new(12, 12).expect("in range"));
        let middle = |edge: &&Edge| {
            let places = edge.ends.map(|end| (table.board.row(end), table.board.col(end)));
            places.iter().all(|&(row, col)| (4..8).contains(&row) && (4..8).contains(&col))
        };
        let crossed: Vec<usize> =
            table.edges.iter().filter(middle).map(|edge| edge.crossed.len()).collect();
        assert!(crossed.len() > 8);
        assert!(crossed.iter().all(|&number| number == crossed[0]), "{crossed:?}");
        for (place, edge) in table.edges.iter().enumerate() {
            assert!(edge.crossed.iter().all(|&other| table.edges[other].crossed.contains(&place)));
        }
    }

    #[test]
    fn a_mean_has_the_error_of_its_sample() {
        let mut sums = ValueSums::default();
        [1, 2, 3, 4].into_iter().for_each(|value| sums.add(value));
        let mean = sums.mean(4);
        assert_eq!(mean.mean, 2.5);
        let error = mean.error.expect("of four");
        assert!((error - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_tour_of_another_board_is_refused_and_not_added() {
        let [wide, tall] = [(3, 4), (4, 3)].map(|(r, c)| Board::new(r, c).expect("in range"));
        let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
        let squares = names.map(|name| wide.parse_square(name).expect("a square")).collect();
        let tour = Tour::new(&wide, squares).expect("a tour");
        let mut stats = Stats::new(&tall, false);
        assert_eq!(stats.add(&tour), Err(Unfit::Board { given: wide.clone(), wanted: tall }));
        assert_eq!(stats.tours, 0);
        assert_eq!(Stats::new(&wide, true).add(&tour), Err(Unfit::Open));
        assert_eq!(Stats::new(&wide, false).add(&tour), Ok(()));
    }
}
