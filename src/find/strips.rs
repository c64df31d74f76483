//! Narrow boards, of 3 or 4 rows and any length: a tour, or the proof that there is none.
//!
//! Squares are settled column by column. What is settled is known by a *state*: for each of the next
//! squares that settled ones can be linked to, whether it is bare, has one link and where the other
//! end of its fragment is, or has two. The states that can be reached are finitely many, so from some
//! column on the sets of them repeat, and a table of the sets met makes a long board cost little more
//! than a look at each square. A tour is read off backwards, from the end to the beginning. If no state
//! at the end is a whole tour there is none: every way was followed.
//!
//! The frontier method of counting, with sets in place of counts. Cost: thousands of states a set.

use super::links::Links;
use crate::board::{Board, KNIGHT_MOVES, Square};
use std::collections::{HashMap, HashSet};

/// The most rows of a strip.
pub(super) const MOST_ROWS: u32 = 4;

/// The next squares that settled ones can be linked to, the one to be settled first: on four rows a
/// move to the right reaches nine squares on.
const WINDOW: usize = 2 * MOST_ROWS as usize + 2;

/// A square of the window: an index below [`WINDOW`] is the other end of its fragment.
type Cell = u8;
const BARE: Cell = 10;
const INNER: Cell = 11;
/// The fragment's other end is an end of the tour.
const LOOSE: Cell = 12;

/// What is known of the settled squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    window: [Cell; WINDOW],
    /// Whether the end of the tour that is not its start is settled.
    has_end: bool,
    /// Whether a whole path or cycle is made: no square may be left out of it.
    is_whole: bool,
}

/// What decides how a square is settled, beside the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    row: u32,
    /// Columns that follow, 2 standing for all that are more.
    cols_left: u32,
    is_start: bool,
}

/// The moves to squares that are settled later, as a mask of their indices.
type Choice = u8;

/// Strips of as many rows, with what is known of them: each set of states is made once.
#[derive(Debug)]
pub(super) struct Strips {
    rows: u32,
    closed: bool,
    sets: Vec<Vec<State>>,
    numbers: HashMap<Vec<State>, usize>,
    after: HashMap<(usize, Place), usize>,
    /// By set, place and state after it: a state before it, and the choice that leads on.
    before: HashMap<(usize, Place, State), (State, Choice)>,
}

impl Strips {
    pub fn new(rows: u32, closed: bool) -> Self {
        let begin = State { window: [BARE; WINDOW], has_end: false, is_whole: false };
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

    /// The moves of a tour of a board of these rows, from a square of it; `None` when there is none.
    pub fn tour(&mut self, board: Board, from: Square) -> Option<Vec<u8>> {
        debug_assert_eq!(board.rows(), self.rows);
        let by_column = |col| (0..board.rows()).map(move |row| (row, col));
        let squares: Vec<(u32, u32)> = (0..board.cols()).flat_map(by_column).collect();
        let place = |&(row, col): &(u32, u32)| Place {
            row,
            cols_left: (board.cols() - 1 - col).min(2),
            is_start: !self.closed && (row, col) == (board.row(from), board.col(from)),
        };
        let places: Vec<Place> = squares.iter().map(place).collect();
        let mut set = 0;
        let mut sets = Vec::with_capacity(places.len());
        for &place in &places {
            sets.push(set);
            set = self.after(set, place);
        }
        let whole = self.sets[set].iter().find(|state| state.is_whole)?;
        let mut state = *whole;
        let mut links = Links::none(board);
        for (index, &place) in places.iter().enumerate().rev() {
            let (earlier, choice) = self.before(sets[index], place, state)?;
            let square = board.at(squares[index].0.into(), squares[index].1.into())?;
            let steps = (0..KNIGHT_MOVES.len()).filter(|step| choice >> step & 1 == 1);
            steps.for_each(|step| links.flip(square, step));
            state = earlier;
        }
        Some(links.trace(from))
    }

    fn number(&mut self, set: Vec<State>) -> usize {
        let next = self.sets.len();
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.sets.push(set);
        }
        number
    }

    /// The set of states after a place.
    fn after(&mut self, set: usize, place: Place) -> usize {
        if let Some(&known) = self.after.get(&(set, place)) {
            return known;
        }
        let mut next = HashSet::new();
        for state in &self.sets[set] {
            self.settle(*state, place, &mut |after, _| {
                next.insert(after);
            });
        }
        let mut next: Vec<State> = next.into_iter().collect();
        next.sort_unstable();
        let number = self.number(next);
        self.after.insert((set, place), number);
        number
    }

