//! Counts tours up to the symmetries of the board.
//!
//! Listing all tours and comparing their mirror images is as slow as listing them. By Burnside's
//! lemma the number of classes is the mean, over the symmetries of the board, of the number of
//! undirected tours that each symmetry maps onto itself.
//!
//! The identity maps every tour onto itself, so the count of all tours is its number. This module
//! searches the tours that another symmetry `g` maps onto themselves. A part that visits every
//! orbit of squares under `g` exactly once determines such a tour:
//!
//! - An open tour can only be mapped onto its reverse, because only the identity leaves every
//!   square in place. So `g` is an involution and fixes the middle of the tour, which is an edge
//!   from `x` to `g(x)` or one square. Each tour consists of two such parts, both paths from the
//!   middle outwards.
//! - A closed tour is rotated or reflected along its cycle. Let `m` be the order of `g`. A rotation
//!   moves the tour by `k/m` of its length, with `k` and `m` coprime, and leaves no square in
//!   place. After `1/m` of the tour from a1 comes the image of a1 under the power `i` of `g`, where
//!   `i * k = 1` modulo `m`. So the part is a path from a1 to a neighbour of that image, for each
//!   `i` that is coprime to `m`, and each tour has two such readings, one for each direction. A
//!   reflection is an involution. It turns the cycle about two of its edges, which join a square to
//!   its image, or squares, which stay in place. The part is the path from one of these to the
//!   other. Its readings are four between two edges, and two otherwise.
//!
//! Conjugate symmetries keep equally many tours, so one of each conjugacy class is enough. A part
//! has half or a quarter of the squares, so the search visits about as many nodes as the square
//! root of a full count. A depth-first search with a transposition table is enough. Threads take the
//! beginnings of paths from one list, and each has its own table.

use crate::board::{Board, Square, SquareSet, Symmetry};
use crate::question::Question;
use crate::rates::Rates;
use crate::rounds::{SharedStop, Stop};
use crate::search::{Memo, MemoSize};
use crate::tally::Tally;
use fastrand::Rng;
use rayon::BroadcastContext;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The largest number of squares of a board whose classes can be counted.
pub const LARGEST_BOARD: usize = 128;

/// Classes cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassesError {
    /// A fixed end breaks the symmetry of the question.
    #[error("classes are counted only where no end of the tours is fixed")]
    FixedEnds,
    /// The board is an explicit graph with more symmetries than are looked for.
    #[error("this {0} has more symmetries than the thousands that are looked for")]
    Graph(Board),
    /// The board has more than [`LARGEST_BOARD`] squares.
    #[error("classes are counted on boards of up to {LARGEST_BOARD} squares, and {0} has more")]
    TooLarge(Board),
    /// The sum over the symmetries is not a multiple of their number, so some count is wrong.
    #[error(
        "{sum} tours kept in all are no multiple of {symmetries} symmetries: this is a defect of the program, please report it"
    )]
    Remainder {
        /// The sum over the symmetries of the tours mapped onto themselves.
        sum: Tally,
        /// The number of symmetries.
        symmetries: u64,
    },
}

/// Checks that the classes of a question can be counted.
///
/// # Errors
/// [`ClassesError`] if an end is fixed or the board is too large.
pub fn check(question: &Question) -> Result<(), ClassesError> {
    if !question.is_whole() {
        return Err(ClassesError::FixedEnds);
    }
    if !question.board.knows_symmetries() {
        return Err(ClassesError::Graph(question.board.clone()));
    }
    if question.board.squares() > LARGEST_BOARD {
        return Err(ClassesError::TooLarge(question.board.clone()));
    }
    Ok(())
}

