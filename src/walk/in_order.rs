//! The walk as a list: every directed tour, in the order in which a plain search meets them.
//!
//! The pruning is that of the [`super::field`], which drops no tour; so a search that tries the moves
//! in a [`MoveOrder`] meets the tours of plain backtracking in its order. There is no symmetry, no
//! reversal and no table. Closed tours go through one square, each in the direction met first: the
//! later neighbours of that square are the only ends, which prunes the other direction away.
//!
//! Invariant: the path leads to the position at hand, and a frame stands for every position on it
//! that had several choices, with what is not tried yet. Chains of forced moves leave no frame. So the
//! state is a path, and a search can go on after any tour. Memory: a frame a branching, at most one a
//! square. Cost on bitboards: about 29 nodes a tour on 6x6.

use super::bits::BitField;
use super::field::{Choices, Field};
use super::first_met::{self, Images};
use super::padded::PaddedField;
use super::reduction::Reduction;
use super::{LARGEST_BOARD, WalkError};
use crate::board::{Board, MoveOrder, Square};
use crate::question::Question;
use crate::tour::Tour;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Which tours are listed, and in which order.
#[derive(Debug, Clone)]
pub struct Listing {
    pub(super) question: Question,
    pub(super) closing: Square,
    order: MoveOrder,
    reduction: Reduction,
    /// When one tour of each class is listed.
    images: Option<Images>,
}

/// Why a tour is not one of a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotListed {
    /// It starts or ends elsewhere.
    #[error("it goes from {from} to {to}, which none of the {question} does")]
    Ends {
        /// Its first square.
        from: String,
        /// Its last square.
        to: String,
        /// What is listed.
        question: Question,
    },
    /// It is the other direction of one that is.
    #[error("it is listed in the other direction, for a search meets that one first")]
    Direction,
    /// It is not the first of its class.
    #[error("the list has one tour of each class, and meets another of this class first")]
    Class,
}

impl Listing {
    /// The tours that answer a question; closed ones from a1.
    ///
    /// # Errors
    /// [`WalkError::TooLarge`] when the board is.
    pub fn new(question: Question, order: MoveOrder) -> Result<Self, WalkError> {
        Self::closing_at(question, order, Square::from_index(0))
    }

    /// The same, with closed tours from a square of choice.
    ///
    /// # Errors
    /// [`WalkError::TooLarge`] when the board is.
    pub fn closing_at(
        question: Question,
        order: MoveOrder,
        closing: Square,
    ) -> Result<Self, WalkError> {
        let board = question.board;
        let squares = board.squares();
        if squares > LARGEST_BOARD {
            return Err(WalkError::TooLarge { board, squares });
        }
        Ok(Self {
            question,
            closing,
            order,
            reduction: Reduction::in_order(&question, closing, &order),
            images: None,
        })
    }

    /// Of these tours only the first met of each class: equal up to the symmetries of the board, and,
    /// when open, to their direction.
    pub fn classes(mut self) -> Self {
        self.images = Some(Images::of(self.question, self.closing, self.order));
        self
    }

    /// Whether a tour that the search meets is listed.
    pub fn is_listed(&self, tour: &[Square]) -> bool {
        let images = self.images.as_ref();
        images.is_none_or(|images| images.is_first(tour))
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.question.board
    }

    /// The question whose tours it lists.
    pub fn question(&self) -> Question {
        self.question
    }

    /// The length of the shortest path of a search: its start, and the square that closed tours come
    /// back to.
    pub fn shortest_path(&self) -> usize {
        1 + usize::from(self.question.is_closed())
    }

    /// Whether a tour of the board is one of the list.
    ///
    /// # Errors
    /// [`NotListed`] says why not.
    pub fn check(&self, tour: &Tour) -> Result<(), NotListed> {
        let squares = tour.squares();
        let (from, to) = (squares[0], squares[squares.len() - 1]);
        let (board, is_closed) = (self.board(), self.question.is_closed());
        let ends_fit = match is_closed {
            true => from == self.closing && tour.is_reentrant(board),
            false => self.question.has_ends(from, to),
        };
        if !ends_fit {
            return Err(NotListed::Ends {
                from: board.name(from),
                to: board.name(to),
                question: self.question,
            });
        }
        if is_closed && self.rank(from, squares[1]) > self.rank(from, to) {
            return Err(NotListed::Direction);
        }
        match self.is_listed(squares) {
            true => Ok(()),
            false => Err(NotListed::Class),
        }
    }

