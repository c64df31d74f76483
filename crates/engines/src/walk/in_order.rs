//! Walks the tours of a board in the order in which a plain search meets them.
//!
//! A plain search in a [`MoveOrder`] takes days to its first tours on the chessboard. This one
//! prunes by [`super::field`], which cuts off no tour, so it meets the same tours in the same
//! order. It uses no symmetry, no reversal and no transposition table. Closed tours go through one
//! square, each in the direction met first: only the later neighbours of that square are ends,
//! which prunes the other direction.
//!
//! The invariant: the path leads to the current position. Every earlier position with several
//! choices has a frame on the stack with its untried choices. Chains of forced moves leave no
//! frame. So a path describes the whole state, and the search can continue after any tour. Memory
//! is one frame per branching, at most one per square. On bitboards a tour of 6x6 costs about 29
//! nodes.

use super::WalkError;
use super::bits::BitField;
use super::cells::{CellField, MoveLists};
use super::field::{Choices, Field, Representation};
use super::first_met;
use super::reduction::Reduction;
use crate::board::{Board, MoveOrder, PaddedBoard, Square};
use crate::question::Question;
use crate::tour::Tour;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The tours to list and their order: a question and a move order.
///
/// Open tours are listed by start, in the order of the squares' indices.
#[derive(Debug, Clone)]
pub struct Listing {
    question: Question,
    closing: Square,
    order: MoveOrder,
    reduction: Reduction,
    /// The symmetries of the board, if only one tour per class is listed.
    maps: Option<Vec<Vec<Square>>>,
}

/// A tour is not in a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotListed {
    /// The tour is of another board.
    #[error("it is a tour of {given}, and the list is of {wanted}")]
    Board {
        /// The board of the tour.
        given: Board,
        /// The board of the list.
        wanted: Board,
    },
    /// The ends of the tour are not those of the question.
    #[error("it goes from {from} to {to}, which none of the {question} does")]
    Ends {
        /// The name of the tour's first square.
        from: String,
        /// The name of the tour's last square.
        to: String,
        /// The question whose tours are listed.
        question: Question,
    },
    /// The list has the tour in the other direction.
    #[error("it is listed in the other direction, for a search meets that one first")]
    Direction,
    /// The tour is not the first of its class.
    #[error("the list has one tour of each class, and meets another of this class first")]
    Class,
}

impl Listing {
    /// Creates the list of the tours of a question. Closed tours begin on a1.
    ///
    /// # Errors
    /// [`WalkError::TooLarge`] if the board has more than
    /// [`LARGEST_BOARD`](super::LARGEST_BOARD) squares.
    pub fn new(question: Question, order: MoveOrder) -> Result<Self, WalkError> {
        Self::closing_at(question, order, Square::from_index(0))
    }

    /// Creates the list of the tours of a question, with closed tours that begin on `closing`.
    ///
    /// # Errors
    /// [`WalkError::TooLarge`] if the board has more than
    /// [`LARGEST_BOARD`](super::LARGEST_BOARD) squares.
    pub fn closing_at(
        question: Question,
        order: MoveOrder,
        closing: Square,
    ) -> Result<Self, WalkError> {
        WalkError::unless_it_fits(&question.board)?;
        let reduction = Reduction::in_order(&question, closing, &order);
        Ok(Self { question, closing, order, reduction, maps: None })
    }

    /// Restricts the list to the first tour of each class.
    ///
    /// Tours are of one class if a symmetry of the board maps one onto the other, and open tours
    /// also if it maps one onto the reverse of the other.
    pub fn classes(mut self) -> Self {
        self.maps = Some(first_met::maps(&self.question.board));
        self
    }

    /// True if a tour that the search meets is in the list.
    ///
    /// # Panics
    /// If classes are listed and the squares are fewer than those of the board, or of another
    /// board.
    pub fn is_listed(&self, tour: &[Square]) -> bool {
        self.maps.as_ref().is_none_or(|maps| {
            first_met::is_first(&self.question, self.closing, &self.order, maps, tour)
        })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.question.board.clone()
    }

    /// The question whose tours are listed.
    pub fn question(&self) -> Question {
        self.question.clone()
    }

    /// The number of squares of the shortest path of the search: the start, and before it the
    /// square on which closed tours begin.
    pub fn shortest_path(&self) -> usize {
        1 + usize::from(self.question.is_closed())
    }

