//! Two views of what is still possible, and the rules by which each narrows the other.
//!
//! The view by steps keeps for each square the set of steps it may have, and for each step the set
//! of squares. The view by edges keeps for each square the moves that a tour may use (*usable*) and
//! those it must use (*required*). Required edges form paths, the *fragments*.
//!
//! A rule by which the views agree is applied to one square at a time ([`Candidates::revise`]):
//!
//! - A step needs two different neighbours, one with the step before and one with the step after. A
//!   shift of a neighbour's set shows which steps it supports, so this takes a few instructions per
//!   neighbour, for all steps at once. Colours and distances to clues follow from it.
//! - An edge is usable only if some steps of its ends are consecutive. A required edge narrows the
//!   steps of its ends, and so does a fragment: the steps of its endpoints differ by its length.
//! - A square with two usable edges requires both, and a square with two required edges loses the
//!   others. The edge between the endpoints of a fragment is not usable, because it would close a
//!   cycle before all squares are visited. This is the multi-path method of [`crate::edges`].
//! - A step with one square belongs to it, and a square with one step has it.
//! - If a symmetry has to keep the tour, the image of a square has the images of its steps.
//!
//! Invariants between calls of [`Candidates::propagate`]: both parts of the first view are the same
//! relation; usable and required edges are symmetric; a required edge is usable; an endpoint of a
//! fragment knows the other one. Squares whose surroundings changed wait in `dirty`. Every change
//! of a word is recorded on a trail, so that a search takes changes back in the time they took, and
//! a node costs memory only for what it changed.

use super::bits::Bits;
use super::moves::BoardMoves;

/// The reason why propagation ended early: the candidates fit no tour, or it was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// No step is left for a square.
    NoStep(usize),
    /// No square is left for a step.
    NoSquare(usize),
    /// A square needs edges that it cannot have.
    Edges(usize),
    /// `stop` returned true. Whether the candidates fit a tour is not known.
    Stopped,
}

/// The words of sets that are revised between two calls of `stop`. On large boards a single
/// decision changes all squares many times, which takes seconds.
const WORDS_BETWEEN_CHECKS: usize = 4_096;

/// The old value of a changed word.
#[derive(Debug, Clone, Copy)]
struct SetChange {
    at: usize,
    old: u64,
}

/// The rules that propagation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rules {
    /// True if required edges and fragments are used.
    pub edges: bool,
    /// True if a square that is the only one for a step, or has only one step, counts as known.
    pub singles: bool,
}

/// The rules of the solver.
pub(super) const ALL_RULES: Rules = Rules { edges: true, singles: true };

/// The candidates of a board: sets of steps and squares of `N` words, sets of edges of `M` words.
#[derive(Debug, Clone)]
pub(super) struct Candidates<'a, const N: usize, const M: usize> {
    pub moves: &'a BoardMoves,
    rules: Rules,
    /// The steps of each square, the squares of each step, the usable and the required edges of
    /// each square, and the other endpoint and the length of each endpoint's fragment.
    words: Vec<u64>,
    trail: Vec<SetChange>,
    dirty: Bits<N>,
    /// The square that was revised last; the next one is the next dirty one after it.
    last: usize,
    /// Squares that have one step left, or are the only one for a step, with this step.
    singles: Vec<(u32, u32)>,
}

impl<'a, const N: usize, const M: usize> Candidates<'a, N, M> {
    /// All candidates of a board.
    pub fn new(moves: &'a BoardMoves, rules: Rules) -> Self {
        let n = moves.squares;
        let all = Bits::<N>::below(n);
        let mut words = Vec::with_capacity(n * (2 * N + 2 * M + 3));
        (0..2 * n).for_each(|_| words.extend(all.0));
        (0..n).for_each(|square| words.extend(Bits::<M>::below(moves.of(square).len()).0));
        words.resize(words.len() + n * M, 0);
        words.extend(0..n as u64);
        words.resize(words.len() + 2 * n, n as u64);
        Self { moves, rules, words, trail: Vec::new(), dirty: all, last: 0, singles: Vec::new() }
    }

    #[inline(always)]
    fn read<const K: usize>(&self, at: usize) -> Bits<K> {
        let words = &self.words[at..at + K];
        Bits(std::array::from_fn(|word| words[word]))
    }

    #[inline(always)]
    fn write(&mut self, at: usize, new: u64) {
        self.trail.push(SetChange { at, old: self.words[at] });
        self.words[at] = new;
    }

