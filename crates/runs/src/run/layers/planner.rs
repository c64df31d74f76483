//! The strategy for layers that may not fit the limits on memory and disk.
//!
//! [`LayerPlan::next`] looks at what there is and says what to do next, a [`NextStep`]; it computes
//! nothing and touches no file. Of a layer it knows the bytes and the states, no more.
//!
//! A count begins with one group, of all units, and takes one sweep after the other through its
//! rounds. If all layers fit, that is all. Nobody knows beforehand how large layers become, so a
//! round is given up as soon as its slices show that its output will not fit. From then on
//! the count is divided. Its units form a tree of groups, and the layers on the path from the root
//! to the present group are kept. A group goes through rounds until the next one would take too
//! much. A group whose rounds are finished is counted, and its layers are dropped. A layer that
//! only the round needs which reads it makes way for the output, if both do not fit. Where no sweep
//! of the present group can continue, these rescues are tried in this order:
//!
//! 1. **Join two rounds.** Some layers are hardly smaller for a part of a group than for the whole,
//!    and the layer that they lead to is small. If a division has helped little, the sweep goes
//!    through two rounds at once, in [`batches`](super::batches), and a single unit through even
//!    more.
//! 2. **Drop a layer.** Most layers on the path are not read before the count returns to their
//!    group, because a group further down has a later layer of the same sweep. The cheapest is
//!    dropped, and computed again then. A single unit also tries its sweeps in the other order,
//!    since a layer on the way can be larger than the one that it leads to. A group of several
//!    units drops a layer only if that is cheaper than to divide the group. If other parts of the
//!    group around it read the layer, it is put off until they are counted.
//! 3. **Divide the group.** Its parts read its layers, one part after the other, restricted to the
//!    states that lead to their own units. So early rounds are processed once for many units, and
//!    late rounds, whose states hardly overlap, for few. The last layers before the units are by
//!    far the largest: on 8x8 closed they have 51 MB, those two rounds earlier 7 MB. A level of the
//!    engine may have 81 parts of a group, so these are taken in bunches first.
//! 4. **Restart a sweep.** If the layer that the joined rounds of a single unit read takes too much
//!    itself, the sweep starts again, and the rounds that led to that layer are joined with them.
//! 5. **Refuse.** Nothing is left to try.
//!
//! A count that is not divided finishes one sweep before it begins the next. If it has to be
//! divided in the midst of the first sweep, whose layer takes more than a sweep's part of the room
//! by then, only small groups have room for a layer of the other sweep, and each of them would
//! repeat its rounds. So the first sweep starts again, and from then on the sweep with the smaller
//! layer continues. A finished sweep is not started again here, as all of it would have to be
//! computed twice; its layer is dropped where that is the cheapest rescue.
//!
//! Invariant: the layers on the path contain all states that the unfinished units of their group
//! need.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering::Equal;
use std::collections::{BTreeMap, BTreeSet};

/// The size of a layer.
pub(super) trait LayerSize {
    fn bytes(&self) -> u64;
    fn states(&self) -> u64;
    /// The bytes that become free while a round reads the layer, if it need not be kept.
    fn freeable(&self) -> u64;
    /// True if no part of it is free.
    fn is_whole(&self) -> bool;
}

/// Divides units into the groups of a level.
type DividedInto<'a> = dyn Fn(&[usize], usize) -> Vec<Vec<usize>> + 'a;

/// The units of a count, and their division into groups.
pub(super) struct Divisible<'a> {
    /// All units of the run.
    pub all: &'a dyn Fn() -> Vec<usize>,
    /// True if a unit remains to be counted.
    pub is_open: &'a dyn Fn(usize) -> bool,
    pub divided: &'a DividedInto<'a>,
}

/// The levels of groups where an engine has `of_engine` of them. Between two of its levels is one
/// of bunches: a group may have 81 parts at a level, each nearly as much work as the whole.
pub(super) fn levels(of_engine: usize) -> usize {
    (2 * of_engine).saturating_sub(1)
}

/// True for a level of bunches of the groups of the next level.
fn is_of_bunches(level: usize) -> bool {
    level > 0 && level.is_multiple_of(2)
}

/// Divides units into the groups of a [level](levels), where `divided` is what the engine makes of
/// its own levels. A bunch has as many neighbouring groups as there are bunches.
pub(super) fn divided(units: &[usize], level: usize, divided: &DividedInto) -> Vec<Vec<usize>> {
    let groups = divided(units, level / 2 + 1);
    if !is_of_bunches(level) {
        return groups;
    }
    groups.chunks(groups.len().isqrt().max(1)).map(<[_]>::concat).collect()
}

/// The next step of a count in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextStep {
    /// Count the units of the present group, whose sweeps are finished.
    Count,
    /// Take a sweep through its next round, or through several at once.
    Round { sweep: usize },
    /// Count group by group from here on. A sweep whose layer takes more than its part of the room
    /// is reset to its start.
    CountInGroups { reset: Option<usize> },
    /// Go through one more round at once.
    Join { sweep: usize },
    /// Drop the layer of a sweep that the group at this depth of the path has. If that is the
    /// present group, a single unit, it takes its sweeps in the other order from now on.
    Drop { depth: usize, sweep: usize },
    /// Continue with a part of the present group.
    Divide { units: Vec<usize>, level: usize },
    /// Return to the group around the present one, whose other parts may fit beside its layers.
    PutOff,
    /// Start a sweep of the present group again, and do not keep the layer that it has reached.
    Restart { sweep: usize },
    /// Return to the group around the present one, whose units are all counted.
    Leave,
    /// End, because all units are counted.
    End,
    /// End, because the layers do not fit, whatever is tried. They lack `lacking` bytes or more, if
    /// that is known.
    Refuse { lacking: Option<u64> },
}

impl NextStep {
    /// The sweep that starts again with the layer that it started with, which only the root has.
    pub fn starts_again(&self) -> Option<usize> {
        match *self {
            Self::CountInGroups { reset } => reset,
            Self::Drop { depth: 0, sweep } => Some(sweep),
            _ => None,
        }
    }

    /// False for the steps that certainly drop no layer. After the others, the files of layers that
    /// were dropped are removed.
    pub fn may_drop_layers(&self) -> bool {
        !matches!(self, Self::Join { .. } | Self::Divide { .. })
    }
}

/// The bytes that are taken to be lacking where nobody knows how many: the least that there can be,
/// so that any room which becomes free is tried.
pub(super) const UNKNOWN_BYTES: u64 = 1;

/// The reason why a round was given up.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Shortage {
    /// The room that the output of the round lacks, in bytes; [`UNKNOWN_BYTES`] if nobody knows.
    pub bytes: u64,
    /// The states that the whole round would have processed, as far as it can be told.
    pub states: f64,
    /// The bytes of all its output, as far as they can be told.
    pub output: f64,
}