/// Counts the classes among `undirected`, the number of undirected tours of the question.
///
/// The search takes the threads of the present pool of [`rayon`]. Returns `None` if `stop`, which
/// each of them calls every few milliseconds, returned true.
///
/// ```
/// # use kt_enum_engines as kt_enum;
/// use kt_enum::{board::Board, classes, question::Question};
/// let question = Question::closed(Board::new(6, 6)?);
/// let classes = classes::count(&question, 9_862_u32.into(), &|| false)?;
/// assert_eq!(classes, Some(1_245_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ClassesError`] if the question has no classes, or if the sum is not divisible.
pub fn count(
    question: &Question,
    undirected: Tally,
    stop: SharedStop,
) -> Result<Option<Tally>, ClassesError> {
    check(question)?;
    if question.board.squares() == 1 {
        return Ok(Some(undirected));
    }
    let mut sum = undirected;
    let Some(kinds) = by_kind(&question.board, stop) else {
        return Ok(None);
    };
    for (symmetry, alike) in kinds {
        let parts = Parts::new(&question.board, symmetry);
        let count = &mut |starts, ends| parts.count(starts, ends, stop);
        match kept_by(question, symmetry, &parts, count) {
            Some(kept) => sum += Tally::from(kept) * alike as u128,
            None => return Ok(None),
        }
    }
    let symmetries = Symmetry::of(&question.board).len() as u64;
    match sum.div_exact(symmetries) {
        None => Err(ClassesError::Remainder { sum, symmetries }),
        classes => Ok(classes),
    }
}

/// The expected seconds of [`count`] on one thread, within some powers of two, by random probes
/// (Knuth 1975). Returns 0 for questions whose classes cannot be counted.
pub fn expected_seconds(question: &Question) -> f64 {
    /// The time per node as a multiple of the walk's, with what the table saves: 1.7 on 8x8 closed,
    /// 1.0 on 7x9.
    const NODES_OF_THE_WALK: f64 = 1.3;
    let kinds = check(question).ok().and_then(|()| by_kind(&question.board, &|| false));
    let mut nodes = 0.0;
    let mut random = Rng::with_seed(0);
    for (symmetry, _) in kinds.unwrap_or_default() {
        let parts = Parts::new(&question.board, symmetry);
        kept_by(question, symmetry, &parts, &mut |starts, ends| {
            nodes += parts.probe(starts, ends, &mut random);
            Some(0)
        });
    }
    nodes * NODES_OF_THE_WALK * Rates::USUAL.node
}

/// One symmetry of each conjugacy class that may keep a tour, with the size of its class, but not
/// the identity. Conjugate symmetries map equally many tours onto themselves. `None` when
/// cancelled.
fn by_kind(board: &Board, stop: Stop) -> Option<Vec<(Symmetry, usize)>> {
    let image = |symmetry: &Symmetry| -> Vec<usize> {
        board.all_squares().map(|square| symmetry.apply(board, square).index()).collect()
    };
    let images: Vec<Vec<usize>> = Symmetry::of(board).iter().map(image).collect();
    let mut known = HashSet::new();
    let mut kinds = Vec::new();
    for (&symmetry, one) in Symmetry::of(board).iter().zip(&images) {
        // A tour has at most two squares that a symmetry leaves in place.
        let kept = (0..one.len()).filter(|&square| one[square] == square).count();
        if kept > 2 || symmetry == Symmetry::Identity || known.contains(one) {
            continue;
        }
        if stop() {
            return None;
        }
        let conjugate = |other: &Vec<usize>| {
            let mut conjugate = vec![0; one.len()];
            (0..one.len()).for_each(|square| conjugate[other[square]] = other[one[square]]);
            conjugate
        };
        let alike: HashSet<Vec<usize>> = images.iter().map(conjugate).collect();
        kinds.push((symmetry, alike.len()));
        known.extend(alike);
    }
    Some(kinds)
}

/// Counts the paths that visit every orbit of squares once, from some squares to others; `None` when
/// cancelled.
type CountPaths<'a> = &'a mut dyn FnMut(u128, u128) -> Option<u64>;

/// Counts the undirected tours that a symmetry other than the identity maps onto themselves.
fn kept_by(
    question: &Question,
    symmetry: Symmetry,
    parts: &Parts,
    count: CountPaths,
) -> Option<u64> {
    let sizes = || parts.orbits.iter().map(|orbit| orbit.len() as usize);
    // The least common multiple of the sizes.
    let order = sizes().fold(1, |order, size| order / gcd(order, size) * size);
    // The part of a rotation has an image for each power, and that of a reflection has two.
    let is_free = sizes().all(|size| size == order);
    let turned = if question.is_closed() && is_free { parts.rotated(order, count)? } else { 0 };
    let reflected = if order == 2 { parts.reflected(question, symmetry, count)? } else { 0 };
    Some(turned + reflected)
}

