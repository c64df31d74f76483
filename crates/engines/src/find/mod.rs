//! Finds one tour on a board of any size, by search or by construction.
//!
//! Plain backtracking on a large board runs into a dead end early and never gets out of it. A
//! heuristic that chooses the next square finds a tour of most boards at once, but may fail on
//! others. The strategies:
//!
//! - Heuristics: a depth-first search on the padded linear board ([`search`]), or on lists of moves
//!   ([`listed`]), that goes to the best square by a [`rule`] first.
//! - `pruned`: the exhaustive walk, stopped at its first tour. That is the tour that `blind` finds.
//! - `auto`: construction. Boards with both sides of 5 or more are put together from small tours
//!   ([`tiles`]), boards of 3 and 4 rows are solved column by column ([`strips`]), and theorems say
//!   where no tour exists ([`existence`]). It is deterministic and always answers. On a board that
//!   is not a full knight's board it tries heuristics and then decisions about edges ([`decided`]),
//!   and may give up.
//!
//! The result is a [`Route`], which takes one byte per move. [`shuffled`] makes a random tour of it.

mod backbite;
mod decided;
mod existence;
mod links;
mod listed;
mod route;
mod rule;
mod search;
mod strips;
#[cfg(test)]
mod tests;
mod tiles;

pub use backbite::{led_to, shuffled};
pub use existence::NoTour;
pub use route::Route;
pub use rule::Distance;
pub use search::GaveUp;

use crate::board::{Board, MoveOrder, Square};
use crate::question::Question;
use crate::tally::as_text;
use crate::walk::{self, FirstTour, Listing};
use decided::Decided;
use listed::ListedSearch;
use search::{Candidate, PaddedSearch, limit_reached};
use serde::Serialize;
use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use strips::Strips;

/// A method of looking for a tour.
///
/// Strategies are read and written by their [names](Self::name); `h1b` is another name of
/// `warnsdorff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Plain backtracking in the move order.
    Blind,
    /// The search of `blind` without the branches that dead squares and forced moves rule out.
    ///
    /// It finds the same tour in fewer nodes, on boards of at most [`walk::LARGEST_BOARD`] squares.
    Pruned,
    /// Goes to the square with the most options first (h1a). Hardly ever finds a tour.
    H1a,
    /// Goes to the square with the fewest options first (Warnsdorff's rule, h1b).
    Warnsdorff,
    /// Warnsdorff's rule; ties go to the square farthest from the centre of the board.
    Roth,
    /// Warnsdorff's rule; ties go to the square nearest to a corner.
    H2(Distance),
    /// Warnsdorff's rule; ties go to the square from which the fewest options follow.
    Pohl,
    /// Construction, which finds a tour wherever one exists. On boards that are not full knight's
    /// boards, a search that may give up.
    Auto,
}

impl Strategy {
    /// All strategies with their names on the command line, in the order in which the help lists
    /// them.
    pub const NAMED: [(Self, &'static str); 10] = [
        (Self::Auto, "auto"),
        (Self::Blind, "blind"),
        (Self::Pruned, "pruned"),
        (Self::H1a, "h1a"),
        (Self::Warnsdorff, "warnsdorff"),
        (Self::Roth, "roth"),
        (Self::H2(Distance::Euclidean), "h2"),
        (Self::H2(Distance::Manhattan), "h2-manhattan"),
        (Self::H2(Distance::Chebyshev), "h2-chebyshev"),
        (Self::Pohl, "pohl"),
    ];

    /// The name of the strategy on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(strategy, _)| *strategy == self).map_or("", |(_, name)| name)
    }

    /// True if the strategy is meant to run until every path is tried.
    ///
    /// Such a strategy needs no limit by default: it finds a tour or proves that none exists.
    pub fn is_exhaustive(self) -> bool {
        matches!(self, Self::Blind | Self::Pruned)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A text is not the name of a strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a strategy: say auto, blind, pruned, h1a, warnsdorff, roth, h2 or pohl")]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        let name = if text == "h1b" { "warnsdorff" } else { text };
        let known = Self::NAMED.iter().find(|(_, known)| *known == name);
        Ok(known.ok_or_else(|| UnknownStrategy(text.to_owned()))?.0)
    }
}

/// Limits of a search. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FindLimits {
    /// The largest number of moves to try.
    pub moves: Option<u64>,
    /// The largest number of moves to take back; a few more are taken back in one go.
    pub backtracks: Option<u64>,
}

impl FindLimits {
    /// Moves that a heuristic may take back unless a limit is given: less than a second.
    const OF_HEURISTICS: u64 = 1_000_000;

