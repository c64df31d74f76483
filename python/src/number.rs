//! Tours by number: drawn at random, with given numbers, and the numbers of tours.

use crate::board::{Size, no_tours, of_kind, question, to_int, to_tally};
use crate::error::{of_job, of_numbers, wrong};
use crate::job::{numbering, progress};
use crate::keywords::Keywords;
use crate::long::{Progress, watched};
use crate::tour::{Tour, TourList};
use kt_enum::job::{Control, Job, Observer};
use kt_enum::numbers::{Numbers, NumbersError, Random};
use kt_enum::tally::Tally;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;

/// Tours that are traced together: many cost little more than one, and each takes memory.
const AT_ONCE: usize = 1 << 14;

/// Counts the tours of a job so that each has a number, and asks for tours or numbers.
fn with_numbers<T: Send>(
    py: Python<'_>,
    job: Job,
    progress: Option<&Progress>,
    ask: impl FnOnce(&Numbers, &mut dyn Observer) -> Result<T, NumbersError> + Send,
) -> PyResult<T> {
    if job.question.is_impossible() {
        return Err(wrong(no_tours(&job.question)));
    }
    let (control, is_kept) = (Arc::new(Control::default()), job.keeping.place.is_some());
    watched(py, &control, progress, |observer| {
        let plan = job.plan(observer).map_err(of_job)?;
        let numbered = plan.number(&control, observer).map_err(of_job)?;
        let asked = ask(&numbered.numbers, observer).map_err(of_numbers)?;
        if !is_kept {
            // Nothing is kept, so nothing can fail.
            let _ = numbered.clear_checkpoint();
        }
        Ok(asked)
    })?
}

/// The tours with these numbers.
fn tours(
    numbers: &Numbers,
    observer: &mut dyn Observer,
    mut list: TourList,
    mut wanted: impl Iterator<Item = Tally>,
) -> Result<TourList, NumbersError> {
    loop {
        let some: Vec<Tally> = wanted.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            return Ok(list);
        }
        numbers.tours(&some, observer)?.iter().for_each(|tour| list.push(tour));
    }
}

/// A list, or the one tour of it.
fn answer(py: Python<'_>, list: TourList, is_one: bool) -> PyResult<Py<PyAny>> {
    match list.get(0) {
        Some(tour) if is_one => tour?.into_py_any(py),
        _ => list.into_py_any(py),
    }
}

/// Draw tours at random, all equally likely.
///
/// >>> tour = kt_enum.random(6, tours="closed", seed=1)
/// >>> tour == kt_enum.random(6, tours="closed", seed=1)
/// True
/// >>> len(kt_enum.random(6, count=1000, seed=7))
/// 1000
///
/// A tour, or a sequence of tours if `count` is given. A `seed` draws the same tours on every machine.
/// With `index`, the tables are kept in a folder, and later calls for the same board start at once.
#[pyfunction]
#[pyo3(signature = (size=None, **options), text_signature = "(size=None, *, rows=None, cols=None, \
board=None, graph=None, piece=None, wrap=None, without=None, legend=None, graph_format=None, \
tours='open', from_=None, to=None, count=None, seed=None, index=None, fresh=False, threads=None, \
memory=None, disk=None, max_time=None, progress=None)")]
pub fn random(
    py: Python<'_>,
    size: Size<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let keywords = Keywords::new(py, "random", options)?;
    let job = numbering(question(size, &keywords)?, &keywords)?;
    let (count, seed) = (keywords.take::<u64>("count")?, keywords.take("seed")?);
    let progress = progress(&keywords)?;
    keywords.end()?;
    let mut random = Random::new(seed.unwrap_or_else(fresh_seed));
    let question = job.question.clone();
    let list = TourList::new(question.board.clone(), question.is_closed());
    if count == Some(0) {
        return answer(py, list, false);
    }
    let list = with_numbers(py, job, progress.as_ref(), |numbers, observer| {
        let last = numbers.last();
        let drawn = (0..count.unwrap_or(1)).map_while(|_| random.number_up_to(last));
        tours(numbers, observer, list, drawn)
    })?;
    list.get(0).ok_or_else(|| wrong(no_tours(&question)))??;
    answer(py, list, count.is_none())
}

/// A seed that can be typed.
pub fn fresh_seed() -> u64 {
    fastrand::u64(1..1_000_000_000_000)
}

