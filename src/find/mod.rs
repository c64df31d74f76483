//! One tour on a board of any size: by a search that a heuristic guides, or by construction.
//!
//! [`search`] is a depth-first search on the padded linear board; a [`rule`] says which square it goes
//! to first. `pruned` is the exhaustive walk stopped at its first tour, which is that of `blind`.
//! `auto` builds a tour out of small ones ([`blocks`]), or on boards of 3 and 4 rows out of columns
//! ([`strips`]), and knows where there is none ([`existence`]); nothing in it is random and nothing
//! is left to luck. What is found is a [`Route`], one byte a move.

mod blocks;
mod existence;
mod links;
mod route;
mod rule;
mod search;
mod strips;
#[cfg(test)]
mod tests;

pub use existence::NoTour;
pub use route::Route;
pub use rule::Distance;
pub use search::GaveUp;

use crate::board::{Board, MoveOrder, Square};
use crate::question::Question;
use crate::walk::{self, FirstTour, Listing};
use search::{Candidate, End, Search};
use std::fmt;
use std::str::FromStr;
use strips::Strips;

/// How to look for a tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Plain backtracking in the move order.
    Blind,
    /// The same tour, with dead squares and forced moves seen early.
    Pruned,
    /// Most options first (h1a), which hardly ever finds a tour.
    H1a,
    /// Fewest options first (Warnsdorff, h1b).
    Warnsdorff,
    /// Fewest options, ties to the square farthest from the centre.
    Roth,
    /// Fewest options, ties to the square nearest to a corner.
    H2(Distance),
    /// Fewest options, ties to the square with the fewest options after it.
    Pohl,
    /// By construction: finds a tour wherever there is one.
    Auto,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 10] = [
        Self::Auto,
        Self::Blind,
        Self::Pruned,
        Self::H1a,
        Self::Warnsdorff,
        Self::Roth,
        Self::H2(Distance::Euclidean),
        Self::H2(Distance::Manhattan),
        Self::H2(Distance::Chebyshev),
        Self::Pohl,
    ];

    /// The name that is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blind => "blind",
            Self::Pruned => "pruned",
            Self::H1a => "h1a",
            Self::Warnsdorff => "warnsdorff",
            Self::Roth => "roth",
            Self::H2(Distance::Euclidean) => "h2",
            Self::H2(Distance::Manhattan) => "h2-manhattan",
            Self::H2(Distance::Chebyshev) => "h2-chebyshev",
            Self::Pohl => "pohl",
            Self::Auto => "auto",
        }
    }

    /// Whether the search goes on until every way is tried, where nothing else stops it.
    pub fn is_exhaustive(self) -> bool {
        matches!(self, Self::Blind | Self::Pruned)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// No strategy has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a strategy: say auto, blind, pruned, h1a, warnsdorff, roth, h2 or pohl")]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        let name = if text == "h1b" { "warnsdorff" } else { text };
        let mut all = Self::ALL.into_iter();
        all.find(|strategy| strategy.name() == name).ok_or_else(|| UnknownStrategy(text.to_owned()))
    }
}

/// How long to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The most moves to try.
    pub moves: Option<u64>,
    /// The most moves to take back.
    pub backtracks: Option<u64>,
}

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// The moves to free squares from every square that the knight came to.
    pub moves_generated: u64,
    /// The moves made, the start not counted.
    pub moves_tried: u64,
    /// The moves taken back.
    pub backtracks: u64,
    /// The squares without a move onward, short of a tour.
    pub dead_ends: u64,
}

impl Effort {
    fn add(&mut self, other: &Self) {
        self.moves_generated += other.moves_generated;
        self.moves_tried += other.moves_tried;
        self.backtracks += other.backtracks;
        self.dead_ends += other.dead_ends;
    }
}

/// How a search for a tour ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With a tour.
    Found(Route),
    /// There is none.
    None(NoTour),
    /// A limit was reached first.
    GaveUp(GaveUp),
}

/// What to look for and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Find {
    /// The board.
    pub board: Board,
    /// Where the tour starts.
    pub from: Square,
    /// Whether its ends have to be a knight's move apart.
    pub closed: bool,
    /// How to look for it.
    pub strategy: Strategy,
    /// In which order moves are tried, or tried when the strategy leaves them equal.
    pub order: MoveOrder,
    /// When to give up.
    pub limits: Limits,
}

