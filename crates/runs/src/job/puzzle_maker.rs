//! Puzzles made from tours of a question that are drawn at random.
//!
//! Where all tours are soon counted, each is equally likely. They are drawn many at a time, because
//! the count takes longer than a puzzle. Elsewhere the solver finds a tour by random choices, and
//! some tours are likelier than others.

use super::{JobError, number};
use crate::board::{Board, Symmetry};
use crate::question::Question;
use crate::run::Control;
use crate::solve::{Difficulty, Grade, MakeError, Puzzle, Recipe, any_tour, difficulty, make};
use crate::tour::Tour;
use std::collections::VecDeque;
use std::sync::Arc;

/// Tours that are drawn at a time.
const AT_ONCE: u64 = 1_000;

/// The tours that are tried for a puzzle: some have none with hidden ends or of a grade.
const TRIED: u64 = 100;

/// The puzzles of a recipe, made one by one, the same for a seed on every machine.
///
/// ```
/// # use kt_enum_runs as kt_enum;
/// use kt_enum::board::Board;
/// use kt_enum::job::PuzzleMaker;
/// use kt_enum::question::Question;
/// use kt_enum::solve::{Extent, Recipe, Verdict, verdict};
///
/// let question = Question::closed(Board::new(6, 6)?);
/// for made in PuzzleMaker::new(question, Recipe::default(), 3, &Default::default())? {
///     let made = made?;
///     let verdict = verdict(&made.puzzle, Extent::default(), &|| false);
///     assert_eq!(verdict, Verdict::Unique(made.solution.squares().to_vec()));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PuzzleMaker {
    question: Question,
    recipe: Recipe,
    /// The grades of the puzzles, from the easiest.
    grades: Vec<Grade>,
    count: u64,
    made: u64,
    /// The board without any step given.
    empty: Puzzle,
    /// The tours of the next puzzles; `None` once it is known that they are not soon counted.
    drawn: Option<VecDeque<Tour>>,
    control: Arc<Control>,
}

/// A puzzle with exactly one solution.
#[derive(Debug, Clone)]
pub struct MadePuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Tour,
    /// The hints that solve it, which say how hard it is; `None` if they do not solve it.
    pub difficulty: Option<Difficulty>,
}

impl MadePuzzle {
    /// How hard the puzzle is, in words.
    pub fn hardness(&self) -> String {
        let words = self.difficulty.as_ref().map(ToString::to_string);
        words.unwrap_or_else(|| "hard: harder than any hint".to_owned())
    }
}

/// A puzzle is not made.
#[derive(Debug, thiserror::Error)]
pub enum NotMade {
    /// The control was told to stop.
    #[error("stopped before the puzzle was made")]
    Stopped,
    /// There are no tours.
    #[error("{0}")]
    NoTours(String),
    /// The clues cannot be symmetric.
    #[error("a half turn does not keep the moves of {0}")]
    NoHalfTurn(Board),
    /// The recipe cannot be kept.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// A count of the tours failed.
    #[error(transparent)]
    Job(#[from] JobError),
}

impl PuzzleMaker {
    /// `count` puzzles of a recipe, whose solutions are tours of a question without fixed ends.
    ///
    /// # Errors
    /// [`NotMade`] if it is known at once that there is none.
    pub fn new(
        question: Question,
        recipe: Recipe,
        count: u64,
        control: &Arc<Control>,
    ) -> Result<Self, NotMade> {
        let symmetries = Symmetry::of(&question.board);
        if recipe.symmetry.is_some_and(|symmetry| !symmetries.contains(&symmetry)) {
            return Err(NotMade::NoHalfTurn(question.board));
        }
        if question.is_impossible() {
            return Err(NotMade::NoTours(question.none()));
        }
        let empty = Puzzle::new(question.board.clone(), question.is_closed(), []);
        let empty = empty.map_err(MakeError::from)?;
        let control = Arc::clone(control);
        let (drawn, grades) = (Some(VecDeque::new()), Vec::from_iter(recipe.grade));
        Ok(Self { question, recipe, grades, count, made: 0, empty, drawn, control })
    }

    /// The puzzles in so many parts of equal size, each of one of some grades.
    #[must_use]
    pub fn of_grades(self, grades: Vec<Grade>) -> Self {
        Self { grades, ..self }
    }

    /// The tour that is the solution of the next puzzle.
    fn tour(&mut self, seed: u64) -> Result<Option<Tour>, NotMade> {
        if self.drawn.as_ref().is_some_and(VecDeque::is_empty) {
            let count = AT_ONCE.min(self.count - self.made);
            let drawn = number::drawn(&self.question, seed, count, &self.control)?;
            self.drawn = drawn.map(VecDeque::from);
        }
        if let Some(drawn) = &mut self.drawn {
            return Ok(drawn.pop_front());
        }
        let found = any_tour(&self.empty, seed, &|| self.control.is_stopped());
        Ok(found.and_then(|squares| Tour::new(&self.question.board, squares).ok()))
    }

    fn make(&mut self) -> Result<MadePuzzle, NotMade> {
        let seed = self.recipe.seed.wrapping_add(self.made);
        let part = u128::from(self.made) * self.grades.len() as u128 / u128::from(self.count);
        let grade = self.grades.get(part as usize).copied();
        let recipe = Recipe { seed, grade, ..self.recipe };
        let mut tried = 0;
        loop {
            // The seeds of further tours are far from those of the next puzzles.
            let tour = self.tour(seed.wrapping_add(tried << 32))?;
            let solution = tour.ok_or_else(|| NotMade::NoTours(self.question.none()))?;
            tried += 1;
            let stop = || self.control.is_stopped();
            let puzzle = match make(&solution, self.question.is_closed(), recipe, &stop) {
                Err(MakeError::Ambiguous | MakeError::TooEasy(_)) if tried < TRIED => continue,
                made => made?,
            };
            let difficulty = difficulty(&puzzle, &stop);
            return Ok(MadePuzzle { puzzle, solution, difficulty });
        }
    }
}

impl Iterator for PuzzleMaker {
    type Item = Result<MadePuzzle, NotMade>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made == self.count {
            return None;
        }
        let made = self.make();
        self.made += 1;
        // What was cut short looks like a failure, or like a puzzle that no hint solves.
        let is_whole = made.as_ref().is_ok_and(|made| made.difficulty.is_some());
        Some(if !is_whole && self.control.is_stopped() { Err(NotMade::Stopped) } else { made })
    }
}
