//! The tours of a board one after the other, one tour of a board of any size, and the expected size
//! of a count.

use crate::board::of_kind;
use crate::error::{of_estimate, undecided, wrong};
use crate::keywords::{Given, Keywords, Size};
use crate::long::Long;
use crate::tour::Tour;
use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::classes::ClassesError;
use kt_enum::find::{Find, FindLimits, FindOutcome, GaveUp, Strategy};
use kt_enum::job::{Estimating, Job};
use kt_enum::list::{Listing, Next, TourCursor};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Mutex, PoisonError};

/// Nodes between two looks for signals.
const NODES: u64 = 1 << 16;

impl Keywords<'_> {
    /// The order of moves of a call, which only a knight on a whole rectangle has.
    fn order(&self, board: &Board) -> PyResult<MoveOrder> {
        let order: MoveOrder = self.read("order")?.unwrap_or_default();
        if board.is_plain() || order == MoveOrder::ROW_MAJOR {
            return Ok(order);
        }
        Err(wrong(format!("order {order} is for a knight on a whole rectangle: leave it out")))
    }
}

/// An iterator of tours.
///
/// The search is a cursor that moves on when a tour is asked for, so that breaking off leaves nothing
/// behind: no thread and no memory.
#[pyclass(frozen, module = "kt_enum")]
pub struct Tours {
    listing: Listing,
    /// The search, and the tours that may still be found.
    search: Mutex<(TourCursor, u64)>,
}

#[pymethods]
impl Tours {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Tour>> {
        let search = &mut *self.search.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let (cursor, left) = (&mut search.0, &mut search.1);
        while *left > 0 {
            match py.detach(|| cursor.next()) {
                Next::Tour if self.listing.is_listed(cursor.path()) => {
                    *left -= 1;
                    let (path, question) = (cursor.path().to_vec(), self.listing.question());
                    return Tour::of(&question.board, path, question.is_closed()).map(Some);
                }
                Next::Tour | Next::Cut => {}
                Next::Pause => py.check_signals()?,
                Next::Done => *left = 0,
            }
        }
        Ok(None)
    }
}

/// List the tours of a board lazily, in the order of plain backtracking.
///
/// >>> sum(1 for _ in kt_enum.tours(5))
/// 1728
/// >>> first = next(kt_enum.tours("3x4", from_="a1"))
/// >>> print(first)
/// a1 c2 a3 b1 d2 b3 c1 d3 b2 d1 c3 a2
///
/// Closed tours begin on `from_`, or on the first square. `classes` lists one tour of each class, the
/// first; `limit` is the most tours; `after` is the tour before the first; `order` is the order in
/// which moves are tried.
#[pyfunction(signature = (size=None, **options))]
pub fn tours(py: Python, size: Size, options: Option<Given>) -> PyResult<Tours> {
    let keywords = Keywords::new(py, "tours", options);
    let (is_closed, board) = (keywords.is_closed()?, keywords.board(size)?);
    let ends = [keywords.end_of(&board, "from_")?, keywords.end_of(&board, "to")?];
    if is_closed && ends[1].is_some() {
        return Err(wrong("closed tours end where they start: leave out to, or list open tours"));
    }
    let order = keywords.order(&board)?;
    let (has_classes, limit) = (keywords.flag("classes")?, keywords.take("limit")?);
    let after: Option<Tour> = keywords.take("after")?;
    keywords.end()?;
    let question = of_kind(board, is_closed, ends);
    let left = if question.is_impossible() { 0 } else { limit.unwrap_or(u64::MAX) };
    let closing = ends[0].unwrap_or(Square::from_index(0));
    let mut listing = Listing::closing_at(question, order, closing).map_err(wrong)?;
    if has_classes {
        if !listing.board().knows_symmetries() {
            return Err(wrong(ClassesError::Graph(listing.board())));
        }
        listing = listing.classes();
    }
    let mut cursor = TourCursor::new(&listing);
    cursor.pause_every(NODES);
    if let Some(Tour { tour: after, .. }) = after {
        listing
            .check(&after)
            .map_err(|why| wrong(format!("after: no tour of this list: {why}")))?;
        cursor.go_after(after.squares(), 0);
    }
    Ok(Tours { listing, search: Mutex::new((cursor, left)) })
}

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
#[pyfunction(signature = (size=None, **options))]
pub fn find(py: Python, size: Size, options: Option<Given>) -> PyResult<Option<Tour>> {
    let keywords = Keywords::new(py, "find", options);
    let (closed, board) = (keywords.is_closed()?, keywords.board(size)?);
    let from = keywords.end_of(&board, "from_")?;
    let strategy = keywords.read("strategy")?.unwrap_or(Strategy::Auto);
    let order = keywords.order(&board)?;
    let (moves, backtracks) = (keywords.take("max_moves")?, keywords.take("max_backtracks")?);
    let long = Long { max_time: keywords.time("max_time")?, ..Long::default() };
    keywords.end()?;
    let limits = FindLimits { moves, backtracks }.or_usual(strategy, long.max_time.is_some());
    // The vertices of a graph have no first one to begin at.
    let start = if board.is_graph() { from } else { from.or(Some(Square::from_index(0))) };
    let is_free = start.is_none() && !closed && strategy == Strategy::Auto;
    let from = from.unwrap_or(Square::from_index(0));
    let find = Find { board: board.clone(), from, closed, strategy, order, limits };
    let outcome = long.run(py, |control, _| {
        match find.run(&|| control.is_stopped()).0 {
            // There may be a tour with another start.
            FindOutcome::None(_) | FindOutcome::GaveUp(GaveUp::Undecided) if is_free => {
                Ok(find.anywhere(&|_| control.is_stopped()).0)
            }
            outcome => Ok(outcome),
        }
    })?;
    match outcome {
        FindOutcome::Found(route) => Tour::of(&board, route.squares().collect(), closed).map(Some),
        FindOutcome::None(_) => Ok(None),
        FindOutcome::GaveUp(limit) => {
            let question = of_kind(board, closed, [start, None]);
            Err(undecided(format!("none of the {question} found by {strategy}: {limit}")))
        }
    }
}

/// Estimate how large a count is and how long it will take.
///
/// >>> estimate = kt_enum.estimate(8, within=2)
/// >>> estimate["directed_low"] < 19_591_828_170_979_904 < estimate["directed_high"]
/// True
///
/// The dictionary has the fields of `kt-enum estimate --json`. `within` is the time that it may take,
/// `probes` the most random probes.
#[pyfunction(signature = (size=None, **options))]
pub fn estimate(py: Python, size: Size, options: Option<Given>) -> PyResult<Py<PyAny>> {
    let keywords = Keywords::new(py, "estimate", options);
    let mut job = Job::new(keywords.question(size)?);
    (job.wishes, job.limits) = (keywords.wishes()?, keywords.room()?);
    let how = Estimating {
        probes: keywords.take("probes")?.unwrap_or(100_000),
        within: keywords.time("within")?,
        seed: keywords.take("seed")?.unwrap_or_default(),
    };
    keywords.end()?;
    let text = Long::default().run(py, |control, _| {
        let estimated = job.estimate(&how, &|| control.is_stopped()).map_err(of_estimate)?;
        Ok(estimated.json(&job.question, &how, job.limits.threads(), &job.room()))
    })?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}
