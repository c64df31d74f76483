//! A search for one tour on any board that decides about edges instead of going along a path.
//!
//! A tour has two edges at every square. So if all but two edges at a square are left out, the
//! other two are chosen; if two are chosen, the rest are left out; and an edge that would close a
//! path before it has all squares is left out. A decision has consequences, and these have others.
//! On boards with few moves from each square that settles most of a tour at once, where a path
//! runs into dead ends.
//!
//! The search decides at the square with the fewest edges left. It starts over after some dead
//! ends, with other choices among equal ones, and is patient a little longer each time. If it has
//! tried everything in between, there is no tour.
//!
//! An open tour is a closed one of a graph with one more vertex, which is joined to all squares.

use super::{FindEffort, FindOutcome, GaveUp, NoTour};
use crate::board::{Board, MoveOrder, Square};

/// The dead ends after which the search starts over for the first time.
const PATIENCE: u64 = 200;

/// The number of decisions between two calls of `stop`, which are a few milliseconds.
const DECISIONS_BETWEEN_CHECKS: u64 = 64;

/// The state of a search.
pub(super) struct Decided {
    ends: Vec<[usize; 2]>,
    /// The edges at each vertex.
    around: Vec<Vec<usize>>,
    /// True for an edge that is chosen, false for one that is left out.
    decisions: Vec<Option<bool>>,
    /// The number of chosen edges at each vertex.
    chosen: Vec<usize>,
    /// The number of edges at each vertex that are not left out.
    left: Vec<usize>,
    /// The other end of the path of chosen edges that ends at a vertex, or the vertex itself.
    far: Vec<usize>,
    /// The number of all chosen edges.
    length: usize,
    trail: Vec<Undo>,
    random: fastrand::Rng,
    /// Decisions that follow and are not made yet.
    pending: Vec<(usize, bool)>,
    /// The vertex beside the squares, if the tour is open.
    apex: Option<usize>,
    pub effort: FindEffort,
}

/// A change that can be taken back.
enum Undo {
    Decided(usize),
    /// The other end of a path before it changed.
    Far(usize, usize),
}

impl Decided {
    /// A search for a closed tour or an open one.
    pub fn new(board: &Board, closed: bool) -> Self {
        let squares = board.squares();
        let apex = (!closed).then_some(squares);
        let (order, mut ends) = (MoveOrder::default(), Vec::new());
        for square in board.all_squares() {
            let others = order.targets(board, square);
            let above = others.filter(|&other| other > square);
            ends.extend(above.map(|other| [square.index(), other.index()]));
        }
        ends.extend(apex.into_iter().flat_map(|apex| (0..squares).map(move |one| [one, apex])));
        let mut around = vec![Vec::new(); squares + usize::from(!closed)];
        for (edge, [one, other]) in ends.iter().enumerate() {
            around[*one].push(edge);
            around[*other].push(edge);
        }
        Self {
            decisions: vec![None; ends.len()],
            chosen: vec![0; around.len()],
            left: around.iter().map(Vec::len).collect(),
            far: (0..around.len()).collect(),
            length: 0,
            trail: Vec::new(),
            random: fastrand::Rng::with_seed(0),
            pending: Vec::new(),
            apex,
            effort: FindEffort::default(),
            ends,
            around,
        }
    }

