//! Puzzles: boards with some steps given.

use crate::board::{Size, board, is_closed, known, name, no_tours, of_kind};
use crate::count::made;
use crate::error::{of_job, undecided, wrong};
use crate::job::threads;
use crate::keywords::{Given, Keywords};
use crate::long::{STACK_BYTES, long};
use crate::number::fresh_seed;
use crate::text::content;
use crate::tour::Tour;
use kt_enum::board::{Square, Symmetry};
use kt_enum::draw::PuzzleDrawing;
use kt_enum::job::{Control, drawn};
use kt_enum::question::Question;
use kt_enum::solve::{
    self as solver, Clue, Extent, GivenEnds, MakeError, Recipe, any_tour, difficulty, make,
};
use kt_enum::tour::{self, KnownBoard, PartFilledReader};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A puzzle: a board with some steps given.
///
/// >>> puzzle = kt_enum.Puzzle("3 . . 12\n. . . .\n1 . . .")
/// >>> puzzle.clues
/// {1: 'a1', 3: 'a3', 12: 'd3'}
/// >>> kt_enum.is_unique(puzzle)
/// True
///
/// It is made from a text in any usual form, from rows of numbers with None or "." on the squares to
/// fill, or from a dictionary of steps and squares if the board is given. Notebooks draw it.
#[pyclass(frozen, eq, module = "kt_enum")]
#[derive(Clone, PartialEq)]
pub struct Puzzle {
    puzzle: solver::Puzzle,
    solution: Option<Tour>,
    difficulty: Option<String>,
}

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (given, size=None, *, solution=None, difficulty=None, **options))]
    fn new(
        given: &Bound<'_, PyAny>,
        size: Size<'_>,
        solution: Option<Bound<'_, Tour>>,
        difficulty: Option<String>,
        options: Option<Given>,
    ) -> PyResult<Self> {
        let keywords = Keywords::new(given.py(), "Puzzle", options)?;
        let puzzle = puzzle_of(given, size, &keywords)?;
        keywords.end()?;
        Ok(Self { puzzle, solution: solution.map(|tour| tour.get().clone()), difficulty })
    }

    /// The description of the board.
    #[getter]
    fn board(&self) -> String {
        self.puzzle.board().description()
    }

    /// True if the solutions are closed tours.
    #[getter]
    fn closed(&self) -> bool {
        self.puzzle.is_closed()
    }

    /// The steps that are given, with the names of their squares.
    #[getter]
    fn clues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let clues = PyDict::new(py);
        for clue in self.puzzle.clues() {
            clues.set_item(clue.step, self.puzzle.board().name(clue.square))?;
        }
        Ok(clues)
    }

    /// The solution, if the puzzle was made from it.
    #[getter]
    fn solution(&self) -> Option<Tour> {
        self.solution.clone()
    }

    /// How hard a puzzle that was made is, in words.
    #[getter]
    fn difficulty(&self) -> Option<&str> {
        self.difficulty.as_deref()
    }

    /// The puzzle as an SVG picture with a `title`, or its `answer`, which is looked for if it is not
    /// known.
    #[pyo3(signature = (*, answer=false, title=None))]
    fn svg(&self, py: Python<'_>, answer: bool, title: Option<&str>) -> PyResult<String> {
        let solution = match &self.solution {
            Some(solution) => solution.tour.clone(),
            None => any_solution(py, &self.puzzle)?,
        };
        let steps = self.puzzle.clues().iter().map(|clue| clue.step);
        let drawing = PuzzleDrawing::new(solution, self.closed(), steps).map_err(wrong)?;
        Ok(drawing.svg(title, answer))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.svg(py, false, None) {
            Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(None),
            drawn => drawn.map(Some),
        }
    }

    fn __str__(&self) -> String {
        self.puzzle.grid()
    }

    fn __repr__(&self) -> String {
        let (board, clues) = (self.puzzle.board(), self.puzzle.clues().len());
        let kind = if self.closed() { "closed puzzle" } else { "puzzle" };
        format!("<{kind} on {board} with {clues} steps given>")
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((Bound<'py, PyDict>,), Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("board", self.board())?;
        options.set_item("tours", if self.closed() { "closed" } else { "open" })?;
        options.set_item("solution", self.solution())?;
        options.set_item("difficulty", self.difficulty())?;
        Ok(((self.clues(py)?,), options))
    }
}

/// A solution of a puzzle, which is drawn beside it.
fn any_solution(py: Python<'_>, puzzle: &solver::Puzzle) -> PyResult<tour::Tour> {
    let (control, extent) = (Control::default(), Extent { solutions: 1, ..Extent::default() });
    let found = long(py, &control, || {
        let mut found = None;
        solver::solve(puzzle, extent, &|| control.is_stopped(), &mut |squares| {
            found = Some(squares.to_vec());
            ControlFlow::Break(())
        });
        found
    })?;
    let squares = found.ok_or_else(|| wrong("a puzzle without a solution is not drawn"))?;
    tour::Tour::new(puzzle.board(), squares).map_err(wrong)
}

/// The puzzles of a text, of a file, of rows, or of steps and squares.
fn puzzles_of(
    given: &Bound<'_, PyAny>,
    known: KnownBoard,
    is_closed: bool,
) -> PyResult<Vec<solver::Puzzle>> {
    if let Ok(steps) = given.cast::<PyMapping>() {
        let board = known.board.ok_or_else(|| wrong("steps with their squares need a board"))?;
        let clue = |item: Bound<'_, PyAny>| {
            let (step, square): (usize, Bound<'_, PyAny>) = item.extract()?;
            Ok(Clue { step, square: crate::board::square(&board, &square)? })
        };
        let clues = steps.items()?.iter().map(clue).collect::<PyResult<Vec<_>>>()?;
        return Ok(vec![solver::Puzzle::new(board.clone(), is_closed, clues).map_err(wrong)?]);
    }
    let text = text_of(given)?;
    let mut reader = PartFilledReader::new(known);
    let mut read: Vec<_> = text.lines().flat_map(|line| reader.read(line)).flatten().collect();
    read.extend(reader.finish());
    let puzzle = |read: Result<tour::PartFilled, tour::Misread>| {
        let read = read.map_err(wrong)?;
        let clues = read.steps.into_iter().map(|(step, square)| Clue { step, square });
        let puzzle = solver::Puzzle::new(read.board, is_closed, clues);
        puzzle.map_err(|error| wrong(format!("line {}: {error}", read.line)))
    };
    let puzzles = read.into_iter().map(puzzle).collect::<PyResult<Vec<_>>>()?;
    if puzzles.is_empty() { Err(wrong("there is no board with steps given")) } else { Ok(puzzles) }
}

/// A text, the content of a file, or rows of numbers as text.
fn text_of(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if given.is_instance_of::<PyString>() || given.hasattr("__fspath__")? {
        return content(given);
    }
    let cell = |cell: PyResult<Bound<'_, PyAny>>| {
        let cell = cell?;
        if cell.is_none() { Ok(".".to_owned()) } else { name(&cell) }
    };
    let row = |row: PyResult<Bound<'_, PyAny>>| {
        let cells = row?.try_iter()?.map(cell).collect::<PyResult<Vec<_>>>()?;
        Ok(cells.join(" ") + "\n")
    };
    given.try_iter()?.map(row).collect()
}