    /// The limits that are given, or that of a heuristic if none is, on time or on effort.
    pub fn or_usual(self, strategy: Strategy, is_timed: bool) -> Self {
        let is_heuristic = !strategy.is_exhaustive() && strategy != Strategy::Auto;
        let is_usual = is_heuristic && !is_timed && self.moves.is_none();
        let usual = is_usual.then_some(Self::OF_HEURISTICS);
        Self { backtracks: self.backtracks.or(usual), ..self }
    }

    /// The limits that are left after some work.
    fn after(&self, done: &FindEffort) -> Self {
        Self {
            moves: self.moves.map(|most| most.saturating_sub(done.moves_tried)),
            backtracks: self.backtracks.map(|most| most.saturating_sub(done.backtracks)),
        }
    }
}

/// The work that a search has done. A construction on a narrow board counts none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FindEffort {
    /// Moves to free squares, counted each time the knight arrives at a square by a new move.
    #[serde(serialize_with = "as_text")]
    pub moves_generated: u64,
    /// Moves made; the start is not one.
    #[serde(serialize_with = "as_text")]
    pub moves_tried: u64,
    /// Moves taken back.
    #[serde(serialize_with = "as_text")]
    pub backtracks: u64,
    /// Arrivals at a square from which no move is left, short of a tour.
    #[serde(serialize_with = "as_text")]
    pub dead_ends: u64,
}

impl FindEffort {
    /// Adds the work of another search.
    pub fn add(&mut self, other: &Self) {
        self.moves_generated += other.moves_generated;
        self.moves_tried += other.moves_tried;
        self.backtracks += other.backtracks;
        self.dead_ends += other.dead_ends;
    }
}

/// The end of a search for a tour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindOutcome {
    /// A tour was found.
    Found(Route),
    /// No tour exists.
    None(NoTour),
    /// A limit was reached first.
    GaveUp(GaveUp),
}

/// The moves that each heuristic may take back in turn if there is no construction.
const MOST_BACKTRACKS: u64 = 100_000;

/// The vertices that the search by decisions may look at after them: some seconds.
const MOST_LOOKS: u64 = 1 << 24;

/// A request for one tour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find {
    /// The board.
    pub board: Board,
    /// The square on which the tour starts.
    pub from: Square,
    /// True if a move has to join the ends of the tour.
    pub closed: bool,
    /// The method of looking for the tour.
    pub strategy: Strategy,
    /// The order in which moves are tried, or tried where the strategy finds them equally good.
    pub order: MoveOrder,
    /// The limits of the search. [`Strategy::Auto`] has its own and ignores them.
    pub limits: FindLimits,
}

impl Find {
    /// Any open tour from a square.
    #[doc(hidden)]
    pub fn open(board: &Board, from: Square) -> Self {
        Self {
            board: board.clone(),
            from,
            closed: false,
            strategy: Strategy::Auto,
            order: MoveOrder::default(),
            limits: FindLimits::default(),
        }
    }

