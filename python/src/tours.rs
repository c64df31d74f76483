//! Tours of a board: one after the other, one of a board of any size, drawn at random, with given
//! numbers, and the numbers of tours.

use crate::prelude::*;
use kt_enum::classes::ClassesError;
use kt_enum::find::{Find, FindLimits, Strategy};
use kt_enum::job::{NotFound, look_between};
use kt_enum::list::{Listing, Next, TourCursor};
use pyo3::intern;
use pyo3::sync::MutexExt;

/// Nodes between two looks for signals.
const NODES: u64 = 1 << 16;

/// An iterator of tours.
///
/// The search is a cursor that moves on when a tour is asked for, so that breaking off leaves
/// nothing behind: no thread and no memory.
#[pyclass(frozen, module = "kt_enum")]
pub struct Tours {
    listing: Listing,
    site: Site,
    /// The search, and the tours that may still be found.
    search: Mutex<(TourCursor, u64)>,
    /// The function that may cancel it.
    watch: Option<Object>,
}

#[pymethods]
impl Tours {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Tour>> {
        let call = Call::begin()?;
        call.look(py, self.watch.as_ref(), None)?;
        let search = &mut *self.search.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let (cursor, left) = (&mut search.0, &mut search.1);
        while *left > 0 {
            match py.detach(|| cursor.next()) {
                Next::Tour if self.listing.is_listed(cursor.path()) => {
                    *left -= 1;
                    let is_closed = self.listing.question().is_closed();
                    return Tour::of(&self.site, cursor.path().to_vec(), is_closed).map(Some);
                }
                Next::Tour | Next::Cut => {}
                Next::Pause => call.look(py, self.watch.as_ref(), None)?,
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
/// Closed tours begin on `from_`, or on the first square. `classes` lists one tour of each class,
/// the first; `limit` is the most tours; `after` is the tour before the first; `order` is the order
/// in which moves are tried.
#[pyfunction(signature = (size=None, **options))]
pub fn tours(py: Python, size: Size, options: Option<Given>) -> PyResult<Tours> {
    let (is_closed, site) = (options.is_closed()?.unwrap_or_default(), options.site(size)?);
    let ends = options.ends(&site, is_closed)?;
    let order = options.read::<MoveOrder>("order")?.unwrap_or_default();
    let order = order.for_board(&site).map_err(wrong)?;
    let (classes, limit) = (options.flag("classes")?.unwrap_or(false), options.take("limit")?);
    let after: Option<Tour> = options.take("after")?;
    let watch = options.long(py)?.watch;
    let question = Question::of_kind(Board::clone(&site), is_closed, ends);
    let left = if question.is_impossible() { 0 } else { limit.unwrap_or(u64::MAX) };
    let closing = ends[0].unwrap_or(Square::from_index(0));
    let mut listing = Listing::closing_at(question, order, closing).map_err(wrong)?;
    if classes {
        refuse(!listing.board().knows_symmetries(), ClassesError::Graph(listing.board()))?;
        listing = listing.classes();
    }
    let mut cursor = TourCursor::new(&listing);
    cursor.pause_every(NODES);
    if let Some(Tour { tour: after, .. }) = after {
        let check = listing.check(&after);
        check.map_err(|why| wrong(format!("after: no tour of this list: {why}")))?;
        cursor.go_after(after.squares(), 0);
    }
    Ok(Tours { listing, site, search: Mutex::new((cursor, left)), watch })
}

/// Find one tour of a board, which may be large.
///
/// >>> tour = kt_enum.find(30, tours="closed", from_="c7")
/// >>> tour.closed, len(tour), tour.names[0]
/// (True, 900, 'c7')
/// >>> kt_enum.find(4) is None
/// True
///
/// Without `from_` the tour starts on the first square, or on another if no tour starts there.
/// `None` if there is no tour, or none from `from_`; `Undecided` is raised if the search ends at a
/// limit before that is known. The usual strategy, "auto", always answers on a whole rectangle with
/// a knight.
#[pyfunction(signature = (size=None, **options))]
pub fn find(py: Python, size: Size, options: Option<Given>) -> PyResult<Option<Tour>> {
    let (closed, site) = (options.is_closed()?.unwrap_or_default(), options.site(size)?);
    let ends = options.ends(&site, closed)?;
    let strategy = options.read("strategy")?.unwrap_or(Strategy::Auto);
    let order = options.read::<MoveOrder>("order")?.unwrap_or_default();
    let order = order.for_board(&site).map_err(wrong)?;
    let (moves, backtracks) = (options.take("max_moves")?, options.take("max_backtracks")?);
    let long = options.long(py)?;
    let limits = FindLimits { moves, backtracks }.or_usual(strategy, long.max_time.is_some());
    let (board, from) = (Board::clone(&site), Square::from_index(0));
    let find = Find { board, from, closed, strategy, order, limits };
    let found = long.run(py, |control, _| {
        look_between(&find, ends, control).map_err(|error| match error {
            NotFound::Puzzle(error) => wrong(error),
            error => undecided(error),
        })
    })?;
    found.map(|squares| Tour::of(&site, squares, closed)).transpose()
}

/// A count as a whole number of Python. Its decimal digits may be more than Python converts.
pub fn to_int<'py>(py: Python<'py>, tally: &Tally) -> PyResult<Any<'py>> {
    let bytes = PyBytes::new(py, &tally.to_bytes_le());
    py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, "little"))
}