impl Find {
    /// Looks for the tour; `stop` is asked every few milliseconds.
    ///
    /// ```
    /// use kt_enum::board::{Board, MoveOrder};
    /// use kt_enum::find::{Find, Limits, Outcome, Strategy};
    ///
    /// let board = Board::new(30, 41)?;
    /// let from = board.parse_square("c7")?;
    /// let (strategy, order, limits) = (Strategy::Auto, MoveOrder::default(), Limits::default());
    /// let find = Find { board, from, closed: true, strategy, order, limits };
    /// let (outcome, _) = find.run(&|| false);
    /// assert!(matches!(outcome, Outcome::Found(route) if route.is_reentrant()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, stop: &dyn Fn() -> bool) -> (Outcome, Effort) {
        if self.strategy != Strategy::Blind
            && let Some(none) = existence::no_tour(self.board, self.from, self.closed)
        {
            return (Outcome::None(none), Effort::default());
        }
        match self.strategy {
            Strategy::Auto => self.construct(),
            Strategy::Pruned => self.walk(stop),
            // By the move order alone.
            Strategy::Blind => self.search::<false>(|_, _| 0, stop),
            Strategy::H1a => self.search::<true>(rule::most_options, stop),
            Strategy::Warnsdorff => self.search::<true>(rule::fewest_options, stop),
            Strategy::Roth => self.search::<true>(rule::far_from_centre, stop),
            Strategy::H2(distance) => {
                self.search::<true>(|search, next| rule::near_corner(distance, search, next), stop)
            }
            Strategy::Pohl => self.search::<true>(rule::look_ahead, stop),
        }
    }

    fn search<const COUNTS_OPTIONS: bool>(
        &self,
        rule: impl Fn(&Search, Candidate) -> u64,
        stop: &dyn Fn() -> bool,
    ) -> (Outcome, Effort) {
        let mut search = Search::new(self.board, self.from, self.order, self.closed);
        let end = search.run::<COUNTS_OPTIONS>(rule, &self.limits, stop);
        let effort = search.effort;
        let outcome = match end {
            End::Found => Outcome::Found(Route::new(self.board, self.from, search.into_steps())),
            End::Exhausted => Outcome::None(NoTour::Exhausted),
            End::GaveUp(limit) => Outcome::GaveUp(limit),
        };
        (outcome, effort)
    }

    /// The first tour of the walk in order, which prunes and so drops no tour.
    fn walk(&self, stop: &dyn Fn() -> bool) -> (Outcome, Effort) {
        let question = match self.closed {
            true => Question::closed(self.board),
            false => Question::open_between(self.board, Some(self.from), None),
        };
        let Ok(listing) = Listing::closing_at(question, self.order, self.from) else {
            return (Outcome::GaveUp(GaveUp::TooLarge), Effort::default());
        };
        let most = self.limits.moves.unwrap_or(u64::MAX);
        let (first, walked) = walk::first_tour(&listing, most, stop);
        let kept = match &first {
            // The last move of a tour is seen, not tried.
            FirstTour::Found(squares) => squares.len().saturating_sub(2) as u64,
            _ => 0,
        };
        let effort = Effort {
            moves_generated: walked.moves_generated,
            moves_tried: walked.moves_tried,
            backtracks: walked.moves_tried.saturating_sub(kept),
            dead_ends: walked.dead_ends,
        };
        let outcome = match first {
            FirstTour::Found(squares) => Outcome::Found(Route::of(self.board, &squares)),
            FirstTour::None => Outcome::None(NoTour::Exhausted),
            FirstTour::GaveUp if stop() => Outcome::GaveUp(GaveUp::Stopped),
            FirstTour::GaveUp => Outcome::GaveUp(GaveUp::Moves(most)),
        };
        (outcome, effort)
    }

    fn construct(&self) -> (Outcome, Effort) {
        let mut effort = Effort::default();
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let steps = match rows.min(cols) {
            _ if self.board.squares() == 1 => Some(Vec::new()),
            0..=strips::MOST_ROWS if rows <= cols => {
                Strips::new(rows, self.closed).tour(self.board, self.from)
            }
            0..=strips::MOST_ROWS => self.construct_turned(),
            _ => blocks::tour(self.board, self.from, &mut effort),
        };
        let found = steps.map(|steps| Outcome::Found(Route::new(self.board, self.from, steps)));
        (found.unwrap_or(Outcome::None(NoTour::Exhausted)), effort)
    }

    /// The tour of a board with few columns, from that of the board with as few rows.
    fn construct_turned(&self) -> Option<Vec<u8>> {
        let (row, col) = (self.board.row(self.from), self.board.col(self.from));
        let board = Board::new(self.board.cols(), self.board.rows()).ok()?;
        let from = board.at(col.into(), row.into())?;
        let mut steps = Strips::new(board.rows(), self.closed).tour(board, from)?;
        steps.iter_mut().for_each(|step| *step = links::turned(*step));
        Some(steps)
    }
}