/// The rounds of a sweep that are gone through at once, or will be.
#[derive(Debug, Clone, Default)]
struct Joins {
    /// The number of finished rounds of the layer that its own layer was made from, where its
    /// rounds are joined if its own layer takes too much.
    made_after: usize,
    /// By number of finished rounds, how many rounds it goes through at once from there, where a
    /// layer between them is known to take too much room.
    at: BTreeMap<usize, usize>,
}

/// The progress of a sweep in a group.
#[derive(Debug, Clone)]
pub(super) struct SweepProgress<L> {
    /// The number of finished rounds.
    pub done: usize,
    /// The layer that the last of them has left, unless that was the round of a group before.
    pub own: Option<L>,
    /// The reason why its next rounds were given up, if they were.
    shortage: Option<Shortage>,
    /// True while its next round frees the states of its own layer that it has read; false where
    /// that was not enough either.
    pub frees: Option<bool>,
    /// The states processed in the rounds that led to its own layer.
    states_processed: u64,
    /// The rounds that it goes through next at once, in batches if there are several.
    pub at_once: usize,
    /// About how many bytes lie between the rounds that it goes through at once for each byte of
    /// the layer that they read. Where several rounds are joined, this decides how many slices make
    /// a batch: the first one, by the round that was given up first, and the others by what came of
    /// it.
    pub growth: f64,
    joins: Joins,
}

/// A group of units on the path.
#[derive(Debug, Clone)]
pub(super) struct UnitGroup<L> {
    /// Its units; `None` for all units of the run.
    pub units: Option<Vec<usize>>,
    /// The level at which its units were divided from others.
    pub level: usize,
    pub sweeps: Vec<SweepProgress<L>>,
    /// True if its sweeps were tried in both orders.
    is_turned: bool,
    /// The first units of its parts that were put off.
    put_off: BTreeSet<usize>,
}

/// The path of groups from the root to the present one, with their layers, and what was tried.
#[derive(Debug, Clone)]
pub(super) struct LayerPlan<L> {
    /// The rounds of each sweep.
    pub rounds: Vec<usize>,
    /// The levels at which units can be divided into groups; 0 if they must not be divided.
    pub levels: usize,
    /// The bytes that all layers may take.
    pub room: u64,
    /// The groups, each within the one before. There is always a root.
    groups: Vec<UnitGroup<L>>,
    /// The sweep that single units begin with; `None` for the one with the smaller layer.
    preferred: Option<usize>,
    /// True if the units are counted group by group.
    pub is_divided: bool,
    /// The fewest bytes that rounds lacked since the last one that fitted, as far as they are
    /// known.
    least_lacking: Option<u64>,
}

/// The division of a count into groups of units, down to the group that is processed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Division {
    /// The groups, each within the one before; the first has all units of the run.
    pub groups: Vec<Group>,
    /// The sweep whose round is being processed.
    pub sweep: usize,
    /// The bytes that all layers might take.
    pub room: u64,
}

/// A group of units, processed by itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Group {
    /// Its units; `None` for all units of the run.
    pub units: Option<Vec<usize>>,
    /// The level at which its units were divided from others.
    pub level: usize,
    /// The first units of its parts that were put off.
    pub put_off: Vec<usize>,
    pub sweeps: Vec<SweepOfGroup>,
}

/// A sweep in a group of units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SweepOfGroup {
    /// The number of finished rounds.
    pub rounds: usize,
    /// True if it has a layer of its own; otherwise it reads that of the group before.
    pub is_own: bool,
    /// True if its next round frees what it has read; false where that was not enough.
    pub frees: Option<bool>,
    /// What its next round lacks, if it was given up.
    pub shortage: Option<Shortage>,
}

/// About how many groups there are at a level, for the prices. The degrees of two squares, from 0
/// to 2 each, divide a group into nine parts; where the squares are mirror images, six parts stand
/// for all.
fn groups_at(level: usize) -> f64 {
    6_f64.powf((level + 1) as f64 / 2.0)
}

/// The price of a way to make room. What comes first decides.
#[derive(PartialEq, PartialOrd)]
struct PriceOfRoom {
    /// True for a layer that the present group reads, of which it then has to compute its part.
    is_read: bool,
    /// The bytes that the waiting sweep still lacks.
    lacking: u64,
    /// The states that are processed again if all groups at this level choose this way.
    states: f64,
}

impl<L: LayerSize> SweepProgress<L> {
    pub fn new(done: usize, own: Option<L>) -> Self {
        Self {
            done,
            shortage: None,
            frees: None,
            // A restored layer does not say what it took. Rounds process a few times the states
            // that they leave.
            states_processed: own.as_ref().map_or(0, |own| 4 * own.states()),
            own,
            at_once: 1,
            // A guess, for a sweep that resumes in the midst of several rounds at once.
            growth: 4.0,
            joins: Joins { made_after: done.saturating_sub(1), at: BTreeMap::new() },
        }
    }

    fn bytes(&self) -> u64 {
        self.own.as_ref().map_or(0, LayerSize::bytes)
    }

    /// True if its own layer may have been freed in part, so that its next round cannot begin again.
    pub fn has_holes(&self) -> bool {
        self.frees.is_some() && self.own.as_ref().is_some_and(|own| !own.is_whole())
    }

    /// Goes back to the end of an earlier round, whose layer becomes the group's own; `None` if
    /// that layer is on the path before the group.
    fn go_back(&mut self, done: usize, layer: Option<L>) {
        self.own = layer;
        self.done = done;
        self.states_processed = 0;
        self.shortage = None;
        self.frees = self.frees.filter(|frees| !frees);
        self.set_at_once();
    }

    /// Sets how many rounds the sweep goes through at once next: a single one, if no more are known
    /// to be necessary.
    fn set_at_once(&mut self) {
        self.at_once = self.joins.at.get(&self.done).copied().unwrap_or(1);
    }
}

impl<L: LayerSize> UnitGroup<L> {
    fn new(units: Option<Vec<usize>>, level: usize, sweeps: Vec<SweepProgress<L>>) -> Self {
        Self { units, level, sweeps, is_turned: false, put_off: BTreeSet::new() }
    }

    /// True if a part of the group was put off.
    fn has_put_off(&self, part: &[usize]) -> bool {
        part.first().is_some_and(|first| self.put_off.contains(first))
    }

    /// True if its units cannot be divided.
    fn is_single(&self) -> bool {
        self.units.as_ref().is_some_and(|units| units.len() == 1)
    }

    /// The bytes of its own layers.
    fn bytes(&self) -> u64 {
        self.sweeps.iter().map(SweepProgress::bytes).sum()
    }

    /// The sweep that waits for room, and its shortage.
    fn waiting(&self) -> Option<(usize, Shortage)> {
        let waits = |(sweep, of): (usize, &SweepProgress<L>)| Some((sweep, of.shortage?));
        self.sweeps.iter().enumerate().find_map(waits)
    }
}

