//! The open tours of a board by start: one count for each orbit of squares, each with a checkpoint
//! of its own.

use super::{Job, JobKind, Name, Wishes};
use crate::question::Question;
use crate::run::Outcome;
use crate::starts::{self, Starts};
use crate::tally::Tally;
use crate::units::{Shard, Units};
use crate::work::{Identity, Split};

/// All open tours of a board, by start.
#[derive(Debug, Clone)]
pub struct ByStart {
    /// The tours from each square.
    pub starts: Starts,
    /// The units of all counts, one after the other, each with the tours of its whole orbit.
    pub units: Units,
}

impl Job {
    /// The counts of the open tours of the board from the first square of every orbit, whatever
    /// tours the job itself asks for. The checkpoint of each stays until it is removed. Walks are
    /// split at one depth, so that the units of all are those of one split.
    pub fn by_start(&self) -> Vec<Self> {
        let board = &self.question.board;
        let of_orbit = |orbit: &Vec<_>| {
            let question = Question::open_between(board.clone(), Some(orbit[0]), None);
            self.one_of_several(question, JobKind::ByStart)
        };
        let mut jobs: Vec<Self> = starts::orbits_of_ends(board).iter().map(of_orbit).collect();
        if self.wishes.split.is_none()
            && let Some(split) = common_split(&jobs)
        {
            // What is begun keeps its own.
            let new = jobs.iter_mut().filter(|job| matches!(job.saved(), Ok(None)));
            new.for_each(|job| job.wishes.split = Some(split));
        }
        jobs
    }
}

/// The split of walks from all starts: that of a checkpoint, or else the smallest of their usual
/// depths, because a start with few paths is split so deep that others would have too many units.
/// `None` unless all are walked.
fn common_split(jobs: &[Job]) -> Option<Split> {
    let walk = |job: &Job| {
        let saved = job.saved().ok()?.map(|saved| saved.identity);
        let identity = job.engine(saved.as_ref()).ok()?.identity();
        let is_walk = identity.engine == Name::Walk;
        is_walk.then(|| (saved.is_none(), identity.split.depth(), identity.split))
    };
    let walks: Option<Vec<_>> = jobs.iter().map(walk).collect();
    walks?.into_iter().min_by_key(|&(is_new, depth, _)| (is_new, depth)).map(|(.., split)| split)
}

/// The fewest wishes with which a job has this engine and these units, for the command that resumes
/// counts by start: it makes all of them with the wishes of one that has begun.
pub fn fewest_wishes(identity: &Identity) -> Wishes {
    let engine = Some(identity.engine.clone());
    let all = Wishes { engine: engine.clone(), split: Some(identity.split), memo: None };
    let leads_there = |wishes: &Wishes| {
        let question = identity.question.clone();
        let job = Job { wishes: wishes.clone(), ..Job::new(question) };
        job.engine(None).is_ok_and(|engine| engine.identity() == *identity)
    };
    let fewer = [Wishes::default(), Wishes { engine, ..Wishes::default() }];
    fewer.into_iter().find(leads_there).unwrap_or(all)
}

impl ByStart {
    /// Puts the results of [`Job::by_start`] together, in the same order.
    ///
    /// # Panics
    /// If there are none: every board has the orbit of its first square.
    pub fn of(question: &Question, outcomes: &[Outcome]) -> Self {
        let board = &question.board;
        let tours = outcomes.iter().map(|outcome| outcome.units.directed());
        let starts = Starts::of_orbits(board, tours);
        let mut counts: Vec<(String, Tally)> = Vec::new();
        for (orbit, outcome) in starts::orbits_of_ends(board).iter().zip(outcomes) {
            let (from, images) = (board.name(orbit[0]), orbit.len() as u128);
            let units = outcome.units.counts.iter();
            counts.extend(
                units.map(|(label, count)| (format!("{from}: {label}"), count.clone() * images)),
            );
        }
        let identity = Identity {
            question: question.clone(),
            units: counts.len() as u64,
            ..outcomes[0].units.identity.clone()
        };
        Self { starts, units: Units { identity, shard: Shard::WHOLE, counts } }
    }
}