    /// Looks for the tour and returns it with the work done.
    ///
    /// Searches call `stop` every few milliseconds and give up when it returns true. Constructions
    /// do not call it.
    ///
    /// ```
    /// # use kt_enum_engines as kt_enum;
    /// use kt_enum::board::{Board, MoveOrder};
    /// use kt_enum::find::{Find, FindLimits, FindOutcome, Strategy};
    ///
    /// let board = Board::new(30, 41)?;
    /// let from = board.parse_square("c7")?;
    /// let (strategy, order, limits) = (Strategy::Auto, MoveOrder::default(), FindLimits::default());
    /// let find = Find { board, from, closed: true, strategy, order, limits };
    /// let (outcome, _) = find.run(&|| false);
    /// assert!(matches!(outcome, FindOutcome::Found(route) if route.is_reentrant()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, stop: &dyn Fn() -> bool) -> (FindOutcome, FindEffort) {
        self.watched(&|_| stop())
    }

    /// Looks for the tour as [`Find::run`] does; `stop` is called every few milliseconds, with the
    /// effort so far. A construction (`auto`) does not call it.
    pub fn watched(&self, stop: &dyn Fn(&FindEffort) -> bool) -> (FindOutcome, FindEffort) {
        // The counts of blind search on a knight's board are those of a published report.
        let is_reported = self.strategy == Strategy::Blind && self.board.is_plain();
        if !is_reported && let Some(none) = existence::no_tour(&self.question()) {
            return (FindOutcome::None(none), FindEffort::default());
        }
        // Vertices of a graph have no places.
        let sides =
            if self.board.is_graph() { (1, 1) } else { (self.board.rows(), self.board.cols()) };
        match self.strategy {
            Strategy::Auto if self.board.is_plain() => self.construct(),
            Strategy::Auto => self.try_all(stop),
            Strategy::Pruned => self.walk(stop),
            // All squares are equally good, so the move order alone decides.
            Strategy::Blind => self.search::<false>(|_, _| 0, stop),
            Strategy::H1a => self.search::<true>(|next, _| rule::most_options(next), stop),
            Strategy::Warnsdorff => self.search::<true>(|next, _| rule::fewest_options(next), stop),
            Strategy::Roth => {
                self.search::<true>(|next, _| rule::far_from_centre(sides, next), stop)
            }
            Strategy::H2(distance) => {
                self.search::<true>(|next, _| rule::near_corner(distance, sides, next), stop)
            }
            Strategy::Pohl => self.search::<true>(rule::look_ahead, stop),
        }
    }

    fn search<const COUNTS_OPTIONS: bool>(
        &self,
        rule: impl Fn(Candidate, &dyn Fn(usize) -> u16) -> u64,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> (FindOutcome, FindEffort) {
        let (board, from) = (&self.board, self.from);
        if !board.is_plain() {
            let mut search = ListedSearch::new(board, self.order, self.closed);
            let end = search.run(from, rule, &self.limits, stop);
            let effort = search.effort;
            let found = || FindOutcome::Found(Route::of(board, &search.path));
            return (end.err().unwrap_or_else(found), effort);
        }
        let mut search = PaddedSearch::new(board, from, self.order, self.closed);
        let end = search.run::<COUNTS_OPTIONS>(rule, &self.limits, stop);
        let effort = search.effort;
        let found = || FindOutcome::Found(Route::new(board, from, search.into_steps()));
        (end.err().unwrap_or_else(found), effort)
    }

    /// True if `look_on` takes a tour with any start: an open tour, if no start is chosen.
    pub fn is_free(&self, chosen: Option<Square>) -> bool {
        !self.closed && chosen.is_none()
    }

    /// The question whose tours `look_on` looks for.
    pub fn looked_for(&self, chosen: Option<Square>) -> Question {
        if self.is_free(chosen) { Question::open(self.board.clone()) } else { self.question() }
    }

    /// The route along the squares of a tour, from the start that was asked for. A tour with a
    /// number has no direction, and a closed one no start.
    #[doc(hidden)]
    pub fn route(&self, mut squares: Vec<Square>, from: Option<Square>) -> Route {
        let start = squares.iter().position(|&square| square == self.from).unwrap_or(0);
        if self.closed {
            squares.rotate_left(start);
        } else if from.is_some() && start > 0 {
            squares.reverse();
        }
        Route::of(&self.board, &squares)
    }

    /// The question whose tours are looked for. Closed tours have no start.
    #[doc(hidden)]
    pub fn question(&self) -> Question {
        Question::of_kind(self.board.clone(), self.closed, [Some(self.from), None])
    }

    /// Tries heuristics and then decisions about edges, each up to a limit and all up to that of
    /// the search.
    fn try_all(&self, stop: &dyn Fn(&FindEffort) -> bool) -> (FindOutcome, FindEffort) {
        let mut effort = FindEffort::default();
        let h2 = Strategy::H2(Distance::Euclidean);
        let all = [Strategy::Warnsdorff, Strategy::Pohl, Strategy::Roth, h2];
        // The last two look at places.
        let heuristics = if self.board.is_graph() { &all[..2] } else { &all[..] };
        for &strategy in heuristics {
            let FindLimits { moves, backtracks } = self.limits.after(&effort);
            let backtracks = backtracks.map_or(MOST_BACKTRACKS, |most| most.min(MOST_BACKTRACKS));
            let limits = FindLimits { moves, backtracks: Some(backtracks) };
            let (outcome, tried) = Self { strategy, limits, ..self.clone() }.watched(stop);
            effort.add(&tried);
            match outcome {
                FindOutcome::GaveUp(limit) if limit != GaveUp::Stopped => {}
                end => return (end, effort),
            }
            if let Some(limit) = self.reached(&effort) {
                return (FindOutcome::GaveUp(limit), effort);
            }
        }
        self.decide(Some(self.from), effort, stop)
    }

    /// The limit that some work has reached, if it has.
    fn reached(&self, effort: &FindEffort) -> Option<GaveUp> {
        limit_reached(effort, &self.limits, &|_| false)
    }

    /// Looks for an open tour with any start, by decisions about edges, after some work.
    #[doc(hidden)]
    pub fn anywhere(
        &self,
        done: FindEffort,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> (FindOutcome, FindEffort) {
        match existence::no_tour(&Question::open(self.board.clone())) {
            Some(reason) => (FindOutcome::None(reason), done),
            None => Self { closed: false, ..self.clone() }.decide(None, done, stop),
        }
    }

    /// Decides about edges after some work, up to the limits on both.
    fn decide(
        &self,
        from: Option<Square>,
        mut effort: FindEffort,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> (FindOutcome, FindEffort) {
        let is_over = |tried: &FindEffort| {
            let mut all = effort;
            all.add(tried);
            stop(&all) || self.reached(&all).is_some()
        };
        let mut search = Decided::new(&self.board, self.closed);
        let found = search.run(from, MOST_LOOKS, &is_over);
        effort.add(&search.effort);
        let outcome = match (found, self.reached(&effort)) {
            (Ok(path), _) => FindOutcome::Found(Route::of(&self.board, &path)),
            (Err(FindOutcome::GaveUp(_)), Some(limit)) => FindOutcome::GaveUp(limit),
            (Err(end), _) => end,
        };
        (outcome, effort)
    }

    /// Finds the first tour of the walk in order. Its pruning cuts off no tour, so this is the
    /// first tour of a plain search.
    fn walk(&self, stop: &dyn Fn(&FindEffort) -> bool) -> (FindOutcome, FindEffort) {
        let Ok(listing) = Listing::closing_at(self.question(), self.order, self.from) else {
            return (FindOutcome::GaveUp(GaveUp::TooLarge), FindEffort::default());
        };
        let moves = self.limits.moves.map(|most| (most, GaveUp::Moves(most)));
        // What is tried and not taken back is at most a tour.
        let backtracks = self.limits.backtracks.map(|most| {
            (most.saturating_add(self.board.squares() as u64), GaveUp::Backtracks(most))
        });
        let limits = moves.into_iter().chain(backtracks);
        let least = limits.min_by_key(|(most, _)| *most);
        let (most, limit) = least.unwrap_or((u64::MAX, GaveUp::Stopped));
        let is_stopped = Cell::new(false);
        let effort = |walked: &walk::WalkEffort, kept: u64| FindEffort {
            moves_generated: walked.moves_generated,
            moves_tried: walked.moves_tried,
            backtracks: walked.moves_tried.saturating_sub(kept),
            dead_ends: walked.dead_ends,
        };
        let (first, walked) = walk::first_tour(&listing, most, &|walked| {
            // Which of its moves are kept is known in the end.
            is_stopped.set(stop(&effort(walked, 0)));
            is_stopped.get()
        });
        let kept = match &first {
            // The walk recognizes a finished tour one move early and does not count that move as
            // tried.
            FirstTour::Found(squares) => squares.len().saturating_sub(2) as u64,
            _ => 0,
        };
        let outcome = match first {
            FirstTour::Found(squares) => FindOutcome::Found(Route::of(&self.board, &squares)),
            FirstTour::None => FindOutcome::None(NoTour::Exhausted),
            FirstTour::GaveUp if is_stopped.get() => FindOutcome::GaveUp(GaveUp::Stopped),
            FirstTour::GaveUp => FindOutcome::GaveUp(limit),
        };
        (outcome, effort(&walked, kept))
    }

    fn construct(&self) -> (FindOutcome, FindEffort) {
        let mut effort = FindEffort::default();
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let steps = match rows.min(cols) {
            _ if self.board.squares() == 1 => Some(Vec::new()),
            0..=strips::MOST_ROWS if rows <= cols => {
                Strips::new(rows, self.closed).tour(&self.board, self.from)
            }
            0..=strips::MOST_ROWS => self.construct_turned(),
            _ => tiles::tour(&self.board, self.from, &mut effort),
        };
        let found =
            steps.map(|steps| FindOutcome::Found(Route::new(&self.board, self.from, steps)));
        (found.unwrap_or(FindOutcome::None(NoTour::Exhausted)), effort)
    }

    /// Finds a tour of a board with few columns by exchanging its rows and columns.
    fn construct_turned(&self) -> Option<Vec<u8>> {
        let (row, col) = (self.board.row(self.from), self.board.col(self.from));
        let board = Board::new(self.board.cols(), self.board.rows()).ok()?;
        let from = board.at(col.into(), row.into())?;
        let mut steps = Strips::new(board.rows(), self.closed).tour(&board, from)?;
        steps.iter_mut().for_each(|step| *step = links::turned(*step));
        Some(steps)
    }
}
