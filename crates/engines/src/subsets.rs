//! The subsets engine: Hamiltonian paths by inclusion and exclusion over sets of squares.
//!
//! A walk may visit a square several times, so walks are easy to count: by repeated multiplication
//! with the matrix of the moves. A walk of `n` squares that stays within a set `S` of squares, and
//! that visits all `n` squares of the board, is a tour. By inclusion and exclusion (Karp 1982) the
//! number of tours is the sum over all sets `S` of the number of walks within `S`, with the sign of
//! `n - |S|`. That takes `2^n` sets of `n` multiplications each, hardly any memory, and no more
//! time the denser the graph is, where a search or a frontier is hopeless. Four observations make
//! it faster:
//!
//! - A closed tour is a path between two neighbours of a square that is left out ([`Paths`]). If
//!   the ends are equally free, the walks of half the length, squared, are enough.
//! - The walks within `S` are those within its components. The sets with the component `C` differ
//!   by squares away from `C`, and their signs cancel, unless every square outside `C` has a
//!   neighbour in it. So only connected sets count to which all other squares are joined. A
//!   depth-first search decides square by square whether it is in the set, and turns back where
//!   none of the sets can be such.
//! - Eight sets, which differ in three squares, are evaluated at once.
//! - All numbers are residues modulo a power of two, which a bound on the tours exceeds.
//!
//! Invariant: the sum of all evaluated sets is the number of tours modulo 2^64 or 2^128, and the
//! number is less than that by the theorem of Bregman (1973): the tours are among the permutations
//! of the squares along moves, and these are at most the product of `(d!)^(1/d)` over the numbers
//! `d` of moves of each square. Questions with a larger bound are refused.

use crate::board::{Board, Square, SquareSet};
use crate::cursor::UnitPiece;
use crate::plain;
use crate::question::Question;
use crate::search::{Counters, MemoSize, Prefixes, Tree, TreeWorker};
use crate::work::{Identity, Name, NotRecounted, Recount, Split, Stop, Work, Worker};
use std::fmt::Debug;
use std::num::Wrapping;
use std::ops::{Add, Mul, Range};

/// The largest number of squares of a board whose sets are counted.
pub const LARGEST_BOARD: usize = 64;

/// The subsets engine cannot answer a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubsetsError {
    /// The board has more than [`LARGEST_BOARD`] squares.
    #[error("{0} has too many squares to count by sets of squares: the most is {LARGEST_BOARD}")]
    TooLarge(Board),
    /// The number of tours may exceed 128 bits.
    #[error("{0} may have 2^128 tours and more, too many to count by sets of squares")]
    TooManyTours(Board),
}

/// The inclusion and exclusion for one question, a single unit.
#[derive(Debug)]
pub struct Subsets {
    question: Question,
    paths: Paths,
    prefixes: Prefixes,
}

impl Subsets {
    /// Prepares the engine for a question.
    ///
    /// # Errors
    /// [`SubsetsError`] if the board is too large, or if it may have too many tours.
    pub fn new(question: Question) -> Result<Self, SubsetsError> {
        let board = &question.board;
        if board.squares() > LARGEST_BOARD {
            return Err(SubsetsError::TooLarge(board.clone()));
        }
        let paths = Paths::of(&question);
        if paths.log2_of_bound() >= f64::from(u128::BITS - 1) {
            return Err(SubsetsError::TooManyTours(board.clone()));
        }
        let mut prefixes = Prefixes::default();
        prefixes.push(&[], 1);
        Ok(Self { question, paths, prefixes })
    }

    /// The number of bits of the residues.
    fn bits(&self) -> u32 {
        // One bit is left for the error of the floating-point bound.
        let fits = self.paths.log2_of_bound() < f64::from(u64::BITS - 1);
        if fits { u64::BITS } else { u128::BITS }
    }

    /// A worker with residues of some width.
    fn searcher<N: Residue + 'static>(&self) -> Box<dyn Worker + '_> {
        let tree = SetTree::<N>::new(&self.paths);
        Box::new(TreeWorker::new(&self.prefixes, tree, MemoSize::Off))
    }

    /// The expected seconds of one thread, at most: sets that are cut off are not taken away.
    pub fn seconds(&self) -> f64 {
        /// Measured on K20 and the queens' graph of 5x5 with residues of 64 bits.
        const OF_ADDITION: f64 = 1.5e-9;
        const OF_EIGHT_SETS: f64 = 0.5e-6;
        let paths = &self.paths;
        let share = |square: usize| if paths.decided.contains(&square) { 0.5 } else { 1.0 };
        let around = |square: usize| paths.near[square].indices().map(share).sum::<f64>();
        let additions: f64 = paths.all.indices().map(|square| share(square) * around(square)).sum();
        let steps = if paths.is_symmetric() { paths.steps.div_ceil(2) } else { paths.steps };
        let times = f64::from(self.bits() / u64::BITS).powi(2);
        let of_eight = OF_EIGHT_SETS + OF_ADDITION * times * additions * steps as f64;
        of_eight * 2_f64.powi(paths.decided.len() as i32)
    }
}