/// What a call says about solving: the limits on threads and time.
struct Solving {
    threads: usize,
    max_time: Option<Duration>,
    began: Instant,
    control: Control,
}

impl Solving {
    fn new(keywords: &Keywords) -> PyResult<Self> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            threads: threads(keywords)?.unwrap_or_else(cores),
            max_time: keywords.time("max_time")?,
            began: Instant::now(),
            control: Control::default(),
        })
    }

    fn is_stopped(&self) -> bool {
        self.control.is_stopped() || self.max_time.is_some_and(|most| self.began.elapsed() >= most)
    }

    /// Does some work with the threads of this call.
    fn with_threads<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
    ) -> PyResult<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        let pool = pool.stack_size(STACK_BYTES).build();
        let pool = pool.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        long(py, &self.control, || pool.install(|| work(&|| self.is_stopped())))
    }
}

/// The puzzle of a call: one, or what one is made from.
fn puzzle_of(
    given: &Bound<'_, PyAny>,
    size: Size,
    keywords: &Keywords,
) -> PyResult<solver::Puzzle> {
    let (is_closed, known) = (is_closed(keywords)?, known(size, keywords)?);
    if let Ok(puzzle) = given.cast::<Puzzle>() {
        return Ok(puzzle.get().puzzle.clone());
    }
    let mut puzzles = puzzles_of(given, known, is_closed)?;
    match puzzles.len() {
        1 => Ok(puzzles.swap_remove(0)),
        count => Err(wrong(format!("these are {count} puzzles: give one"))),
    }
}