    /// A state of a set from which a place leads to a state.
    fn before(&mut self, set: usize, place: Place, state: State) -> Option<(State, Choice)> {
        if let Some(&known) = self.before.get(&(set, place, state)) {
            return Some(known);
        }
        let found = self.sets[set].iter().find_map(|&earlier| {
            let mut found = None;
            self.settle(earlier, place, &mut |after, choice| {
                if after == state {
                    found = Some((earlier, choice));
                }
            });
            found
        });
        self.before.insert((set, place, state), found?);
        found
    }

    /// Every way to settle the first square of the window.
    fn settle(&self, state: State, place: Place, found: &mut dyn FnMut(State, Choice)) {
        let first = state.window[0];
        if first == INNER {
            if !place.is_start {
                found(state.shifted(), 0);
            }
            return;
        }
        if state.is_whole {
            return;
        }
        let targets = self.targets(place);
        let can_end = place.is_start || !(self.closed || state.has_end);
        if can_end {
            let mut ended = state;
            ended.has_end |= !place.is_start;
            match first {
                BARE => {
                    for &(step, target) in &targets {
                        if let Some(linked) = ended.linked(LOOSE, target, self.closed) {
                            found(linked.shifted(), 1 << step);
                        }
                    }
                }
                other => found(ended.with_end(other).shifted(), 0),
            }
        }
        if place.is_start {
            return;
        }
        for (index, &(step, target)) in targets.iter().enumerate() {
            if first != BARE {
                if let Some(linked) = state.linked(first, target, self.closed) {
                    found(linked.shifted(), 1 << step);
                }
                continue;
            }
            for &(step_too, target_too) in &targets[index + 1..] {
                // Linked to one square, the first is an end of the fragment that this one is in.
                let Some((linked, end)) = state.begun(target) else {
                    continue;
                };
                if let Some(linked) = linked.linked(end, target_too, self.closed) {
                    found(linked.shifted(), 1 << step | 1 << step_too);
                }
            }
        }
    }

    /// The moves to squares that are settled later, with their places in the window.
    fn targets(&self, place: Place) -> Vec<(usize, usize)> {
        let to = |(step, (up, right)): (usize, (i32, i32))| {
            let row = u32::try_from(place.row as i32 + up).ok().filter(|&row| row < self.rows)?;
            let cols = u32::try_from(right).ok().filter(|&cols| cols <= place.cols_left)?;
            Some((step, (cols * self.rows + row - place.row) as usize))
        };
        KNIGHT_MOVES.into_iter().enumerate().filter_map(to).collect()
    }
}

impl State {
    /// The state once the first square is settled.
    fn shifted(mut self) -> Self {
        self.window.rotate_left(1);
        self.window[WINDOW - 1] = BARE;
        for cell in &mut self.window {
            if usize::from(*cell) < WINDOW {
                *cell -= 1;
            }
        }
        self
    }

    /// The first square, bare, linked to another: with the other end of the fragment it is in now.
    fn begun(mut self, target: usize) -> Option<(Self, Cell)> {
        let end = match self.window[target] {
            INNER => return None,
            BARE => target as Cell,
            other => other,
        };
        if end != target as Cell {
            self.window[target] = INNER;
        }
        self.lead(end, 0);
        Some((self, end))
    }

    /// Notes at one end of a fragment, if it is a square of the window, what the other end is.
    fn lead(&mut self, end: Cell, other: Cell) {
        if let Some(cell) = self.window.get_mut(usize::from(end)) {
            *cell = other;
        }
    }

    /// The fragment with the other end `end`, which ends at the first square, linked to a square.
    fn linked(mut self, end: Cell, target: usize, closed: bool) -> Option<Self> {
        match self.window[target] {
            INNER => None,
            BARE => {
                self.window[target] = end;
                self.lead(end, target as Cell);
                Some(self)
            }
            other => {
                self.window[target] = INNER;
                let closes_cycle = usize::from(end) == target;
                if closes_cycle || (end == LOOSE && other == LOOSE) {
                    self.is_whole = true;
                    return (closed || !closes_cycle).then_some(self);
                }
                self.lead(end, other);
                self.lead(other, end);
                Some(self)
            }
        }
    }

    /// The fragment with the other end `end` ended at the first square.
    fn with_end(mut self, end: Cell) -> Self {
        match usize::from(end) {
            index if index < WINDOW => self.window[index] = LOOSE,
            _ => self.is_whole = true,
        }
        self
    }
}