impl Work for Subsets {
    fn identity(&self) -> Identity {
        Identity {
            question: self.question.clone(),
            engine: Name::Subsets,
            split: Split::Depth(0),
            units: 1,
        }
    }

    fn label(&self, _unit: usize) -> String {
        "all".to_owned()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        match self.bits() {
            u64::BITS => self.searcher::<Wrapping<u64>>(),
            _ => self.searcher::<Wrapping<u128>>(),
        }
    }

    fn is_tree(&self) -> bool {
        true
    }

    fn residues(&self) -> Option<u32> {
        Some(self.bits())
    }

    fn accepts(&self, _unit: usize, piece: &UnitPiece) -> bool {
        let path = piece.path();
        piece.lies_below(&[])
            && path.len() <= self.paths.decided.len().max(1)
            && path.iter().all(|&choice| choice < 2)
    }

    /// Recounts small boards by dynamic programming over sets of squares.
    fn recount(
        &self,
        _unit: usize,
        _piece: &UnitPiece,
        memory: u64,
        stop: Stop,
    ) -> Result<Recount, NotRecounted> {
        if !plain::sets::fits(&self.question.board, memory) {
            return Err(NotRecounted::TooLarge);
        }
        let count = plain::sets::count(&self.question, stop).ok_or(NotRecounted::Stopped)?;
        Ok(Recount { count, by: "dynamic programming over sets of squares", rest: None })
    }
}

/// The directed paths that are counted: through all squares of a set, from a start to an end.
#[derive(Debug, Clone)]
struct Paths {
    /// The neighbours of each square within the set.
    near: Vec<u64>,
    all: u64,
    starts: u64,
    ends: u64,
    /// The number of moves of a path.
    steps: usize,
    /// The squares about which the search decides, in this order: each is near those before it.
    decided: Vec<usize>,
    /// The single squares in which the sets differ that are evaluated at once; empty sets if the
    /// board has too few squares. All squares but these and those decided are in every set.
    varied: [u64; VARIED],
}

/// The number of squares in which sets differ that are evaluated at once.
const VARIED: usize = 3;
/// The number of sets that are evaluated at once.
const AT_ONCE: usize = 1 << VARIED;

impl Paths {
    fn of(question: &Question) -> Self {
        let board = &question.board;
        let mut near: Vec<u64> =
            board.all_squares().map(|square| u64::of(board.moves(square))).collect();
        let mut all = u64::of(board.all_squares());
        let single = |end: Square| u64::single(end.index());
        let [mut starts, mut ends] = question.ends().map(|end| end.map_or(all, single));
        let fixed = u64::of(question.ends().into_iter().flatten());
        if question.is_closed() {
            let anchor = board.all_squares().min_by_key(|square| near[square.index()].len());
            let anchor = anchor.map_or(0, single);
            all &= !anchor;
            let of_anchor = near[anchor.lowest()];
            // One neighbour is both ends of a path of one square, which closes no cycle.
            starts = if of_anchor.at_most_one() { u64::EMPTY } else { of_anchor };
            ends = starts;
            near.iter_mut().for_each(|near| *near &= all);
        }
        let mut decided = ordered(&near, all & !fixed);
        let last = decided.split_off(decided.len().saturating_sub(VARIED));
        let mut varied = [u64::EMPTY; VARIED];
        varied.iter_mut().zip(last).for_each(|(set, square)| *set = u64::single(square));
        let steps = (all.len() as usize).saturating_sub(1);
        Self { near, all, starts, ends, steps, decided, varied }
    }

    /// True if the reverse of every path is one of the paths.
    fn is_symmetric(&self) -> bool {
        self.starts == self.ends
    }

    /// The binary logarithm of a bound on the number of paths. A path with a vertex that joins its
    /// end to its start is a cyclic permutation along moves, to which Bregman's theorem applies.
    fn log2_of_bound(&self) -> f64 {
        let moves = |square: usize| self.near[square].len() + (self.ends >> square & 1) as u32;
        let moves = self.all.indices().map(moves).chain([self.starts.len()]);
        let factorial = |d: u32| (1..=d).map(|factor| f64::from(factor).log2()).sum::<f64>();
        let bregman: f64 = moves.map(|d| factorial(d) / f64::from(d.max(1))).sum();
        bregman.min(factorial(self.all.len()))
    }

