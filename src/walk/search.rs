//! The depth-first search below a prefix, which can be paused anywhere and taken up again.
//!
//! A [`Piece`] is a cursor: the path to the next node to visit, of which the first `floor` squares
//! stay fixed. It stands for everything at or after the cursor, in ascending order of squares,
//! below its first `floor` squares. Pausing unwinds the recursion and notes the way up; splitting
//! raises the floor and hands the later siblings out as pieces of their own. So work in flight is
//! never given up, however shallow the split is, and one heavy unit can feed every thread.
//!
//! Positions on the way down to the cursor are only half walked, so they are kept out of the table.

use super::field::{Counters, Field};
use super::memo::{Memo, MemoSize};
use super::reduction::Reduction;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};

/// What is still to be walked of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    path: Vec<u16>,
    floor: u16,
}

impl Piece {
    /// Everything below a prefix.
    pub(super) fn whole(prefix: &[u16]) -> Self {
        Self {
            path: prefix.to_vec(),
            floor: prefix.len() as u16,
        }
    }

    pub(super) fn path(&self) -> &[u16] {
        &self.path
    }

    /// Whether the piece is part of the unit with this prefix.
    pub(super) fn lies_below(&self, prefix: &[u16]) -> bool {
        let floor = usize::from(self.floor);
        (prefix.len()..=self.path.len()).contains(&floor) && self.path.starts_with(prefix)
    }

    fn fixed(&self) -> &[u16] {
        &self.path[..usize::from(self.floor)]
    }
}

/// Between two looks at whether to pause: a fraction of a millisecond on bitboards.
const NODES_BETWEEN_LOOKS: u64 = 1 << 14;

/// One thread's search.
#[derive(Debug)]
pub(super) struct Search<F: Field> {
    field: F,
    starts: Vec<u16>,
    length: usize,
    memo: Memo<F::Key>,
    /// With this many free squares or fewer, the field walks on by itself.
    pub finish: usize,
    /// Nodes between two looks at whether to pause.
    pub look_every: u64,
    next_look: u64,
    paused: bool,
    /// The way up from the node where the search was paused, deepest square first.
    way_up: Vec<u16>,
}

impl<F: Field> Search<F> {
    pub fn new(field: F, reduction: &Reduction, memo: MemoSize) -> Self {
        let memo = Memo::new(memo);
        Self {
            finish: F::FINISH[usize::from(!memo.is_on())],
            field,
            starts: reduction
                .starts
                .iter()
                .map(|start| start.index() as u16)
                .collect(),
            length: reduction.length,
            memo,
            look_every: NODES_BETWEEN_LOOKS,
            next_look: 0,
            paused: false,
            way_up: Vec::new(),
        }
    }

    /// Walks a piece until it is done or `pause` says so. What it found, the nodes, and what is left.
    pub fn advance(
        &mut self,
        piece: &Piece,
        pause: &dyn Fn() -> bool,
    ) -> (Tally, u64, Option<Piece>) {
        *self.field.counters() = Counters::default();
        self.next_look = self.look_every;
        self.paused = false;
        self.way_up.clear();
        self.walk_starts(piece, pause);
        let rest = self.paused.then(|| {
            let path = self.way_up.iter().rev().copied().collect();
            Piece {
                path,
                floor: piece.floor,
            }
        });
        let Counters { tours, nodes } = *self.field.counters();
        (Tally(tours), nodes, rest)
    }

    fn walk_starts(&mut self, piece: &Piece, pause: &dyn Fn() -> bool) {
        let cursor = Cursor::of(piece);
        for start in cursor.squares_to_walk(self.starts.clone().into_iter().map(usize::from)) {
            if self.length == 1 {
                self.field.counters().tours += 1;
                continue;
            }
            self.memo.set_start(start);
            if let Some(position) = self.field.enter(start) {
                match cursor.below(start) {
                    Some(below) => self.resume(position, self.length - 1, below, pause),
                    None => self.extend(position, self.length - 1, pause),
                }
                self.field.leave(start);
            }
            if self.paused {
                self.way_up.push(start as u16);
                return;
            }
        }
    }

    /// Walks what is at or after the cursor below a position on the way to it.
    fn resume(&mut self, at: F::Position, free: usize, cursor: Cursor, pause: &dyn Fn() -> bool) {
        if cursor.is_reached() {
            return self.extend(at, free, pause);
        }
        for to in cursor.squares_to_walk(self.field.moves(&at)) {
            if let Some(next) = self.field.step(&at, to) {
                match cursor.below(to) {
                    Some(below) => self.resume(next, free - 1, below, pause),
                    None => self.extend(next, free - 1, pause),
                }
                self.field.undo(to);
            }
            if self.paused {
                self.way_up.push(to as u16);
                return;
            }
        }
    }

    /// Walks everything below a position with `free` free squares.
    fn extend(&mut self, at: F::Position, free: usize, pause: &dyn Fn() -> bool) {
        if free <= self.finish {
            return self.field.finish(at);
        }
        if self.should_pause(pause) {
            self.paused = true;
            return;
        }
        let slot = F::key(&at).filter(|_| self.memo.is_on());
        let place = slot.map(|(key, mixed, head)| (self.memo.place(mixed, head), key, head));
        if let Some((place, key, head)) = place
            && let Some(count) = self.memo.get(place, key, head)
        {
            self.field.counters().tours += u128::from(count);
            return;
        }
        let before = self.field.counters().tours;
        self.field.counters().nodes += 1;
        for to in self.field.moves(&at) {
            if let Some(next) = self.field.step(&at, to) {
                self.extend(next, free - 1, pause);
                self.field.undo(to);
                if self.paused {
                    self.way_up.push(to as u16);
                    return;
                }
            }
        }
        if let Some((place, key, head)) = place {
            let count = self.field.counters().tours - before;
            self.memo.put(place, key, head, count);
        }
    }

