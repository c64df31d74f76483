//! Tours of narrow boards, of 3 or 4 rows and any length, or a proof that there are none.
//!
//! Some starts on these boards have no tour, and no simple rule says which. Backtracking would take
//! exponential time to find out. Instead, frontier-based search processes the squares column by
//! column. Future choices depend only on the *state* of the frontier, the next squares that
//! processed ones can be linked to: whether such a square has no link, one link (and to which
//! square its fragment leads) or two. The search keeps sets of reachable states where the counting
//! engine keeps counts.
//!
//! There are finitely many states, so from some column on their sets repeat. A table of the
//! transitions between sets makes a long board cost little more than a look at each square. A tour
//! is traced back from the last set to the first. If no state of the last set is a complete tour,
//! none exists. A set has up to thousands of states.

use super::links::Links;
use crate::board::{Board, KNIGHT_MOVES, Square};
use std::collections::HashMap;

/// The largest number of rows of a strip.
pub(super) const MOST_ROWS: u32 = 4;

/// The number of squares in the frontier: on four rows a move to the right reaches nine squares
/// ahead.
const FRONTIER: usize = 2 * MOST_ROWS as usize + 2;

/// The mate of a frontier square: an index below [`FRONTIER`] is the other endpoint of its
/// fragment.
///
/// Index 0 is the square that is processed next.
type Mate = u8;
const UNLINKED: Mate = 10;
const DONE: Mate = 11;
/// The other endpoint of the fragment is an end of the tour.
const TOUR_END: Mate = 12;

/// The part of the choices for processed squares that matters for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct StripState {
    frontier: [Mate; FRONTIER],
    /// True if the end of the tour that is not its start is processed.
    has_end: bool,
    /// True if a path or cycle is finished. Then no square may be left out of it.
    is_complete: bool,
}

/// The properties of a square that decide, together with the state, how it can be processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Situation {
    row: u32,
    /// The number of columns to the right, at most 2.
    cols_left: u32,
    is_start: bool,
}

/// The moves to squares that are processed later, as a mask of their indices.
type Onward = u8;

/// Strips with a fixed number of rows. Each set of states is computed once for all lengths.
#[derive(Debug)]
pub(super) struct Strips {
    rows: u32,
    closed: bool,
    sets: Vec<Vec<StripState>>,
    numbers: HashMap<Vec<StripState>, usize>,
    after: HashMap<(usize, Situation), usize>,
    /// For a set, a place and a state after it: a state before it, and the choice between them.
    before: HashMap<(usize, Situation, StripState), (StripState, Onward)>,
}

impl Strips {
    pub fn new(rows: u32, closed: bool) -> Self {
        let begin =
            StripState { frontier: [UNLINKED; FRONTIER], has_end: false, is_complete: false };
        let mut strips = Self {
            rows,
            closed,
            sets: Vec::new(),
            numbers: HashMap::new(),
            after: HashMap::new(),
            before: HashMap::new(),
        };
        strips.number(vec![begin]);
        strips
    }

    /// The moves of a tour from `from` on a board with these rows, or `None` if there is none.
    pub fn tour(&mut self, board: &Board, from: Square) -> Option<Vec<u8>> {
        debug_assert_eq!(board.rows(), self.rows);
        let by_column = |col| (0..board.rows()).map(move |row| (row, col));
        let squares: Vec<(u32, u32)> = (0..board.cols()).flat_map(by_column).collect();
        let place = |&(row, col): &(u32, u32)| Situation {
            row,
            cols_left: (board.cols() - 1 - col).min(2),
            is_start: !self.closed && (row, col) == (board.row(from), board.col(from)),
        };
        let places: Vec<Situation> = squares.iter().map(place).collect();
        let mut set = 0;
        let mut sets = Vec::with_capacity(places.len());
        for &place in &places {
            sets.push(set);
            set = self.after(set, place);
        }
        let complete = self.sets[set].iter().find(|state| state.is_complete)?;
        let mut state = *complete;
        let mut links = Links::none(board);
        for (index, &place) in places.iter().enumerate().rev() {
            let (before, choice) = self.before(sets[index], place, state)?;
            let square = board.at(squares[index].0.into(), squares[index].1.into())?;
            let steps = (0..KNIGHT_MOVES.len()).filter(|step| choice >> step & 1 == 1);
            steps.for_each(|step| links.flip(square, step));
            state = before;
        }
        Some(links.trace(from))
    }

