//! Counts that number tours: all layers are kept, for the way back from a number to its tour.

use super::cost::{FAIR, ROUGH, far_apart, forecast_time, is_surely_short, needs_no_forecast};
use super::{CheckpointPlace, Job, JobError, Name, Plan, file_of_index};
use crate::estimate::Expected;
use crate::find::NoTour;
use crate::numbers::{Numbers, Random};
use crate::question::Question;
use crate::run::{self, Control, Event, Observer, Outcome, Price, Settings, Silent};
use crate::tally::Tally;
use crate::tour::Tour;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest count that is made for a single tour, in seconds of one thread.
const LONGEST_FOR_ONE: f64 = 60.0;

/// A count whose tours have numbers.
pub struct Numbered<'a> {
    /// The tours by number, and the numbers of tours.
    pub numbers: Numbers<'a>,
    /// The count, whose checkpoint has the layers: clear it once no tour is wanted any more.
    pub outcome: Outcome,
}

impl Numbered<'_> {
    /// Returns the bytes of the states that a later call has to compute again, because they are not
    /// saved; `None` if it has none to compute.
    #[doc(hidden)]
    pub fn unsaved(&self) -> Option<u64> {
        let effort = &self.outcome.effort;
        let is_unsaved = effort.nodes > 0 && !self.outcome.has_layers(self.numbers.frontier);
        Some(effort.built.filter(|_| is_unsaved)?.bytes)
    }
}

impl Job {
    /// The count that numbers the tours of a question, with its tables in the folder of an index if
    /// one is given.
    pub fn numbering(question: Question, index: Option<&Path>) -> Self {
        let mut job = Self::new(question);
        job.wishes.engine = Some(Name::Frontier);
        job.keeping.place = index.map(|folder| CheckpointPlace::named(file_of_index(folder)));
        job.keeping.is_finished_kept = index.is_some();
        job
    }
}

impl Plan {
    /// Counts the tours and keeps all layers, so that each tour has a number. Only the frontier
    /// can.
    ///
    /// # Errors
    /// As [`Plan::count`].
    ///
    /// # Panics
    /// If the engine of the plan is not [`Name::Frontier`], for which [`Job::numbering`] wishes.
    pub fn number(
        &self,
        control: &Arc<Control>,
        observer: &mut dyn Observer,
    ) -> Result<Numbered<'_>, JobError> {
        let frontier = self.frontier().expect("only the frontier numbers tours");
        let began = Instant::now();
        let settings = Settings { keep_layers: true, ..self.settings(control, observer)? };
        let is_begun = run::begun(&*self.engine, &settings)?.is_some();
        let expected = if observer.is_interested() { self.guess(control) } else { None };
        if let Some(expected) = expected.as_ref().filter(|_| !is_begun) {
            let seconds = expected.seconds() / self.job.limits.threads() as f64;
            let bounds = expected.time_bounds();
            let (between, least) = (far_apart(seconds, bounds), bounds[0].min(1.0));
            // More layers are kept than a count keeps.
            let bytes = Some(expected.forecast.bytes * least);
            let price = Price { seconds: Some(seconds), between, is_rest: false, bytes };
            observer.notice(&Event::ForecastOfNumbers(self.upcoming(), price));
        }
        let settings = Settings { expected, ..settings };
        let outcome = self.in_time_left(began, settings, observer, run::count)?;
        let (threads, control) = (self.job.limits.threads(), Arc::clone(control));
        let numbers =
            Numbers::new(frontier, &outcome.units, threads, self.memory_for_states, control)?;
        Ok(Numbered { numbers, outcome })
    }

    /// A forecast of the count, if its bounds are close enough to tell.
    fn guess(&self, control: &Control) -> Option<Expected> {
        let frontier = self.frontier().filter(|frontier| !needs_no_forecast(frontier))?;
        let guess = |time| {
            let time = forecast_time(time, self.job.limits.max_time);
            let expected = self.sampled(frontier, time, control);
            expected.filter(|expected| expected.forecast.is_known())
        };
        guess(ROUGH).or_else(|| guess(FAIR))
    }
}

/// The first tour of a question by number, or that there is none, if the frontier promises to count
/// them soon: `None` if it does not, or if the count was stopped.
pub fn first_tour(
    question: &Question,
    max_time: Option<Duration>,
    control: &Arc<Control>,
) -> Option<Result<Tour, NoTour>> {
    let mut job = Job::numbering(question.clone(), None);
    job.limits.max_time = max_time;
    let mut plan = job.plan(&mut Silent).ok()?;
    if !is_surely_short(question) {
        let began = Instant::now();
        plan.guess(control).filter(|expected| expected.seconds() < LONGEST_FOR_ONE)?;
        plan.planning += began.elapsed();
    }
    let numbered = plan.number(control, &mut Silent).ok()?;
    if *numbered.numbers.last() == Tally::ZERO {
        return Some(Err(NoTour::Exhausted));
    }
    numbered.numbers.tours(&[1_u32.into()], &mut Silent).ok()?.pop().map(Ok)
}

/// Tours of a question drawn at random, all equally likely. `None` where it takes longer than a
/// second or two to count them, and where the tours cannot be traced.
///
/// # Errors
/// [`JobError`] if the count is stopped or fails.
pub(super) fn drawn(
    question: &Question,
    seed: u64,
    count: u64,
    control: &Arc<Control>,
) -> Result<Option<Vec<Tour>>, JobError> {
    if !is_surely_short(question) {
        return Ok(None);
    }
    let plan = Job::numbering(question.clone(), None).plan(&mut Silent);
    let Ok(plan) = plan else { return Ok(None) };
    let numbers = plan.number(control, &mut Silent)?.numbers;
    let mut random = Random::new(seed);
    let drawn = (0..count).map_while(|_| random.number_up_to(numbers.last()));
    Ok(numbers.tours(&drawn.collect::<Vec<_>>(), &mut Silent).ok())
}