    /// Checks that a tour of the board is in the list.
    ///
    /// # Errors
    /// [`NotListed`] with the reason if it is not.
    pub fn check(&self, tour: &Tour) -> Result<(), NotListed> {
        if tour.board() != self.board() {
            return Err(NotListed::Board { given: tour.board(), wanted: self.board() });
        }
        let squares = tour.squares();
        let (from, to) = (squares[0], squares[squares.len() - 1]);
        let is_closed = self.question.is_closed();
        let ends_fit = if is_closed {
            from == self.closing && tour.is_reentrant()
        } else {
            self.question.has_ends(from, to)
        };
        if !ends_fit {
            let [from, to] = [from, to].map(|end| self.question.board.name(end));
            return Err(NotListed::Ends { from, to, question: self.question.clone() });
        }
        let rank = |to| first_met::rank(&self.order, &self.question.board, from, to);
        if is_closed && rank(squares[1]) > rank(to) {
            return Err(NotListed::Direction);
        }
        if self.is_listed(squares) { Ok(()) } else { Err(NotListed::Class) }
    }

    /// Compares two tours by the order in which the search meets them.
    ///
    /// Tours of different boards compare as their boards do.
    pub fn compare(&self, one: &Tour, other: &Tour) -> Ordering {
        let by_board = one.board().cmp(&other.board());
        let one = |step: usize| one.squares()[step];
        let board = other.board();
        by_board.then_with(|| first_met::compare(&self.order, &board, one, other.squares()))
    }
}

/// The result of a search for the next tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A tour, which [`TourCursor::path`] returns.
    Tour,
    /// A path with as many squares as [`TourCursor::cut_at`] allows, which [`TourCursor::path`]
    /// returns. The tours below it are skipped.
    Cut,
    /// No tour yet, but as many nodes as [`TourCursor::pause_every`] set.
    Pause,
    /// There are no more tours.
    Done,
}

/// The work that a search has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WalkEffort {
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of moves made, including those taken back.
    pub moves_tried: u64,
    /// The number of moves that pruning left at the positions visited, tried or not.
    pub moves_generated: u64,
    /// The number of positions without a move, and of moves that led to a dead end.
    pub dead_ends: u64,
}

/// A search that returns the tours of a list one after the other.
///
/// ```
/// # mod kt_enum { pub use kt_enum_engines::{board, question, walk as list}; }
/// use kt_enum::board::{Board, MoveOrder};
/// use kt_enum::question::Question;
/// use kt_enum::list::{Listing, Next, TourCursor};
/// let listing = Listing::new(Question::open(Board::new(5, 5)?), MoveOrder::default())?;
/// let mut tours = TourCursor::new(&listing);
/// let mut count = 0;
/// loop {
///     match tours.next() {
///         Next::Tour => count += 1,
///         Next::Pause | Next::Cut => {}
///         Next::Done => break,
///     }
/// }
/// assert_eq!(count, 1_728);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TourCursor(Width);

/// Does the same with the search of any width.
macro_rules! each_width {
    ($width:expr, $search:ident => $body:expr) => {
        match $width {
            Width::One($search) => $body,
            Width::Two($search) => $body,
            Width::Padded($search) => $body,
            Width::Lists($search) => $body,
        }
    };
}

#[derive(Debug)]
enum Width {
    One(InOrder<BitField<u64>>),
    Two(InOrder<BitField<u128>>),
    Padded(InOrder<CellField<PaddedBoard>>),
    Lists(InOrder<CellField<MoveLists>>),
}

impl TourCursor {
    /// Creates a search that begins with the first tour of a list.
    ///
    /// It also returns tours that are not the first of their class; see [`Listing::is_listed`].
    pub fn new(listing: &Listing) -> Self {
        Self(match Representation::of(&listing.question.board) {
            Representation::OneWord => Width::One(InOrder::new(listing)),
            Representation::TwoWords => Width::Two(InOrder::new(listing)),
            Representation::Padded => Width::Padded(InOrder::new(listing)),
            Representation::Lists => Width::Lists(InOrder::new(listing)),
        })
    }

    /// Makes the search return paths with this many squares as [`Next::Cut`] and skip the tours
    /// below them.
    pub fn cut_at(&mut self, squares: usize) {
        each_width!(&mut self.0, search => search.cut = squares);
    }