    /// The squares of a set that can be reached from its first square.
    fn component(&self, first: u64, within: u64) -> u64 {
        let (mut reached, mut fresh) = (first, first);
        while !fresh.is_empty() {
            let near = self.near[fresh.lowest()] & within & !reached;
            reached |= near;
            fresh = fresh.without_lowest() | near;
        }
        reached
    }

    /// True if every square is in a set or next to it, and the set has a start and an end.
    fn is_wide(&self, set: u64) -> bool {
        let covered = set.indices().fold(set, |covered, square| covered | self.near[square]);
        covered == self.all && set & self.starts != 0 && set & self.ends != 0
    }

    /// True if the walks within a set count: those within other sets cancel.
    fn is_counted(&self, set: u64) -> bool {
        self.is_wide(set) && self.component(u64::single(set.lowest()), set) == set
    }

    /// The node before any decision.
    fn root(&self) -> Chosen {
        let decided = u64::from_indices(self.decided.iter().copied());
        let varied = self.varied.iter().fold(u64::EMPTY, |set, &square| set | square);
        let left = decided | varied;
        Chosen { inside: self.all & !left, left, level: 0 }
    }

    /// False if no set counts that has all squares `inside` and some of those `left`.
    fn may_count(&self, at: &Chosen) -> bool {
        if at.inside.is_empty() {
            return true;
        }
        let first = u64::single(at.inside.lowest());
        let component = self.component(first, at.inside | at.left);
        at.inside & !component == 0 && self.is_wide(component)
    }
}

/// The squares of a set in an order in which each has many neighbours before it.
fn ordered(near: &[u64], mut left: u64) -> Vec<usize> {
    let mut before = u64::EMPTY;
    let mut order = Vec::new();
    while let Some(square) = left.indices().max_by_key(|&square| (near[square] & before).len()) {
        left &= !u64::single(square);
        before |= u64::single(square);
        order.push(square);
    }
    order
}

/// A node of the search: the squares that are in the set, and those that are not decided.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    inside: u64,
    left: u64,
    /// The number of decisions.
    level: usize,
}

/// A number modulo a power of two.
trait Residue: Copy + Default + Debug + Send + Add<Output = Self> + Mul<Output = Self> {
    const ONE: Self;

    fn value(self) -> u128;
}

impl Residue for Wrapping<u64> {
    const ONE: Self = Self(1);

    fn value(self) -> u128 {
        self.0.into()
    }
}

impl Residue for Wrapping<u128> {
    const ONE: Self = Self(1);

    fn value(self) -> u128 {
        self.0
    }
}

/// A value for each of the sets. Written out, because a loop of closures is not always unrolled.
#[inline(always)]
fn of_each<T>(value: impl Fn(usize) -> T) -> [T; AT_ONCE] {
    [value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)]
}

/// The numbers of walks to each square, within each of the sets that are evaluated at once.
type Walks<N> = Vec<[N; AT_ONCE]>;

/// The tree of decisions about squares. Its tours are residues, and a node is a decision or the
/// evaluation of a set.
#[derive(Debug)]
struct SetTree<'a, N> {
    paths: &'a Paths,
    /// The walks of the present number of moves, and of one less.
    now: Walks<N>,
    before: Walks<N>,
    counters: Counters,
}

impl<'a, N: Residue> SetTree<'a, N> {
    fn new(paths: &'a Paths) -> Self {
        let none = vec![[N::default(); AT_ONCE]; paths.near.len()];
        Self { paths, now: none.clone(), before: none, counters: Counters::default() }
    }

    fn decide(&mut self, at: &Chosen, is_inside: bool) -> Option<Chosen> {
        let mut next = *at;
        if let Some(&square) = self.paths.decided.get(at.level) {
            next.left &= !u64::single(square);
            next.inside |= if is_inside { u64::single(square) } else { u64::EMPTY };
            next.level += 1;
        }
        if next.level == self.paths.decided.len() {
            self.evaluate(next.inside);
            return None;
        }
        self.paths.may_count(&next).then_some(next)
    }