    /// Searches until a tour is found, one that starts at `from` if that is given, or else returns
    /// why there is none. The search gives up after it has looked for the next decision among
    /// `most` vertices in all.
    pub fn run(
        &mut self,
        from: Option<Square>,
        most: u64,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> Result<Vec<Square>, FindOutcome> {
        if !self.begin(from) {
            return Err(FindOutcome::None(NoTour::Exhausted));
        }
        let (begun, mut patience) = (self.trail.len(), PATIENCE);
        while !self.round(patience, stop)? {
            if self.effort.moves_tried * self.around.len() as u64 > most {
                return Err(FindOutcome::GaveUp(GaveUp::Undecided));
            }
            self.take_back(begun);
            patience += patience / 8;
        }
        Ok(self.path(from))
    }

    /// Chooses the edges that every tour has. Returns false if there is no tour.
    fn begin(&mut self, from: Option<Square>) -> bool {
        if self.left.iter().any(|&left| left < 2) {
            return false;
        }
        // The edge to the apex is the last one.
        let from = from.filter(|_| self.apex.is_some());
        let first = from.and_then(|from| self.around[from.index()].last().copied());
        self.pending.extend(first.map(|edge| (edge, true)));
        let tight = (0..self.around.len()).filter(|&vertex| self.left[vertex] == 2);
        tight.collect::<Vec<_>>().into_iter().for_each(|vertex| self.follow(vertex, true));
        self.settle()
    }

    /// Makes decisions until there is a tour, or until there are too many dead ends for this order
    /// of decisions. Returns true if there is a tour.
    fn round(
        &mut self,
        patience: u64,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> Result<bool, FindOutcome> {
        // The edges that were chosen and can be left out instead, each with the trail before it.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let most = self.effort.dead_ends + patience;
        while self.length < self.around.len() {
            if self.effort.moves_tried.is_multiple_of(DECISIONS_BETWEEN_CHECKS)
                && stop(&self.effort)
            {
                return Err(FindOutcome::GaveUp(GaveUp::Stopped));
            }
            self.effort.moves_tried += 1;
            let edge = self.next();
            open.push((self.trail.len(), edge));
            let mut holds = self.decide(edge, true);
            while !holds {
                self.effort.dead_ends += 1;
                let Some((before, edge)) = open.pop() else {
                    return Err(FindOutcome::None(NoTour::Exhausted));
                };
                self.effort.backtracks += 1;
                self.take_back(before);
                holds = self.decide(edge, false);
            }
            if self.effort.dead_ends > most {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The edge to decide next: at the vertex with the fewest edges left, first where a path ends,
    /// the one to the neighbour with the fewest.
    fn next(&mut self) -> usize {
        let open = (0..self.around.len()).filter(|&vertex| self.chosen[vertex] < 2);
        let random = &mut self.random;
        let vertex =
            open.min_by_key(|&vertex| (self.left[vertex], 1 - self.chosen[vertex], random.u16(..)));
        let edges = self.around[vertex.unwrap_or(0)].iter().copied();
        let edges = edges.filter(|&edge| self.decisions[edge].is_none());
        let random = &mut self.random;
        let fewest = edges.inspect(|_| self.effort.moves_generated += 1).min_by_key(|&edge| {
            let [one, other] = self.ends[edge];
            (self.left[one] + self.left[other], random.u16(..))
        });
        fewest.unwrap_or(0)
    }

    /// Chooses an edge or leaves it out, with all consequences. Returns false if no tour is left.
    fn decide(&mut self, edge: usize, choice: bool) -> bool {
        self.pending.clear();
        self.pending.push((edge, choice));
        self.settle()
    }

    /// Makes the decisions that follow. Returns false if no tour is left.
    fn settle(&mut self) -> bool {
        while let Some((edge, choice)) = self.pending.pop() {
            let holds = match (self.decisions[edge], choice) {
                (Some(decided), _) => decided == choice,
                (None, true) => self.choose(edge),
                (None, false) => self.leave_out(edge),
            };
            if !holds {
                return false;
            }
        }
        true
    }

    fn choose(&mut self, edge: usize) -> bool {
        let [one, other] = self.ends[edge];
        let [first, last] = [self.far[one], self.far[other]];
        let is_whole = self.length + 1 == self.around.len();
        if self.chosen[one] == 2 || self.chosen[other] == 2 || first == other && !is_whole {
            return false;
        }
        self.record(edge, true);
        self.length += 1;
        for vertex in [one, other] {
            self.chosen[vertex] += 1;
            if self.chosen[vertex] == 2 {
                self.follow(vertex, false);
            }
        }
        for (end, new) in [(first, last), (last, first)] {
            self.trail.push(Undo::Far(end, self.far[end]));
            self.far[end] = new;
        }
        if self.length + 1 < self.around.len() {
            let closing = self.around[first].iter().copied();
            let closing = closing.filter(|&edge| self.ends[edge].contains(&last));
            let closing = closing.filter(|&edge| self.decisions[edge].is_none());
            self.pending.extend(closing.map(|edge| (edge, false)));
        }
        true
    }

    fn leave_out(&mut self, edge: usize) -> bool {
        self.record(edge, false);
        for vertex in self.ends[edge] {
            self.left[vertex] -= 1;
            if self.left[vertex] == 2 {
                self.follow(vertex, true);
            }
        }
        self.ends[edge].iter().all(|&vertex| self.left[vertex] >= 2)
    }

    fn record(&mut self, edge: usize, choice: bool) {
        self.decisions[edge] = Some(choice);
        self.trail.push(Undo::Decided(edge));
    }

    /// Decides about all edges at a vertex that are undecided.
    fn follow(&mut self, vertex: usize, choice: bool) {
        let undecided = self.around[vertex].iter().filter(|&&edge| self.decisions[edge].is_none());
        self.pending.extend(undecided.map(|&edge| (edge, choice)));
    }

    fn take_back(&mut self, before: usize) {
        while self.trail.len() > before
            && let Some(step) = self.trail.pop()
        {
            match step {
                Undo::Far(vertex, far) => self.far[vertex] = far,
                Undo::Decided(edge) => {
                    let is_chosen = self.decisions[edge].take() == Some(true);
                    self.length -= usize::from(is_chosen);
                    for vertex in self.ends[edge] {
                        self.chosen[vertex] -= usize::from(is_chosen);
                        self.left[vertex] += usize::from(!is_chosen);
                    }
                }
            }
        }
    }

    /// The tour that the chosen edges are, from a square or else from an end.
    fn path(&self, from: Option<Square>) -> Vec<Square> {
        let others = |at: usize| {
            let chosen = self.around[at].iter().filter(|&&edge| self.decisions[edge] == Some(true));
            chosen.map(move |&edge| self.ends[edge][0] + self.ends[edge][1] - at)
        };
        let end = || others(self.apex.unwrap_or(0)).next().unwrap_or(0);
        let from = from.map_or_else(end, Square::index);
        let (mut path, mut before, mut at) = (vec![Square::from_index(from)], self.apex, from);
        let is_free = |next: usize, before| Some(next) != before && Some(next) != self.apex;
        while let Some(next) = others(at).find(|&next| is_free(next, before))
            && next != from
        {
            path.push(Square::from_index(next));
            (before, at) = (Some(at), next);
        }
        path
    }
}
