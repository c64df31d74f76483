//! Reduces a question to directed Hamiltonian paths from few starts.
//!
//! Walking every tour from both ends, and every cycle from all squares in both directions, would
//! repeat work. Three observations avoid that:
//!
//! - Open tours with free ends: reversal pairs each tour with another one. If the start is in one
//!   orbit of squares and the end in a later one, only this direction is walked, and it counts
//!   twice.
//! - Closed tours: without one square, the *anchor*, a cycle is a path between two of
//!   its neighbours. The same reversal applies to these paths. The anchor is a1 on a full knight's
//!   board, and otherwise a square with the fewest moves.
//! - Colours, if the board has them: a path alternates between them, so it starts on the
//!   colour with more squares, if there is one, and the colour of its end follows.

use crate::board::{Board, MoveOrder, Square, Symmetry, orbit, stabilizer};
use crate::question::Question;

/// The paths that are walked to answer a question.
///
/// They are the directed Hamiltonian paths of a region of the board from `starts` to the ends. If
/// each is counted [`Reduction::end_weight`] times, the sum is the number of directed tours. After
/// [`Reduction::in_order`] closed tours count in one direction only.
#[derive(Debug, Clone)]
pub(super) struct Reduction {
    pub board: Board,
    /// The square that closes every cycle. It is not part of the paths.
    pub removed: Option<Square>,
    /// The number of squares of a path.
    pub length: usize,
    /// All squares on which paths start, not one per orbit. They are ascending except after
    /// [`Reduction::in_order`].
    pub starts: Vec<Square>,
    /// The symmetries that map the question onto itself.
    pub group: Vec<Symmetry>,
    /// The squares to which a path may go from each square, ascending.
    pub onward: Vec<Vec<Square>>,
    ends: Ends,
}

#[derive(Debug, Clone)]
enum Ends {
    Any,
    Fixed(Square),
    /// The ends are the starts, and reversal maps paths onto paths. Holds the orbit of each square
    /// as its first square; orbits are walked in this order.
    Reversible(Vec<Option<Square>>),
    /// The end of a path has a higher rank than its start. Holds the rank of each square.
    LaterThanStart(Vec<Option<usize>>),
}

impl Reduction {
    pub fn of(question: &Question) -> Self {
        Self::under(question, Symmetry::of(&question.board))
    }

    /// The reduction of a question under some symmetries of the board, which have to be a group.
    pub fn under(question: &Question, all: &[Symmetry]) -> Self {
        let board = &question.board;
        let removed = question.is_closed().then(|| anchor(board));
        // With one end alone fixed, the paths start there.
        let (start, end) = match question.ends() {
            [None, to] => (to, None),
            [from, to] => (from, to),
        };
        let fixed = removed.into_iter().chain(start).chain(end);
        let group = fixed.fold(all.to_vec(), |group, square| stabilizer(board, &group, square));
        let mut starts: Vec<Square> = match removed {
            Some(anchor) => board.moves(anchor).collect(),
            None => start.map_or_else(|| board.all_squares().collect(), |start| vec![start]),
        };
        starts.sort_unstable();
        let ends = match (start, end) {
            (None, _) => Ends::Reversible(orbits(board, &group, &starts)),
            (Some(_), None) => Ends::Any,
            (Some(_), Some(end)) => Ends::Fixed(end),
        };
        Self::with_starts(question, removed, starts, group, ends)
    }

    /// The reduction without symmetry and reversal, with the starts in the order in which a plain
    /// search tries them.
    ///
    /// Closed tours go through `closing`, each in the one direction that the search meets first:
    /// the first move of the cycle from `closing` comes before the move to its last square in the
    /// move order.
    pub fn in_order(question: &Question, closing: Square, order: &MoveOrder) -> Self {
        let (board, group) = (&question.board, vec![Symmetry::Identity]);
        if question.is_closed() {
            let starts: Vec<Square> = order.targets(board, closing).collect();
            let mut ranks = vec![None; board.squares()];
            for (rank, square) in starts.iter().enumerate() {
                ranks[square.index()] = Some(rank);
            }
            let ends = Ends::LaterThanStart(ranks);
            return Self::with_starts(question, Some(closing), starts, group, ends);
        }
        let all = board.all_squares();
        let starts = question.from().map_or_else(|| all.collect(), |from| vec![from]);
        let ends = question.to().map_or(Ends::Any, Ends::Fixed);
        Self::with_starts(question, None, starts, group, ends)
    }