    fn number(&mut self, set: Vec<StripState>) -> usize {
        let next = self.sets.len();
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.sets.push(set);
        }
        number
    }

    /// The number of the set that follows a set when a place is processed.
    fn after(&mut self, set: usize, place: Situation) -> usize {
        if let Some(&known) = self.after.get(&(set, place)) {
            return known;
        }
        let results = self.sets[set].iter().flat_map(|&state| self.process(state, place));
        let mut next: Vec<StripState> = results.map(|(after, _)| after).collect();
        next.sort_unstable();
        next.dedup();
        let number = self.number(next);
        self.after.insert((set, place), number);
        number
    }

    /// A state of a set, and a choice, from which processing a place leads to `state`.
    fn before(
        &mut self,
        set: usize,
        place: Situation,
        state: StripState,
    ) -> Option<(StripState, Onward)> {
        if let Some(&known) = self.before.get(&(set, place, state)) {
            return Some(known);
        }
        let found = self.sets[set].iter().find_map(|&before| {
            let mut results = self.process(before, place).into_iter();
            Some((before, results.rfind(|(after, _)| *after == state)?.1))
        });
        self.before.insert((set, place, state), found?);
        found
    }

    /// The states and choices that result from processing the first square.
    fn process(&self, state: StripState, place: Situation) -> Vec<(StripState, Onward)> {
        let first = state.frontier[0];
        match first {
            DONE if !place.is_start => return vec![(state.shifted(), 0)],
            _ if first == DONE || state.is_complete => return Vec::new(),
            _ => {}
        }
        let targets = self.targets(place);
        let can_end = place.is_start || !(self.closed || state.has_end);
        let ended = StripState { has_end: state.has_end || !place.is_start, ..state };
        let mut found = Vec::new();
        if can_end && first != UNLINKED {
            found.push((ended.with_end(first).shifted(), 0));
        }
        // The last link of the first square, whose fragment has the other endpoint `mate`.
        let mut link = |state: StripState, mate, targets: &[(usize, usize)], choice: Onward| {
            found.extend(targets.iter().filter_map(|&(step, target)| {
                let linked = state.linked(mate, target, self.closed)?;
                Some((linked.shifted(), choice | 1 << step))
            }));
        };
        if can_end && first == UNLINKED {
            link(ended, TOUR_END, &targets, 0);
        }
        match first {
            _ if place.is_start => {}
            UNLINKED => targets.iter().enumerate().for_each(|(index, &(step, target))| {
                // Alone, the first square is both endpoints of its fragment. Linked to `target`, it
                // is one endpoint of the fragment that `target` is in.
                if let Some(linked) = state.linked(0, target, self.closed) {
                    link(linked, linked.frontier[0], &targets[index + 1..], 1 << step);
                }
            }),
            mate => link(state, mate, &targets, 0),
        }
        found
    }

    /// The moves to squares that are processed later, with the frontier indices of these squares.
    fn targets(&self, place: Situation) -> Vec<(usize, usize)> {
        let to = |(step, (up, right)): (usize, (i32, i32))| {
            let row = u32::try_from(place.row as i32 + up).ok().filter(|&row| row < self.rows)?;
            let cols = u32::try_from(right).ok().filter(|&cols| cols <= place.cols_left)?;
            Some((step, (cols * self.rows + row - place.row) as usize))
        };
        KNIGHT_MOVES.into_iter().enumerate().filter_map(to).collect()
    }
}

impl StripState {
    /// The state without the first square, once it is processed.
    fn shifted(mut self) -> Self {
        self.frontier.rotate_left(1);
        self.frontier[FRONTIER - 1] = UNLINKED;
        for cell in &mut self.frontier {
            if usize::from(*cell) < FRONTIER {
                *cell -= 1;
            }
        }
        self
    }

    /// Sets the mate of an endpoint, if the endpoint is a frontier square.
    fn set_mate(&mut self, endpoint: Mate, mate: Mate) {
        if let Some(cell) = self.frontier.get_mut(usize::from(endpoint)) {
            *cell = mate;
        }
    }

    /// Links the first square, whose fragment has the other endpoint `mate`, to a square.
    fn linked(mut self, mate: Mate, target: usize, closed: bool) -> Option<Self> {
        match self.frontier[target] {
            DONE => None,
            UNLINKED => {
                self.frontier[target] = mate;
                self.set_mate(mate, target as Mate);
                Some(self)
            }
            other => {
                self.frontier[target] = DONE;
                let closes_cycle = usize::from(mate) == target;
                if closes_cycle || (mate == TOUR_END && other == TOUR_END) {
                    self.is_complete = true;
                    return (closed || !closes_cycle).then_some(self);
                }
                self.set_mate(mate, other);
                self.set_mate(other, mate);
                Some(self)
            }
        }
    }

    /// Makes the first square, whose fragment has the other endpoint `mate`, an end of the tour.
    fn with_end(mut self, mate: Mate) -> Self {
        self.is_complete |= usize::from(mate) >= FRONTIER;
        self.set_mate(mate, TOUR_END);
        self
    }
}
