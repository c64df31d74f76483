//! Undoing a stage: the edge choices that lead to a state, and the states that they lead from.

use super::super::stage::Stage;
use crate::states::matching::Change;
use crate::states::pattern::{Linked, Pattern};

/// A choice of edges that leads to a known pattern: the edges, the pattern before them, and the
/// changes of the matching.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeChoice {
    /// The vertices to which edges are chosen: none, one or two.
    pub chosen: [Option<usize>; 2],
    pub before: Pattern,
    pub changes: [Option<Change>; 2],
}

impl EdgeChoice {
    /// Returns the ranks before the choice that it maps to a rank, in ascending order.
    pub fn ranks_before(&self, after: u64) -> Vec<u64> {
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
    /// Returns all choices of edges that lead to a pattern. A pattern before may be one without
    /// states.
    pub fn choices_to(&self, target: Pattern) -> Vec<EdgeChoice> {
        let mut found = Vec::new();
        let mut add = |chosen: &[usize]| found.extend(self.choice_to(target, chosen));
        add(&[]);
        for one in 0..self.to.len() {
            add(&[one]);
            (one + 1..self.to.len()).for_each(|other| add(&[one, other]));
        }
        found
    }

    /// Returns the choice of edges to some of `to` that leads to a pattern, if it is possible.
    fn choice_to(&self, target: Pattern, chosen: &[usize]) -> Option<EdgeChoice> {
        let edges = chosen.len() as u64;
        let after = if self.finishes { 2 } else { target.degree(self.at) };
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

    /// Returns the choice of exactly those edges for which `is_joined` is true, and the pattern
    /// that it leads to; `None` if the stage does not allow it.
    pub fn choice_from(
        &self,
        before: Pattern,
        is_joined: impl Fn(usize) -> bool,
    ) -> Option<(Pattern, EdgeChoice)> {
        let joined = (0..self.to.len()).filter(|&to| is_joined(self.others[to]));
        self.choose(before, &joined.collect::<Vec<_>>())
    }

    /// Returns the choice of edges to some of `to`, and the pattern that it leads to; `None` if the
    /// stage does not allow it.
    fn choose(&self, before: Pattern, chosen: &[usize]) -> Option<(Pattern, EdgeChoice)> {
        let mut choice = EdgeChoice { chosen: [None; 2], before, changes: [None; 2] };
        let is_must = |&to: &usize| self.must == Some(self.to[to]);
        if chosen.len() > 2 || self.must.is_some() && !chosen.iter().any(is_must) {
            return None;
        }
        let mut pattern = before;
        for (place, &to) in chosen.iter().enumerate() {
            if pattern.degree(self.at).max(pattern.degree(self.to[to])) == 2 {
                return None;
            }
            let Linked::To(linked, change) = pattern.link(self.at, self.to[to]) else {
                return None;
            };
            pattern = linked;
            choice.chosen[place] = Some(self.others[to]);
            choice.changes[place] = Some(change);
        }
        let after = if self.finishes { pattern.without(self.at) } else { pattern };
        (pattern.degree(self.at) >= self.fewest).then_some((after, choice))
    }
}