    /// Makes the search return [`Next::Pause`] whenever it has visited this many more nodes, at
    /// least one.
    ///
    /// The caller can then check for cancellation. The next call continues the search.
    pub fn pause_every(&mut self, nodes: u64) {
        let nodes = nodes.max(1);
        each_width!(&mut self.0, search => {
            search.pause_every = nodes;
            search.next_pause = search.done.nodes.saturating_add(nodes);
        });
    }

    /// Moves the search to a path that [`Next::Cut`] returned. Only the tours that begin with it
    /// follow.
    pub fn go_below(&mut self, path: &[Square]) {
        each_width!(&mut self.0, search => search.go_below(path));
    }

    /// Moves the search to the place after a tour of the list, or after all tours that begin with a
    /// path.
    ///
    /// The tours that follow begin with the first `fixed` squares of it.
    pub fn go_after(&mut self, path: &[Square], fixed: usize) {
        each_width!(&mut self.0, search => search.go_after(path, fixed));
    }

    /// Searches for the next tour.
    #[expect(clippy::should_implement_trait, reason = "the tour is borrowed, not given away")]
    pub fn next(&mut self) -> Next {
        each_width!(&mut self.0, search => search.next())
    }

    /// The squares of the last tour or cut path.
    pub fn path(&self) -> &[Square] {
        each_width!(&self.0, search => &search.path)
    }

    /// The work done so far.
    pub fn effort(&self) -> WalkEffort {
        each_width!(&self.0, search => search.effort())
    }
}

/// The result of [`first_tour`] and [`next_tour`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstTour {
    /// The tour, as its squares in order.
    Found(Vec<Square>),
    /// The list has no tour, or no further one.
    None,
    /// The limit of nodes was reached, or `stop` returned true.
    GaveUp,
}

/// Searches for the first tour of a list.
///
/// The search gives up after `most_nodes` nodes, or if `stop`, which it calls every few
/// milliseconds with the effort so far, returns true.
pub fn first_tour(
    listing: &Listing,
    most_nodes: u64,
    stop: &dyn Fn(&WalkEffort) -> bool,
) -> (FirstTour, WalkEffort) {
    let mut tours = TourCursor::new(listing);
    let first = next_tour(listing, &mut tours, most_nodes, stop);
    (first, tours.effort())
}

/// Searches for the next tour of a list, in the way of [`first_tour`].
///
/// `most_nodes` limits all nodes that `tours` has visited, including those before the call.
pub fn next_tour(
    listing: &Listing,
    tours: &mut TourCursor,
    most_nodes: u64,
    stop: &dyn Fn(&WalkEffort) -> bool,
) -> FirstTour {
    const NODES_BETWEEN_CHECKS: u64 = 1 << 14;
    loop {
        let left = most_nodes.saturating_sub(tours.effort().nodes);
        tours.pause_every(left.min(NODES_BETWEEN_CHECKS));
        match tours.next() {
            Next::Tour if listing.is_listed(tours.path()) => {
                return FirstTour::Found(tours.path().to_vec());
            }
            Next::Done => return FirstTour::None,
            Next::Pause if stop(&tours.effort()) || tours.effort().nodes >= most_nodes => {
                return FirstTour::GaveUp;
            }
            Next::Tour | Next::Pause | Next::Cut => {}
        }
    }
}

/// Calls `visit` with each tour of a list, as its squares in order, until it returns `Break`.
///
/// All tours that the search meets are visited, also in a list of classes.
///
/// ```
/// # mod kt_enum { pub use kt_enum_engines::{board, question, walk as list}; }
/// use kt_enum::board::{Board, MoveOrder};
/// use kt_enum::question::Question;
/// use kt_enum::list::{self, Listing};
/// use std::ops::ControlFlow;
///
/// let board = Board::new(5, 5)?;
/// let middle = board.parse_square("c3")?;
/// let listing = Listing::new(Question::open(board), MoveOrder::default())?;
/// // The first tour that ends in the middle.
/// let found = list::visit(&listing, |squares| match squares.last() {
///     Some(&end) if end == middle => ControlFlow::Break(squares.to_vec()),
///     _ => ControlFlow::Continue(()),
/// });
/// assert!(found.is_break());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn visit<B>(
    listing: &Listing,
    mut visit: impl FnMut(&[Square]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut tours = TourCursor::new(listing);
    loop {
        match tours.next() {
            Next::Tour => visit(tours.path())?,
            Next::Done => return ControlFlow::Continue(()),
            Next::Pause | Next::Cut => {}
        }
    }
}