    /// Which of two tours is met first.
    pub fn compare(&self, one: &Tour, other: &Tour) -> Ordering {
        let one = |step: usize| one.squares()[step];
        first_met::compare(&self.order, self.board(), one, other.squares())
    }

    /// The place of a move among those that are tried.
    fn rank(&self, from: Square, to: Square) -> Option<usize> {
        first_met::rank(&self.order, self.board(), from, to)
    }
}

/// What a search for the next tour came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A tour: it is the path.
    Tour,
    /// A path as long as [`Tours::cut_at`] says, below which nothing was searched: it is the path.
    Cut,
    /// Nothing yet: [`Tours::look_after`] so many nodes the search looks up.
    Look,
    /// There are no more.
    Done,
}

/// What a search has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Positions visited.
    pub nodes: u64,
    /// Moves made, and taken back unless they belong to the tour found.
    pub moves_tried: u64,
    /// Moves that pruning left at the positions visited, tried or not.
    pub moves_generated: u64,
    /// Positions without a move left, and moves that made one.
    pub dead_ends: u64,
}

/// The tours of a list, one after the other.
///
/// ```
/// use kt_enum::board::{Board, MoveOrder};
/// use kt_enum::question::Question;
/// use kt_enum::walk::{Listing, Next, Tours};
/// let listing = Listing::new(Question::open(Board::new(5, 5)?), MoveOrder::default())?;
/// let mut tours = Tours::new(&listing);
/// let mut count = 0;
/// loop {
///     match tours.next() {
///         Next::Tour => count += 1,
///         Next::Look | Next::Cut => {}
///         Next::Done => break,
///     }
/// }
/// assert_eq!(count, 1_728);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tours(Width);

#[derive(Debug)]
enum Width {
    One(InOrder<BitField<u64>>),
    Two(InOrder<BitField<u128>>),
    Padded(InOrder<PaddedField>),
}

impl Tours {
    /// The tours from the first on.
    pub fn new(listing: &Listing) -> Self {
        Self(match listing.board().squares() {
            0..=64 => Width::One(InOrder::new(listing)),
            65..=128 => Width::Two(InOrder::new(listing)),
            _ => Width::Padded(InOrder::new(listing)),
        })
    }

    /// Paths of so many squares are not followed further, but shown as [`Next::Cut`].
    pub fn cut_at(&mut self, squares: usize) {
        each_width!(&mut self.0, search => search.cut = squares);
    }

    /// After so many nodes, again and again, the search looks up with [`Next::Look`].
    pub fn look_after(&mut self, nodes: u64) {
        each_width!(&mut self.0, search => {
            search.look_every = nodes;
            search.next_look = search.nodes.saturating_add(nodes);
        });
    }

    /// Goes to a path that [`Next::Cut`] showed: only the tours that begin with it follow.
    pub fn go_below(&mut self, path: &[Square]) {
        each_width!(&mut self.0, search => search.go_below(path));
    }

    /// Goes to just after a tour of the list, or after all that begins with a path: what follows
    /// comes after, and begins with the first `fixed` squares.
    pub fn go_after(&mut self, path: &[Square], fixed: usize) {
        each_width!(&mut self.0, search => search.go_after(path, fixed));
    }

    /// Searches for the next tour.
    #[expect(clippy::should_implement_trait, reason = "the tour is borrowed, not given away")]
    pub fn next(&mut self) -> Next {
        each_width!(&mut self.0, search => search.next())
    }

    /// The squares of the tour that was found last, or of the path that was cut.
    pub fn path(&self) -> &[Square] {
        each_width!(&self.0, search => &search.path)
    }

    /// What the search has cost up to now.
    pub fn effort(&self) -> Effort {
        each_width!(&self.0, search => search.effort())
    }
}

/// How the search for a first tour ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstTour {
    /// With the tour, as its squares in order.
    Found(Vec<Square>),
    /// There is none.
    None,
    /// Too many nodes, or `stop` said so.
    GaveUp,
}

