//! Depth-first search for one tour of a full knight's board, on the padded linear board.
//!
//! The search has to work on boards of 100 million squares, so it is not recursive and keeps three
//! bytes per square. One byte per cell holds whether the cell is taken and the number of its free
//! neighbours. One byte per move made holds its rank in the move order, and another the ranks that
//! are still untried in its place. The invariant is that the options of a free cell are its free
//! neighbours, not counting the knight's own square. Making a move or taking it back touches the
//! eight cells around one square.

use super::{FindEffort, FindLimits, FindOutcome, NoTour};
use crate::board::{Board, KNIGHT_MOVES, MoveOrder, PaddedBoard, Square};
use crate::quantity::grouped;
use crate::walk::LARGEST_BOARD;

/// The bit of a cell that is not free. The bits below it count the free neighbours.
const TAKEN: u8 = 0x80;
/// A border cell: taken, with a count that can be lowered eight times without borrowing from the
/// bit.
const BORDER: u8 = TAKEN | 0x10;
/// The number of moves between two calls of `stop`, which take less than 10 ms.
const MOVES_BETWEEN_CHECKS: u64 = 1 << 16;

/// The limit that ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GaveUp {
    /// [`FindLimits::moves`] was reached.
    #[error("the limit of {} moves tried is reached", grouped(.0))]
    Moves(u64),
    /// [`FindLimits::backtracks`] was exceeded.
    #[error("more than {} moves had to be taken back", grouped(.0))]
    Backtracks(u64),
    /// The board has too many squares for the walk.
    #[error(
        "this strategy takes boards of at most {LARGEST_BOARD} squares: try auto or a heuristic"
    )]
    TooLarge,
    /// [`super::Strategy::Auto`] tried all that it can on a board without a construction.
    #[error("neither the heuristics nor decisions about edges found a tour within their limits")]
    Undecided,
    /// The caller's `stop` returned true.
    #[error("the time is up")]
    Stopped,
}

/// A free square next to the knight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub cell: usize,
    pub row: i32,
    pub col: i32,
    pub options: u16,
}

/// The limit that the effort of a search has reached, if any.
pub(super) fn limit_reached(
    effort: &FindEffort,
    limits: &FindLimits,
    stop: &dyn Fn(&FindEffort) -> bool,
) -> Option<GaveUp> {
    let (tried, taken_back) = (effort.moves_tried, effort.backtracks);
    if let Some(moves) = limits.moves.filter(|&moves| tried >= moves) {
        return Some(GaveUp::Moves(moves));
    }
    if let Some(most) = limits.backtracks.filter(|&most| taken_back > most) {
        return Some(GaveUp::Backtracks(most));
    }
    (tried.is_multiple_of(MOVES_BETWEEN_CHECKS) && tried > 0 && stop(effort))
        .then_some(GaveUp::Stopped)
}

/// The state of a search.
///
/// `COUNTS_OPTIONS` is false for rules that do not use options. Then the free neighbours of cells
/// are not counted, which saves eight writes per move.
#[derive(Debug)]
pub(super) struct PaddedSearch {
    board: Board,
    /// The distance to the target cell of each move, by rank in the move order.
    offsets: [isize; 8],
    order: MoveOrder,
    cells: Vec<u8>,
    /// The rank of each move made.
    made: Vec<u8>,
    /// The ranks still untried in place of each move made, as a mask.
    untried: Vec<u8>,
    start: usize,
    head: usize,
    row: i32,
    col: i32,
    closed: bool,
    pub effort: FindEffort,
}

impl PaddedSearch {
    pub fn new(board: &Board, from: Square, order: MoveOrder, closed: bool) -> Self {
        let padded = PaddedBoard::new(board);
        let start = padded.cell(from);
        let mut cells = padded.cells_filled(KNIGHT_MOVES.len() as u8, BORDER);
        let near_edge = |at: u32, side: u32| at < 2 || at + 2 >= side;
        for row in 0..board.rows() {
            let edge_row = near_edge(row, board.rows());
            let cols = (0..board.cols()).filter(|&col| edge_row || near_edge(col, board.cols()));
            for square in cols.filter_map(|col| board.at(row.into(), col.into())) {
                cells[padded.cell(square)] = board.moves(square).count() as u8;
            }
        }
        Self {
            board: board.clone(),
            offsets: order.steps().map(|step| padded.offset(step)),
            order,
            cells,
            made: Vec::with_capacity(board.squares()),
            untried: Vec::with_capacity(board.squares()),
            start,
            head: start,
            row: board.row(from) as i32,
            col: board.col(from) as i32,
            closed,
            effort: FindEffort::default(),
        }
    }

