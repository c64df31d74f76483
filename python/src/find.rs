//! One tour of a board of any size, and the expected size of a count.

use crate::board::{Size, board, ends, is_closed, of_kind, question};
use crate::error::{of_estimate, undecided, wrong};
use crate::job::{limits, wishes};
use crate::keywords::{Given, Keywords};
use crate::list::order;
use crate::long::long;
use crate::tour::Tour;
use kt_enum::board::Square;
use kt_enum::find::{Find, FindLimits, FindOutcome, GaveUp, Strategy};
use kt_enum::job::{Control, Estimating, Job};
use kt_enum::question::Question;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Moves that a heuristic may take back unless it is told otherwise.
const MOST_BACKTRACKS: u64 = 1_000_000;

/// Find one tour of a board of any size.
///
/// >>> tour = kt_enum.find(30, tours="closed", from_="c7")
/// >>> tour.closed, len(tour), tour.names[0]
/// (True, 900, 'c7')
/// >>> kt_enum.find(4) is None
/// True
///
/// `None` if there is no tour; `Undecided` is raised if the search ends at a limit before that is known.
/// The usual strategy, "auto", always answers on a whole rectangle with a knight.
#[pyfunction]
#[pyo3(signature = (size=None, **options))]
pub fn find(py: Python, size: Size, options: Option<Given>) -> PyResult<Option<Tour>> {
    let keywords = Keywords::new(py, "find", options)?;
    let (closed, board) = (is_closed(&keywords)?, board(size, &keywords)?);
    let [from, _] = ends(&board, &keywords)?;
    let strategy = keywords.read("strategy")?.unwrap_or(Strategy::Auto);
    let order = order(&keywords, board.is_plain())?;
    let moves: Option<u64> = keywords.take("max_moves")?;
    let backtracks: Option<u64> = keywords.take("max_backtracks")?;
    let max_time = keywords.time("max_time")?;
    keywords.end()?;
    let is_limited = strategy.is_exhaustive() || moves.is_some() || max_time.is_some();
    let limits =
        FindLimits { moves, backtracks: backtracks.or((!is_limited).then_some(MOST_BACKTRACKS)) };
    // The vertices of a graph have no first one to begin at.
    let start = if board.is_graph() { from } else { from.or(Some(Square::from_index(0))) };
    let find = Find {
        board: board.clone(),
        from: from.unwrap_or(Square::from_index(0)),
        closed,
        strategy,
        order,
        limits,
    };
    let question = of_kind(board.clone(), closed, [start.filter(|_| !closed), None]);
    let control = Control::default();
    let outcome = long(py, &control, || search(&find, &question, max_time, &control))?;
    match outcome {
        FindOutcome::Found(route) => Tour::of(&board, route.squares().collect(), closed).map(Some),
        FindOutcome::None(_) => Ok(None),
        FindOutcome::GaveUp(limit) => {
            Err(undecided(format!("none of the {question} found by {strategy}: {limit}")))
        }
    }
}

/// Searches, and where a search of a graph did not find an open tour, looks for one with any start if
/// none was given.
fn search(
    find: &Find,
    question: &Question,
    max_time: Option<Duration>,
    control: &Control,
) -> FindOutcome {
    let began = Instant::now();
    let stop = || control.is_stopped() || max_time.is_some_and(|most| began.elapsed() >= most);
    let (outcome, _) = find.run(&stop);
    let is_over = matches!(outcome, FindOutcome::Found(_) | FindOutcome::GaveUp(GaveUp::Stopped));
    let is_free = find.board.is_graph() && !find.closed && question.from().is_none();
    if is_over || find.strategy != Strategy::Auto || !is_free {
        return outcome;
    }
    find.anywhere(&|_| stop()).0
}

/// Estimate how large a count is and how long it will take.
///
/// >>> estimate = kt_enum.estimate(8, within=2)
/// >>> estimate["directed_low"] < 19_591_828_170_979_904 < estimate["directed_high"]
/// True
///
/// The dictionary has the fields of `kt-enum estimate --json`. `within` is the time that it may take,
/// `probes` the most random probes.
#[pyfunction]
#[pyo3(signature = (size=None, **options))]
pub fn estimate<'py>(
    py: Python<'py>,
    size: Size<'py>,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::new(py, "estimate", options)?;
    let mut job = Job::new(question(size, &keywords)?);
    (job.wishes, job.limits) = (wishes(&keywords)?, limits(&keywords)?);
    let how = Estimating {
        probes: keywords.take("probes")?.unwrap_or(100_000),
        within: keywords.time("within")?,
        seed: keywords.take("seed")?.unwrap_or_default(),
    };
    keywords.end()?;
    let control = Control::default();
    let text = long(py, &control, || {
        let estimated = job.estimate(&how, &|| control.is_stopped()).map_err(of_estimate)?;
        PyResult::Ok(estimated.json(&job.question, &how, job.limits.threads(), &job.room()))
    })??;
    py.import("json")?.call_method1("loads", (text,)).map_err(wrong)
}