    /// The steps of a square, or the squares of a step if `place` is past the squares.
    #[inline(always)]
    pub fn set(&self, place: usize) -> Bits<N> {
        self.read(place * N)
    }

    #[inline(always)]
    fn count_at(&self, place: usize) -> usize {
        self.moves.squares * (2 * N + 2 * M + 1) + place
    }

    /// The size of a set.
    #[inline(always)]
    pub fn count(&self, place: usize) -> u64 {
        self.words[self.count_at(place)]
    }

    /// The steps that a square may have.
    #[inline(always)]
    pub fn steps(&self, square: usize) -> Bits<N> {
        self.read(square * N)
    }

    /// The squares that may have a step.
    #[inline(always)]
    pub fn squares(&self, step: usize) -> Bits<N> {
        self.read((self.moves.squares + step) * N)
    }

    /// The first square of a step: in the order of the moves from the square of the step before,
    /// and for the first step in the order of the board.
    pub fn first_square(&self, step: usize) -> usize {
        let squares = self.squares(step);
        let before = step.checked_sub(1).map_or(0, |before| self.squares(before).lowest());
        let moves = self.moves.of(before).iter().map(|edge| edge.to as usize);
        let first = moves.filter(|_| step > 0).find(|&to| squares.has(to));
        first.unwrap_or(squares.lowest())
    }

    #[inline(always)]
    fn usable_at(&self, square: usize) -> usize {
        2 * self.moves.squares * N + square * M
    }

    #[inline(always)]
    fn required_at(&self, square: usize) -> usize {
        self.usable_at(square) + self.moves.squares * M
    }

    #[inline(always)]
    fn usable(&self, square: usize) -> Bits<M> {
        self.read(self.usable_at(square))
    }

    #[inline(always)]
    fn required(&self, square: usize) -> Bits<M> {
        self.read(self.required_at(square))
    }

    #[inline(always)]
    fn fragment_at(&self, square: usize) -> usize {
        2 * self.moves.squares * (N + M) + square
    }

    /// The other endpoint of the fragment that ends on a square, and its number of edges. A square
    /// without required edges is a fragment of its own. The answer for inner squares has no
    /// meaning.
    #[inline(always)]
    fn fragment(&self, square: usize) -> (usize, usize) {
        let word = self.words[self.fragment_at(square)];
        ((word as u32) as usize, (word >> 32) as usize)
    }

    /// The place on the trail to which [`Candidates::undo`] returns.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all changes since a mark.
    pub fn undo(&mut self, mark: usize) {
        for change in self.trail.drain(mark..).rev() {
            self.words[change.at] = change.old;
        }
        self.dirty = Bits::EMPTY;
        self.singles.clear();
    }

    /// Makes all changes so far final.
    pub fn forget(&mut self) {
        self.trail.clear();
    }

    /// The steps before some steps.
    #[inline(always)]
    fn before(&self, steps: &Bits<N>) -> Bits<N> {
        let mut before = steps.down(1);
        if self.moves.closed && steps.has(0) {
            before.insert(self.moves.squares - 1);
        }
        before
    }

    /// The steps after some steps.
    #[inline(always)]
    fn after(&self, steps: &Bits<N>) -> Bits<N> {
        let last = self.moves.squares - 1;
        let mut after = steps.up(1);
        if steps.has(last) {
            if last + 1 < 64 * N {
                after.remove(last + 1);
            }
            after.0[0] |= u64::from(self.moves.closed);
        }
        after
    }

    /// The steps at a distance, in either direction, from some steps.
    #[inline(always)]
    fn apart(&self, steps: &Bits<N>, by: usize) -> Bits<N> {
        let n = self.moves.squares;
        let straight = steps.up(by) | steps.down(by);
        match self.moves.closed {
            true => straight | steps.up(n - by) | steps.down(n - by),
            false => straight,
        }
    }

    /// Marks a square that has lost some steps, and all squares that this may concern.
    #[inline(always)]
    fn soil(&mut self, square: usize, lost: &Bits<N>) {
        let concerned = self.before(lost) | self.after(lost);
        for edge in self.usable(square).members() {
            let other = self.moves.of(square)[edge].to as usize;
            if !(self.steps(other) & concerned).is_empty() {
                self.dirty.insert(other);
            }
        }
        self.dirty.insert(square);
        self.dirty.insert(self.fragment(square).0);
        if let Some(link) = &self.moves.link {
            self.dirty.insert(link.images[square].index());
        }
    }