    fn should_pause(&mut self, pause: &dyn Fn() -> bool) -> bool {
        let nodes = self.field.counters().nodes;
        if nodes < self.next_look {
            return false;
        }
        self.next_look = nodes + self.look_every;
        pause()
    }

    /// The same work in more pieces: the floor rises to the first level with later siblings.
    pub fn split(&mut self, piece: Piece) -> Vec<Piece> {
        let choices = self.choices_along(piece.path());
        let mut floor = usize::from(piece.floor);
        while let Some(here) = choices.get(floor) {
            let cursor = piece.path.get(floor).copied();
            let later = here
                .iter()
                .filter(|&&to| cursor.is_none_or(|cursor| to > cursor));
            let mut pieces: Vec<Piece> = later
                .map(|&to| Piece::whole(&[&piece.path[..floor], &[to]].concat()))
                .collect();
            if cursor.is_none() {
                return if pieces.is_empty() {
                    vec![piece]
                } else {
                    pieces
                };
            }
            floor += 1;
            if !pieces.is_empty() {
                let path = piece.path;
                pieces.push(Piece {
                    path,
                    floor: floor as u16,
                });
                return pieces;
            }
        }
        vec![piece]
    }

    /// The share of the unit with a prefix of `prefix_len` squares that a piece stands for, if all
    /// siblings weigh the same.
    pub fn share(&mut self, piece: &Piece, prefix_len: usize) -> f64 {
        let choices = self.choices_along(piece.path());
        let (mut share, mut total) = (1.0, 0.0);
        for (level, &cursor) in piece.path.iter().enumerate().skip(prefix_len) {
            let Some(here) = choices.get(level).filter(|here| !here.is_empty()) else {
                return total;
            };
            share /= here.len() as f64;
            if level >= usize::from(piece.floor) {
                let later = here.iter().filter(|&&to| to > cursor).count();
                total += share * later as f64;
            }
        }
        total + share
    }

    /// The choices before each square of a path and after its last, as far as the path leads
    /// through nodes that the search would visit.
    fn choices_along(&mut self, path: &[u16]) -> Vec<Vec<u16>> {
        let mut levels: Vec<Vec<u16>> = Vec::new();
        self.walk_down(|choices, _| {
            let next = path
                .get(levels.len())
                .copied()
                .filter(|next| choices.contains(next));
            levels.push(choices);
            next.map_or(Way::Back, Way::To)
        });
        levels
    }

    /// Goes down from the root, at each node the way that `choose` names when it is given the choices
    /// there and the number of free squares, and comes back. What the counters say is of the last
    /// step alone: a tour that it completed, or all below the node where `choose` wanted it.
    pub fn walk_down(&mut self, mut choose: impl FnMut(Vec<u16>, usize) -> Way) -> Counters {
        *self.field.counters() = Counters::default();
        let Way::To(start) = choose(self.starts.clone(), self.length) else {
            return Counters::default();
        };
        let Some(mut at) = self.field.enter(usize::from(start)) else {
            return Counters::default();
        };
        let mut way_back = Vec::new();
        let mut free = self.length - 1;
        loop {
            let choices = self.field.moves(&at).map(|to| to as u16).collect();
            let to = match choose(choices, free) {
                Way::To(to) => usize::from(to),
                Way::Back => break,
                Way::All => {
                    self.memo.set_start(usize::from(start));
                    self.next_look = u64::MAX;
                    self.extend(at, free, &|| false);
                    break;
                }
            };
            let Some(next) = self.field.step(&at, to) else {
                break;
            };
            at = next;
            free -= 1;
            way_back.push(to);
        }
        for &to in way_back.iter().rev() {
            self.field.undo(to);
        }
        self.field.leave(usize::from(start));
        *self.field.counters()
    }
}

/// Where to go from a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    /// To one of its choices.
    To(u16),
    /// Everywhere below it, exhaustively.
    All,
    /// Back.
    Back,
}

/// The part of a piece's path that lies below a node, while the search goes down to it.
#[derive(Debug, Clone, Copy)]
struct Cursor<'a> {
    path: &'a [u16],
    fixed: usize,
}

impl<'a> Cursor<'a> {
    fn of(piece: &'a Piece) -> Self {
        Self {
            path: &piece.path,
            fixed: piece.fixed().len(),
        }
    }

    fn is_reached(&self) -> bool {
        self.path.is_empty()
    }

    /// Of a node's choices those that belong to the piece.
    fn squares_to_walk(self, choices: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        choices.filter(move |&to| match self.path.first() {
            None => true,
            Some(&next) if self.fixed > 0 => to == usize::from(next),
            Some(&next) => to >= usize::from(next),
        })
    }

    /// The cursor below a choice, when the choice lies on the way to it.
    fn below(self, to: usize) -> Option<Self> {
        let (&next, path) = self.path.split_first()?;
        let fixed = self.fixed.saturating_sub(1);
        (usize::from(next) == to).then_some(Self { path, fixed })
    }
}