/// The decisions.
impl<L: LayerSize> LayerPlan<L> {
    /// The next step, where `begun` is the sweep whose round was begun and not finished.
    pub fn next(&self, begun: Option<usize>, units: &Divisible) -> NextStep {
        let is_open = |&unit: &usize| (units.is_open)(unit);
        if self.is_divided && !self.units(units).iter().any(is_open) {
            return if self.groups.len() > 1 { NextStep::Leave } else { NextStep::End };
        }
        if let Some(step) = self.count_in_groups() {
            return step;
        }
        // The layers that are left serve no group but those that were put off, one at a time.
        if begun.is_none()
            && !self.last().put_off.is_empty()
            && let Some((part, level)) = self.part(units)
            && self.last().has_put_off(&part)
        {
            return NextStep::Divide { units: part, level };
        }
        if let Some(sweep) = begun.or_else(|| self.sweep()) {
            return NextStep::Round { sweep };
        }
        if self.last().sweeps.iter().zip(&self.rounds).all(|(sweep, &of)| sweep.done == of) {
            return NextStep::Count;
        }
        let join = || self.to_join().map(|sweep| NextStep::Join { sweep });
        let drop = || self.to_drop().map(|(depth, sweep)| NextStep::Drop { depth, sweep });
        let divide = || self.part(units).map(|(units, level)| NextStep::Divide { units, level });
        let restart = || self.to_restart().map(|sweep| NextStep::Restart { sweep });
        match join().or_else(drop).or_else(divide).or_else(restart) {
            Some(NextStep::Drop { depth, sweep }) if self.may_put_off(depth, sweep, units) => {
                NextStep::PutOff
            }
            step => step.unwrap_or(NextStep::Refuse { lacking: self.least_lacking }),
        }
    }

    /// The step to groups, if the count is not divided and a round does not fit.
    pub fn count_in_groups(&self) -> Option<NextStep> {
        let is_due = !self.is_divided && self.last().waiting().is_some();
        is_due.then(|| NextStep::CountInGroups { reset: self.to_reset() })
    }

    /// The room that the present group lacks if a sweep takes `bytes` for its next layer; `None` if
    /// they fit.
    pub fn bytes_lacking(&self, sweep: usize, bytes: f64) -> Option<u64> {
        self.bytes_lacking_if(sweep, bytes, self.last().sweeps[sweep].frees == Some(true))
    }

    /// The same if the round frees what it reads, or does not.
    fn bytes_lacking_if(&self, sweep: usize, bytes: f64, frees: bool) -> Option<u64> {
        let (group, before) = (self.last(), &self.groups[..self.groups.len() - 1]);
        let left = self.room.saturating_sub(before.iter().map(UnitGroup::bytes).sum()) as f64;
        let mut sweeps = group.sweeps.iter().zip(&self.rounds).enumerate();
        let finishes = sweeps.all(|(other, (progress, &rounds))| {
            progress.done + if other == sweep { progress.at_once } else { 0 } >= rounds
        });
        let may_take_all = !self.is_divided || finishes || group.is_single();
        let share = if may_take_all { 1.0 } else { self.most_kept(group.level) };
        // What is read is freed from time to time only.
        const IN_TIME: f64 = 15.0 / 16.0;
        let own = &group.sweeps[sweep];
        let freed = own.own.as_ref().filter(|_| frees).map(LayerSize::freeable);
        let freed = freed.map_or(0.0, |freed| IN_TIME * freed as f64);
        let during = group.bytes() as f64 + bytes - freed;
        let after = group.bytes() as f64 + bytes - own.bytes() as f64;
        let lacking = (during - left).max(after / share - left);
        (lacking > 0.0).then_some(lacking.ceil() as u64)
    }

    /// True if the next round of a sweep may free what it has read, and its output of `bytes` bytes
    /// then fits. A root that is divided keeps what it has: others would have to begin again.
    pub fn fits_if_freed(&self, sweep: usize, bytes: f64) -> bool {
        let is_divided_root = self.is_divided && self.groups.len() == 1;
        let progress = &self.last().sweeps[sweep];
        let has_freeable = progress.own.as_ref().is_some_and(|own| own.freeable() > 0);
        let may_free = !is_divided_root && has_freeable && progress.at_once == 1;
        may_free && progress.frees.is_none() && self.bytes_lacking_if(sweep, bytes, true).is_none()
    }

    /// True if the present group should wait until other parts of the group around it are counted:
    /// the layer that is to be dropped for it is one that they read.
    fn may_put_off(&self, depth: usize, sweep: usize, units: &Divisible) -> bool {
        let [before @ .., group] = &self.groups[..] else { return false };
        let Some(around) = before.last() else { return false };
        let is_read = before.iter().skip(depth + 1).all(|of| of.sweeps[sweep].own.is_none());
        let all = around.units.clone().unwrap_or_else(|| (units.all)());
        let may_fit = |part: &Vec<usize>| {
            part.iter().any(|&unit| (units.is_open)(unit))
                && !around.has_put_off(part)
                && group.units.as_ref() != Some(part)
        };
        depth < before.len()
            && is_read
            && !group.is_single()
            && (units.divided)(&all, group.level).iter().any(may_fit)
    }

    /// The share of the room left by the groups around it that an unfinished group of a level may
    /// take for its layers. The more levels may follow, the more of the room is for the layers of
    /// its parts; at the last level but one it may take all. Levels of bunches do not count: their
    /// layers are hardly smaller. The shares were found by trial, with an earlier cut.
    fn most_kept(&self, level: usize) -> f64 {
        let levels_left = self.levels.saturating_sub(level).div_ceil(2);
        (2.0 / (levels_left + 1) as f64).min(1.0)
    }

    /// The units of the present group.
    fn units(&self, units: &Divisible) -> Vec<usize> {
        self.last().units.clone().unwrap_or_else(|| (units.all)())
    }

    /// The sweep that the present group continues with: in a divided count the one with the smaller
    /// layer first; `None` if all are finished or do not fit.
    pub fn sweep(&self) -> Option<usize> {
        let group = self.last();
        let preferred = self.preferred.filter(|_| group.is_single());
        let may_go_on = |&sweep: &usize| {
            let progress = &group.sweeps[sweep];
            progress.shortage.is_none() && progress.done < self.rounds[sweep]
        };
        let order = |&sweep: &usize| (preferred != Some(sweep), self.layer(sweep).bytes());
        let mut sweeps = (0..self.rounds.len()).filter(may_go_on);
        if self.is_divided { sweeps.min_by_key(order) } else { sweeps.next() }
    }

    /// The sweep to reset when the count is divided: the one that waits for room, if it has freed
    /// what it read, or if the layers take more than one sweep's part of it while another sweep has
    /// not begun.
    fn to_reset(&self) -> Option<usize> {
        let root = &self.groups[0];
        let most = self.most_kept(0) * self.room as f64 / self.rounds.len() as f64;
        let (waiting, _) = root.waiting()?;
        if root.sweeps[waiting].has_holes() {
            return Some(waiting);
        }
        let has_not_begun =
            |(sweep, progress): (usize, &SweepProgress<L>)| sweep != waiting && progress.done == 0;
        let is_another_left = root.sweeps.iter().enumerate().any(has_not_begun);
        (is_another_left && root.bytes() as f64 > most).then_some(waiting)
    }

