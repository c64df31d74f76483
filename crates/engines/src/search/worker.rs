//! The worker of an engine that searches a tree.

use super::{MemoSize, Prefixes, Search, Tree};
use crate::rounds::StatesUnavailable;
use crate::tally::Tally;
use crate::work::{Advance, Pause, Probe, UnitPiece, Worker};

/// The search of one thread.
pub(crate) struct TreeWorker<'a, T: Tree> {
    prefixes: &'a Prefixes,
    search: Search<T>,
}

impl<'a, T: Tree> TreeWorker<'a, T> {
    pub fn new(prefixes: &'a Prefixes, tree: T, memo: MemoSize) -> Self {
        Self { prefixes, search: Search::new(tree, memo) }
    }
}

impl<T: Tree<Key: Send> + Send> Worker for TreeWorker<'_, T> {
    fn advance(
        &mut self,
        unit: usize,
        piece: &UnitPiece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        let (found, nodes, rest) = self.search.advance(piece, pause);
        let found = Tally::from(found) * u128::from(self.prefixes.weight(unit));
        Ok(Advance { found, nodes, rest })
    }

    fn split(&mut self, piece: UnitPiece) -> Vec<UnitPiece> {
        let choices = self.search.choices_along(piece.path());
        piece.split(&choices)
    }

    fn probe(&mut self, unit: usize, seed: u64) -> Option<Probe> {
        if !T::HAS_PROBES {
            return None;
        }
        let mut probe = self.search.probe(self.prefixes.path(unit), seed);
        probe.tours *= f64::from(self.prefixes.weight(unit));
        Some(probe)
    }

    #[cfg(test)]
    fn pause_often(&mut self, nodes: u64, levels: usize) {
        (self.search.look_every, self.search.finish_at) = (nodes, levels);
    }
}