/// Solve a puzzle: decide whether it has no solution, exactly one, or several.
///
/// >>> solved = kt_enum.solve("3 . . 12\n. . . .\n1 . . .")
/// >>> solved.verdict, len(solved.solutions), solved.complete
/// ('unique', 1, True)
/// >>> kt_enum.solve("1 2 .\n. . .\n. . .").verdict
/// 'none'
///
/// `solutions` has up to `limit` solutions, and `complete` says that there are no others. The verdict is
/// "none", "unique", "several", or "undecided" if a limit came first; `reason` says why there is none.
#[pyfunction]
#[pyo3(signature = (puzzle, size=None, **options))]
pub fn solve<'py>(
    puzzle: &Bound<'py, PyAny>,
    size: Size<'py>,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzle.py();
    let keywords = Keywords::new(py, "solve", options)?;
    let (puzzle, solving) = (puzzle_of(puzzle, size, &keywords)?, Solving::new(&keywords)?);
    let solutions = keywords.take("limit")?.unwrap_or(2);
    keywords.end()?;
    let extent = Extent { solutions, threads: solving.threads, ..Extent::default() };
    let (found, all) = solving.with_threads(py, |stop| {
        let mut all = Vec::new();
        let found = solver::solve(&puzzle, extent, stop, &mut |squares| {
            all.push(squares.to_vec());
            ControlFlow::Continue(())
        });
        (found, all)
    })?;
    let verdict = match (found.count, found.is_complete) {
        (2.., _) => "several",
        (1, true) => "unique",
        (0, true) => "none",
        _ => "undecided",
    };
    let tour = |squares| Tour::of(puzzle.board(), squares, puzzle.is_closed());
    let all = all.into_iter().map(tour).collect::<PyResult<Vec<Tour>>>()?;
    let reason = found.reason.map(|reason| reason.to_string());
    made(py, "Solved", (verdict, all, reason, found.is_complete))
}

/// Say whether a puzzle has exactly one solution, or each of a list of puzzles.
///
/// >>> puzzles = [kt_enum.Puzzle(text) for text in ("1 . 7\n. . .\n. . .", "3 . . 12\n. . . .\n1 . . .")]
/// >>> kt_enum.is_unique(puzzles)
/// [False, True]
///
/// `Undecided` is raised if `max_time` is over first.
#[pyfunction]
#[pyo3(signature = (puzzle, size=None, **options))]
pub fn is_unique(
    puzzle: &Bound<'_, PyAny>,
    size: Size<'_>,
    options: Option<Given>,
) -> PyResult<Py<PyAny>> {
    use pyo3::IntoPyObjectExt;
    let py = puzzle.py();
    let keywords = Keywords::new(py, "is_unique", options)?;
    let many: Option<Vec<Bound<'_, Puzzle>>> = puzzle.extract().ok();
    let puzzles = match &many {
        Some(many) => many.iter().map(|puzzle| puzzle.get().puzzle.clone()).collect(),
        None => vec![puzzle_of(puzzle, size, &keywords)?],
    };
    let solving = Solving::new(&keywords)?;
    keywords.end()?;
    let extent = Extent { threads: solving.threads, ..Extent::default() };
    let decided = solving.with_threads(py, |stop| {
        let decide = |puzzle| match solver::verdict(puzzle, extent, stop) {
            solver::Verdict::Undecided(_) => None,
            verdict => Some(matches!(verdict, solver::Verdict::Unique(_))),
        };
        puzzles.iter().map(decide).collect::<Option<Vec<bool>>>()
    })?;
    let decided = decided.ok_or_else(|| undecided("not decided in time"))?;
    if many.is_some() { decided.into_py_any(py) } else { decided[0].into_py_any(py) }
}