    /// Searches until a tour is found, or else returns why there is none: no move is left to try,
    /// or a limit is reached.
    pub fn run<const COUNTS_OPTIONS: bool>(
        &mut self,
        rule: impl Fn(Candidate, &dyn Fn(usize) -> u16) -> u64,
        limits: &FindLimits,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> Result<(), FindOutcome> {
        let moves = self.board.squares() - 1;
        let mut untried = self.arrive::<COUNTS_OPTIONS>();
        let mut fresh = true;
        loop {
            if self.made.len() == moves && self.ends_well() {
                return Ok(());
            }
            if untried == 0 {
                self.effort.dead_ends += u64::from(fresh);
                match self.untried.pop() {
                    Some(rest) => untried = rest,
                    None => return Err(FindOutcome::None(NoTour::Exhausted)),
                }
                self.take_back::<COUNTS_OPTIONS>();
                fresh = false;
            } else {
                if let Some(limit) = limit_reached(&self.effort, limits, stop) {
                    return Err(FindOutcome::GaveUp(limit));
                }
                let rank = self.first_of::<COUNTS_OPTIONS>(untried, &rule);
                self.untried.push(untried & !(1 << rank));
                self.make(rank);
                untried = self.arrive::<COUNTS_OPTIONS>();
                fresh = true;
            }
        }
    }

    /// The moves of the tour found, as indices into [`KNIGHT_MOVES`].
    pub fn into_steps(self) -> Vec<u8> {
        let index = |step| KNIGHT_MOVES.iter().position(|&other| other == step);
        let indices = self.order.steps().map(|step| index(step).unwrap_or(0) as u8);
        let mut steps = self.made;
        steps.iter_mut().for_each(|rank| *rank = indices[usize::from(*rank)]);
        steps
    }

    /// Takes the knight's square and lowers the options of its neighbours.
    ///
    /// Returns the ranks of the moves to free squares as a mask.
    #[inline(always)]
    fn arrive<const COUNTS_OPTIONS: bool>(&mut self) -> u8 {
        self.cells[self.head] |= TAKEN;
        let mut free = 0;
        for (rank, &offset) in self.offsets.iter().enumerate() {
            let cell = &mut self.cells[self.head.wrapping_add_signed(offset)];
            *cell -= u8::from(COUNTS_OPTIONS);
            free |= u8::from(*cell < TAKEN) << rank;
        }
        self.effort.moves_generated += u64::from(free.count_ones());
        free
    }

    /// The rank that the rule prefers in a mask that is not empty.
    #[inline(always)]
    fn first_of<const COUNTS_OPTIONS: bool>(
        &self,
        mut ranks: u8,
        rule: &impl Fn(Candidate, &dyn Fn(usize) -> u16) -> u64,
    ) -> u8 {
        let mut first = (u64::MAX, 0);
        if !COUNTS_OPTIONS || ranks.is_power_of_two() {
            return ranks.trailing_zeros() as u8;
        }
        while ranks != 0 {
            let rank = ranks.trailing_zeros() as usize;
            let (up, right) = self.order.steps()[rank];
            let cell = self.head.wrapping_add_signed(self.offsets[rank]);
            let candidate = Candidate {
                cell,
                row: self.row + up,
                col: self.col + right,
                options: self.cells[cell].into(),
            };
            let value = rule(candidate, &|cell| self.fewest_options_from(cell));
            first = first.min((value, rank as u8));
            ranks &= ranks - 1;
        }
        first.1
    }

    /// The fewest options among the free neighbours of a cell, 0 if there are none.
    fn fewest_options_from(&self, cell: usize) -> u16 {
        let targets = self.offsets.map(|offset| self.cells[cell.wrapping_add_signed(offset)]);
        let free = targets.into_iter().filter(|&target| target < TAKEN);
        free.map(|options| u16::from(options - 1)).min().unwrap_or(0)
    }

    #[inline(always)]
    fn make(&mut self, rank: u8) {
        self.effort.moves_tried += 1;
        self.made.push(rank);
        self.go(rank, 1);
    }

    fn take_back<const COUNTS_OPTIONS: bool>(&mut self) {
        self.effort.backtracks += 1;
        if COUNTS_OPTIONS {
            for offset in self.offsets {
                self.cells[self.head.wrapping_add_signed(offset)] += 1;
            }
        }
        self.cells[self.head] &= !TAKEN;
        if let Some(rank) = self.made.pop() {
            self.go(rank, -1);
        }
    }

    #[inline(always)]
    fn go(&mut self, rank: u8, sign: i32) {
        let rank = usize::from(rank) % KNIGHT_MOVES.len();
        let (up, right) = self.order.steps()[rank];
        self.head = self.head.wrapping_add_signed(self.offsets[rank] * sign as isize);
        self.row += sign * up;
        self.col += sign * right;
    }

    /// True if a path through all squares is a tour of the kind that is wanted.
    fn ends_well(&self) -> bool {
        let targets = self.offsets.map(|offset| self.head.wrapping_add_signed(offset));
        !self.closed || targets.contains(&self.start)
    }
}
