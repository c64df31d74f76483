//! PuzzleMaker: boards with some steps given.

use crate::prelude::*;
use kt_enum::draw::PuzzleDrawing;
use std::ops::ControlFlow;

/// A puzzle: a board with some steps given.
///
/// >>> puzzle = kt_enum.Puzzle("3 . . 12\n. . . .\n1 . . .")
/// >>> puzzle.clues
/// {1: 'a1', 3: 'a3', 12: 'd3'}
/// >>> kt_enum.is_unique(puzzle)
/// True
///
/// It is made from a text in any usual form, from rows of numbers with None or "." on the squares
/// to fill, or from a dictionary of steps and squares if the board is given. Notebooks draw it.
#[pyclass(frozen, from_py_object, module = "kt_enum")]
#[derive(Clone)]
pub struct Puzzle {
    puzzle: solver::Puzzle,
    site: Site,
    /// The solution, if the puzzle was made from it.
    #[pyo3(get)]
    solution: Option<Tour>,
    /// How hard a puzzle that was made is, in words.
    #[pyo3(get)]
    difficulty: Option<String>,
}

/// What makes a puzzle again: its board, its kind, its steps, its solution and its difficulty.
type Again<'py> = (Site, bool, Bound<'py, PyDict>, Option<Tour>, Option<String>);

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (given, size=None, **options))]
    fn new(given: &Any, size: Size, options: Option<Given>) -> PyResult<Self> {
        let _call = Call::begin()?;
        called(given.py(), "check", ("Puzzle", options))?;
        let (puzzle, site) = puzzle_of(given, size, options)?;
        let solution: Option<Tour> = options.take("solution")?;
        let is_other = solution.as_ref().is_some_and(|it| !puzzle.is_solved_by(&it.tour));
        refuse(is_other, "solution: the tour does not solve this puzzle")?;
        Ok(Self { puzzle, site, solution, difficulty: options.take("difficulty")? })
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
            clues.set_item(clue.step, self.site.name(py, clue.square)?)?;
        }
        Ok(clues)
    }

    /// The puzzle as an SVG picture with a `title`, or its `answer`, which is looked for if it is
    /// not known. The vertices of a graph are on a circle, or on the places that `pos` has for them.
    #[pyo3(signature = (*, answer=false, title=None, pos=None))]
    fn svg(
        &self,
        py: Python<'_>,
        answer: bool,
        title: Option<&str>,
        pos: Option<Any>,
    ) -> PyResult<String> {
        let known = self.solution.as_ref().map(|known| known.tour.squares().to_vec());
        let squares = Long::default().run(py, |control, _| {
            Ok(known.or_else(|| any_tour(&self.puzzle, 0, &|| control.is_stopped())))
        })?;
        let squares = squares.ok_or_else(|| wrong("a puzzle without a solution is not drawn"))?;
        let (clues, all) = (self.puzzle.clues(), self.site.all_squares().collect::<Vec<_>>());
        let numbers = match answer {
            true => (1..).zip(squares.iter().copied()).collect(),
            false => clues.iter().map(|clue| (clue.step, clue.square)).collect(),
        };
        let path = answer.then_some((&squares[..], self.closed()));
        if let Some(drawn) = self.site.drawn((title, pos), (py, &all), numbers, path)? {
            return Ok(drawn);
        }
        let solution = tour::Tour::new(self.puzzle.board(), squares).map_err(wrong)?;
        let steps = clues.iter().map(|clue| clue.step);
        let drawing = PuzzleDrawing::new(solution, self.closed(), steps).map_err(wrong)?;
        Ok(drawing.svg(title, answer))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let _call = Call::begin()?;
        match self.svg(py, false, None, None) {
            Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(None),
            drawn => drawn.map(Some),
        }
    }

    fn __str__(&self) -> String {
        let is_graph = self.puzzle.board().is_graph();
        let line = (!is_graph).then(|| self.puzzle.board_line());
        line.unwrap_or_default() + &self.puzzle.grid()
    }

    fn __repr__(&self) -> String {
        let (board, clues) = (self.puzzle.board(), self.puzzle.clues().len());
        let kind = if self.closed() { "closed puzzle" } else { "puzzle" };
        let steps = if clues == 1 { "step" } else { "steps" };
        format!("<{kind} on {board} with {clues} {steps} given>")
    }

    fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        let solution = |it: &Self| it.solution.as_ref().map(|known| known.tour.clone());
        let is_same = self.puzzle == other.puzzle && self.difficulty == other.difficulty;
        Ok(is_same && solution(self) == solution(other) && self.site.__eq__(&other.site, py)?)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.puzzle.grid())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Any<'py>, Again<'py>)> {
        let Self { site, solution, difficulty, .. } = self.clone();
        let again = py.import("kt_enum._given")?.getattr("again")?;
        Ok((again, (site, self.closed(), self.clues(py)?, solution, difficulty)))
    }
}