/// Return the next step that follows in a puzzle and why, in words; `None` if none does.
///
/// >>> kt_enum.hint("3 . . 12\n. . . .\n1 . . .")
/// '2 goes on c2: no other square fits between 1 on a1 and 3 on a3'
#[pyfunction]
#[pyo3(signature = (puzzle, size=None, **options))]
pub fn hint(
    puzzle: &Bound<'_, PyAny>,
    size: Size<'_>,
    options: Option<Given>,
) -> PyResult<Option<String>> {
    let keywords = Keywords::new(puzzle.py(), "hint", options)?;
    let (asked, solving) = (puzzle_of(puzzle, size, &keywords)?, Solving::new(&keywords)?);
    keywords.end()?;
    let stop = || solving.is_stopped();
    let hint = long(puzzle.py(), &solving.control, || solver::hint(&asked, &stop))?;
    Ok(hint.map(|hint| hint.words(asked.board())))
}

/// Make a puzzle that has exactly one solution.
///
/// >>> puzzle = kt_enum.puzzle(6, tours="closed", seed=1)
/// >>> kt_enum.is_unique(puzzle), puzzle.solution.closed
/// (True, True)
///
/// It has as few numbers as an order of removal allows, or `clues` of them; `symmetric` keeps squares
/// that a half turn maps onto each other; `ends` is "any", "shown" or "hidden". A `seed` makes the same
/// puzzle again.
#[pyfunction]
#[pyo3(signature = (size=None, **options))]
pub fn puzzle(py: Python, size: Size, options: Option<Given>) -> PyResult<Puzzle> {
    let keywords = Keywords::new(py, "puzzle", options)?;
    let (is_closed, board) = (is_closed(&keywords)?, board(size, &keywords)?);
    let is_symmetric = keywords.flag("symmetric")?;
    if is_symmetric && !Symmetry::of(&board).contains(&Symmetry::HalfTurn) {
        let why = format!("a half turn does not keep the moves of {board}: leave out symmetric");
        return Err(wrong(why));
    }
    let ends =
        [(GivenEnds::Any, "any"), (GivenEnds::Shown, "shown"), (GivenEnds::Hidden, "hidden")];
    let recipe = Recipe {
        clues: keywords.take("clues")?,
        symmetry: is_symmetric.then_some(Symmetry::HalfTurn),
        ends: keywords.one_of("ends", &ends)?.unwrap_or_default(),
        seed: keywords.take("seed")?.unwrap_or_else(fresh_seed),
    };
    let max_time = keywords.time("max_time")?;
    keywords.end()?;
    let question = of_kind(board, is_closed, [None, None]);
    let (began, control) = (Instant::now(), Arc::new(Control::default()));
    let is_over = || max_time.is_some_and(|most| began.elapsed() >= most);
    let stop = || control.is_stopped() || is_over();
    long(py, &control, || {
        let Some(tour) = any(&question, recipe.seed, max_time, &control, &stop)? else {
            let late = stop().then(|| undecided("stopped before a puzzle was made"));
            return Err(late.unwrap_or_else(|| wrong(no_tours(&question))));
        };
        let puzzle = make(&tour, is_closed, recipe, &stop).map_err(|error| match error {
            MakeError::Stopped => undecided("stopped before a puzzle was made"),
            MakeError::TooFew { .. } => wrong(format!("{error}, or more clues")),
            error => wrong(error),
        })?;
        let difficulty = difficulty(&puzzle, &stop).map(|difficulty| difficulty.to_string());
        Ok(Puzzle { puzzle, solution: Some(Tour { tour, is_cycle: is_closed }), difficulty })
    })?
}

/// A tour to make a puzzle from: all are equally likely where they are soon counted.
fn any(
    question: &Question,
    seed: u64,
    max_time: Option<Duration>,
    control: &Arc<Control>,
    stop: &dyn Fn() -> bool,
) -> PyResult<Option<tour::Tour>> {
    if question.is_impossible() {
        return Ok(None);
    }
    if let Some(mut drawn) = drawn(question, seed, 1, max_time, control).map_err(of_job)? {
        return Ok(drawn.pop());
    }
    let empty =
        solver::Puzzle::new(question.board.clone(), question.is_closed(), []).map_err(wrong)?;
    let found: Option<Vec<Square>> = any_tour(&empty, seed, stop);
    found.map(|squares| tour::Tour::new(&question.board, squares).map_err(wrong)).transpose()
}
