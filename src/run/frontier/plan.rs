//! What a count by the frontier does, step by step.

use super::Method;
use crate::frontier::{self, By, Halves, Side, Stage};
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

/// All steps.
#[derive(Debug)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    /// Whether there are halves that meet.
    pub has_halves: bool,
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
            Some(halves) => Self::of_halves(halves),
            None => Self::of_sweep(frontier::sweep(question, merge_mirrors)),
        }
    }

    /// One sweep.
    pub fn of_sweep(stages: Vec<Stage>) -> Self {
        let by_key = |stage| Step::Advance(stage, By::Key);
        Self {
            steps: stages.into_iter().map(by_key).collect(),
            has_halves: false,
        }
    }

    fn of_halves(halves: Halves) -> Self {
        let (top, bottom) = (halves.top_side, halves.bottom_side);
        let mut steps = Self::of_sweep(halves.shared).steps;
        steps.push(Step::Fork);
        steps.extend(Self::of_half(halves.bottom, bottom));
        steps.push(Step::Swap);
        steps.extend(Self::of_half(halves.top, top));
        steps.push(Step::Join { top, bottom });
        Self {
            steps,
            has_halves: true,
        }
    }

    /// The steps of a half; after the last one its states are where those of the other half are that they can meet.
    fn of_half(stages: Vec<Stage>, side: Side) -> Vec<Step> {
        let last = stages.len() - 1;
        let stages = stages.into_iter().enumerate();
        let by = |index| match index == last {
            true => By::Pattern(side),
            false => By::Key,
        };
        stages
            .map(|(index, stage)| Step::Advance(stage, by(index)))
            .collect()
    }
}