/// Return the tour with a number from 1 to the count, or a sequence of tours for several numbers.
///
/// >>> tour = kt_enum.nth(4711, 6, tours="closed")
/// >>> kt_enum.rank(tour)
/// 4711
/// >>> len(kt_enum.nth(range(1, 101), 6))
/// 100
///
/// An open tour and its reverse share one number unless an end is fixed; a closed tour has one number,
/// whatever its start and direction. Many tours at once cost little more than one.
#[pyfunction]
#[pyo3(signature = (number, size=None, **options), text_signature = "(number, size=None, *, rows=None, \
cols=None, board=None, graph=None, piece=None, wrap=None, without=None, legend=None, \
graph_format=None, tours='open', from_=None, to=None, index=None, fresh=False, threads=None, \
memory=None, disk=None, max_time=None, progress=None)")]
pub fn nth(
    number: &Bound<'_, PyAny>,
    size: Size<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let py = number.py();
    let keywords = Keywords::new(py, "nth", options)?;
    let job = numbering(question(size, &keywords)?, &keywords)?;
    let progress = progress(&keywords)?;
    keywords.end()?;
    let is_one = !number.hasattr("__iter__")?;
    let wanted: Vec<Tally> = if is_one {
        vec![to_tally(number)?]
    } else {
        number.try_iter()?.map(|number| to_tally(&number?)).collect::<PyResult<_>>()?
    };
    let list = TourList::new(job.question.board.clone(), job.question.is_closed());
    let list = with_numbers(py, job, progress.as_ref(), |numbers, observer| {
        tours(numbers, observer, list, wanted.into_iter())
    })?;
    answer(py, list, is_one)
}

/// Return the number of a tour, or a list of the numbers of several tours of one board.
///
/// >>> kt_enum.rank(kt_enum.nth([5, 3, 8], "5x6"))
/// [5, 3, 8]
///
/// `tours` says whether tours are numbered as open or as closed ones; without it, as they are meant.
/// `ValueError` is raised for a tour that is none of the question.
#[pyfunction]
#[pyo3(signature = (tour, **options), text_signature = "(tour, *, tours=None, from_=None, to=None, \
index=None, fresh=False, threads=None, memory=None, disk=None, max_time=None, progress=None)")]
pub fn rank(tour: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
    let py = tour.py();
    let one = tour.cast::<Tour>().ok();
    let tours: Vec<Bound<'_, Tour>> = match one {
        Some(one) => vec![one.clone()],
        None => tour.try_iter()?.map(|tour| Ok(tour?.cast_into()?)).collect::<PyResult<_>>()?,
    };
    let Some(first) = tours.first().map(|tour| tour.get()) else {
        return PyList::empty(py).into_py_any(py);
    };
    let keywords = Keywords::new(py, "rank", options)?;
    let kind = keywords.one_of("tours", &[(false, "open"), (true, "closed")])?;
    let is_closed = kind.unwrap_or(first.is_cycle);
    let board = first.tour.board();
    let ends = crate::board::ends(&board, &keywords)?;
    let job = numbering(of_kind(board, is_closed, ends), &keywords)?;
    let progress = progress(&keywords)?;
    keywords.end()?;
    for tour in &tours {
        belongs(&tour.get().tour, &job)?;
    }
    let tours: Vec<_> = tours.iter().map(|tour| tour.get().tour.clone()).collect();
    let question = job.question.clone();
    let numbers = with_numbers(py, job, progress.as_ref(), |numbers, observer| {
        numbers.numbers(&tours, observer)
    })?;
    let number = |number: &Option<Tally>| match number {
        Some(number) => to_int(py, number),
        None => Err(wrong(format!("the tour is not among the {question}"))),
    };
    let numbers = numbers.iter().map(number).collect::<PyResult<Vec<_>>>()?;
    if one.is_some() { Ok(numbers[0].clone().unbind()) } else { numbers.into_py_any(py) }
}

/// Refuses a tour that is none of the question.
fn belongs(tour: &kt_enum::tour::Tour, job: &Job) -> PyResult<()> {
    let question = &job.question;
    if tour.board() != question.board {
        return Err(wrong(format!("a tour of {} among those of {}", tour.board(), question.board)));
    }
    if question.is_closed() && !tour.is_reentrant() {
        return Err(wrong("no move joins the ends of the tour, so it is not closed"));
    }
    let squares = tour.squares();
    let ends = [squares.first(), squares.last()];
    let fits = |(wanted, is): (Option<_>, Option<&_>)| wanted.is_none() || wanted.as_ref() == is;
    match question.ends().into_iter().zip(ends).all(fits) {
        true => Ok(()),
        false => Err(wrong(format!("the tour is not among the {question}: it has other ends"))),
    }
}