/// The puzzle of a call: one, or what one is made from.
fn puzzle_of(puzzle: &Any, size: Size, options: Option<Given>) -> PyResult<(solver::Puzzle, Site)> {
    if let Ok(puzzle) = puzzle.cast::<Puzzle>() {
        let Puzzle { puzzle, site, .. } = puzzle.get().clone();
        return of_themselves(size, options).map(|()| (puzzle, site));
    }
    let wanted = options.is_closed()?;
    let (site, known) = options.known(size)?;
    let (text, steps): (Option<String>, Vec<(usize, Object)>) = given(puzzle, "puzzle")?;
    let Some(text) = text else {
        let site = site.ok_or_else(|| wrong("steps with their squares need a board"))?;
        let square = |(step, at): (usize, Object)| {
            Ok(Clue { step, square: site.square(at.bind(puzzle.py()))? })
        };
        let clues = steps.into_iter().map(square).collect::<PyResult<Vec<_>>>()?;
        let made = solver::Puzzle::new(Board::clone(&site), wanted == Some(true), clues);
        return Ok((made.map_err(wrong)?, site));
    };
    let known = KnownBoard { is_closed: wanted, ..known };
    let read = PartFilledReader::new(known).read_all(&text).into_iter();
    let of_text = |read: Result<_, Misread>| {
        read.map_err(|why| why.to_string()).and_then(solver::Puzzle::of_text)
    };
    let mut all: Vec<_> = read.map(of_text).collect();
    // The solution that stands below the puzzle.
    if let [Ok(first), Ok(second)] = &all[..]
        && second.is_solution_of(first, false)
    {
        all.truncate(1);
    }
    let read = only(all, "there is no board with steps given", "puzzles: give one");
    let made = read.and_then(|read| read.map_err(wrong));
    let made = made.map_err(|why| no_path(puzzle, why.value(puzzle.py())))?;
    let site = site.unwrap_or_else(|| made.board().clone().into());
    Ok((made, site))
}

/// Refuses another board or kind of tours for puzzles, which have their own.
fn of_themselves(size: Size, options: Option<Given>) -> PyResult<()> {
    let why =
        "a Puzzle has its board and its kind of tours: leave out size, board, piece, tours, signs";
    refuse(options.is_closed()?.is_some() || options.known(size)?.1 != KnownBoard::default(), why)
}

/// The limits of a call that solves.
fn solving(py: Python, options: Option<Given>) -> PyResult<Long> {
    let threads = options.threads()?.unwrap_or_else(|| Limits::default().threads());
    Ok(Long { threads, ..options.long(py)? })
}

/// Solve a puzzle: decide whether it has no solution, exactly one, or several.
///
/// >>> solved = kt_enum.solve("3 . . 12\n. . . .\n1 . . .")
/// >>> solved.verdict, len(solved.solutions), solved.complete
/// ('unique', 1, True)
/// >>> kt_enum.solve("1 2 .\n. . .\n. . .").verdict
/// 'none'
///
/// `solutions` has up to `limit` solutions, and `complete` says that there are no others. The
/// verdict is "none", "unique", "several", or "undecided" if a limit came first; `reason` says why
/// there is none.
#[pyfunction(signature = (puzzle, size=None, **options))]
pub fn solve(puzzle: Any, size: Size, options: Option<Given>) -> PyResult<Object> {
    let py = puzzle.py();
    let (puzzle, site) = puzzle_of(&puzzle, size, options)?;
    let solutions = options.take("limit")?.unwrap_or(2);
    refuse(solutions == 0, "limit: give 1 or more")?;
    let long = solving(py, options)?;
    let extent = Extent { solutions, threads: long.threads, ..Extent::default() };
    let (found, all) = long.run(py, |control, _| {
        let mut all = Vec::new();
        let found = solver::solve(&puzzle, extent, &|| control.is_stopped(), &mut |squares| {
            all.push(Tour::of(&site, squares.to_vec(), puzzle.is_closed()));
            ControlFlow::Continue(())
        });
        Ok((found, all.into_iter().collect::<PyResult<Vec<Tour>>>()?))
    })?;
    let few = if found.is_complete { ["none", "unique"] } else { ["undecided"; 2] };
    let verdict = *few.get(found.count as usize).unwrap_or(&"several");
    let reason = found.reason.map(|reason| reason.to_string());
    made(py, "Solved", (verdict, all, reason, found.is_complete))
}

/// Say whether a puzzle has exactly one solution, or each of a list of puzzles.
///
/// >>> texts = "1 . 7\n. . .\n. . .", "3 . . 12\n. . . .\n1 . . ."
/// >>> kt_enum.is_unique([kt_enum.Puzzle(text) for text in texts])
/// [False, True]
///
/// `Undecided` is raised if `max_time` is over first.
#[pyfunction(signature = (puzzle, size=None, **options))]
pub fn is_unique(puzzle: Any, size: Size, options: Option<Given>) -> PyResult<Object> {
    let py = puzzle.py();
    let (is_one, puzzles) = match puzzle.extract::<Vec<Puzzle>>() {
        Ok(many) => {
            of_themselves(size, options)?;
            (false, many.into_iter().map(|puzzle| puzzle.puzzle).collect())
        }
        Err(_) => (true, vec![puzzle_of(&puzzle, size, options)?.0]),
    };
    let long = solving(py, options)?;
    let extent = Extent { threads: long.threads, ..Extent::default() };
    let decided = long.run(py, |control, _| {
        let decide = |puzzle| match verdict(puzzle, extent, &|| control.is_stopped()) {
            Verdict::Undecided(_) => Err(undecided("not decided in time")),
            verdict => Ok(matches!(verdict, Verdict::Unique(_))),
        };
        puzzles.iter().map(decide).collect::<PyResult<Vec<bool>>>()
    })?;
    one_or_all(py, is_one, decided.into_py_any(py)?)
}

