//! Tours by number: drawn at random, with given numbers, and the numbers of tours.

use crate::board::{Size, no_tours, of_kind, question, to_int, to_tally};
use crate::error::{of_job, of_numbers, wrong};
use crate::job::{numbering, progress};
use crate::keywords::{Given, Keywords};
use crate::long::{Progress, watched};
use crate::tour::{Packed, Tour};
use kt_enum::job::{Control, Job, Observer};
use kt_enum::numbers::{Numbers, NumbersError, Random};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;

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
    mut list: Packed,
    mut wanted: impl Iterator<Item = Tally>,
) -> Result<Packed, NumbersError> {
    loop {
        let some: Vec<Tally> = wanted.by_ref().take(Packed::PORTION).collect();
        if some.is_empty() {
            return Ok(list);
        }
        list.push(&numbers.tours(&some, observer)?);
    }
}

/// A list, or the one tour of it.
fn answer(py: Python<'_>, list: Packed, is_one: bool) -> PyResult<Bound<'_, PyAny>> {
    let list = list.into_list(py)?;
    if is_one { list.get_item(0) } else { Ok(list) }
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
#[pyo3(signature = (size=None, **options))]
pub fn random<'py>(
    py: Python<'py>,
    size: Size<'py>,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::new(py, "random", options)?;
    let job = numbering(question(size, &keywords)?, &keywords)?;
    let (count, seed) = (keywords.take::<u64>("count")?, keywords.take("seed")?);
    let progress = progress(&keywords)?;
    keywords.end()?;
    let mut random = Random::new(seed.unwrap_or_else(fresh_seed));
    let question = job.question.clone();
    let list = Packed::new(&question);
    if count == Some(0) {
        return answer(py, list, false);
    }
    let list = with_numbers(py, job, progress.as_ref(), |numbers, observer| {
        let last = numbers.last();
        let drawn = (0..count.unwrap_or(1)).map_while(|_| random.number_up_to(last));
        tours(numbers, observer, list, drawn)
    })?;
    if list.portions.is_empty() {
        return Err(wrong(no_tours(&question)));
    }
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
#[pyo3(signature = (number, size=None, **options))]
pub fn nth<'py>(
    number: &Bound<'py, PyAny>,
    size: Size<'py>,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
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
    let list = Packed::new(&job.question);
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
#[pyo3(signature = (tour, **options))]
pub fn rank(tour: &Bound<'_, PyAny>, options: Option<Given>) -> PyResult<Py<PyAny>> {
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
        belongs(&tour.get().tour, &job.question)?;
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
fn belongs(tour: &kt_enum::tour::Tour, question: &Question) -> PyResult<()> {
    let (board, squares) = (tour.board(), tour.squares());
    let ends = [squares.first(), squares.last()];
    let fits = |(wanted, is): (Option<_>, Option<&_>)| wanted.is_none() || wanted.as_ref() == is;
    let fits = board == question.board
        && (tour.is_reentrant() || !question.is_closed())
        && question.ends().into_iter().zip(ends).all(fits);
    let (first, last) = (board.name(squares[0]), board.name(squares[squares.len() - 1]));
    let why = || format!("a tour of {board} from {first} to {last} is not among the {question}");
    if fits { Ok(()) } else { Err(wrong(why())) }
}