/// The first tour of a list, unless the search passes `most_nodes` or is told to stop, which it asks
/// every few milliseconds.
pub fn first_tour(
    listing: &Listing,
    most_nodes: u64,
    stop: &dyn Fn() -> bool,
) -> (FirstTour, Effort) {
    const NODES_BETWEEN_LOOKS: u64 = 1 << 14;
    let mut tours = Tours::new(listing);
    loop {
        let left = most_nodes.saturating_sub(tours.effort().nodes);
        tours.look_after(left.min(NODES_BETWEEN_LOOKS));
        let end = match tours.next() {
            Next::Tour => FirstTour::Found(tours.path().to_vec()),
            Next::Done => FirstTour::None,
            Next::Look if stop() || tours.effort().nodes >= most_nodes => FirstTour::GaveUp,
            Next::Look | Next::Cut => continue,
        };
        return (end, tours.effort());
    }
}

/// Shows each tour of a list to `visit`, as its squares in order, until that breaks off.
///
/// ```
/// use kt_enum::board::{Board, MoveOrder};
/// use kt_enum::question::Question;
/// use kt_enum::walk::{self, Listing};
/// use std::ops::ControlFlow;
///
/// let board = Board::new(5, 5)?;
/// let listing = Listing::new(Question::open(board), MoveOrder::default())?;
/// // The first tour that ends in the middle.
/// let middle = board.parse_square("c3")?;
/// let found = walk::visit(&listing, |squares| match squares.last() {
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
    let mut tours = Tours::new(listing);
    loop {
        match tours.next() {
            Next::Tour => visit(tours.path())?,
            Next::Done => return ControlFlow::Continue(()),
            Next::Look | Next::Cut => {}
        }
    }
}

/// The search in one representation of the board.
#[derive(Debug)]
pub(super) struct InOrder<F: Field> {
    field: F,
    starts: Vec<Square>,
    /// The first start not tried.
    next_start: usize,
    /// By square, its targets in the order in which they are tried.
    targets: Vec<Vec<Square>>,
    /// The squares of a tour.
    length: usize,
    /// The square that closed tours come back to, if any, and the squares stepped on.
    pub path: Vec<Square>,
    /// The length of the path without any step: 1 where there is a square to come back to.
    base: usize,
    /// Where to go on from; when there is nothing, from the last frame.
    at: Option<F::Position>,
    frames: Vec<Frame<F>>,
    /// The position after the start at hand.
    entered: Option<F::Position>,
    cut: usize,
    nodes: u64,
    moves_tried: u64,
    dead_ends: u64,
    look_every: u64,
    next_look: u64,
}

/// A position with several choices, some of which are not tried yet.
#[derive(Debug)]
struct Frame<F: Field> {
    at: F::Position,
    choices: F::Moves,
    /// The length of the path that leads here.
    length: usize,
    /// Of the targets of its last square, the first not tried.
    next: usize,
}

impl<F: Field> InOrder<F> {
    pub fn new(listing: &Listing) -> Self {
        let (board, reduction) = (listing.board(), &listing.reduction);
        let targets = |from| listing.order.targets(board, from).collect();
        let path: Vec<Square> = reduction.removed.into_iter().collect();
        Self {
            field: F::new(reduction),
            starts: reduction.starts.clone(),
            next_start: 0,
            targets: board.all_squares().map(targets).collect(),
            length: board.squares(),
            base: path.len(),
            path,
            at: None,
            frames: Vec::new(),
            entered: None,
            cut: usize::MAX,
            nodes: 0,
            moves_tried: 0,
            dead_ends: 0,
            look_every: u64::MAX,
            next_look: u64::MAX,
        }
    }