/// Return the next step that follows in a puzzle and why, in words; `None` if none does.
///
/// >>> kt_enum.hint("3 . . 12\n. . . .\n1 . . .")
/// '2 goes on c2: no other square fits between 1 on a1 and 3 on a3'
///
/// `Undecided` is raised if `max_time` is over first.
#[pyfunction(signature = (puzzle, size=None, **options))]
pub fn hint(puzzle: Any, size: Size, options: Option<Given>) -> PyResult<Option<String>> {
    let py = puzzle.py();
    let (puzzle, _) = puzzle_of(&puzzle, size, options)?;
    solving(py, options)?.run(py, |control, _| {
        let hint = solver::hint(&puzzle, &|| control.is_stopped());
        if hint.is_none() && control.is_stopped() {
            return Err(undecided("no hint was found in time"));
        }
        Ok(hint.map(|hint| hint.words(puzzle.board())))
    })
}

/// Make a puzzle that has exactly one solution.
///
/// >>> puzzle = kt_enum.puzzle(6, tours="closed", seed=1)
/// >>> kt_enum.is_unique(puzzle), puzzle.solution.closed
/// (True, True)
///
/// It has as few numbers as an order of removal allows, or `clues` of them; `symmetric` keeps
/// squares that a half turn maps onto each other; `ends` is "any", "shown" or "hidden". The
/// `difficulty` is that of the hardest technique that the puzzle needs: "gentle" if the next number
/// has one place or a short gap one way, "easy" if distances leave one square or one number,
/// "medium" if a square needs its two exits or a region would be cut off, "hard" if something has to
/// be assumed. A `seed` makes the same puzzle again.
#[pyfunction(signature = (size=None, **options))]
pub fn puzzle(py: Python, size: Size, options: Option<Given>) -> PyResult<Puzzle> {
    let (is_cycle, site) = (options.is_closed()?.unwrap_or_default(), options.site(size)?);
    let recipe = Recipe {
        clues: options.take("clues")?,
        symmetry: match options.flag("symmetric") {
            Ok(is_symmetric) => is_symmetric.and_then(|is| is.then_some(Symmetry::HalfTurn)),
            Err(_) => options.one_of("symmetric", &Symmetry::NAMED)?,
        },
        ends: options.one_of("ends", &GivenEnds::NAMED)?.unwrap_or_default(),
        grade: options.one_of("difficulty", &Grade::NAMED)?,
        seed: options.take("seed")?.unwrap_or_else(Random::fresh_seed),
    };
    let long = solving(py, options)?;
    let question = Question::of_kind(Board::clone(&site), is_cycle, [None, None]);
    let marked = |text| {
        argument("pattern", text, |text| {
            PuzzleMaker::marked(&given::<String>(&text, "drawing")?, &site).map_err(wrong)
        })
    };
    let pattern = options.any("pattern")?.map(marked).transpose()?;
    let is_mixed =
        pattern.is_some() && Recipe { grade: None, seed: 0, ..recipe } != Recipe::default();
    refuse(is_mixed, "a pattern says which steps are given: leave out clues, symmetric and ends")?;
    long.run(py, |control, _| {
        let made = PuzzleMaker::new(question, recipe, 1, control);
        let made = made.and_then(|maker| maker.of_pattern(pattern).one()).map_err(of_made)?;
        let (difficulty, MadePuzzle { puzzle, solution: tour, .. }) = (Some(made.hardness()), made);
        let solution = Tour { tour, is_cycle, site: site.clone() };
        Ok(Puzzle { puzzle, site, solution: Some(solution), difficulty })
    })
}

fn of_made(error: NotMade) -> PyErr {
    let advice = match error {
        NotMade::Stopped => return undecided("stopped before a puzzle was made"),
        NotMade::Job(error) => return of_job(error),
        NotMade::NoSymmetry(..) => ": leave out symmetric",
        NotMade::NoPattern(_) => ": mark more squares, or try another seed",
        NotMade::Make(MakeError::TooFew { .. }) => ": try another seed, or more clues",
        NotMade::Make(MakeError::TooEasy { clues: Some(_), .. }) => {
            ": leave out clues, or try another seed, or an easier grade"
        }
        NotMade::Make(MakeError::TooEasy { .. }) => ": try another seed, or an easier grade",
        _ => "",
    };
    wrong(format!("{error}{advice}"))
}
