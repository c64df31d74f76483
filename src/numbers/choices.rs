//! A stage backwards: which edges chosen there lead to a state, and from which states.

use crate::frontier::stage::Stage;
use crate::states::matching::Change::{self, Contract, Insert, Mirror, Move};
use crate::states::matching::{rank, unrank};
use crate::states::pattern::{Linked, Pattern};

/// The vertices that edges are chosen to: none, one or two.
pub(crate) type Chosen = [Option<usize>; 2];

/// A way to a pattern, seen from there: the edges chosen, the pattern before, and the changes of the matching.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub chosen: Chosen,
    pub before: Pattern,
    pub changes: [Option<Change>; 2],
}

impl Choice {
    /// The ranks from which it leads to a rank, in ascending order.
    pub(super) fn ranks_before(&self, after: u64) -> Vec<u64> {
        let ends = self.before.ends();
        match self.changes {
            [None, _] => vec![after],
            [Some(change), None] => change.sources(after, ends),
            [Some(change), Some(second)] => {
                let between = second.sources(after, change.ends_after(ends)).into_iter();
                let mut before: Vec<u64> =
                    between.flat_map(|rank| change.sources(rank, ends)).collect();
                before.sort_unstable();
                before
            }
        }
    }
}

impl Stage {
    /// All choices of edges that lead to a pattern, in the order of [`Stage::ways`]. From which of the patterns before
    /// there are states is not looked at.
    pub fn choices_to(&self, target: Pattern, found: &mut Vec<Choice>) {
        let mut add = |chosen: &[usize]| found.extend(self.choice_to(target, chosen));
        add(&[]);
        for one in 0..self.to.len() {
            add(&[one]);
            (one + 1..self.to.len()).for_each(|other| add(&[one, other]));
        }
    }

    /// The choice of edges to some of `to` that leads to a pattern, if there is one.
    fn choice_to(&self, target: Pattern, chosen: &[usize]) -> Option<Choice> {
        let edges = chosen.len() as u64;
        let after = if self.closes { 2 } else { target.degree(self.at) };
        let is_left = chosen.iter().all(|&to| target.degree(self.to[to]) > 0);
        if edges > after || !is_left {
            return None;
        }
        let less: u64 = chosen.iter().map(|&to| 1 << (2 * self.to[to])).sum();
        let at = (after - edges) << (2 * self.at);
        let before = Pattern((target.without(self.at).0 | at) - less);
        let (reached, choice) = self.choose(before, chosen)?;
        (reached == target).then_some(choice)
    }

    /// The choice of the edges that are told, and the pattern that it leads to.
    pub fn choice_from(
        &self,
        before: Pattern,
        is_joined: impl Fn(usize) -> bool,
    ) -> Option<(Pattern, Choice)> {
        let joined = (0..self.to.len()).filter(|&to| is_joined(self.others[to]));
        self.choose(before, &joined.collect::<Vec<_>>())
    }

    fn choose(&self, before: Pattern, chosen: &[usize]) -> Option<(Pattern, Choice)> {
        let mut choice = Choice { chosen: [None; 2], before, changes: [None; 2] };
        let is_must = |&to: &usize| self.must == Some(self.to[to]);
        if chosen.len() > 2 || self.must.is_some() && !chosen.iter().any(is_must) {
            return None;
        }
        let mut pattern = before;
        for (place, &to) in chosen.iter().enumerate() {
            let Linked::To(linked, change) = pattern.link(self.at, self.to[to]) else {
                return None;
            };
            pattern = linked;
            choice.chosen[place] = Some(self.others[to]);
            choice.changes[place] = Some(change);
        }
        let after = match self.closes {
            true => pattern.without(self.at),
            false => pattern,
        };
        (pattern.degree(self.at) >= self.fewest).then_some((after, choice))
    }
}

impl Change {
    /// All ranks of matchings of so many ends from which a rank comes, in ascending order.
    pub fn sources(self, after: u64, ends: usize) -> Vec<u64> {
        let ends_after = self.ends_after(ends);
        match self {
            Insert(one, other) => {
                let mates = unrank(after, ends_after);
                let is_pair = mates[usize::from(one)] == other;
                let without = || rank(&Contract(one, other).of_mates(&mates, ends_after), ends);
                is_pair.then(without).into_iter().collect()
            }
            Move(from, to) => vec![Move(to, from).of_rank(after, ends)],
            Mirror { .. } => vec![self.of_rank(after, ends)],
            Contract(one, other) => {
                // Each path that is left may be the two that were joined, in two ways.
                let mates = Insert(one, other).of_mates(&unrank(after, ends_after), ends_after);
                let mut sources = Vec::new();
                for end in (0..ends as u8).filter(|end| ![one, other].contains(end)) {
                    let mut before = mates;
                    for (of_pair, end) in [(one, end), (other, mates[usize::from(end)])] {
                        before[usize::from(of_pair)] = end;
                        before[usize::from(end)] = of_pair;
                    }
                    sources.push(rank(&before, ends));
                }
                sources.sort_unstable();
                sources
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::states::matching::matchings;

    #[test]
    fn the_sources_of_a_matching_are_all_that_lead_to_it() {
        for ends in [2_usize, 4, 6, 8] {
            let places = |to: usize| {
                (0..to as u8).flat_map(move |one| (0..to as u8).map(move |other| (one, other)))
            };
            let pairs = |to: usize| places(to).filter(|(one, other)| one < other);
            let inserted = pairs(ends + 2).map(|(one, other)| Change::Insert(one, other));
            let moved = places(ends).map(|(one, other)| Change::Move(one, other));
            let contracted = pairs(ends).map(|(one, other)| Change::Contract(one, other));
            for change in inserted.chain(moved).chain(contracted) {
                for after in 0..matchings(change.ends_after(ends)) {
                    let all =
                        (0..matchings(ends)).filter(|&rank| change.of_rank(rank, ends) == after);
                    let all: Vec<u64> = all.collect();
                    assert_eq!(change.sources(after, ends), all, "{change:?} of {ends} to {after}");
                }
            }
        }
    }
}