/// The search with one representation of the board.
#[derive(Debug)]
pub(super) struct InOrder<F: Field> {
    field: F,
    starts: Vec<Square>,
    /// The index of the first untried start.
    next_start: usize,
    /// The targets of each square in the order in which they are tried, by the index of the square.
    targets: Vec<Vec<Square>>,
    /// The number of squares of a tour.
    length: usize,
    /// The starts and ends of tours that have no other squares to walk.
    pairs: Vec<[Square; 2]>,
    /// The one of them that [`InOrder::go_below`] was given.
    given: Option<[Square; 2]>,
    /// The current path. It begins with the square on which closed tours begin, if the tours are
    /// closed.
    pub path: Vec<Square>,
    /// The length of the path without any move: 1 for closed tours, otherwise 0.
    base: usize,
    /// The position to continue from. If it is `None`, the search continues from the last frame.
    at: Option<F::Node>,
    frames: Vec<Frame<F>>,
    /// The position after the current start.
    entered: Option<F::Node>,
    cut: usize,
    /// The work done so far, without the moves that were left untried.
    done: WalkEffort,
    pause_every: u64,
    next_pause: u64,
}

/// A position with several choices, and those that are untried.
#[derive(Debug)]
struct Frame<F: Field> {
    at: F::Node,
    choices: F::Choices,
    /// The length of the path to the position.
    length: usize,
    /// The index of the first untried target of the path's last square.
    next: usize,
}

impl<F: Field> InOrder<F> {
    pub fn new(listing: &Listing) -> Self {
        let (board, reduction) = (listing.board(), &listing.reduction);
        let targets = |from| listing.order.targets(&board, from).collect();
        let path: Vec<Square> = reduction.removed.into_iter().collect();
        Self {
            field: F::new(reduction),
            starts: reduction.starts.clone(),
            next_start: 0,
            targets: board.all_squares().map(targets).collect(),
            length: board.squares(),
            pairs: reduction.pairs(),
            given: None,
            base: path.len(),
            path,
            at: None,
            frames: Vec::new(),
            entered: None,
            cut: usize::MAX,
            done: WalkEffort::default(),
            pause_every: u64::MAX,
            next_pause: u64::MAX,
        }
    }

    pub fn next(&mut self) -> Next {
        self.leave_tour();
        if let Some(pair) = self.given.take() {
            self.path.extend(pair);
            return Next::Tour;
        }
        loop {
            if self.done.nodes >= self.next_pause {
                self.next_pause = self.done.nodes.saturating_add(self.pause_every);
                return Next::Pause;
            }
            let (from, to) = match self.at.take() {
                Some(at) => match self.forced_move(at) {
                    Some(to) => (at, to),
                    None => continue,
                },
                None => match self.untried_move() {
                    Some(choice) => choice,
                    None => match self.enter_next_start() {
                        Next::Pause => continue,
                        end => return end,
                    },
                },
            };
            self.done.moves_tried += 1;
            if let Some(next) = self.field.step(&from, to.index()) {
                self.path.push(to);
                if self.path.len() == self.cut {
                    return Next::Cut;
                }
                self.at = Some(next);
            } else if self.path.len() + 2 == self.length
                && let Some(last) = self.field.last(&from, to.index())
            {
                self.path.extend([to, Square::from_index(last)]);
                return Next::Tour;
            } else {
                self.done.dead_ends += 1;
            }
        }
    }

    /// The only move from a position. Returns `None` if there is none, or if there are several, for
    /// which it pushes a frame.
    #[inline(always)]
    fn forced_move(&mut self, at: F::Node) -> Option<Square> {
        self.done.nodes += 1;
        let mut choices = self.field.choices(&at);
        if choices.are_several() {
            self.frames.push(Frame { at, choices, length: self.path.len(), next: 0 });
            return None;
        }
        let only = choices.next();
        self.done.dead_ends += u64::from(only.is_none());
        only.map(Square::from_index)
    }

