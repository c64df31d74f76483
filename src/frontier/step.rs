//! One stage of a sweep: what a state may become when the edges of one more square are chosen.
//!
//! A *closing* stage processes the first square of the window for good: afterwards it has two edges, an end of
//! the tour counting as one, and leaves the window. An *optional* stage chooses any edges between a
//! square and later ones inside the window, which stays where it is: so a bottom half gets the edges
//! among the squares that it shares with the top half. Joining the two ends of one fragment makes a cycle
//! and joining two loose ends a whole path; both are allowed only when nothing else is left.

use super::state::{
    self, BARE, Fragments, INNER, Linked, covered, inner, kinds_of, loose_ends, without_first,
};
use super::strip::{Colours, Ends, Strip};

/// Takes what becomes of a state.
pub(crate) trait Successors {
    /// What comes next has an end of the tour in an orbit of squares, until [`Successors::without_end`].
    fn with_end(&mut self, orbit: u8);
    /// What comes next is without the last end.
    fn without_end(&mut self);
    /// A state of the next frontier.
    fn state(&mut self, key: u64);
    /// A tour of the first `squares` squares.
    fn tour(&mut self, squares: usize);
}

/// A stage, set up for one square.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    /// The place of the first square of the window.
    first: usize,
    /// Which square of the window chooses.
    at: usize,
    /// The squares of the window that it can be joined to.
    later: Vec<usize>,
    ending: Ending,
    /// The orbit of squares where it may end.
    orbit: u8,
    goal: Goal,
    colours: WindowColours,
    needs: Needs,
    /// Whether the tours have ends.
    is_open: bool,
    /// Another optional stage that goes on with each successor at once.
    then: Option<Box<Stage>>,
}

/// What the stage does with its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Two edges, then it leaves; at the end of a row, mirror images may be merged.
    Close { merged_width: Option<usize> },
    /// Any edges, but so that the top half can add the missing ones, of which it has at most so many.
    Leave { most_missing: u32 },
}

/// Whether the tour may end at the square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Never,
    Must,
    /// While there are fewer loose ends than this; the second end is of the other colour when asked.
    May {
        below: u32,
        differs: bool,
    },
}

/// The colours of the window, by which a hidden end's own colour is found.
#[derive(Debug, Clone, Copy)]
struct WindowColours {
    /// The squares of the first colour.
    first: u64,
    /// What the processed squares add up to.
    behind: i32,
    /// The colour of the square that chooses.
    here: i32,
}

impl WindowColours {
    /// The colour of the tour's only end so far: every fragment alternates, so its surplus is the
    /// mean of its ends' colours, and all surpluses add up to that of the squares covered.
    fn hidden_end(&self, kinds: u64) -> i32 {
        let surplus =
            |mask: u64| 2 * (mask & self.first).count_ones() as i32 - mask.count_ones() as i32;
        let ends = state::ends(kinds) | state::loose(kinds);
        2 * (self.behind + surplus(covered(kinds))) - surplus(ends)
    }
}

/// What the squares of a window have left to get their edges from, all squares at once: a bit for each.
#[derive(Debug, Clone, Default)]
struct Needs {
    /// The squares of the window that lie on the board.
    window: u64,
    /// Those with a neighbour, and with two, behind the window.
    one_behind: u64,
    two_behind: u64,
    /// The neighbours in the window, by distance: how far they are to be moved, right or left, to come
    /// to lie on their neighbours, and which those are.
    near: Vec<(u32, u32, u64)>,
}

impl Stage {
    /// Closes the square at `place`.
    pub(super) fn close(strip: &Strip, place: usize, merge_mirrors: bool) -> Self {
        let is_row_end = (place + 1).is_multiple_of(strip.width);
        Self {
            first: place,
            at: 0,
            later: strip.later(place).map(|later| later - place).collect(),
            ending: Ending::at(strip, place),
            orbit: strip.orbit(place),
            goal: Goal::Close {
                merged_width: (merge_mirrors && is_row_end).then_some(strip.width),
            },
            colours: WindowColours::new(strip, place, place),
            needs: Needs::of(strip, place + 1),
            is_open: !matches!(strip.ends, Ends::Closed),
            then: None,
        }
    }

    /// Chooses the edges between the square `at` of a window and later ones in the window, when the
    /// other half can add `most_missing` edges to it.
    pub(super) fn leave(
        strip: &Strip,
        (first, window): (usize, usize),
        at: usize,
        most_missing: u32,
    ) -> Self {
        let place = first + at;
        let is_near = |&other: &usize| strip.are_neighbours(place, first + other);
        Self {
            first,
            at,
            later: (at + 1..window).filter(is_near).collect(),
            ending: Ending::at(strip, place),
            orbit: strip.orbit(place),
            goal: Goal::Leave { most_missing },
            colours: WindowColours::new(strip, first, place),
            needs: Needs::default(),
            is_open: !matches!(strip.ends, Ends::Closed),
            then: None,
        }
    }