/// The greatest common divisor.
fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// The transposition table of a search: 8x8 closed takes 1.3 times as long with 1 MiB, 0.95 with 64,
/// and 2.7 without one.
const TABLE: MemoSize = MemoSize::Bytes(4 << 20);

/// A board for paths that visit every orbit of squares under one symmetry exactly once.
struct Parts {
    neighbours: Vec<u128>,
    /// The images of a1 under the powers of the symmetry, from the power 0.
    images: Vec<Square>,
    orbits: Vec<u128>,
    whole: u128,
}

impl Parts {
    fn new(board: &Board, symmetry: Symmetry) -> Self {
        let orbit = |square| {
            let next =
                move |&at: &Square| Some(symmetry.apply(board, at)).filter(|&to| to != square);
            std::iter::successors(Some(square), next)
        };
        Self {
            neighbours: board.all_squares().map(|square| u128::of(board.moves(square))).collect(),
            images: orbit(Square::from_index(0)).collect(),
            orbits: board.all_squares().map(|square| u128::of(orbit(square))).collect(),
            whole: u128::of(board.all_squares()),
        }
    }

    /// Counts the closed tours that the symmetry, of some order and without fixed squares, rotates.
    fn rotated(&self, order: usize, count: CountPaths) -> Option<u64> {
        let mut readings = 0;
        for power in (1..order).filter(|&power| gcd(power, order) == 1) {
            let ends = self.neighbours[self.images[power].index()];
            readings += count(u128::of([self.images[0]]), ends)?;
        }
        Some(readings / 2)
    }

    /// Counts the tours that the symmetry, which has order 2, reverses.
    fn reflected(&self, question: &Question, symmetry: Symmetry, count: CountPaths) -> Option<u64> {
        let board = &question.board;
        let image = |square: Square| symmetry.apply(board, square);
        let fixed = u128::of(board.all_squares().filter(|&square| image(square) == square));
        let is_joined = |&square: &Square| board.are_neighbours(square, image(square));
        let joined = u128::of(board.all_squares().filter(is_joined));
        let (starts, ends, readings) = match (question.is_closed(), fixed.len()) {
            (false, 0) => (joined, self.whole, 2),
            (false, 1) => (fixed, self.whole, 2),
            (true, 0) => (joined, joined, 4),
            (true, 1) => (fixed, joined, 2),
            (true, 2) => (u128::single(fixed.lowest()), fixed.without_lowest(), 2),
            _ => return Some(0),
        };
        Some(count(starts, ends)? / readings)
    }

    /// Counts the paths from `starts` that end in `ends`. Returns `None` when cancelled.
    fn count(&self, starts: u128, ends: u128, stop: SharedStop) -> Option<u64> {
        /// The beginnings of paths for each thread, so that all have work until the end.
        const FOR_EACH_THREAD: usize = 256;
        /// Paths over fewer free squares are counted at once.
        const MANY: u32 = 20;
        let wanted = FOR_EACH_THREAD * rayon::current_num_threads();
        let mut beginnings =
            starts.indices().map(|one| (one, self.beyond(one, self.whole))).collect();
        while (1..wanted).contains(&Vec::len(&beginnings)) && beginnings[0].1.len() >= MANY {
            let longer = |&(head, free): &(usize, u128)| {
                let choices = self.choices(head, free, ends).indices();
                choices.map(move |to| (to, self.beyond(to, free)))
            };
            beginnings = beginnings.iter().flat_map(longer).collect();
        }
        let table = if self.whole.len() < MANY { MemoSize::Off } else { TABLE };
        let next = AtomicUsize::new(0);
        let of_thread = |_: BroadcastContext| {
            let mut search =
                PathSearch { parts: self, ends, known: Memo::new(table), nodes: 0, stop };
            let beginnings = std::iter::from_fn(|| beginnings.get(next.fetch_add(1, Relaxed)));
            beginnings.map(|&(head, free)| search.paths(head, free)).sum::<Option<u64>>()
        };
        rayon::broadcast(of_thread).into_iter().sum()
    }