    /// The sweep that goes through one more round at once: the output of what it goes through now
    /// does not fit, it has another round to go, and the group is a single unit or has needed much
    /// of what the group around it did. A group of several units tries no more than two rounds, and
    /// needs no such test where the group around it joined rounds. A bunch is divided instead, and
    /// its parts are compared with the group around it.
    fn to_join(&self) -> Option<usize> {
        // A part that needs more than this share of the whole was hardly worth the division.
        const MUCH: f64 = 0.6;
        let group = self.last();
        let may_join = |&sweep: &usize| {
            let progress = &group.sweeps[sweep];
            let has_more = progress.done + progress.at_once < self.rounds[sweep];
            let Some(shortage) = progress.shortage.filter(|_| has_more) else { return false };
            let mut before = self.groups.iter().rev().skip(1);
            let around = before.find(|around| !is_of_bunches(around.level));
            let needs_much = around.is_some_and(|around| {
                let around = &around.sweeps[sweep];
                let of_around = around.shortage.filter(|_| around.done == progress.done);
                of_around.is_some_and(|of| around.at_once > 1 || shortage.output > MUCH * of.output)
            });
            let is_bunch = is_of_bunches(group.level);
            group.is_single() || !is_bunch && needs_much && progress.at_once == 1
        };
        (0..self.rounds.len()).find(may_join)
    }

    /// The cheapest layer to drop, by depth and sweep, unless the present group can be divided and
    /// that is cheaper.
    fn to_drop(&self) -> Option<(usize, usize)> {
        let group = self.last();
        let (waiting, shortage) = group.waiting()?;
        let sweeps = 0..self.rounds.len();
        let all = (0..self.groups.len())
            .flat_map(|depth| sweeps.clone().map(move |sweep| (depth, sweep)));
        let priced = all.filter_map(|(depth, sweep)| {
            Some((self.price(depth, sweep, waiting, shortage.bytes)?, (depth, sweep)))
        });
        // Each part of a group processes many of the states of its round again. At the last level
        // all groups are single units, which cannot be divided.
        let of_division = shortage.states * groups_at(group.level + 1);
        let cheapest =
            priced.min_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(Equal));
        let is_cheap = |(price, _): &(PriceOfRoom, _)| {
            group.is_single() || price.lacking == 0 && price.states <= of_division
        };
        cheapest.filter(is_cheap).map(|(_, layer)| layer)
    }

    /// The price of dropping the layer of a group, or `None` if it cannot be dropped.
    fn price(
        &self,
        depth: usize,
        sweep: usize,
        waiting: usize,
        lacking: u64,
    ) -> Option<PriceOfRoom> {
        let group = &self.groups[depth];
        let progress = &group.sweeps[sweep];
        let bytes = progress.own.as_ref()?.bytes();
        // The layer that a sweep starts with takes next to nothing.
        if progress.done == self.rounds_before(depth, sweep) {
            return None;
        }
        let states = progress.states_processed as f64;
        let Some(part) = self.groups.get(depth + 1) else {
            // The present group drops its own layer to process its sweeps in the other order. Other
            // units then begin in that order.
            let can_turn = group.is_single() && !group.is_turned && sweep != waiting;
            let price = PriceOfRoom { is_read: false, lacking: 0, states };
            return (can_turn && bytes >= lacking).then_some(price);
        };
        let is_read = self.groups[depth + 1..].iter().all(|part| part.sweeps[sweep].own.is_none());
        // It is computed once for each return from a part, and in the part that reads it.
        let states = states * groups_at(part.level) * if is_read { 2.0 } else { 1.0 };
        Some(PriceOfRoom { is_read, lacking: lacking.saturating_sub(bytes), states })
    }

    /// The first part that has open units, at the first level that divides the present group, with
    /// the level. Those that were put off come last. The part of a run of one unit is that unit, for
    /// which there are more ways than for a run.
    fn part(&self, units: &Divisible) -> Option<(Vec<usize>, usize)> {
        let (group, all) = (self.last(), self.units(units));
        if all.len() == 1 && group.units.is_none() && self.levels > 0 {
            return Some((all, self.levels));
        }
        let is_wanted = |part: &Vec<usize>| part.iter().any(|&unit| (units.is_open)(unit));
        (group.level + 1..=self.levels).find_map(|level| {
            let parts = (units.divided)(&all, level);
            let wanted = (parts.len() > 1).then(|| parts.into_iter().filter(is_wanted));
            Some((wanted?.min_by_key(|part| group.has_put_off(part))?, level))
        })
    }

    /// The sweep of a single unit that starts again: its rounds do not fit, however many of them
    /// are joined, and it has a layer of its own.
    fn to_restart(&self) -> Option<usize> {
        let has_layer = |of: &SweepProgress<L>| of.shortage.is_some() && of.own.is_some();
        self.last().sweeps.iter().position(has_layer).filter(|_| self.last().is_single())
    }

    /// The number of rounds of a sweep that are finished where a group begins.
    fn rounds_before(&self, depth: usize, sweep: usize) -> usize {
        depth.checked_sub(1).map_or(0, |before| self.groups[before].sweeps[sweep].done)
    }
}

/// The execution of what was decided.
impl<L: LayerSize> LayerPlan<L> {
    /// All units, with the layers that the sweeps start with.
    pub fn new(rounds: Vec<usize>, levels: usize, room: u64, starts: Vec<L>) -> Self {
        let sweeps = starts.into_iter().map(|layer| SweepProgress::new(0, Some(layer))).collect();
        let root = UnitGroup::new(None, 0, sweeps);
        Self {
            rounds,
            levels,
            room,
            groups: vec![root],
            preferred: None,
            is_divided: false,
            least_lacking: None,
        }
    }