    /// Adds the walks within the sets of some squares and any of those that vary.
    fn evaluate(&mut self, inside: u64) {
        self.counters.nodes += AT_ONCE as u64;
        let paths = self.paths;
        let sets: [u64; AT_ONCE] = of_each(|number| {
            let chosen = (0..VARIED).filter(|place| number >> place & 1 == 1);
            chosen.fold(inside, |set, place| set | paths.varied[place])
        });
        let is_counted: [bool; AT_ONCE] = of_each(|number| {
            // On a board with too few squares some sets are equal: only the first counts.
            !sets[..number].contains(&sets[number]) && paths.is_counted(sets[number])
        });
        if !is_counted.contains(&true) {
            return;
        }
        self.walk(&sets, paths.starts, paths.steps.div_ceil(2));
        if !paths.is_symmetric() {
            let from_starts = self.now.clone();
            self.walk(&sets, paths.ends, paths.steps / 2);
            self.before = from_starts;
        } else if paths.steps.is_multiple_of(2) {
            self.before.clone_from(&self.now);
        }
        let mut sums = [N::default(); AT_ONCE];
        for square in sets[AT_ONCE - 1].indices() {
            let (now, before) = (&self.now[square], &self.before[square]);
            sums = of_each(|number| sums[number] + now[number] * before[number]);
        }
        for number in (0..AT_ONCE).filter(|&number| is_counted[number]) {
            let missing = paths.all.len() - sets[number].len();
            let (sum, tours) = (sums[number].value(), &mut self.counters.tours);
            let is_odd = missing % 2 == 1;
            *tours = if is_odd { tours.wrapping_sub(sum) } else { tours.wrapping_add(sum) };
        }
    }

    /// Counts the walks of `moves` moves from some squares, within each of the sets. The last set
    /// contains all others.
    fn walk(&mut self, sets: &[u64; AT_ONCE], from: u64, moves: usize) {
        let union = sets[AT_ONCE - 1];
        let has = |number: usize, square: usize| sets[number] >> square & 1 == 1;
        for square in union.indices() {
            let is_start = from >> square & 1 == 1;
            self.now[square] =
                of_each(
                    |number| if is_start && has(number, square) { N::ONE } else { N::default() },
                );
        }
        for _ in 0..moves {
            for square in union.indices() {
                let mut sums = [N::default(); AT_ONCE];
                for near in (self.paths.near[square] & union).indices() {
                    let walks = &self.now[near];
                    sums = of_each(|number| sums[number] + walks[number]);
                }
                if self.paths.varied.contains(&u64::single(square)) {
                    sums = of_each(
                        |number| if has(number, square) { sums[number] } else { N::default() },
                    );
                }
                self.before[square] = sums;
            }
            std::mem::swap(&mut self.now, &mut self.before);
        }
    }
}

impl<N: Residue> Tree for SetTree<'_, N> {
    type Node = Chosen;
    type Choices = Range<usize>;
    type Key = ();

    /// Parts of the tree do not stand for numbers of tours.
    const HAS_PROBES: bool = false;

    fn levels(&self) -> usize {
        usize::MAX
    }

    fn roots(&self) -> Vec<u16> {
        if self.paths.decided.is_empty() { vec![0] } else { vec![0, 1] }
    }

    fn enter(&mut self, root: usize) -> Option<Chosen> {
        self.decide(&self.paths.root(), root == 1)
    }

    fn choices(&self, _at: &Chosen) -> Range<usize> {
        0..2
    }

    fn step(&mut self, at: &Chosen, to: usize) -> Option<Chosen> {
        self.decide(at, to == 1)
    }

    fn counters(&mut self) -> &mut Counters {
        &mut self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Tally;
    use crate::work::Pause;

    fn complete(vertices: usize) -> Board {
        let pairs = (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
        let edges: Vec<String> = pairs.map(|(one, other)| format!("{one}-{other}")).collect();
        format!("graph {}", edges.join(",")).parse().expect("a graph")
    }

    #[test]
    fn pieces_that_are_paused_and_divided_add_up_to_the_number_of_tours_with_either_residues() {
        let work = Subsets::new(Question::closed(complete(11))).expect("it is small");
        let workers = [work.searcher::<Wrapping<u64>>(), work.searcher::<Wrapping<u128>>()];
        for mut worker in workers {
            worker.pause_often(20, usize::MAX);
            let (mut open, mut sum, mut pauses) = (vec![work.begin(0)], Tally::ZERO, 0);
            while let Some(piece) = open.pop() {
                assert!(work.accepts(0, &piece));
                let advance = worker.advance(0, &piece, &|| Pause::Now).expect("no states");
                sum += advance.found;
                pauses += u32::from(advance.rest.is_some());
                open.extend(advance.rest.into_iter().flat_map(|rest| worker.split(rest)));
            }
            assert!(pauses > 10, "{pauses}");
            assert_eq!(sum.residue(64), Tally::from(3_628_800_u32));
        }
    }

    #[test]
    fn the_residues_hold_every_count_or_the_question_is_refused() {
        let bits = |vertices| Subsets::new(Question::closed(complete(vertices))).map(|w| w.bits());
        assert_eq!((bits(20), bits(22), bits(33)), (Ok(64), Ok(128), Ok(128)));
        // 35! is more than 2^128.
        assert!(matches!(bits(36), Err(SubsetsError::TooManyTours(_))));
        let board = Board::new(9, 9).expect("in range");
        let large = Subsets::new(Question::open(board)).map(|work| work.bits());
        assert!(matches!(large, Err(SubsetsError::TooLarge(_))));
    }
}