    /// The free squares without the orbit of one.
    fn beyond(&self, square: usize, free: u128) -> u128 {
        free & !self.orbits[square]
    }

    /// Estimates the nodes of [`Self::count`] by random probes. Paths over the same orbits that end
    /// on the same square continue alike, so a table without limit would need one node for each set
    /// of orbits and last square. The real table keeps some of them: what is expected lies half the
    /// way between both numbers, on a logarithmic scale. On the 6x6 torus that was half of the
    /// truth.
    fn probe(&self, starts: u128, ends: u128, random: &mut Rng) -> f64 {
        const PROBES: usize = 200;
        let starts: Vec<usize> = starts.indices().collect();
        let orbits = self.orbits.iter().collect::<HashSet<_>>().len();
        let mut nodes = vec![0.0; orbits];
        for _ in 0..PROBES {
            let Some(&(mut head)) = random.choice(&starts) else { break };
            let mut free = self.beyond(head, self.whole);
            let mut siblings = starts.len() as f64;
            for nodes in &mut nodes {
                *nodes += siblings / PROBES as f64;
                let choices = if free == 0 { 0 } else { self.choices(head, free, ends) };
                let choices: Vec<usize> = choices.indices().collect();
                let Some(&next) = random.choice(&choices) else { break };
                siblings *= choices.len() as f64;
                (head, free) = (next, self.beyond(next, free));
            }
        }
        let mut most = f64::from(self.whole.len());
        let nodes = nodes.into_iter().zip(1..).map(|(nodes, taken): (f64, usize)| {
            let visited = nodes.min((nodes * most).sqrt());
            most *= (orbits - taken) as f64 / taken as f64;
            visited
        });
        nodes.sum()
    }

    /// The moves that can be part of a path.
    ///
    /// An orbit that at most one more square leads to is the next one or the last one.
    fn choices(&self, head: usize, free: u128, ends: u128) -> u128 {
        let near = self.neighbours[head] & free;
        if free & ends == 0 {
            return 0;
        }
        let (mut singles, mut far, mut next) = (0, 0, 0);
        for square in free.indices().filter(|&square| self.orbits[square].lowest() == square) {
            let orbit = self.orbits[square];
            let onward = self.neighbours[square] & free & !orbit;
            if onward == 0 && free != orbit {
                return 0;
            }
            if onward.at_most_one() {
                singles += 1;
                far += u32::from(near & orbit == 0);
                next |= near & orbit;
            }
        }
        match (singles, far) {
            (0, _) | (1, _) => near,
            (2, 0 | 1) => next,
            _ => 0,
        }
    }
}

/// The search of one thread for paths with the same ends.
struct PathSearch<'a> {
    parts: &'a Parts,
    ends: u128,
    /// The numbers of paths that continue from a square over free squares.
    known: Memo<u128>,
    nodes: u64,
    stop: SharedStop<'a>,
}

impl PathSearch<'_> {
    /// Counts the paths that continue from a square over free squares. Returns `None` when
    /// cancelled.
    fn paths(&mut self, head: usize, free: u128) -> Option<u64> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 16) && (self.stop)() {
            return None;
        }
        if free == 0 {
            return Some(u64::from(self.ends & u128::single(head) != 0));
        }
        let place = self.known.place(free.mixed(), head as u64);
        if self.known.is_on()
            && let Some(known) = self.known.get(place, free, head as u64)
        {
            return Some(known);
        }
        let parts = self.parts;
        let choices = parts.choices(head, free, self.ends).indices();
        let paths =
            choices.map(|to| self.paths(to, parts.beyond(to, free))).sum::<Option<u64>>()?;
        if self.known.is_on() {
            self.known.put(place, free, head as u64, paths.into());
        }
        Some(paths)
    }
}