    /// Restricts the steps of a square.
    #[inline(always)]
    pub fn restrict(&mut self, square: usize, to: Bits<N>) -> Result<(), Conflict> {
        let old = self.steps(square);
        let new = old & to;
        if new == old {
            return Ok(());
        }
        for word in (0..N).filter(|&word| new.0[word] != old.0[word]) {
            self.write(square * N + word, new.0[word]);
        }
        let mut left = self.count(square);
        for step in (old & !new).members() {
            left -= 1;
            let place = self.moves.squares + step;
            let at = place * N + square / 64;
            self.write(at, self.words[at] & !(1 << (square % 64)));
            let count = self.count(place) - 1;
            self.write(self.count_at(place), count);
            match count {
                0 => return Err(Conflict::NoSquare(step)),
                1 => self.singles.push((self.set(place).lowest() as u32, step as u32)),
                _ => {}
            }
        }
        self.write(self.count_at(square), left);
        match left {
            0 => return Err(Conflict::NoStep(square)),
            1 => self.singles.push((square as u32, new.lowest() as u32)),
            _ => {}
        }
        self.soil(square, &(old & !new));
        Ok(())
    }

    /// Takes a step from a square.
    pub fn exclude(&mut self, square: usize, step: usize) -> Result<(), Conflict> {
        self.restrict(square, !Bits::single(step))
    }

    /// Gives a step to a square, and so takes it from all others.
    pub fn assign(&mut self, square: usize, step: usize) -> Result<(), Conflict> {
        let mut others = self.squares(step);
        others.remove(square);
        for other in others.members() {
            self.exclude(other, step)?;
        }
        self.restrict(square, Bits::single(step))
    }

    fn forbid(&mut self, square: usize, edge: usize) -> Result<(), Conflict> {
        if self.required(square).has(edge) {
            return Err(Conflict::Edges(square));
        }
        let back = self.moves.of(square)[edge];
        for (one, edge) in [(square, edge), (back.to as usize, back.back as usize)] {
            let at = self.usable_at(one) + edge / 64;
            self.write(at, self.words[at] & !(1 << (edge % 64)));
            self.dirty.insert(one);
        }
        Ok(())
    }

    /// Requires an edge that is not required yet, and joins the fragments at its ends.
    fn require(&mut self, square: usize, edge: usize) -> Result<(), Conflict> {
        if !self.usable(square).has(edge) {
            return Err(Conflict::Edges(square));
        }
        let back = self.moves.of(square)[edge];
        let other = back.to as usize;
        for (one, edge) in [(square, edge), (other, back.back as usize)] {
            if self.required(one).up_to_three() > 1 {
                return Err(Conflict::Edges(one));
            }
            let at = self.required_at(one) + edge / 64;
            self.write(at, self.words[at] | 1 << (edge % 64));
            self.dirty.insert(one);
        }
        let ((start, before), (end, after)) = (self.fragment(square), self.fragment(other));
        let length = before + after + 1;
        if start == other {
            let is_tour = self.moves.closed && before + 1 == self.moves.squares;
            return if is_tour { Ok(()) } else { Err(Conflict::Edges(square)) };
        }
        for (one, mate) in [(start, end), (end, start)] {
            self.write(self.fragment_at(one), (length as u64) << 32 | mate as u64);
            self.dirty.insert(one);
        }
        if self.moves.closed && length + 1 == self.moves.squares {
            return Ok(());
        }
        let is_closing = |edge: &usize| self.moves.of(start)[*edge].to as usize == end;
        match self.usable(start).members().find(is_closing).filter(|_| length > 1) {
            Some(edge) => self.forbid(start, edge),
            None => Ok(()),
        }
    }