/// Counts the tours of a question so that each has a number, and asks for tours or numbers.
fn with_numbers<T: Send>(
    py: Python<'_>,
    (long, job): (Long, Job),
    ask: impl FnOnce(&Numbers, &mut dyn Observer) -> Result<T, NumbersError> + Send,
) -> PyResult<T> {
    refuse(job.question.is_impossible(), job.question.none())?;
    long.run(py, |control, observer| {
        let of_index = |error| of_kept("index", error);
        let plan = job.plan(observer).map_err(of_index)?;
        let numbered = plan.number(control, observer).map_err(of_index)?;
        ask(&numbered.numbers, observer).map_err(of_numbers)
    })
}

/// The tours of a question with the numbers that `wanted` gives for the number of the last, as a
/// sequence of the package. Nothing is counted if none is wanted.
fn numbered<N: Iterator<Item = Tally>>(
    py: Python<'_>,
    (long, job): (Long, Job),
    site: Site,
    of: u64,
    wanted: impl FnOnce(&Tally) -> N + Send,
) -> PyResult<Object> {
    let is_closed = job.question.is_closed();
    let trace = |numbers: &Numbers, observer: &mut dyn Observer| {
        let mut bytes = Vec::new();
        let mut keep = |tour: tour::Tour| bytes.extend(packed(&tour.board(), tour.squares()));
        numbers.each_tour(wanted(numbers.last()), of, observer, &mut keep).map(|()| bytes)
    };
    let bytes = if of > 0 { with_numbers(py, (long, job), trace)? } else { Vec::new() };
    let (squares, width) = (site.squares(), width(&site));
    made(py, "TourList", (site, is_closed, squares, width, PyBytes::new(py, &bytes)))
}

/// Draw tours at random, all equally likely.
///
/// >>> tour = kt_enum.random(6, tours="closed", seed=1)
/// >>> tour == kt_enum.random(6, tours="closed", seed=1)
/// True
/// >>> len(kt_enum.random(6, count=1000, seed=7))
/// 1000
///
/// A tour, or a sequence of tours if `count` is given. A `seed` draws the same tours on every
/// machine. With `index`, the tables are kept in a folder, and later calls for the same board start
/// at once.
#[pyfunction(signature = (size=None, **options))]
pub fn random(py: Python, size: Size, options: Option<Given>) -> PyResult<Object> {
    let ((question, site), count) = (options.question(size)?, options.take::<u64>("count")?);
    let mut random = Random::new(options.take("seed")?.unwrap_or_else(Random::fresh_seed));
    let numbering = options.numbering(py, question.clone())?;
    let of = count.unwrap_or(1);
    let list = numbered(py, numbering, site, of, |last| {
        let last = last.clone();
        (0..of).map_while(move |_| random.number_up_to(&last))
    })?;
    refuse(list.bind(py).is_empty()? && count != Some(0), question.none())?;
    one_or_all(py, count.is_none(), list)
}

/// The first of some things, or all.
pub fn one_or_all(py: Python<'_>, is_one: bool, all: Object) -> PyResult<Object> {
    if is_one { Ok(all.bind(py).get_item(0)?.unbind()) } else { Ok(all) }
}

/// Return the tour with a number from 1 to the count, or a sequence of tours for several numbers.
///
/// >>> tour = kt_enum.nth(4711, 6, tours="closed")
/// >>> kt_enum.rank(tour)
/// 4711
/// >>> len(kt_enum.nth(range(1, 101), 6))
/// 100
///
/// An open tour and its reverse share one number unless an end is fixed; a closed tour has one
/// number, whatever its start and direction. Many tours at once cost little more than one.
#[pyfunction(signature = (number, size=None, **options))]
pub fn nth(number: &Any, size: Size, options: Option<Given>) -> PyResult<Object> {
    let (py, (question, site)) = (number.py(), options.question(size)?);
    let numbering = options.numbering(py, question)?;
    let (is_one, wanted): (bool, Vec<Vec<u8>>) = given(number, "numbers")?;
    let of = wanted.len() as u64;
    let wanted = wanted.into_iter().map(|bytes| Tally::from_bytes_le(&bytes));
    one_or_all(py, is_one, numbered(py, numbering, site, of, |_| wanted)?)
}

/// Return the number of a tour, or a list of the numbers of several tours of one board.
///
/// >>> kt_enum.rank(kt_enum.nth([5, 3, 8], "5x6"))
/// [5, 3, 8]
///
/// `tours` says whether tours are numbered as open or as closed ones; without it, as they are all
/// meant. `ValueError` is raised for a tour that is none of the question.
#[pyfunction(signature = (tour, **options))]
pub fn rank(tour: &Any, options: Option<Given>) -> PyResult<Object> {
    let py = tour.py();
    let (is_one, tours): (bool, Vec<Tour>) = given(tour, "several")?;
    let Some(first) = tours.first() else { return PyList::empty(py).into_py_any(py) };
    let (site, kind) = (first.site.clone(), options.is_closed()?);
    let is_mixed = kind.is_none() && tours.iter().any(|tour| tour.is_cycle != first.is_cycle);
    let why = "closed tours and open ones have numbers of their own: say which with tours=";
    refuse(is_mixed, why)?;
    let is_closed = kind.unwrap_or(first.is_cycle);
    let ends = options.ends(&site, false)?;
    let question = Question::of_kind(Board::clone(&site), is_closed, ends);
    let tours: Vec<_> = tours.into_iter().map(|tour| tour.tour).collect();
    tours.iter().try_for_each(|tour| question.check(tour).map_err(wrong))?;
    let long = options.numbering(py, question.clone())?;
    let numbers = with_numbers(py, long, |numbers, observer| numbers.numbers(&tours, observer))?;
    let known = |number: Option<Tally>| to_int(py, &number.ok_or_else(|| wrong(question.none()))?);
    let numbers = numbers.into_iter().map(known).collect::<PyResult<Vec<_>>>()?;
    one_or_all(py, is_one, numbers.into_py_any(py)?)
}