    /// Optional stages without those that change nothing, and with neighbours made one while a
    /// state has only a few successors: most of them meet no equal, so one table is less work than two.
    pub(super) fn merged(stages: impl DoubleEndedIterator<Item = Self>) -> Vec<Self> {
        const MOST_SUCCESSORS: f64 = 4.0;
        let mut merged: Vec<Self> = Vec::new();
        let mut successors = 0.0;
        for mut stage in stages.rev().filter(|stage| !stage.changes_nothing()) {
            successors *= stage.successors();
            if successors > 0.0 && successors <= MOST_SUCCESSORS {
                stage.then = merged.pop().map(Box::new);
            } else {
                successors = stage.successors();
            }
            merged.push(stage);
        }
        merged.reverse();
        merged
    }

    fn changes_nothing(&self) -> bool {
        let takes_all = self.goal == Goal::Leave { most_missing: 2 };
        self.later.is_empty() && self.ending == Ending::Never && takes_all
    }

    /// How many successors a state has, as a rule.
    fn successors(&self) -> f64 {
        let by_ending = if self.ending == Ending::Never {
            1.0
        } else {
            1.25
        };
        by_ending * 1.6_f64.powi(self.later.len() as i32)
    }

    /// The square that the stage closes, if it closes one.
    pub(crate) fn closes(&self) -> Option<usize> {
        matches!(self.goal, Goal::Close { .. }).then_some(self.first)
    }

    /// How many ways lead on from a state at most.
    pub(crate) fn most_ways(&self) -> u64 {
        let later = self.later.len() as u64;
        let choices = 1 + later + later * later.saturating_sub(1) / 2;
        let by_ending = if self.ending == Ending::Never { 1 } else { 2 };
        let then = self.then.as_ref().map_or(1, |then| then.most_ways());
        (choices * by_ending).saturating_mul(then)
    }

    /// Every successor of a state, as often as there are ways to it.
    #[inline]
    pub(crate) fn expand(&self, key: u64, successors: &mut impl Successors) {
        let kinds = kinds_of(key);
        let passes = self.goal == Goal::Close { merged_width: None } && self.ending != Ending::Must;
        if passes && kinds & 3 == INNER {
            if self.needs.can_be_met(kinds >> 2, self.is_open) {
                successors.state(without_first(key));
            }
            return;
        }
        self.choose(&Fragments::unpack(key), successors);
    }

    fn choose(&self, start: &Fragments, successors: &mut impl Successors) {
        let may_end = self.may_end(start.kinds);
        self.settle(start, may_end, successors);
        for (index, &one) in self.later.iter().enumerate() {
            let mut first = *start;
            match first.link(self.at, one) {
                Linked::Yes => self.settle(&first, may_end, successors),
                linked => {
                    self.finish(linked, &first, successors);
                    continue;
                }
            }
            for &other in &self.later[index + 1..] {
                let mut second = first;
                match second.link(self.at, other) {
                    Linked::Yes => self.settle(&second, false, successors),
                    linked => self.finish(linked, &second, successors),
                }
            }
        }
    }

    /// Passes on a state whose square gets no further edge, with and without an end of the tour there.
    #[inline(always)]
    fn settle(&self, state: &Fragments, may_end: bool, successors: &mut impl Successors) {
        if self.ending != Ending::Must {
            self.pass_on(state, successors);
        }
        if may_end {
            let mut ended = *state;
            successors.with_end(self.orbit);
            match ended.end_at(self.at) {
                Linked::Yes => self.pass_on(&ended, successors),
                linked => self.finish(linked, &ended, successors),
            }
            successors.without_end();
        }
    }

    #[inline(always)]
    fn pass_on(&self, state: &Fragments, successors: &mut impl Successors) {
        let kind = state.kind(self.at);
        match self.goal {
            Goal::Close { merged_width }
                if kind == INNER && self.needs.can_be_met(state.kinds >> 2, self.is_open) =>
            {
                successors.state(match merged_width {
                    None => state.pack_without_first(),
                    Some(width) => state.pack_mirror_merged(width),
                });
            }
            Goal::Leave { most_missing } if missing(kind) <= most_missing => match &self.then {
                None => successors.state(state.pack()),
                Some(then) => then.choose(state, successors),
            },
            _ => {}
        }
    }

