//! Puzzles made from tours of a question that are drawn at random.
//!
//! Where all tours are soon counted, each is equally likely. They are drawn many at a time, because
//! the count takes longer than a puzzle. Elsewhere the solver finds a tour by random choices, and
//! some tours are likelier than others. On large boards that takes too long, so there a random walk
//! from tour to tour begins at one that is constructed.
//!
//! Puzzles of one call have solutions that no symmetry of the board, reversal or other first square
//! of a cycle maps onto each other, unless there are too few.

use super::{JobError, number};
use crate::board::{Board, Square, Symmetry};
use crate::find::{Find, FindOutcome, shuffled};
use crate::quantity::grouped;
use crate::question::Question;
use crate::run::Control;
use crate::solve::{
    Difficulty, GivenEnds, Grade, MakeError, Puzzle, Recipe, any_tour, difficulty, make, patterned,
};
use crate::tour::Tour;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Tours that are drawn at a time.
const AT_ONCE: u64 = 1_000;

/// The tours that are tried for a puzzle: some have none with hidden ends or of a grade.
const TRIED: u64 = 100;

/// The tours that are tried for a puzzle with steps on chosen squares.
const TRIED_FOR_PATTERN: u64 = 10_000;

/// The largest board on which the solver finds random tours soon.
const SMALL: usize = 100;

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
    /// The squares whose steps are given, if these are chosen.
    pattern: Option<Vec<Square>>,
    count: u64,
    made: u64,
    /// The board without any step given.
    empty: Puzzle,
    /// The tours of the next puzzles; `None` once it is known that they are not soon counted.
    drawn: Option<VecDeque<Tour>>,
    /// A tour of a large board, from which others are made.
    constructed: Option<Vec<Square>>,
    /// The solutions so far, each in the form that its images share; `None` once there are no
    /// others.
    solutions: Option<BTreeSet<Vec<Square>>>,
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
    /// False if it was stopped before it had as few clues as it needs and was graded.
    pub is_finished: bool,
}

impl MadePuzzle {
    /// How hard the puzzle is, in words, as far as it was made.
    pub fn hardness(&self) -> String {
        match &self.difficulty {
            Some(difficulty) => difficulty.to_string(),
            None if self.is_finished => "hard: harder than any hint".to_owned(),
            None => "perhaps more than are needed, for it was stopped".to_owned(),
        }
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
    #[error("a {name} does not keep the moves of {1}", name = .0.name())]
    NoSymmetry(Symmetry, Board),
    /// The squares of a pattern determine none of the tours that were tried.
    #[error("steps on these squares determine none of {} random tours", grouped(.0))]
    NoPattern(u64),
    /// A random walk from tour to tour met none with the links.
    #[error("a random walk from tour to tour met none with these links")]
    NoLinks,
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
        if let Some(symmetry) = recipe.symmetry.filter(|symmetry| !symmetries.contains(symmetry)) {
            return Err(NotMade::NoSymmetry(symmetry, question.board));
        }
        if question.is_impossible() {
            return Err(NotMade::NoTours(question.none()));
        }
        let empty = Puzzle::new(question.board.clone(), question.is_closed(), []);
        let empty = empty.map_err(MakeError::from)?;
        Ok(Self {
            question,
            recipe,
            grades: Vec::from_iter(recipe.grade),
            pattern: None,
            count,
            made: 0,
            empty,
            drawn: Some(VecDeque::new()),
            constructed: None,
            solutions: Some(BTreeSet::new()),
            control: Arc::clone(control),
        })
    }

    /// The puzzles in so many parts of equal size, each of one of some grades.
    #[must_use]
    pub fn of_grades(self, grades: Vec<Grade>) -> Self {
        Self { grades, ..self }
    }

