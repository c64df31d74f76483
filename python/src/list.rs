//! The tours of a board one after the other.
//!
//! The search is a cursor that moves on when tours are asked for, so that breaking off leaves nothing
//! behind: no thread and no memory.

use crate::board::{Size, board, ends, is_closed, of_kind};
use crate::error::wrong;
use crate::keywords::{Given, Keywords};
use crate::tour::Tour;
use kt_enum::board::{MoveOrder, Square};
use kt_enum::classes::ClassesError;
use kt_enum::list::{Listing, Next, TourCursor};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock.
const NODES: u64 = 1 << 12;

/// The most tours that are found before they are asked for, and the time that is spent on them.
const AHEAD: usize = 256;
const TIME_AHEAD: Duration = Duration::from_millis(50);

/// An iterator of tours.
#[pyclass(frozen, module = "kt_enum")]
pub struct Tours(Mutex<Search>);

struct Search {
    listing: Listing,
    cursor: TourCursor,
    waiting: VecDeque<Vec<Square>>,
    /// The tours that may still be found.
    left: u64,
}

impl Search {
    /// Finds some tours, for a while. True if there may be more.
    fn advance(&mut self) -> bool {
        let began = Instant::now();
        while self.waiting.len() < AHEAD && self.left > 0 {
            match self.cursor.next() {
                Next::Tour if self.listing.is_listed(self.cursor.path()) => {
                    self.waiting.push_back(self.cursor.path().to_vec());
                    self.left -= 1;
                }
                Next::Tour | Next::Cut => {}
                Next::Pause if began.elapsed() >= TIME_AHEAD => return true,
                Next::Pause => {}
                Next::Done => self.left = 0,
            }
        }
        self.left > 0
    }
}

#[pymethods]
impl Tours {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Tour>> {
        loop {
            let (next, is_more) = py.detach(|| {
                let mut search = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                let is_more = !search.waiting.is_empty() || search.advance();
                let next = search.waiting.pop_front();
                let question = search.listing.question();
                (next.map(|next| Tour::of(&question.board, next, question.is_closed())), is_more)
            });
            match next {
                Some(tour) => return tour.map(Some),
                None if is_more => py.check_signals()?,
                None => return Ok(None),
            }
        }
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
#[pyfunction]
#[pyo3(signature = (size=None, **options))]
pub fn tours(py: Python, size: Size, options: Option<Given>) -> PyResult<Tours> {
    let keywords = Keywords::new(py, "tours", options)?;
    let (is_closed, board) = (is_closed(&keywords)?, board(size, &keywords)?);
    let [from, to] = ends(&board, &keywords)?;
    if is_closed && to.is_some() {
        return Err(wrong("closed tours end where they start: leave out to, or list open tours"));
    }
    let order: MoveOrder = order(&keywords, board.is_plain())?;
    let (classes, limit) = (keywords.flag("classes")?, keywords.take("limit")?);
    let after: Option<Bound<'_, Tour>> = keywords.take("after")?;
    keywords.end()?;
    let question = of_kind(board, is_closed, [from, to]);
    let is_impossible = question.is_impossible();
    let closing = from.unwrap_or(Square::from_index(0));
    let mut listing = Listing::closing_at(question, order, closing).map_err(wrong)?;
    if classes {
        if !listing.board().knows_symmetries() {
            return Err(wrong(ClassesError::Graph(listing.board())));
        }
        listing = listing.classes();
    }
    let mut cursor = TourCursor::new(&listing);
    cursor.pause_every(NODES);
    if let Some(after) = after {
        let after = &after.get().tour;
        listing.check(after).map_err(|why| wrong(format!("after: no tour of this list: {why}")))?;
        cursor.go_after(after.squares(), 0);
    }
    let left = if is_impossible { 0 } else { limit.unwrap_or(u64::MAX) };
    Ok(Tours(Mutex::new(Search { listing, cursor, waiting: VecDeque::new(), left })))
}

/// The order of moves of a call, which only a knight on a whole rectangle has.
pub fn order(keywords: &Keywords, is_plain: bool) -> PyResult<MoveOrder> {
    let order: MoveOrder = keywords.read("order")?.unwrap_or_default();
    if !is_plain && order != MoveOrder::ROW_MAJOR {
        return Err(wrong(format!(
            "order {order} is for a knight on a whole rectangle: leave it out"
        )));
    }
    Ok(order)
}