    pub fn next(&mut self) -> Next {
        self.leave_tour();
        loop {
            if self.nodes >= self.next_look {
                self.next_look = self.nodes.saturating_add(self.look_every);
                return Next::Look;
            }
            let (from, to) = match self.at.take() {
                Some(at) => match self.forced_move(at) {
                    Some(to) => (at, to),
                    None => continue,
                },
                None => match self.untried_move() {
                    Some(choice) => choice,
                    None => match self.enter_next_start() {
                        Next::Look => continue,
                        end => return end,
                    },
                },
            };
            self.moves_tried += 1;
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
                self.dead_ends += 1;
            }
        }
    }

    /// The only move from a position. Where there are several a frame is left for them.
    #[inline(always)]
    fn forced_move(&mut self, at: F::Position) -> Option<Square> {
        self.nodes += 1;
        let mut choices = self.field.moves(&at);
        if choices.are_several() {
            self.frames.push(Frame { at, choices, length: self.path.len(), next: 0 });
            return None;
        }
        let only = choices.next();
        self.dead_ends += u64::from(only.is_none());
        only.map(Square::from_index)
    }

    /// The next untried move from the last frame that has one, back at its position.
    #[inline(always)]
    fn untried_move(&mut self) -> Option<(F::Position, Square)> {
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

    /// Leaves the start at hand for the next one; [`Next::Look`] when it is to be searched.
    fn enter_next_start(&mut self) -> Next {
        self.leave_start();
        let Some(&start) = self.starts.get(self.next_start) else {
            return Next::Done;
        };
        self.next_start += 1;
        if self.length == 1 {
            self.path.push(start);
            return Next::Tour;
        }
        self.at = self.step_on_start(start);
        if self.path.len() == self.cut {
            self.at = None;
            return Next::Cut;
        }
        Next::Look
    }

    fn step_on_start(&mut self, start: Square) -> Option<F::Position> {
        self.entered = self.field.enter(start.index());
        if self.entered.is_some() {
            self.path.push(start);
        }
        self.entered
    }

    fn back_to_start(&mut self) {
        self.leave_tour();
        while self.path.len() > self.base + 1 {
            undo_last(&mut self.field, &mut self.path);
        }
    }

    fn leave_start(&mut self) {
        self.back_to_start();
        if self.path.len() > self.base
            && let Some(start) = self.path.pop()
        {
            self.field.leave(start.index());
        }
    }

    /// Takes the last two squares of a tour back, which were not stepped on.
    #[inline(always)]
    fn leave_tour(&mut self) {
        if self.path.len() == self.length {
            self.path.truncate(self.length.saturating_sub(2));
        }
    }

    fn go_below(&mut self, path: &[Square]) {
        self.at = self.follow(path, path.len());
        if self.length == 1 {
            self.next_start = 0;
        }
    }

    pub fn go_after(&mut self, path: &[Square], fixed: usize) {
        self.follow(path, fixed);
        self.at = None;
    }

    /// Follows a path from its start on, with a frame for what comes after each step past the first
    /// `fixed` squares. The position at its end, unless it is the end of a tour.
    fn follow(&mut self, path: &[Square], fixed: usize) -> Option<F::Position> {
        self.frames.clear();
        self.back_to_start();
        let start = path[self.base];
        self.next_start = self.starts.len();
        if fixed <= self.base {
            let place = self.starts.iter().position(|&other| other == start);
            self.next_start = place.map_or(self.next_start, |place| place + 1);
        }
        let mut at = match self.entered {
            // Entering looks at every square of the board.
            Some(entered) if self.path.last() == Some(&start) => entered,
            _ => {
                self.leave_start();
                self.step_on_start(start)?
            }
        };
        for &to in &path[self.base + 1..] {
            let (length, head) = (self.path.len(), path[self.path.len() - 1]);
            if length >= fixed {
                let tried = self.targets[head.index()].iter().position(|&t| t == to);
                let choices = self.field.moves(&at);
                let next = tried.map_or(0, |tried| tried + 1);
                self.frames.push(Frame { at, choices, length, next });
            }
            at = self.field.step(&at, to.index())?;
            self.path.push(to);
        }
        Some(at)
    }

    pub fn effort(&self) -> Effort {
        let untried = |frame: &Frame<F>| {
            let head = self.path[frame.length - 1];
            let targets = self.targets[head.index()][frame.next..].iter();
            targets.filter(|to| frame.choices.have(to.index())).count() as u64
        };
        Effort {
            nodes: self.nodes,
            moves_tried: self.moves_tried,
            moves_generated: self.moves_tried + self.frames.iter().map(untried).sum::<u64>(),
            dead_ends: self.dead_ends,
        }
    }
}

#[inline(always)]
fn undo_last<F: Field>(field: &mut F, path: &mut Vec<Square>) {
    if let Some(square) = path.pop() {
        field.undo(square.index());
    }
}