    /// The number of times that a path from `start` to `end` counts; 0 if no path ends there.
    pub fn end_weight(&self, start: Square, end: Square) -> u8 {
        let same_colour = self.board.colour(start) == self.board.colour(end);
        let colours_fit = !self.board.has_colours() || same_colour == (self.length % 2 == 1);
        let is_apart = start != end || self.length == 1;
        if !(colours_fit && is_apart) || self.removed == Some(end) {
            return 0;
        }
        match &self.ends {
            Ends::Any => 1,
            Ends::Fixed(fixed) => u8::from(*fixed == end),
            Ends::Reversible(orbits) => match (orbits[start.index()], orbits[end.index()]) {
                (Some(of_start), Some(of_end)) if of_end == of_start => 1,
                (Some(of_start), Some(of_end)) if of_end > of_start => 2,
                _ => 0,
            },
            Ends::LaterThanStart(ranks) => {
                let (of_start, of_end) = (ranks[start.index()], ranks[end.index()]);
                u8::from(of_start.is_some() && of_end > of_start)
            }
        }
    }

    /// All paths, if paths have two squares; none otherwise.
    pub fn pairs(&self) -> Vec<[Square; 2]> {
        let starts = self.starts.iter().filter(|_| self.length == 2);
        let onward = |start: Square| self.onward[start.index()].iter();
        let paths = starts.flat_map(|&start| onward(start).map(move |&end| [start, end]));
        paths.filter(|&[start, end]| self.end_weight(start, end) > 0).collect()
    }

    /// The indices of the starts.
    pub fn start_indices(&self) -> Vec<u16> {
        self.starts.iter().map(|start| start.index() as u16).collect()
    }

    /// True if these squares are the beginning of a path: distinct, and each a move from the one
    /// before.
    pub fn is_path(&self, path: &[u16]) -> bool {
        let square = |index: u16| Square::from_index(usize::from(index));
        let is_move = |step: &[u16]| self.onward[usize::from(step[0])].contains(&square(step[1]));
        // A damaged checkpoint may name squares beyond the board: the first of a step is known to
        // be on it, because it is a start or the end of a move.
        let is_new = |place: usize| !path[..place].contains(&path[place]);
        path.first().is_none_or(|&first| self.starts.contains(&square(first)))
            && path.windows(2).all(is_move)
            && (0..path.len()).all(is_new)
    }

    /// Keeps the starts that have the colour with more squares in the region, and from which a path
    /// can reach a fixed end. If the question is known to have no tour, none is kept, but full
    /// knight's boards keep their units all the same.
    fn with_starts(
        question: &Question,
        removed: Option<Square>,
        mut starts: Vec<Square>,
        group: Vec<Symmetry>,
        ends: Ends,
    ) -> Self {
        let board = &question.board;
        if !board.is_plain() && question.is_impossible() {
            starts.clear();
        }
        let length = board.squares() - usize::from(removed.is_some());
        let removed_colour = removed.map_or(0, |removed| board.colour(removed));
        // The colour with more squares, 0 if both have equally many.
        let more = board.surplus() - removed_colour;
        starts.retain(|&start| !board.has_colours() || more == 0 || board.colour(start) == more);
        let onward = |from| {
            let mut to: Vec<Square> = board.moves(from).filter(|&to| removed != Some(to)).collect();
            to.sort_unstable();
            to
        };
        let onward = board.all_squares().map(onward).collect();
        let board = board.clone();
        let mut reduction = Self { board, removed, length, starts, group, onward, ends };
        if let Ends::Fixed(end) = reduction.ends {
            let reaches = |start: &Square| reduction.end_weight(*start, end) > 0;
            reduction.starts = reduction.starts.iter().copied().filter(reaches).collect();
        }
        reduction
    }
}

/// The square that closes every cycle: the first of those with the fewest moves, which is a1 on a
/// full knight's board.
fn anchor(board: &Board) -> Square {
    let first = Square::from_index(0);
    if board.is_plain() {
        first
    } else {
        board.all_squares().min_by_key(|&s| board.moves(s).count()).unwrap_or(first)
    }
}

/// The first square of the orbit of each square in `squares`, by the index of the square.
fn orbits(board: &Board, group: &[Symmetry], squares: &[Square]) -> Vec<Option<Square>> {
    let mut orbits = vec![None; board.squares()];
    for &square in squares {
        orbits[square.index()] = orbit(board, group, square).first().copied();
    }
    orbits
}