    /// The squares of a board that a drawing marks for [`Self::of_pattern`]: those with a sign other
    /// than a dot or that of a hole.
    ///
    /// # Errors
    /// The end of a sentence that begins with the name of the drawing.
    pub fn marked(drawing: &str, board: &Board) -> Result<Vec<Square>, String> {
        if board.is_graph() {
            return Err("is for squares, and this is a graph".to_owned());
        }
        let row =
            |line: &str| line.chars().filter(|sign| !sign.is_whitespace()).collect::<Vec<_>>();
        let rows: Vec<Vec<char>> = drawing.lines().map(row).filter(|row| !row.is_empty()).collect();
        let cols = 0..i64::from(board.cols());
        let of_row = |(signs, at): (&Vec<char>, i64)| {
            let places: Vec<Option<Square>> = cols.clone().map(|col| board.at(at, col)).collect();
            if signs.len() == places.len() {
                return Some(signs.iter().copied().zip(places).collect());
            }
            // A shorter row shows its squares and perhaps some holes, as those of a hexagon do.
            let shown = signs.iter().copied().filter(|&sign| sign != '#');
            let squares = places.into_iter().filter(Option::is_some);
            let is_whole = shown.clone().count() == squares.clone().count();
            (is_whole && signs.len() < cols.end as usize)
                .then(|| shown.zip(squares).collect::<Vec<_>>())
        };
        let signs: Option<Vec<_>> = rows.iter().rev().zip(0..).map(of_row).collect();
        let fits = rows.len() == board.rows() as usize;
        let signs = || signs.iter().flatten().flatten().filter(|_| fits);
        let is_hole = |(sign, at): &&(char, Option<Square>)| *sign == '#' && at.is_some();
        if let Some((_, Some(square))) = signs().find(is_hole) {
            return Err(format!("has a hole on {}, a square of {board}", board.name(*square)));
        }
        let marks = signs().filter(|(sign, _)| !".#".contains(*sign));
        if marks.clone().any(|(_, square)| square.is_none()) {
            return Err(format!("has numbers on holes of {board}"));
        }
        let squares: Option<Vec<Square>> = marks.map(|(_, square)| *square).collect();
        let squares = squares.filter(|all| !all.is_empty());
        let how = "give a line per row and a sign per square, . for one without a number, # for a \
                   hole, another sign for one with a number";
        squares.ok_or_else(|| format!("does not mark squares of {board}: {how}"))
    }

    /// The puzzles with steps on these squares, whose tours these steps determine.
    #[must_use]
    pub fn of_pattern(self, pattern: Option<Vec<Square>>) -> Self {
        Self { pattern, ..self }
    }

    /// The next puzzle alone, made to its end.
    ///
    /// # Errors
    /// [`NotMade`] as for each of several.
    pub fn one(mut self) -> Result<MadePuzzle, NotMade> {
        let made = self.next().unwrap_or(Err(NotMade::Stopped))?;
        if made.is_finished { Ok(made) } else { Err(NotMade::Stopped) }
    }

    /// The puzzles of tours with moves between these pairs of squares.
    ///
    /// # Errors
    /// [`NotMade`] for squares that no move joins.
    pub fn of_links(self, links: Vec<[Square; 2]>) -> Result<Self, NotMade> {
        let empty = self.empty.linked(links).map_err(MakeError::from)?;
        Ok(Self { empty, ..self })
    }

    /// The tour that is the solution of the next puzzle, after some that were tried.
    fn tour(&mut self, seed: u64, tried: u64) -> Result<Option<Tour>, NotMade> {
        // The solver finds tours with links among the others.
        let has_links = !self.empty.links().is_empty();
        self.drawn = self.drawn.take().filter(|_| !has_links);
        if self.drawn.as_ref().is_some_and(VecDeque::is_empty) {
            let count = AT_ONCE.min((self.count - self.made).max(tried));
            let drawn = number::drawn(&self.question, seed, count, &self.control)?;
            self.drawn = drawn.map(VecDeque::from);
        }
        if let Some(drawn) = &mut self.drawn {
            return Ok(drawn.pop_front());
        }
        let stop = || self.control.is_stopped();
        let (board, closed) = (&self.question.board, self.question.is_closed());
        if board.squares() > SMALL && self.constructed.is_none() {
            let find = Find { closed, ..Find::open(board, Square::from_index(0)) };
            let (found, _) = super::look_on(&find, None, None, &self.control, &|_| stop());
            if let FindOutcome::Found(route) = found {
                self.constructed = Some(route.squares().collect());
            }
        }
        let found = match &self.constructed {
            Some(tour) => shuffled(board, tour.clone(), self.empty.links(), closed, seed, &stop),
            None => any_tour(&self.empty, seed, &stop),
        };
        Ok(found.and_then(|squares| Tour::new(board, squares).ok()))
    }

