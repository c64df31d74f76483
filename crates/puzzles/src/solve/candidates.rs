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
//!   cycle before all squares are visited. This is the multi-path method (Rubin 1974).
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
use super::puzzle::Clue;

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
    /// There is no memory to record changes. Again nothing is known.
    Memory,
}

/// The words of sets that are revised between two calls of `stop`. On large boards a single
/// decision changes all squares many times, which takes seconds.
const WORDS_BETWEEN_CHECKS: usize = 4_096;

/// True if `stop` returns true after some words, which begin anew then.
#[inline(always)]
fn is_over(words: &mut usize, stop: &dyn Fn() -> bool) -> bool {
    if *words <= WORDS_BETWEEN_CHECKS {
        return false;
    }
    *words = 0;
    stop()
}

/// The memory that a large allocation leaves to small ones, which cannot fail without an abort.
const SPARE: usize = 1 << 20;

/// Makes room for some more elements, if there is memory for them and to spare.
#[cold]
fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Conflict> {
    let reserved = list.try_reserve(more);
    let has_spare = || Vec::<u8>::new().try_reserve_exact(SPARE).is_ok();
    if reserved.is_ok() && has_spare() { Ok(()) } else { Err(Conflict::Memory) }
}

/// The rules that propagation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rules {
    /// True if the step before and the one after need different squares, and if required edges and
    /// fragments are used.
    pub edges: bool,
    /// True if a square that is the only one for a step, or has only one step, counts as known.
    pub singles: bool,
}

/// The rules of the solver.
pub(super) const ALL_RULES: Rules = Rules { edges: true, singles: true };

/// The square and the step that a member of a set of candidates stands for, of `n` squares.
#[inline(always)]
pub(super) fn pair(place: usize, member: usize, n: usize) -> (usize, usize) {
    if place < n { (place, member) } else { (member, place - n) }
}

/// The candidates of a board: sets of steps and of squares of `N` words.
#[derive(Debug)]
pub(super) struct Candidates<'a, const N: usize> {
    pub moves: &'a BoardMoves,
    pub rules: Rules,
    /// The steps of each square, the squares of each step, the squares that each square may and
    /// must be joined with, the other endpoint and the length of each endpoint's fragment, and the
    /// sizes of the steps of each square and of the squares of each step.
    words: Vec<u64>,
    /// The place and the old value of each word that changed, in turn.
    trail: Vec<(usize, u64)>,
    dirty: Bits<N>,
    /// The square that was revised last; the next one is the next dirty one after it.
    last: usize,
    /// Squares that have one step left, or are the only one for a step, with this step.
    singles: Vec<(u32, u32)>,
}

