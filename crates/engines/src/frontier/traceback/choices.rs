//! Undoing a stage: the edge choices that lead to a state, and the states that they lead from.

use super::super::stage::{EdgeSet, Stage};
use crate::states::matching::Change;
use crate::states::pattern::Pattern;

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
        let between = self.changes[0].map_or(ends, |change| change.ends_after(ends));
        let mut ranks = vec![after];
        for (change, ends) in self.changes.into_iter().zip([ends, between]).rev() {
            if let Some(change) = change {
                ranks = ranks.into_iter().flat_map(|rank| change.sources(rank, ends)).collect();
            }
        }
        ranks.sort_unstable();
        ranks
    }
}

impl Stage {
    /// Returns all choices of edges that lead to a pattern, in lexicographic order of the places of
    /// the edges in `to`. A pattern before may be one without states.
    pub fn choices_to(&self, target: Pattern) -> Vec<EdgeChoice> {
        let mut sets: Vec<&EdgeSet> = self.choices.iter().collect();
        sets.sort_unstable_by_key(|set| set.places());
        sets.into_iter().filter_map(|set| self.choice_to(target, set)).collect()
    }

    /// Returns the choice of a set of edges that leads to a pattern, if it is possible.
    fn choice_to(&self, target: Pattern, set: &EdgeSet) -> Option<EdgeChoice> {
        let after = if self.finishes { 2 } else { target.degree(self.at) };
        let degree = after.checked_sub(set.edges as u64)?;
        if set.places().iter().any(|&place| target.degree(self.to[place]) == 0) {
            return None;
        }
        let before = (target.without(self.at).0 | degree << (2 * self.at)) - set.bits;
        let (reached, choice) = self.choose(Pattern(before), set)?;
        (reached == target).then_some(choice)
    }

    /// Returns the choice of exactly those edges for which `is_joined` is true, and the pattern
    /// that it leads to; `None` if the stage does not allow it.
    pub fn choice_from(
        &self,
        before: Pattern,
        is_joined: impl Fn(usize) -> bool,
    ) -> Option<(Pattern, EdgeChoice)> {
        let joined = (0..self.to.len()).filter(|&place| is_joined(self.others[place]));
        let joined: Vec<usize> = joined.collect();
        self.choose(before, self.choices.iter().find(|set| set.places() == joined)?)
    }

    /// Returns the choice of a set of edges, and the pattern that it leads to; `None` if the stage
    /// does not allow it.
    fn choose(&self, before: Pattern, set: &EdgeSet) -> Option<(Pattern, EdgeChoice)> {
        let degree = before.degree(self.at) + set.edges as u64;
        let is_allowed = set.has_must && before.full() & set.bits == 0;
        if !is_allowed || !(self.fewest..=2).contains(&degree) {
            return None;
        }
        let changes = self.link(before, set).ok()?;
        let chosen = [0, 1].map(|edge| set.places().get(edge).map(|&place| self.others[place]));
        Some((self.after(before, set), EdgeChoice { chosen, before, changes }))
    }
}