    /// Restores a path with its layers, in the order of [`layers`](Self::layers). Returns false if
    /// it is inconsistent: no group may have more rounds than there are, nor a unit past `units`.
    /// With more room than before, what did not fit is tried again.
    pub fn restore(
        &mut self,
        division: Division,
        layers: &mut impl Iterator<Item = L>,
        units: usize,
    ) -> bool {
        let mut groups: Vec<UnitGroup<L>> = Vec::new();
        // The free space of a disk is never exactly the same.
        let is_as_small = self.room as f64 <= 1.02 * division.room as f64;
        for Group { units: own_units, level, put_off, sweeps } in division.groups {
            let is_within = sweeps.iter().zip(&self.rounds).all(|(sweep, &of)| sweep.rounds <= of)
                && own_units.iter().flatten().all(|&unit| unit < units);
            if sweeps.len() != self.rounds.len() || !is_within || level > self.levels {
                return false;
            }
            let mut restored = Vec::new();
            for SweepOfGroup { rounds, is_own, frees, shortage } in sweeps {
                let own = if is_own { layers.next() } else { None };
                if own.is_none() && (is_own || groups.is_empty()) {
                    return false;
                }
                let shortage = shortage.filter(|_| is_as_small);
                let frees = frees.filter(|&frees| frees || is_as_small);
                restored.push(SweepProgress { shortage, frees, ..SweepProgress::new(rounds, own) });
            }
            let put_off = put_off.into_iter().filter(|_| is_as_small).collect();
            groups.push(UnitGroup { put_off, ..UnitGroup::new(own_units, level, restored) });
        }
        self.is_divided = true;
        self.groups = groups;
        let lacking = self.groups.iter().filter_map(|group| Some(group.waiting()?.1.bytes));
        self.least_lacking = lacking.filter(|&bytes| bytes > UNKNOWN_BYTES).min();
        !self.groups.is_empty()
    }

    /// The path as an index holds it.
    pub fn division(&self, sweep: usize) -> Division {
        let of_sweep = |progress: &SweepProgress<L>| SweepOfGroup {
            rounds: progress.done,
            is_own: progress.own.is_some(),
            frees: progress.frees,
            shortage: progress.shortage,
        };
        let group = |group: &UnitGroup<L>| Group {
            units: group.units.clone(),
            level: group.level,
            put_off: group.put_off.iter().copied().collect(),
            sweeps: group.sweeps.iter().map(of_sweep).collect(),
        };
        Division { groups: self.groups.iter().map(group).collect(), sweep, room: self.room }
    }

    /// Carries out a step that changes the path. `start` is the layer that a sweep starts with, if
    /// one [starts again](NextStep::starts_again).
    pub fn carry_out(&mut self, step: NextStep, start: Option<L>) {
        match step {
            NextStep::CountInGroups { reset } => {
                self.is_divided = true;
                if let Some(sweep) = reset {
                    self.groups[0].sweeps[sweep].go_back(0, start);
                }
            }
            NextStep::Join { sweep } => self.join(sweep),
            NextStep::Drop { depth, sweep } => self.drop_layer(depth, sweep, start),
            NextStep::Divide { units, level } => {
                let of_part = |of: &SweepProgress<L>| SweepProgress::new(of.done, None);
                let sweeps = self.last().sweeps.iter().map(of_part).collect();
                self.groups.push(UnitGroup::new(Some(units), level, sweeps));
            }
            NextStep::PutOff => {
                let first = self.groups.pop().and_then(|group| group.units?.first().copied());
                self.last_mut().put_off.extend(first);
            }
            NextStep::Restart { sweep } => self.restart(sweep),
            NextStep::Leave => _ = self.groups.pop(),
            NextStep::Count | NextStep::Round { .. } | NextStep::End | NextStep::Refuse { .. } => {}
        }
    }

    /// Gives up the next round of a sweep in the present group, because its output does not fit.
    pub fn give_up(&mut self, sweep: usize, shortage: Shortage) {
        let known = Some(shortage.bytes).filter(|&bytes| bytes > UNKNOWN_BYTES);
        self.least_lacking = self.least_lacking.into_iter().chain(known).min();
        let depth = self.groups.len() - 1;
        let before = self.rounds_before(depth, sweep);
        let progress = &mut self.last_mut().sweeps[sweep];
        progress.shortage = Some(shortage);
        let has_freed = progress.has_holes();
        // A round that has not freed anything may still do so later.
        progress.frees = progress.frees.map(|_| false);
        if has_freed && depth > 0 {
            // What is left of its layer is of no use. A root is reset.
            progress.go_back(before, None);
        }
    }

    /// Takes the output of the rounds of a sweep as the present group's own layer. They have
    /// processed `states_processed` states. Returns the group's own layer before. A sweep that
    /// lacked no more room than a smaller layer leaves is tried again.
    pub fn finish_rounds(&mut self, sweep: usize, made: L, states_processed: u64) -> Option<L> {
        self.least_lacking = None;
        let group = self.last_mut();
        let freed = group.sweeps[sweep].bytes().saturating_sub(made.bytes());
        for other in &mut group.sweeps {
            other.shortage = other.shortage.filter(|of| of.bytes > freed);
        }
        let progress = &mut group.sweeps[sweep];
        progress.joins.made_after = progress.done;
        progress.done += progress.at_once;
        progress.states_processed += states_processed;
        progress.frees = progress.frees.filter(|frees| !frees);
        progress.set_at_once();
        progress.own.replace(made)
    }

    fn join(&mut self, sweep: usize) {
        let before = self.layer(sweep).bytes().max(1) as f64;
        let progress = &mut self.last_mut().sweeps[sweep];
        let shortage = progress.shortage.take();
        if let (1, Some(shortage)) = (progress.at_once, shortage) {
            progress.growth = shortage.output / before;
        }
        progress.at_once += 1;
    }

    fn drop_layer(&mut self, depth: usize, sweep: usize, mut start: Option<L>) {
        if depth == self.groups.len() - 1 {
            self.preferred = self.last().waiting().map(|(waiting, _)| waiting);
            self.last_mut().is_turned = true;
        }
        let dropped = self.groups[depth].sweeps[sweep].own.take().map_or(0, |own| own.bytes());
        let mut done = self.rounds_before(depth, sweep);
        for group in &mut self.groups[depth..] {
            let progress = &mut group.sweeps[sweep];
            if progress.own.is_none() {
                progress.go_back(done, start.take());
            }
            done = progress.done;
        }
        // A group that was divided for want of no more than the bytes that are now free need not
        // be, so its part is left, unless that has layers. The part directly below the dropped
        // layer is kept: the group of the layer would compute it again at once.
        let is_enough =
            |progress: &SweepProgress<L>| progress.shortage.is_some_and(|of| of.bytes <= dropped);
        while self.groups.len() > depth + 2
            && let [.., around, part] = &self.groups[..]
            && part.sweeps.iter().all(|progress| progress.own.is_none())
            && around.sweeps.iter().any(is_enough)
        {
            self.groups.pop();
        }
        // With the room that is now free, fewer rounds at once may do.
        for progress in &mut self.last_mut().sweeps {
            (progress.shortage, progress.frees) = (None, None);
            progress.set_at_once();
        }
    }

    fn restart(&mut self, sweep: usize) {
        let before = self.rounds_before(self.groups.len() - 1, sweep);
        let progress = &mut self.last_mut().sweeps[sweep];
        let after = progress.joins.made_after.max(before);
        progress.joins.at.insert(after, progress.done + progress.at_once - after);
        progress.go_back(before, None);
    }

    /// All layers, each once.
    pub fn layers(&self) -> impl Iterator<Item = &L> {
        self.groups.iter().flat_map(|group| group.sweeps.iter().flat_map(|progress| &progress.own))
    }