impl<'a, const N: usize> Candidates<'a, N> {
    /// The candidates after everything that follows from some clues by some rules.
    pub fn given(
        moves: &'a BoardMoves,
        clues: &[Clue],
        rules: Rules,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Conflict> {
        let mut candidates = Self::all(moves, rules)?;
        candidates.enter(clues, stop)?;
        for [one, other] in &moves.required {
            candidates.join(one.index(), other.index())?;
        }
        if let Some(link) = &moves.link {
            for square in 0..moves.squares {
                let misfits = |&step: &usize| !moves.fits(link, square, step);
                let mut steps = (0..moves.squares).filter(misfits);
                steps.try_for_each(|step| candidates.exclude(square, step))?;
            }
        }
        candidates.propagate(stop)?;
        candidates.forget();
        Ok(candidates)
    }

    /// All candidates of a board, if there is memory for them.
    fn all(moves: &'a BoardMoves, rules: Rules) -> Result<Self, Conflict> {
        let n = moves.squares;
        let all = Bits::<N>::below(n);
        let mut words = Vec::new();
        reserve(&mut words, n * (4 * N + 3))?;
        (0..2 * n).for_each(|_| words.extend(all.0));
        for square in 0..n {
            let mut usable = Bits::<N>::EMPTY;
            moves.targets[square].iter().for_each(|to| usable.insert(to.index()));
            words.extend(usable.0);
        }
        words.resize(words.len() + n * N, 0);
        words.extend(0..n as u64);
        words.resize(words.len() + 2 * n, n as u64);
        let (trail, singles) = (Vec::new(), Vec::new());
        Ok(Self { moves, rules, words, trail, dirty: all, last: 0, singles })
    }

    /// A copy, if there is memory for it.
    pub fn copy(&self) -> Option<Self> {
        let (mut words, mut trail) = (Vec::new(), Vec::new());
        reserve(&mut words, self.words.len()).ok()?;
        reserve(&mut trail, self.trail.len()).ok()?;
        words.extend_from_slice(&self.words);
        trail.extend_from_slice(&self.trail);
        Some(Self { words, trail, singles: self.singles.clone(), ..*self })
    }

    /// Makes room on the trail for some changes.
    #[inline(always)]
    fn reserve(&mut self, changes: usize) -> Result<(), Conflict> {
        if self.trail.capacity() - self.trail.len() >= changes {
            return Ok(());
        }
        reserve(&mut self.trail, changes)
    }

    /// Changes a word. The trail has room for it.
    #[inline(always)]
    fn write(&mut self, at: usize, new: u64) {
        self.trail.push((at, self.words[at]));
        self.words[at] = new;
    }

    /// The steps of a square, or the squares of a step if `place` is past the squares.
    #[inline(always)]
    pub fn set(&self, place: usize) -> Bits<N> {
        let words = &self.words[place * N..place * N + N];
        Bits::of(|word| words[word])
    }

    #[inline(always)]
    fn count_at(&self, place: usize) -> usize {
        self.moves.squares * (4 * N + 1) + place
    }

    /// The size of a set.
    #[inline(always)]
    pub fn count(&self, place: usize) -> u64 {
        self.words[self.count_at(place)]
    }

    /// The steps that a square may have.
    #[inline(always)]
    pub fn steps(&self, square: usize) -> Bits<N> {
        self.set(square)
    }

    /// The squares that may have a step.
    #[inline(always)]
    pub fn squares(&self, step: usize) -> Bits<N> {
        self.set(self.moves.squares + step)
    }

    /// The first square of a step: in the order of the moves from the square of the step before,
    /// and for the first step in the order of the board.
    pub fn first_square(&self, step: usize) -> usize {
        let squares = self.squares(step);
        let before = step.checked_sub(1).map_or(0, |before| self.squares(before).lowest());
        let moves = self.moves.targets[before].iter().map(|to| to.index());
        let first = moves.filter(|_| step > 0).find(|&to| squares.has(to));
        first.unwrap_or(squares.lowest())
    }

    /// The squares that a square may be joined with.
    #[inline(always)]
    pub fn usable(&self, square: usize) -> Bits<N> {
        self.set(2 * self.moves.squares + square)
    }

    /// The squares that a square must be joined with.
    #[inline(always)]
    pub fn required(&self, square: usize) -> Bits<N> {
        self.set(3 * self.moves.squares + square)
    }

    #[inline(always)]
    fn fragment_at(&self, square: usize) -> usize {
        4 * self.moves.squares * N + square
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
        for (at, old) in self.trail.drain(mark..).rev() {
            self.words[at] = old;
        }
        self.dirty = Bits::EMPTY;
        self.singles.clear();
    }

    /// Applies the rules to all squares again.
    pub fn soil_all(&mut self) {
        self.dirty = Bits::below(self.moves.squares);
    }

    /// Takes a square that has one step left, or is the only one for a step, with this step.
    pub fn take_single(&mut self) -> Option<(usize, usize)> {
        self.singles.pop().map(|(square, step)| (square as usize, step as usize))
    }

    /// Makes all changes so far final.
    pub fn forget(&mut self) {
        self.trail.clear();
    }

    /// The steps before some steps.
    #[inline(always)]
    fn before(&self, steps: &Bits<N>) -> Bits<N> {
        let (mut before, last) = (steps.down(1), self.moves.squares - 1);
        if self.moves.closed {
            before.0[last / 64] |= (steps.0[0] & 1) << (last % 64);
        }
        before
    }

    /// The steps after some steps, and perhaps the number past the last step.
    #[inline(always)]
    fn after(&self, steps: &Bits<N>) -> Bits<N> {
        let mut after = steps.up(1);
        if self.moves.closed {
            after.0[0] |= u64::from(steps.has(self.moves.squares - 1));
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

    /// The squares that may have the step before or after a step.
    #[inline(always)]
    fn near(&self, step: usize) -> Bits<N> {
        let last = self.moves.squares - 1;
        let (first, end) = if self.moves.closed { (last, 0) } else { (0, last) };
        let before = if step == 0 { first } else { step - 1 };
        let after = if step == last { end } else { step + 1 };
        self.squares(before) | self.squares(after)
    }

    /// Marks a square that has lost steps, and all squares that this may concern. `near` are the
    /// squares that may have a step before or after.
    #[inline(always)]
    fn soil(&mut self, square: usize, near: Bits<N>) {
        self.dirty = self.dirty | self.usable(square) & near;
        self.dirty.insert(square);
        self.dirty.insert(self.fragment(square).0);
        if let Some(link) = &self.moves.link {
            self.dirty.insert(link.images[square].index());
        }
    }

    /// Restricts the steps of a square, or the squares of a step if `place` is past the squares.
    #[inline(always)]
    fn shrink(&mut self, place: usize, to: Bits<N>) -> Result<(), Conflict> {
        let n = self.moves.squares;
        let old = self.set(place);
        let new = old & to;
        if new == old {
            return Ok(());
        }
        self.reserve(N + 2 * self.count(place) as usize + 1)?;
        for word in (0..N).filter(|&word| new.0[word] != old.0[word]) {
            self.write(place * N + word, new.0[word]);
        }
        let is_square = place < n;
        let mut near = if is_square { Bits::EMPTY } else { self.near(place - n) };
        let mut left = self.count(place);
        for member in (old & !new).members() {
            left -= 1;
            let (other, own) = if is_square { (n + member, place) } else { (member, place - n) };
            let at = other * N + own / 64;
            self.write(at, self.words[at] & !(1 << (own % 64)));
            let count = self.count(other) - 1;
            self.write(self.count_at(other), count);
            self.note(other, count)?;
            if is_square {
                near = near | self.near(member);
            } else {
                self.soil(member, near);
            }
        }
        if is_square {
            self.soil(place, near);
        }
        self.write(self.count_at(place), left);
        self.note(place, left)
    }

    /// Remembers a set with one member left, and fails if there is none.
    #[inline(always)]
    fn note(&mut self, place: usize, count: u64) -> Result<(), Conflict> {
        let n = self.moves.squares;
        match count {
            0 if place < n => Err(Conflict::NoStep(place)),
            0 => Err(Conflict::NoSquare(place - n)),
            1 => {
                let (square, step) = pair(place, self.set(place).lowest(), n);
                self.singles.push((square as u32, step as u32));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes a step from a square.
    pub fn exclude(&mut self, square: usize, step: usize) -> Result<(), Conflict> {
        self.shrink(square, !Bits::single(step))
    }

    /// Gives a step to a square, and so takes it from all others.
    pub fn assign(&mut self, square: usize, step: usize) -> Result<(), Conflict> {
        self.shrink(self.moves.squares + step, Bits::single(square))?;
        self.shrink(square, Bits::single(step))
    }

    /// Gives steps to squares, of which each changes a set per square of the board.
    pub fn enter<'c>(
        &mut self,
        clues: impl IntoIterator<Item = &'c Clue>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Conflict> {
        let mut changed = 0;
        for clue in clues {
            self.assign(clue.square.index(), clue.step - 1)?;
            changed += self.moves.squares;
            if is_over(&mut changed, stop) {
                return Err(Conflict::Stopped);
            }
        }
        Ok(())
    }

    fn forbid(&mut self, square: usize, other: usize) -> Result<(), Conflict> {
        if self.required(square).has(other) {
            return Err(Conflict::Edges(square));
        }
        self.reserve(2)?;
        for (one, other) in [(square, other), (other, square)] {
            let at = (2 * self.moves.squares + one) * N + other / 64;
            self.write(at, self.words[at] & !(1 << (other % 64)));
            self.dirty.insert(one);
        }
        Ok(())
    }

    /// Requires an edge, if it is not required yet.
    fn join(&mut self, square: usize, other: usize) -> Result<(), Conflict> {
        if self.required(square).has(other) { Ok(()) } else { self.require(square, other) }
    }

    /// Requires an edge that is not required yet, and joins the fragments at its ends.
    fn require(&mut self, square: usize, other: usize) -> Result<(), Conflict> {
        if !self.usable(square).has(other) {
            return Err(Conflict::Edges(square));
        }
        self.reserve(4)?;
        for (one, other) in [(square, other), (other, square)] {
            if self.required(one).up_to_three() > 1 {
                return Err(Conflict::Edges(one));
            }
            let at = (3 * self.moves.squares + one) * N + other / 64;
            self.write(at, self.words[at] | 1 << (other % 64));
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
        let may_close = self.moves.closed && length + 1 == self.moves.squares;
        if length > 1 && !may_close && self.usable(start).has(end) {
            return self.forbid(start, end);
        }
        Ok(())
    }

    /// Applies all rules until nothing changes, or until `stop` returns true.
    pub fn propagate(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Conflict> {
        if self.moves.squares == 1 {
            return Ok(());
        }
        let mut revised = 0;
        loop {
            while let Some((square, step)) = self.take_single() {
                if self.rules.singles {
                    self.assign(square, step)?;
                    revised += self.moves.squares;
                    if is_over(&mut revised, stop) {
                        return Err(Conflict::Stopped);
                    }
                }
            }
            let Some(square) = self.next_dirty() else {
                return Ok(());
            };
            self.last = square;
            self.revise(square)?;
            revised += N;
            if is_over(&mut revised, stop) {
                return Err(Conflict::Stopped);
            }
        }
    }

    /// The next dirty square after the last one, in a circle.
    #[inline(always)]
    pub fn next_dirty(&self) -> Option<usize> {
        let rest = self.dirty.0[self.last / 64] & !0 << (self.last % 64);
        if rest != 0 {
            return Some(self.last / 64 * 64 + rest.trailing_zeros() as usize);
        }
        let words = (self.last / 64 + 1..N).chain(0..=self.last / 64);
        let word = words.into_iter().find(|&word| self.dirty.0[word] != 0)?;
        Some(64 * word + self.dirty.0[word].trailing_zeros() as usize)
    }

    /// Applies the rules to one square.
    pub fn revise(&mut self, square: usize) -> Result<(), Conflict> {
        let own = self.steps(square);
        // The steps with a neighbour that can come next, and with two of them; the same for the
        // neighbour before; and the steps with different neighbours for the two.
        let (mut next, mut next_twice) = (Bits::EMPTY, Bits::EMPTY);
        let (mut previous, mut previous_twice) = (Bits::EMPTY, Bits::EMPTY);
        let mut both = Bits::EMPTY;
        for neighbour in self.usable(square).members() {
            let other = self.steps(neighbour);
            let (to, from) = (own & self.before(&other), own & self.after(&other));
            if (to | from).is_empty() {
                self.forbid(square, neighbour)?;
                continue;
            }
            both = both | next & from | previous & to;
            next_twice = next_twice | next & to;
            previous_twice = previous_twice | previous & from;
            next = next | to;
            previous = previous | from;
        }
        let mut allowed = if self.rules.edges { both } else { next & previous };
        if !self.moves.closed {
            let (first, last) = (Bits::single(0), Bits::single(self.moves.squares - 1));
            allowed = allowed & !first & !last | next & first | previous & last;
        }
        if self.rules.edges {
            for neighbour in self.required(square).members() {
                let other = self.steps(neighbour);
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
        self.shrink(square, allowed)?;
        self.dirty.remove(square);
        if self.rules.edges {
            self.require_supports(square, next & !next_twice, previous & !previous_twice)?;
            self.settle_edges(square)?;
        }
        Ok(())
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
        let near = self.near(own.lowest());
        for neighbour in (self.usable(square) & !self.required(square) & near).members() {
            let other = self.steps(neighbour);
            let supported = next & self.before(&other) | previous & self.after(&other);
            if (own & !supported).is_empty() {
                self.require(square, neighbour)?;
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
            return others.members().try_for_each(|other| self.forbid(square, other));
        }
        // A square that may or may not be an end forces nothing.
        if usable.up_to_three() == most && least == most {
            return others.members().try_for_each(|other| self.require(square, other));
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