    /// True if a tour is the image of another solution. If so many tours were tried that there are
    /// no others, images are allowed from then on.
    fn is_repeated(&mut self, tour: &Tour, is_last: bool) -> bool {
        let Some(solutions) = self.solutions.as_ref().filter(|_| self.count > 1) else {
            return false;
        };
        let is_repeated = solutions.contains(&shared_form(tour, self.question.is_closed()));
        if is_repeated && is_last {
            self.solutions = None;
        }
        is_repeated && !is_last
    }

    fn make(&mut self) -> Result<MadePuzzle, NotMade> {
        let seed = self.recipe.seed.wrapping_add(self.made);
        let part = u128::from(self.made) * self.grades.len() as u128 / u128::from(self.count);
        let grade = self.grades.get(part as usize).copied();
        let recipe = Recipe { seed, grade, ..self.recipe };
        let links = self.empty.links().to_vec();
        let most = if self.pattern.is_none() { TRIED } else { TRIED_FOR_PATTERN };
        let mut tried = 0;
        loop {
            // The seeds of further tours are far from those of the next puzzles.
            let tour = self.tour(seed.wrapping_add(tried << 32), tried)?;
            let none = || match (links.is_empty(), &self.constructed) {
                (true, _) => NotMade::NoTours(self.question.none()),
                (false, Some(_)) => NotMade::NoLinks,
                (false, None) => {
                    NotMade::NoTours(format!("none of the {} has these links", self.question))
                }
            };
            let mut solution = tour.ok_or_else(none)?;
            let closed = self.question.is_closed();
            if closed && recipe.ends == GivenEnds::Hidden {
                // All closed tours may be ambiguous without ends at the square where they are drawn.
                let mut squares = solution.squares().to_vec();
                let turn = tried as usize % squares.len();
                squares.rotate_left(turn);
                solution = Tour::new(&self.question.board, squares).unwrap_or(solution);
            }
            tried += 1;
            if self.is_repeated(&solution, tried > most) {
                continue;
            }
            let stop = || self.control.is_stopped();
            let puzzle = match &self.pattern {
                None => make(&solution, closed, &links, recipe, &stop),
                Some(squares) => patterned(&solution, closed, &links, squares, grade, &stop),
            };
            let puzzle = match puzzle {
                Err(error) if error.is_of_tour(&recipe) && tried < most => continue,
                Err(_) if self.pattern.is_some() => return Err(NotMade::NoPattern(tried)),
                made => made,
            };
            let (puzzle, is_finished) = match puzzle {
                Err(MakeError::Stopped(Some(puzzle))) => (*puzzle, false),
                made => (made?, true),
            };
            if let Some(solutions) = &mut self.solutions {
                solutions.insert(shared_form(&solution, self.question.is_closed()));
            }
            let difficulty = if is_finished { difficulty(&puzzle, &stop) } else { None };
            let is_finished = is_finished && (difficulty.is_some() || !stop());
            return Ok(MadePuzzle { puzzle, solution, difficulty, is_finished });
        }
    }
}

/// A form that a tour shares with its images under the symmetries of the board, with its reverse,
/// and, if it is closed, with the tours that go along the same cycle.
fn shared_form(tour: &Tour, is_closed: bool) -> Vec<Square> {
    let (board, squares) = (tour.board(), tour.squares());
    let images = Symmetry::of(&board).iter().flat_map(|symmetry| {
        let image = squares.iter().map(|&square| symmetry.apply(&board, square));
        let mut both = [image.clone().collect(), image.rev().collect::<Vec<_>>()];
        for squares in both.iter_mut().filter(|_| is_closed) {
            let first = squares.iter().position(|square| square.index() == 0);
            squares.rotate_left(first.unwrap_or_default());
        }
        both
    });
    images.min().unwrap_or_default()
}

impl Iterator for PuzzleMaker {
    type Item = Result<MadePuzzle, NotMade>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made == self.count {
            return None;
        }
        let made = self.make();
        self.made += 1;
        Some(match made {
            // What was cut short looks like a failure.
            Err(error) if self.control.is_stopped() && !matches!(error, NotMade::NoPattern(_)) => {
                Err(NotMade::Stopped)
            }
            made => made,
        })
    }
}