    /// A cycle or a path from end to end is a tour of the squares so far when it covers all of them.
    fn finish(&self, linked: Linked, state: &Fragments, successors: &mut impl Successors) {
        let wanted = if self.is_open {
            Linked::Path
        } else {
            Linked::Cycle
        };
        // Base 4: inner squares are ones, and then only bare ones may follow.
        let ones = 3 * (state.kinds >> 2) + 1;
        let is_closing = matches!(self.goal, Goal::Close { .. });
        if linked == wanted && is_closing && ones.is_power_of_two() {
            successors.tour(self.first + 1 + ones.trailing_zeros() as usize / 2);
        }
    }

    #[inline(always)]
    fn may_end(&self, kinds: u64) -> bool {
        match self.ending {
            Ending::Never => false,
            Ending::Must => true,
            Ending::May { below, differs } => match loose_ends(kinds) {
                loose if loose >= below => false,
                1 if differs => self.colours.hidden_end(kinds) != self.colours.here,
                _ => true,
            },
        }
    }
}

/// How many edges a square of this kind lacks.
#[inline(always)]
fn missing(kind: u64) -> u32 {
    match kind {
        BARE => 2,
        INNER => 0,
        _ => 1,
    }
}

impl Ending {
    fn at(strip: &Strip, place: usize) -> Self {
        let Ends::Open { fixed, colours } = &strip.ends else {
            return Self::Never;
        };
        if fixed.contains(&place) {
            return Self::Must;
        }
        let to_come = fixed.iter().filter(|&&end| end > place).count();
        let may = Self::May {
            below: 2 - to_come as u32,
            differs: *colours == Colours::OneOfEach,
        };
        let colour_fits = match (colours, fixed.first()) {
            (Colours::Any, _) | (Colours::OneOfEach, None) => true,
            (Colours::First, _) => strip.has_first_colour(place),
            (Colours::OneOfEach, Some(&end)) => strip.colour(end) != strip.colour(place),
        };
        match fixed.len() < 2 && colour_fits {
            true => may,
            false => Self::Never,
        }
    }
}

impl WindowColours {
    fn new(strip: &Strip, first: usize, here: usize) -> Self {
        let colour = |place| strip.colour(place);
        let of_first = (0..32).filter(|&square| strip.has_first_colour(first + square));
        Self {
            first: of_first.map(|square| 1 << (2 * square)).sum(),
            behind: (0..first).map(colour).sum(),
            here: colour(here),
        }
    }
}

impl Needs {
    /// The needs of the window from `first` on.
    fn of(strip: &Strip, first: usize) -> Self {
        let window = first..(first + 2 * strip.width + 1).min(strip.squares.unwrap_or(usize::MAX));
        let bits = |is_in: &dyn Fn(usize) -> bool| -> u64 {
            let squares = window.clone().filter(|&place| is_in(place));
            squares.map(|place| 1 << (2 * (place - first))).sum()
        };
        let behind = |place| {
            strip
                .later(place)
                .filter(|&later| later >= window.end)
                .count()
        };
        let with_near = |distance: i64| {
            bits(&|place| {
                let other = usize::try_from(place as i64 + distance);
                other.is_ok_and(|other| {
                    window.contains(&other) && strip.are_neighbours(place, other)
                })
            })
        };
        let last = 2 * strip.width as i64 + 1;
        let near = (-last..=last).map(|distance| {
            let bits = 2 * distance.unsigned_abs() as u32;
            let (right, left) = if distance > 0 { (bits, 0) } else { (0, bits) };
            (right, left, with_near(distance))
        });
        Self {
            window: bits(&|_| true),
            one_behind: bits(&|place| behind(place) >= 1),
            two_behind: bits(&|place| behind(place) >= 2),
            near: near.filter(|&(_, _, squares)| squares != 0).collect(),
        }
    }

    /// Whether every square can still get two edges, ends of the tour to come counting as one.
    #[inline(always)]
    fn can_be_met(&self, kinds: u64, is_open: bool) -> bool {
        let free = self.window & !inner(kinds);
        let (mut one, mut two) = (self.one_behind, self.two_behind);
        for &(right, left, squares) in &self.near {
            let near = free >> right << left & squares;
            two |= one & near;
            one |= near;
        }
        let bare = free & !covered(kinds);
        let short = bare & !two | free & !one;
        if short == 0 {
            return true;
        }
        let by_one = short & !(bare & !one);
        let ends_to_come = if is_open { 2 - loose_ends(kinds) } else { 0 };
        short == by_one && short.count_ones() <= ends_to_come
    }
}