    /// Goes back to the last frame with an untried move, and returns its position and that move.
    #[inline(always)]
    fn untried_move(&mut self) -> Option<(F::Node, Square)> {
        while let Some(frame) = self.frames.last_mut() {
            while self.path.len() > frame.length {
                undo_last(&mut self.field, &mut self.path);
            }
            let head = self.path[frame.length - 1];
            for &to in &self.targets[head.index()][frame.next..] {
                frame.next += 1;
                if frame.choices.have(to.index()) {
                    return Some((frame.at, to));
                }
            }
            self.frames.pop();
        }
        None
    }

    /// Leaves the current start for the next one. Returns [`Next::Pause`] if there is something to
    /// search below it.
    fn enter_next_start(&mut self) -> Next {
        self.back_to(self.base);
        let Some(&start) = self.starts.get(self.next_start) else {
            return Next::Done;
        };
        self.next_start += 1;
        if self.length == 1 {
            self.path.push(start);
            return Next::Tour;
        }
        if let Some(pair) = self.pairs.iter().find(|pair| pair[0] == start) {
            self.path.extend(pair);
            return Next::Tour;
        }
        self.at = self.step_on_start(start);
        if self.path.len() == self.cut {
            self.at = None;
            return Next::Cut;
        }
        Next::Pause
    }

    fn step_on_start(&mut self, start: Square) -> Option<F::Node> {
        self.entered = self.field.enter(start.index());
        if self.entered.is_some() {
            self.path.push(start);
        }
        self.entered
    }

    /// Takes moves back until the path has at most `length` squares.
    fn back_to(&mut self, length: usize) {
        self.leave_tour();
        while self.path.len() > length {
            undo_last(&mut self.field, &mut self.path);
        }
    }

    /// Removes the last two squares of a tour from the path. The field has not stepped on them.
    #[inline(always)]
    fn leave_tour(&mut self) {
        if self.path.len() == self.length {
            self.path.truncate(self.length.saturating_sub(2));
        }
    }

    fn go_below(&mut self, path: &[Square]) {
        self.at = self.follow(path, path.len());
        // The tours of the smallest boards are found as a whole, and nothing else is below them.
        self.given = self.pairs.iter().find(|pair| path.ends_with(&pair[..])).copied();
        if self.length == 1 {
            self.next_start = 0;
        }
    }

    pub fn go_after(&mut self, path: &[Square], fixed: usize) {
        self.follow(path, fixed);
        self.at = None;
    }

    /// Follows a path from its start and pushes a frame for the choices after each move past the
    /// first `fixed` squares.
    ///
    /// Returns the position at its end, or `None` if that is the end of a tour.
    fn follow(&mut self, path: &[Square], fixed: usize) -> Option<F::Node> {
        self.frames.clear();
        self.back_to(self.base + 1);
        let start = path[self.base];
        self.next_start = self.starts.len();
        if fixed <= self.base {
            let place = self.starts.iter().position(|&other| other == start);
            self.next_start = place.map_or(self.next_start, |place| place + 1);
        }
        let mut at = match self.entered {
            // Entering a start takes time proportional to the size of the board, so it is not
            // repeated.
            Some(entered) if self.path.last() == Some(&start) => entered,
            _ => {
                self.back_to(self.base);
                self.step_on_start(start)?
            }
        };
        for &to in &path[self.base + 1..] {
            let (length, head) = (self.path.len(), path[self.path.len() - 1]);
            if length >= fixed {
                let tried = self.targets[head.index()].iter().position(|&t| t == to);
                let choices = self.field.choices(&at);
                let next = tried.map_or(0, |tried| tried + 1);
                self.frames.push(Frame { at, choices, length, next });
            }
            at = self.field.step(&at, to.index())?;
            self.path.push(to);
        }
        Some(at)
    }

    pub fn effort(&self) -> WalkEffort {
        let untried = |frame: &Frame<F>| {
            let head = self.path[frame.length - 1];
            let targets = self.targets[head.index()][frame.next..].iter();
            targets.filter(|to| frame.choices.have(to.index())).count() as u64
        };
        let untried = self.frames.iter().map(untried).sum::<u64>();
        WalkEffort { moves_generated: self.done.moves_tried + untried, ..self.done }
    }
}

#[inline(always)]
fn undo_last<F: Field>(field: &mut F, path: &mut Vec<Square>) {
    if let Some(square) = path.pop() {
        field.undo(square.index());
    }
}
