//! Reduces a question to directed Hamiltonian paths from few starts.
//!
//! Whole open tours: reversal pairs each tour with another one, so of a start in one orbit and an
//! end in a later orbit only one direction is walked and counted twice. Closed tours: with a1 taken
//! off the board, a cycle is a path between two neighbours of a1, and the same holds for those.
//! Colours: a path alternates them, so its start has the colour with more squares (if there is one)
//! and its end's colour follows.

use crate::board::{Board, MoveOrder, Square, Symmetry, orbit, stabilizer};
use crate::question::{Question, Tours};

/// What is walked in place of the question: the directed Hamiltonian paths of a region of the board
/// from the starts to the ends, each counted [`Reduction::end_weight`] times, sum to its answer.
#[derive(Debug, Clone)]
pub(super) struct Reduction {
    pub board: Board,
    /// The square that is not walked but closes every cycle.
    pub removed: Option<Square>,
    /// The number of squares of a path.
    pub length: usize,
    /// Where paths start, all of them, not one an orbit; ascending, but for [`Reduction::in_order`].
    pub starts: Vec<Square>,
    /// Knight's moves that no path makes, in either direction.
    absent: Vec<[Square; 2]>,
    /// The symmetries that map the question onto itself.
    pub group: Vec<Symmetry>,
    ends: Ends,
}

#[derive(Debug, Clone)]
enum Ends {
    Any,
    Fixed(Square),
    /// The ends are the starts, and reversal maps paths onto paths. Holds each square's orbit, in
    /// the order in which the orbits are walked.
    Reversible(Vec<Option<Square>>),
    /// A path ends at a square that ranks later than its start. Holds each square's rank.
    LaterThanStart(Vec<Option<usize>>),
}

impl Reduction {
    pub fn of(question: &Question) -> Self {
        Self::under(question, Symmetry::of(question.board))
    }

    /// The reduction by some of the board's symmetries, a group.
    pub fn under(question: &Question, all: &[Symmetry]) -> Self {
        let board = question.board;
        let (removed, starts, group, ends) = match question.tours {
            Tours::Closed => {
                let corner = Square::from_index(0);
                let group = stabilizer(board, all, corner);
                let mut starts: Vec<Square> = board.knight_moves(corner).collect();
                starts.sort_unstable();
                let ends = Ends::Reversible(orbits(board, &group, &starts));
                (Some(corner), starts, group, ends)
            }
            Tours::Open { from, to } => {
                match from.map(|from| (from, to)).or(to.map(|to| (to, None))) {
                    None => {
                        let starts: Vec<Square> = board.all_squares().collect();
                        let ends = Ends::Reversible(orbits(board, all, &starts));
                        (None, starts, all.to_vec(), ends)
                    }
                    Some((start, None)) => {
                        (None, vec![start], stabilizer(board, all, start), Ends::Any)
                    }
                    Some((start, Some(end))) => {
                        let group = stabilizer(board, &stabilizer(board, all, start), end);
                        (None, vec![start], group, Ends::Fixed(end))
                    }
                }
            }
        };
        Self::with_starts(board, removed, starts, group, ends)
    }

    /// The question without symmetry or reversal, its starts in the order in which a plain search meets
    /// them. Closed tours go through `closing`, in the one direction that is met first: a cycle's
    /// first step ranks before its last square among the moves of `closing`.
    pub fn in_order(question: &Question, closing: Square, order: &MoveOrder) -> Self {
        let (board, group) = (question.board, vec![Symmetry::Identity]);
        if question.is_closed() {
            let starts: Vec<Square> = order.targets(board, closing).collect();
            let mut ranks = vec![None; board.squares()];
            for (rank, square) in starts.iter().enumerate() {
                ranks[square.index()] = Some(rank);
            }
            let ends = Ends::LaterThanStart(ranks);
            return Self::with_starts(board, Some(closing), starts, group, ends);
        }
        let all = board.all_squares();
        let starts = question.from().map_or(all.collect(), |from| vec![from]);
        let ends = question.to().map_or(Ends::Any, Ends::Fixed);
        Self::with_starts(board, None, starts, group, ends)
    }

    /// The reduction of closed tours that use none of these moves, which may leave no symmetry.
    pub fn without(board: Board, absent: &[[Square; 2]]) -> Self {
        let mut reduction = Self::under(&Question::closed(board), &[Symmetry::Identity]);
        reduction.absent = absent.to_vec();
        reduction
    }

    /// How often a path from `start` to `end` counts: 0 where no path ends.
    pub fn end_weight(&self, start: Square, end: Square) -> u8 {
        let same_colour = self.board.has_colour_of_a1(start) == self.board.has_colour_of_a1(end);
        let colours_fit = same_colour == (self.length % 2 == 1);
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

    /// The squares a path may step to from `square`.
    pub fn moves(&self, square: Square) -> impl Iterator<Item = Square> {
        let targets = self.board.knight_moves(square);
        targets.filter(move |&target| {
            let is_absent =
                |pair: &[Square; 2]| *pair == [square, target] || *pair == [target, square];
            self.removed != Some(target) && !self.absent.iter().any(is_absent)
        })
    }

    /// Whether these squares are the beginning of a path.
    pub fn is_path(&self, path: &[u16]) -> bool {
        let squares = self.board.squares();
        let square = |&index: &u16| Square::from_index(usize::from(index));
        let starts_well = path.first().is_none_or(|first| self.starts.contains(&square(first)));
        let mut seen = vec![false; squares];
        let once = |&index: &u16| {
            seen.get_mut(usize::from(index)).is_some_and(|seen| !std::mem::replace(seen, true))
        };
        starts_well
            && path.iter().all(once)
            && path
                .windows(2)
                .all(|step| self.moves(square(&step[0])).any(|to| to == square(&step[1])))
    }

    /// Of the starts those that colours allow.
    fn with_starts(
        board: Board,
        removed: Option<Square>,
        mut starts: Vec<Square>,
        group: Vec<Symmetry>,
        ends: Ends,
    ) -> Self {
        let length = board.squares() - usize::from(removed.is_some());
        let removed_of_a1 = removed.is_some_and(|removed| board.has_colour_of_a1(removed));
        let of_a1 = board.squares().div_ceil(2) - usize::from(removed_of_a1);
        starts.retain(|&start| {
            let own_colour = match board.has_colour_of_a1(start) {
                true => of_a1,
                false => length - of_a1,
            };
            own_colour == length.div_ceil(2)
        });
        Self { board, removed, length, starts, absent: Vec::new(), group, ends }
    }
}

/// For each square of `squares` the first of its orbit, which stands for the orbit.
fn orbits(board: Board, group: &[Symmetry], squares: &[Square]) -> Vec<Option<Square>> {
    let mut orbits = vec![None; board.squares()];
    for &square in squares {
        orbits[square.index()] = orbit(board, group, square).first().copied();
    }
    orbits
}
