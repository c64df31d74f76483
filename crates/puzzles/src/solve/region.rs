//! Regions that a number would cut off.
//!
//! A number on a square may divide the free squares into regions. Each gap between two known
//! numbers that follow each other is filled within one region, which a move leads to from both of
//! them. If the gaps cannot be distributed so that each region is filled, the number is not there.

use super::bits::Bits;
use super::candidates::Candidates;

/// The cases that are tried to distribute gaps; after these a number is kept.
const MOST_CASES: usize = 1_000;

/// Unknown steps between two known ones: how many, and the squares around them.
struct Gap {
    length: usize,
    around: [Option<usize>; 2],
}

impl<const N: usize> Candidates<'_, N> {
    /// A square and a step next to a known one that would cut off a region.
    pub(super) fn cut(&self) -> Option<(usize, usize)> {
        let n = self.moves.squares;
        let is_known = |step: usize| self.count(n + step) == 1;
        let mut squares = Bits::<N>::below(n);
        (0..n).filter(|&square| self.count(square) == 1).for_each(|known| squares.remove(known));
        squares.members().find_map(|square| {
            let regions = self.regions(square);
            let near = |step: usize| {
                let later = (step + 1) % n;
                let earlier = (step + n - 1) % n;
                is_known(later) && (self.moves.closed || later > 0)
                    || is_known(earlier) && (self.moves.closed || step > 0)
            };
            let is_cut = |&step: &usize| near(step) && !self.is_filled(square, step, &regions);
            self.steps(square)
                .members()
                .filter(|_| regions.len() > 1)
                .find(is_cut)
                .map(|step| (square, step))
        })
    }

    /// The smallest region, if a step on a square would cut one off.
    pub(super) fn cut_by(&self, square: usize, step: usize) -> Option<Bits<N>> {
        let regions = self.regions(square);
        let is_cut = regions.len() > 1 && !self.is_filled(square, step, &regions);
        is_cut.then(|| regions[0])
    }

    /// The regions of free squares without one of them, the smallest first.
    fn regions(&self, without: usize) -> Vec<Bits<N>> {
        let mut free = Bits::<N>::EMPTY;
        let squares = 0..self.moves.squares;
        squares.filter(|&square| self.count(square) > 1).for_each(|square| free.insert(square));
        free.remove(without);
        let mut regions = Vec::new();
        while !free.is_empty() {
            let (mut region, mut edge) = (Bits::<N>::EMPTY, Bits::single(free.lowest()));
            while !edge.is_empty() {
                region = region | edge;
                free = free & !edge;
                let near = edge.members().fold(Bits::EMPTY, |near, at| near | self.usable(at));
                edge = near & free;
            }
            regions.push(region);
        }
        regions.sort_by_key(Bits::len);
        regions
    }

    /// True if the gaps fill the regions once a step is on a square.
    fn is_filled(&self, square: usize, step: usize, regions: &[Bits<N>]) -> bool {
        let n = self.moves.squares;
        let at = |other: usize| match other == step {
            true => Some(square),
            false => (self.count(n + other) == 1).then(|| self.squares(other).lowest()),
        };
        // The steps from the known one on; in an open tour from the first one on.
        let (from, first) = if self.moves.closed { (step + 1, Some(square)) } else { (0, None) };
        let (mut gaps, mut length, mut before) = (Vec::new(), 0, first);
        for other in (from..from + n).map(|step| step % n) {
            match at(other) {
                None => length += 1,
                Some(known) => {
                    gaps.push(Gap { length, around: [before, Some(known)] });
                    (length, before) = (0, Some(known));
                }
            }
        }
        gaps.push(Gap { length, around: [before, None] });
        gaps.retain(|gap| gap.length > 0);
        let mut sizes: Vec<usize> = regions.iter().map(|region| region.len() as usize).collect();
        let all: usize = gaps.iter().map(|gap| gap.length).sum();
        // Numbers that are not entered yet would make the sums differ.
        all != sizes.iter().sum::<usize>() || self.fill(&gaps, regions, &mut sizes, &mut 0)
    }

    /// True if gaps fit into regions with so many squares left.
    fn fill(
        &self,
        gaps: &[Gap],
        regions: &[Bits<N>],
        left: &mut Vec<usize>,
        cases: &mut usize,
    ) -> bool {
        let Some((gap, others)) = gaps.split_first() else { return true };
        *cases += 1;
        (0..regions.len()).any(|region| {
            let is_near = |at: usize| !(self.usable(at) & regions[region]).is_empty();
            if *cases > MOST_CASES {
                return true;
            }
            if gap.length > left[region] || !gap.around.into_iter().flatten().all(is_near) {
                return false;
            }
            left[region] -= gap.length;
            let is_filled = self.fill(others, regions, left, cases);
            left[region] += gap.length;
            is_filled
        })
    }
}