    /// Applies all rules until nothing changes, or until `stop` returns true.
    pub fn propagate(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Conflict> {
        if self.moves.squares == 1 {
            return Ok(());
        }
        let mut revised = 0;
        loop {
            while let Some((square, step)) = self.singles.pop() {
                if self.rules.singles {
                    self.assign(square as usize, step as usize)?;
                }
            }
            let Some(square) = self.next_dirty() else {
                return Ok(());
            };
            self.last = square;
            self.revise(square)?;
            revised += N;
            if revised > WORDS_BETWEEN_CHECKS {
                revised = 0;
                if stop() {
                    return Err(Conflict::Stopped);
                }
            }
        }
    }

    /// The next dirty square after the last one, in a circle.
    #[inline(always)]
    fn next_dirty(&self) -> Option<usize> {
        let rest = self.dirty.0[self.last / 64] & !0 << (self.last % 64);
        if rest != 0 {
            return Some(self.last / 64 * 64 + rest.trailing_zeros() as usize);
        }
        let words = (self.last / 64 + 1..N).chain(0..=self.last / 64);
        let word = words.into_iter().find(|&word| self.dirty.0[word] != 0)?;
        Some(64 * word + self.dirty.0[word].trailing_zeros() as usize)
    }

    /// Applies the rules to one square.
    fn revise(&mut self, square: usize) -> Result<(), Conflict> {
        let own = self.steps(square);
        let moves = self.moves.of(square);
        // The steps with a neighbour that can come next, and with two of them; the same for the
        // neighbour before; and the steps with different neighbours for the two.
        let (mut next, mut next_twice) = (Bits::EMPTY, Bits::EMPTY);
        let (mut previous, mut previous_twice) = (Bits::EMPTY, Bits::EMPTY);
        let mut both = Bits::EMPTY;
        for edge in self.usable(square).members() {
            let other = self.steps(moves[edge].to as usize);
            let (to, from) = (own & self.before(&other), own & self.after(&other));
            if (to | from).is_empty() {
                self.forbid(square, edge)?;
                continue;
            }
            both = both | next & from | previous & to;
            next_twice = next_twice | next & to;
            previous_twice = previous_twice | previous & from;
            next = next | to;
            previous = previous | from;
        }
        let mut allowed = both;
        if !self.moves.closed {
            let (first, last) = (Bits::single(0), Bits::single(self.moves.squares - 1));
            allowed = both & !first & !last | next & first | previous & last;
        }
        if self.rules.edges {
            for edge in self.required(square).members() {
                let other = self.steps(moves[edge].to as usize);
                allowed = allowed & (self.after(&other) | self.before(&other));
            }
            let (mate, length) = self.fragment(square);
            if length > 1 && self.required(square).up_to_three() == 1 {
                allowed = allowed & self.apart(&self.steps(mate), length);
            }
        }
        if let Some(link) = &self.moves.link {
            let origin = self.steps(link.origins[square].index());
            allowed = allowed & link.steps.of_set(&origin, self.moves.squares);
        }
        self.restrict(square, allowed)?;
        self.dirty.remove(square);
        match self.rules.edges {
            true => {
                let (once, once_before) = (next & !next_twice, previous & !previous_twice);
                self.require_supports(square, once, once_before)?;
                self.settle_edges(square)
            }
            false => Ok(()),
        }
    }

    /// Requires the edges to neighbours without which the square would have no step.
    #[inline(always)]
    fn require_supports(
        &mut self,
        square: usize,
        next: Bits<N>,
        previous: Bits<N>,
    ) -> Result<(), Conflict> {
        let own = self.steps(square);
        if !(own & !(next | previous)).is_empty() {
            return Ok(());
        }
        for edge in (self.usable(square) & !self.required(square)).members() {
            let other = self.steps(self.moves.of(square)[edge].to as usize);
            let supported = next & self.before(&other) | previous & self.after(&other);
            if (own & !supported).is_empty() {
                self.require(square, edge)?;
            }
        }
        Ok(())
    }

    /// Requires the last edges that a square may have, or forbids the others if it has all.
    #[inline(always)]
    fn settle_edges(&mut self, square: usize) -> Result<(), Conflict> {
        let (least, most) = self.degrees(square);
        let (usable, required) = (self.usable(square), self.required(square));
        if usable.up_to_three() < least || required.up_to_three() > most {
            return Err(Conflict::Edges(square));
        }
        let others = usable & !required;
        if required.up_to_three() == most {
            return others.members().try_for_each(|edge| self.forbid(square, edge));
        }
        // A square that may or may not be an end forces nothing.
        if usable.up_to_three() == most && least == most {
            return others.members().try_for_each(|edge| self.require(square, edge));
        }
        Ok(())
    }

    /// The least and the largest number of edges that a square may have in a tour.
    #[inline(always)]
    fn degrees(&self, square: usize) -> (u32, u32) {
        if self.moves.closed {
            return (2, 2);
        }
        let steps = self.steps(square);
        let ends = u64::from(steps.has(0)) + u64::from(steps.has(self.moves.squares - 1));
        (if ends > 0 { 1 } else { 2 }, if self.count(square) == ends { 1 } else { 2 })
    }
}