    /// All layers, each once, to be changed.
    pub fn layers_mut(&mut self) -> impl Iterator<Item = &mut L> {
        let sweeps = self.groups.iter_mut().flat_map(|group| &mut group.sweeps);
        sweeps.flat_map(|progress| &mut progress.own)
    }

    /// The present group.
    pub fn last(&self) -> &UnitGroup<L> {
        &self.groups[self.groups.len() - 1]
    }

    /// The present group, to be changed.
    pub fn last_mut(&mut self) -> &mut UnitGroup<L> {
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    /// The layer that the next round of a sweep reads in the present group.
    pub fn layer(&self, sweep: usize) -> &L {
        match self.groups.iter().rev().find_map(|group| group.sweeps[sweep].own.as_ref()) {
            Some(layer) => layer,
            None => unreachable!("the root has a layer of each sweep"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layer whose number of bytes, and of states, is this.
    impl LayerSize for u64 {
        fn bytes(&self) -> u64 {
            *self
        }

        fn states(&self) -> u64 {
            *self
        }

        fn freeable(&self) -> u64 {
            *self
        }

        fn is_whole(&self) -> bool {
            false
        }
    }

    const ALL: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];

    /// The next step where some of eight units are open, which three levels divide into halves,
    /// quarters and single units.
    fn next(plan: &LayerPlan<u64>, begun: Option<usize>, open: &[usize]) -> NextStep {
        let divided = |units: &[usize], level| {
            let is_with = |one: &usize, other: &usize| one >> (3 - level) == other >> (3 - level);
            units.chunk_by(is_with).map(<[usize]>::to_vec).collect()
        };
        let is_open = |unit| open.contains(&unit);
        let units = Divisible { all: &|| ALL.to_vec(), is_open: &is_open, divided: &divided };
        plan.next(begun, &units)
    }

    /// A sweep of four rounds, written `2:40+1?9/31`: two rounds are finished, its own layer has 40
    /// bytes, the next round joins one more, and its 31 bytes lack 9.
    fn progress(text: &str) -> SweepProgress<u64> {
        let number = |sign: char| {
            let digits = text.split_once(sign)?.1.split(|c: char| !c.is_ascii_digit()).next();
            digits.and_then(|digits| digits.parse::<u64>().ok())
        };
        let done = text[..1].parse().expect("a number of rounds");
        let shortage = number('?').zip(number('/')).map(|(bytes, output)| {
            let output = output as f64;
            Shortage { bytes, states: output, output }
        });
        let at_once = 1 + number('+').unwrap_or(0) as usize;
        SweepProgress { shortage, at_once, ..SweepProgress::new(done, number(':')) }
    }

    /// The groups on a path to unit 0, separated by `>`, each with its level and two sweeps. The
    /// level of a group whose sweeps were tried in both orders has a `!`.
    fn plan(path: &str) -> LayerPlan<u64> {
        let group = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let level = words[0].trim_end_matches('!').parse().expect("a level");
            let units = (level > 0).then(|| ALL[..8_usize >> level].to_vec());
            let sweeps = words[1..].iter().map(|word| progress(word)).collect();
            let is_turned = words[0].ends_with('!');
            UnitGroup { is_turned, ..UnitGroup::new(units, level, sweeps) }
        };
        let groups: Vec<UnitGroup<u64>> = path.split('>').map(group).collect();
        let lacking = groups.iter().filter_map(UnitGroup::waiting).map(|(_, of)| of.bytes);
        let least_lacking = lacking.filter(|&bytes| bytes > UNKNOWN_BYTES).min();
        let new = LayerPlan::new(vec![4, 4], 3, 100, vec![1, 1]);
        LayerPlan { groups, least_lacking, is_divided: true, ..new }
    }

    fn check(situations: &[(&str, &str, &str)]) {
        for (what, path, step) in situations {
            assert_eq!(format!("{:?}", next(&plan(path), None, ALL)), *step, "{what}: {path}");
        }
    }

    #[test]
    fn between_two_levels_of_an_engine_is_one_of_bunches_of_neighbours() {
        assert_eq!([0, 1, 2, 3].map(levels), [0, 1, 3, 5]);
        let sizes = |level| -> Vec<usize> {
            let of_engine = |units: &[usize], level: usize| {
                units
                    .chunk_by(|one, other| one >> (6 - 3 * level) == other >> (6 - 3 * level))
                    .map(<[_]>::to_vec)
                    .collect()
            };
            let units: Vec<usize> = (0..64).collect();
            let parts = divided(&units, level, &of_engine);
            assert_eq!(parts.concat(), units);
            parts.iter().map(Vec::len).collect()
        };
        assert_eq!([1, 2, 3].map(sizes), [vec![8; 8], vec![8; 8], vec![1; 64]]);
    }

    #[test]
    fn a_count_takes_sweep_after_sweep_until_a_round_lacks_room() {
        for (what, root, step) in [
            ("it begins", "0 0:1 0:1", "Round { sweep: 0 }"),
            ("it is in the first sweep", "0 2:50 0:1", "Round { sweep: 0 }"),
            ("it has finished one", "0 4:50 0:1", "Round { sweep: 1 }"),
            ("it has finished both", "0 4:50 4:40", "Count"),
            ("no room beside a small layer", "0 2:32?9/99 0:1", "CountInGroups { reset: None }"),
            ("no room beside a large layer", "0 2:34?9/99 0:1", "CountInGroups { reset: Some(0) }"),
            ("no room in the second sweep", "0 4:60 2:20?9/99", "CountInGroups { reset: None }"),
            ("no room for its first round", "0 4:60 0:1?9/99", "CountInGroups { reset: None }"),
        ] {
            let whole = LayerPlan { is_divided: false, ..plan(root) };
            assert_eq!(format!("{:?}", next(&whole, None, ALL)), step, "{what}");
        }
    }

    #[test]
    fn a_group_continues_with_the_sweep_of_the_smaller_layer() {
        check(&[
            ("the first is smaller", "0 2:10 1:30", "Round { sweep: 0 }"),
            ("the second is smaller", "0 2:30 1:10", "Round { sweep: 1 }"),
            ("the smaller lacks room", "0 2:30 1:10?9/99", "Round { sweep: 0 }"),
            ("the smaller is finished", "0 2:30 4:10", "Round { sweep: 0 }"),
            ("a part reads a smaller layer", "0 2:30 1:10 > 1 2 1:40", "Round { sweep: 0 }"),
            ("both are finished", "0 4:30 4:10", "Count"),
        ]);
        assert_eq!(next(&plan("0 2:30 1:10"), Some(0), ALL), NextStep::Round { sweep: 0 });
        // A single unit keeps to the order that another unit needed, a group of several does not.
        for (path, sweep) in [("0 2:10 1:30 > 2 2 1", 0), ("0 2:10 1:30 > 3 2 1", 1)] {
            let plan = LayerPlan { preferred: Some(1), ..plan(path) };
            assert_eq!(next(&plan, None, ALL), NextStep::Round { sweep }, "{path}");
        }
    }

    #[test]
    fn a_group_is_left_when_its_units_are_counted_and_divided_for_those_that_are_open() {
        let lacking = "0 2:10?9/99 4:10";
        let part = format!("{lacking} > 1 2 4");
        for (path, open, step) in [
            (lacking, &[][..], NextStep::End),
            (&part, &[6], NextStep::Leave),
            (&part, &[3], NextStep::Round { sweep: 0 }),
            (lacking, &[6], NextStep::Divide { units: vec![4, 5, 6, 7], level: 1 }),
        ] {
            assert_eq!(next(&plan(path), None, open), step, "{path}, {open:?} open");
        }
        check(&[
            ("all lack room", lacking, "Divide { units: [0, 1, 2, 3], level: 1 }"),
            ("a half does", "0 2:10?9/99 4:10 > 1 2?9/10 4", "Divide { units: [0, 1], level: 2 }"),
        ]);
        let mut undivided = plan("0 2:10?9/99 4:10 > 1 2?9/10 4");
        undivided.last_mut().units = Some(vec![0, 1]);
        let step = next(&undivided, None, ALL);
        assert_eq!(step, NextStep::Divide { units: vec![0], level: 3 }, "level 2 divides nothing");
    }

    #[test]
    fn rounds_are_joined_where_a_division_helps_little() {
        let divide = "Divide { units: [0, 1], level: 2 }";
        check(&[
            ("a half needs much", "0 1:1?9/50 4:1 > 1 1?9/31 4", "Join { sweep: 0 }"),
            ("a half needs less", "0 1:1?9/50 4:1 > 1 1?9/29 4", divide),
            ("a half is further", "0 1:1?9/50 4:1 > 1 2?9/31 4", divide),
            ("a half joins two", "0 1:1?9/50 4:1 > 1 1+1?9/31 4", divide),
            ("a half is at the end", "0 3:1?9/50 4:1 > 1 3?9/31 4", divide),
            ("the whole joins two", "0 1:1+1?9/50 4:1 > 1 1?9/1 4", "Join { sweep: 0 }"),
            ("a unit needs less", "0 1:1?9/50 4:1 > 3 1?9/1 4", "Join { sweep: 0 }"),
            ("a unit joins two", "0 1:1?9/50 4:1 > 3 1+1?9/1 4", "Join { sweep: 0 }"),
        ]);
    }

    #[test]
    fn a_layer_that_nobody_reads_is_dropped_before_one_that_is_read() {
        let (first, second) = ("Drop { depth: 0, sweep: 0 }", "Drop { depth: 0, sweep: 1 }");
        check(&[
            ("one is unread", "0 2:40 4:30 > 1 3:20 4 > 3 3?10/1 4", first),
            ("of two one is cheaper", "0 2:40 4:30 > 1 3:20 4:5 > 3 3?10/1 4:2", second),
            ("the cheaper is too small", "0 2:40 4:5 > 1 3:20 4:5 > 3 3?10/1 4:2", first),
            ("all are read", "0 0:1 4:30 > 1 3:20 4 > 3 3?10/1 4", second),
            ("of two that are read one is cheaper", "0 3:90 4:30 > 3 3?10/1 4", second),
            ("of these the cheaper is too small", "0 3:90 4:5 > 3 3?10/1 4", first),
            ("to divide is dearer", "0 2:40 4:30 > 1 3:20 4:2 > 2 3?10/50 4", second),
            (
                "to divide is cheaper",
                "0 2:40 4:30 > 1 3:20 4:2 > 2 3?10/1 4",
                "Divide { units: [0], level: 3 }",
            ),
            ("fewer compute it again", "0 1:90 4:5 > 1 2:80 4 > 2 3:20 4 > 3 3?10/1 4:2", first),
        ]);
    }

    #[test]
    fn a_single_unit_turns_its_sweeps_restarts_one_and_is_refused_at_last() {
        check(&[
            ("it turns", "0 0:1 0:1 > 3 3:20?10/99 4:15", "Drop { depth: 1, sweep: 1 }"),
            ("it gains too little", "0 0:1 0:1 > 3 3:20?10/99 4:5", "Restart { sweep: 0 }"),
            ("it has turned", "0 0:1 0:1 > 3! 3:20?10/99 4:15", "Restart { sweep: 0 }"),
            ("all is joined", "0 0:1 0:1 > 3 0+3?7/99 4", "Refuse { lacking: Some(7) }"),
            ("it lacks some bytes", "0 0:1 0:1 > 3 0+3?1/99 4", "Refuse { lacking: None }"),
        ]);
        let mut turned = plan("0 0:1 0:1 > 3 3:20?10/99 4:15");
        turned.carry_out(NextStep::Drop { depth: 1, sweep: 1 }, None);
        assert!(turned.last().is_turned);
        assert_eq!(next(&turned, None, ALL), NextStep::Round { sweep: 0 }, "it waited for room");
    }

    #[test]
    fn an_unfinished_group_leaves_room_for_the_layers_of_its_parts() {
        let lacking = |path, bytes| plan(path).bytes_lacking(0, bytes);
        // The root may keep two thirds of 100 bytes: three levels divide it, one of bunches.
        assert_eq!(lacking("0 2:20 1:10", 56.0), None);
        assert_eq!(lacking("0 2:20 1:10", 57.0), Some(1));
        // While a round is processed, what it reads takes room too.
        assert_eq!(lacking("0 2:61 1:10", 30.0), Some(1));
        assert_eq!(lacking("0 3:20 4:10", 70.0), None, "it finishes");
        assert_eq!(lacking("0 2:20 1:10 > 3 2 1", 71.5), Some(2), "it is a single unit");
        let whole = LayerPlan { is_divided: false, ..plan("0 2:20 0:1") };
        assert_eq!([79.0, 81.0].map(|bytes| whole.bytes_lacking(0, bytes)), [None, Some(2)]);
    }

    #[test]
    fn a_group_that_was_divided_because_it_lacked_a_layer_that_is_dropped_is_whole_again() {
        let rounds = |plan: &LayerPlan<u64>| -> Vec<usize> {
            plan.groups.iter().map(|group| group.sweeps[0].done).collect()
        };
        for (lacking, left) in [("9", vec![0, 3]), ("40", vec![0, 3]), ("41", vec![0, 3, 3])] {
            let mut plan = plan(&format!("0 2:40 4:5 > 1 3:20?{lacking}/50 4 > 3 3?30/50 4"));
            let step = next(&plan, None, ALL);
            assert_eq!(step.starts_again(), Some(0), "{step:?}");
            plan.carry_out(step, Some(1));
            assert_eq!(rounds(&plan), left, "{lacking}");
            assert_eq!(next(&plan, None, ALL), NextStep::Round { sweep: 0 });
        }
        // What has no later layer of its own goes back with the layer that is dropped.
        let mut plan = plan("0 2:40 4:5 > 1 3:20 4 > 2 3 4");
        plan.carry_out(NextStep::Drop { depth: 1, sweep: 0 }, None);
        assert_eq!(rounds(&plan), [2, 2, 2]);
    }

    #[test]
    fn a_group_that_lacks_room_beside_a_layer_that_others_read_waits_for_them() {
        let mut plan = plan("0 2:60?9/500 4:5 > 1 2?10/250 4");
        assert_eq!(next(&plan, None, &[1, 2, 3]), NextStep::Drop { depth: 0, sweep: 0 });
        assert_eq!(next(&plan, None, ALL), NextStep::PutOff);
        plan.carry_out(NextStep::PutOff, None);
        let other = NextStep::Divide { units: vec![4, 5, 6, 7], level: 1 };
        assert_eq!(next(&plan, None, ALL), other);
        // When the others are counted, its turn comes at once, whatever layer is left.
        plan.last_mut().sweeps[0].go_back(0, Some(1));
        let again = NextStep::Divide { units: ALL[..4].to_vec(), level: 1 };
        assert_eq!(next(&plan, None, &[3]), again);
        plan.carry_out(again, None);
        assert_eq!(next(&plan, None, &[3]), NextStep::Round { sweep: 0 });
    }

    #[test]
    fn a_part_frees_what_it_has_read_where_its_output_fits_no_other_way() {
        for (what, path, bytes, frees) in [
            ("one of both fits", "0 0:1 4:5 > 1 3:60 4", 80.0, true),
            ("the output is too large", "0 0:1 4:5 > 1 3:60 4", 91.0, false),
            ("others read the layer", "0 3:60 4:5 > 1 3 4", 80.0, false),
            ("its parts may read the layer", "0 3:60 4:5", 80.0, false),
        ] {
            let plan = plan(path);
            assert!(plan.bytes_lacking(0, bytes).is_some(), "{what}");
            assert_eq!(plan.fits_if_freed(0, bytes), frees, "{what}");
        }
        let mut plan = plan("0 0:1 4:5 > 1 3:60 4");
        plan.last_mut().sweeps[0].frees = Some(true);
        assert_eq!(plan.bytes_lacking(0, 80.0), None);
        plan.give_up(0, Shortage { bytes: 9, states: 1.0, output: 99.0 });
        let progress = &plan.last().sweeps[0];
        assert_eq!((progress.done, progress.own, progress.frees), (0, None, Some(false)));
        assert_eq!(next(&plan, None, ALL), NextStep::Round { sweep: 0 }, "the rest is of no use");
        plan.finish_rounds(0, 60, 1);
        assert!(!plan.fits_if_freed(0, 80.0), "it is not tried twice");
        let mut whole = LayerPlan { is_divided: false, ..super::tests::plan("0 3:60 4:5") };
        assert!(whole.fits_if_freed(0, 80.0) && !whole.last().sweeps[0].has_holes());
        whole.last_mut().sweeps[0].frees = Some(true);
        assert!(whole.last().sweeps[0].has_holes(), "it lacks what was freed");
        whole.give_up(0, Shortage { bytes: 9, states: 1.0, output: 99.0 });
        assert_eq!(next(&whole, None, ALL), NextStep::CountInGroups { reset: Some(0) });
    }

    #[test]
    fn a_path_is_restored_with_its_layers_unless_it_is_inconsistent() {
        let path = || plan("0 2:40 4:5 > 3 3:20 4");
        let restored = |division: Division, units| {
            let mut plan = LayerPlan { groups: Vec::new(), ..path() };
            let is_sound = plan.restore(division, &mut [40, 5, 20].into_iter(), units);
            is_sound.then_some(plan)
        };
        let plan = restored(path().division(0), 1).expect("sound");
        assert!(plan.is_divided && plan.layers().eq(path().layers()));
        let part = &plan.division(0).groups[1];
        assert!(part.sweeps.iter().map(|sweep| sweep.rounds).eq([3, 4]));
        assert!(restored(path().division(0), 0).is_none(), "unit 0 is past the units");
        let changed = |change: fn(&mut Division)| {
            let mut division = path().division(0);
            change(&mut division);
            restored(division, 1).is_none()
        };
        assert!(changed(|division| division.groups[1].sweeps[0].rounds = 5), "a round too many");
        assert!(changed(|division| _ = division.groups[1].sweeps.pop()), "a sweep too few");
        assert!(
            changed(|division| division.groups[0].sweeps[1].is_own = false),
            "a root without a layer"
        );
        assert!(changed(|division| division.groups.clear()), "no root");
        for (room, is_tried) in [(99, true), (90, false)] {
            let mut division = super::tests::plan("0 2:40?9/99 4:5 > 3 3:20 4").division(0);
            (division.room, division.groups[0].put_off) = (room, vec![0]);
            let plan = restored(division, 1).expect("sound");
            let root = &plan.groups[0];
            assert_eq!((root.waiting().is_some(), root.has_put_off(&[0])), (is_tried, is_tried));
        }
    }

    #[test]
    fn the_states_of_rounds_add_up_and_a_sweep_that_takes_most_starts_again() {
        let mut plan = plan("0 1:10 0:1");
        plan.finish_rounds(0, 20, 7);
        plan.finish_rounds(0, 30, 8);
        assert_eq!(plan.last().sweeps[0].states_processed, 4 * 10 + 7 + 8);
        assert_eq!(NextStep::CountInGroups { reset: Some(1) }.starts_again(), Some(1));
        let divide = NextStep::Divide { units: vec![0], level: 3 };
        assert!(!divide.may_drop_layers() && NextStep::Leave.may_drop_layers());
    }

    #[test]
    fn a_sweep_that_lacks_room_is_tried_again_when_the_layer_of_the_other_leaves_enough() {
        for (bytes, sweep) in [(43, 0), (44, 1)] {
            let mut plan = plan("0 0:1 0:1 > 3 0+3?7/99 1:50");
            plan.finish_rounds(1, bytes, 1);
            assert_eq!(next(&plan, None, ALL), NextStep::Round { sweep }, "{bytes}");
        }
    }

    #[test]
    fn a_restarted_sweep_joins_the_rounds_to_its_layer_with_those_after_it() {
        let mut plan = plan("0 1:10 4:5 > 3 1 4");
        assert_eq!(plan.finish_rounds(0, 20, 7), None);
        plan.give_up(0, Shortage { bytes: 5, states: 1.0, output: 60.0 });
        plan.carry_out(NextStep::Join { sweep: 0 }, None);
        assert_eq!((plan.last().sweeps[0].at_once, plan.last().sweeps[0].growth), (2, 3.0));
        plan.carry_out(NextStep::Restart { sweep: 0 }, None);
        let progress = &plan.last().sweeps[0];
        assert_eq!((progress.done, progress.own, progress.at_once), (1, None, 3));
    }
}
