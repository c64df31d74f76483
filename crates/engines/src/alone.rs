//! Counts of unit tests: on one thread, with all states in memory, and without any saving.

use crate::rounds::{Built, Layer, Partitioned, Portions, StatesUnavailable, views};
use crate::tally::Tally;
use crate::work::{Pause, Work};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The packed states of each slice, in pieces.
#[derive(Default)]
struct InMemory(BTreeMap<u64, Vec<Vec<u8>>>);

impl InMemory {
    fn add(&mut self, output: &Partitioned) {
        for (slice, packed) in output.slices() {
            self.0.entry(slice).or_default().push(packed.to_vec());
        }
    }
}

impl Layer for InMemory {
    fn slice(&self, slice: u64) -> Result<Vec<Cow<'_, [u8]>>, StatesUnavailable> {
        let pieces = self.0.get(&slice).into_iter().flatten();
        Ok(pieces.map(|piece| Cow::Borrowed(&piece[..])).collect())
    }

    fn each_portion(
        &self,
        slice: u64,
        _most: u64,
        show: &mut Portions<'_>,
    ) -> Result<(), StatesUnavailable> {
        show(&views(&self.slice(slice)?))
    }

    fn bytes_of(&self, slice: u64) -> u64 {
        self.0.get(&slice).into_iter().flatten().map(|piece| piece.len() as u64).sum()
    }
}

/// The result of a count.
#[derive(Debug)]
pub(crate) struct Counted {
    /// The label and the count of each unit.
    pub counts: Vec<(String, Tally)>,
    /// The nodes visited, and the states computed in all rounds.
    pub nodes: u64,
}

impl Counted {
    /// The directed tours of all units.
    pub fn directed(&self) -> Tally {
        self.counts.iter().map(|(_, count)| count.clone()).sum()
    }
}

/// Goes through the sweeps of a work, and returns the states that these have computed.
fn swept(work: &dyn Work) -> u64 {
    let Some(sweeps) = work.sweeps() else { return 0 };
    let mut worker = sweeps.round_worker();
    let (mut layers, mut met, mut states) = (Vec::<Arc<dyn Layer>>::new(), Vec::new(), 0);
    for (sweep, rounds) in sweeps.rounds().into_iter().enumerate() {
        let mut layer = InMemory::default();
        layer.add(&sweeps.start());
        for round in 0..rounds {
            let mut next = InMemory::default();
            for (&slice, pieces) in &layer.0 {
                let packed: Vec<&[u8]> = pieces.iter().map(|piece| &piece[..]).collect();
                let at = (sweep, round);
                let deal = &mut |portion| next.add(&portion);
                let last = worker.advance(at, slice, &packed, &|| false, deal);
                let last = last.expect("nothing stops it");
                next.add(&last);
                met.extend(last.met);
                states += last.states_processed;
            }
            layer = next;
        }
        layers.push(Arc::new(layer));
    }
    sweeps.ready(Built { made_for: None, layers, inputs: Vec::new(), met });
    states
}

/// Counts the tours of all units.
pub(crate) fn counted(work: &dyn Work) -> Counted {
    let (mut nodes, mut worker) = (swept(work), work.worker());
    let count = |unit| {
        let advance = worker.advance(unit, &work.begin(unit), &|| Pause::No);
        let advance = advance.expect("nothing stops it");
        assert_eq!(advance.rest, None);
        nodes += advance.nodes;
        (work.label(unit), advance.found)
    };
    let counts = (0..work.units()).map(count).collect();
    Counted { counts, nodes }
}
