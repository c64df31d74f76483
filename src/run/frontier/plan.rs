//! What a count by the frontier does, step by step.

use super::Method;
use crate::frontier::{self, By, Expected, Halves, Side, Stage};
use crate::question::Question;

/// A step on the way.
#[derive(Debug)]
pub(super) enum Step {
    /// Takes every state through a stage.
    Advance(Stage, By),
    /// Sets the states aside too, for the other half.
    Fork,
    /// Goes on with the states set aside, and sets these aside.
    Swap,
    /// Adds up the tours that these states, of the top half, make with those set aside.
    Join { top: Side, bottom: Side },
}

fn by_kinds(stages: Vec<Stage>) -> Vec<Step> {
    let by_kinds = |stage| Step::Advance(stage, By::Kinds);
    stages.into_iter().map(by_kinds).collect()
}

/// The states that each step is expected to take on. A state is joined in about the time of a stage.
fn states_of(steps: &[Step], expected: &Expected) -> Vec<f64> {
    let is_optional = |step: &&Step| matches!(step, Step::Advance(stage, _) if expected.of_stage(stage).is_none());
    let optional = steps.iter().filter(is_optional).count() as f64;
    let (mut before, mut left) = (1.0, optional);
    let of_step = |step: &Step| match step {
        Step::Advance(stage, _) => match expected.of_stage(stage) {
            Some(states) => {
                before = states;
                states
            }
            // The bottom half grows evenly from one optional stage to the next.
            None => {
                let states = expected.bottom() * (before / expected.bottom()).powf(left / optional);
                left -= 1.0;
                states
            }
        },
        Step::Fork | Step::Swap => 0.0,
        Step::Join { .. } => expected.top() + expected.bottom(),
    };
    steps.iter().map(of_step).collect()
}

/// All steps.
#[derive(Debug)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    /// Whether there are halves that meet.
    pub has_halves: bool,
    /// The states that each step is expected to take on; empty when there is nothing to go by.
    pub expected: Vec<f64>,
}

impl Plan {
    pub fn new(question: &Question, method: Method) -> Self {
        let halves = match method {
            Method::Fastest => Halves::new(question, frontier::balanced_cut(question)),
            Method::Cut(cut) => Halves::new(question, cut),
            Method::Sweep { .. } => None,
        };
        let merge_mirrors = method
            != Method::Sweep {
                merge_mirrors: false,
            };
        match halves {
            Some(halves) => Self::of_halves(question, halves),
            None => Self::of_sweep(question, frontier::sweep(question, merge_mirrors)),
        }
    }

    /// One sweep.
    pub fn of_sweep(question: &Question, stages: Vec<Stage>) -> Self {
        Self::expecting(question, by_kinds(stages), false)
    }

    fn of_halves(question: &Question, halves: Halves) -> Self {
        let (top, bottom) = (halves.top_side, halves.bottom_side);
        let mut steps = by_kinds(halves.shared);
        steps.push(Step::Fork);
        steps.extend(Self::of_half(halves.bottom, bottom));
        steps.push(Step::Swap);
        steps.extend(Self::of_half(halves.top, top));
        steps.push(Step::Join { top, bottom });
        Self::expecting(question, steps, true)
    }

    fn expecting(question: &Question, steps: Vec<Step>, has_halves: bool) -> Self {
        let expected = Expected::new(question);
        Self {
            expected: expected.map_or(Vec::new(), |expected| states_of(&steps, &expected)),
            steps,
            has_halves,
        }
    }

    /// The steps of a half; after the last one its states are where those of the other half are that they can meet.
    fn of_half(stages: Vec<Stage>, side: Side) -> Vec<Step> {
        let last = stages.len() - 1;
        let stages = stages.into_iter().enumerate();
        let by = |index| match index == last {
            true => By::Pattern(side),
            false => By::Kinds,
        };
        stages
            .map(|(index, stage)| Step::Advance(stage, by(index)))
            .collect()
    }
}
