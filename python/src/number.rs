//! Tours by number: drawn at random, with given numbers, and the numbers of tours.

use crate::board::of_kind;
use crate::error::{of_job, of_numbers, wrong};
use crate::keywords::{Given, Keywords, Size, given, python};
use crate::tour::{Tour, width};
use kt_enum::job::Observer;
use kt_enum::numbers::{Numbers, NumbersError, Random};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};
use pyo3::{IntoPyObjectExt, intern};

/// Tours that are traced together: many cost little more than one, and each takes memory.
const PORTION: usize = 1 << 14;

/// A count as a whole number of Python. Its decimal digits may be more than Python converts.
pub fn to_int<'py>(py: Python<'py>, tally: &Tally) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, &tally.to_bytes_le());
    py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, "little"))
}

/// Counts the tours of a question so that each has a number, and asks for tours or numbers.
fn with_numbers<T: Send>(
    keywords: Keywords<'_>,
    question: &Question,
    ask: impl FnOnce(&Numbers, &mut dyn Observer) -> Result<T, NumbersError> + Send,
) -> PyResult<T> {
    let (py, job) = (keywords.py(), keywords.numbering(question.clone())?);
    let (long, is_kept) = (keywords.long(&job)?, job.keeping.place.is_some());
    if question.is_impossible() {
        return Err(wrong(question.none()));
    }
    long.run(py, |control, observer| {
        let plan = job.plan(observer).map_err(of_job)?;
        let numbered = plan.number(control, observer).map_err(of_job)?;
        let asked = ask(&numbered.numbers, observer).map_err(of_numbers)?;
        if !is_kept {
            // Nothing is kept, so nothing can fail.
            let _ = numbered.clear_checkpoint();
        }
        Ok(asked)
    })
}

/// The tours of a question with the numbers that `wanted` gives for the number of the last, as a
/// sequence of the package.
fn tours<'py, N: Iterator<Item = Tally>>(
    keywords: Keywords<'py>,
    question: &Question,
    wanted: impl FnOnce(&Tally) -> N + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, width) = (keywords.py(), width(&question.board));
    let portions = with_numbers(keywords, question, |numbers, observer| {
        let (mut wanted, mut portions) = (wanted(numbers.last()), Vec::new());
        loop {
            let some: Vec<Tally> = wanted.by_ref().take(PORTION).collect();
            if some.is_empty() {
                return Ok(portions);
            }
            let tours = numbers.tours(&some, observer)?;
            let squares = tours.iter().flat_map(kt_enum::tour::Tour::squares);
            let bytes =
                squares.flat_map(|square| square.index().to_le_bytes().into_iter().take(width));
            portions.push(bytes.collect::<Vec<u8>>());
        }
    })?;
    list(py, question, portions)
}

/// A sequence of the package from portions of tours, each of which is freed as soon as Python has it.
fn list<'py>(
    py: Python<'py>,
    question: &Question,
    portions: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyAny>> {
    let portions = portions.into_iter().map(|bytes| PyBytes::new(py, &bytes));
    let portions = PyList::new(py, portions.collect::<Vec<_>>())?;
    let (board, size) = (&question.board, question.board.squares() * width(&question.board));
    let fields = (board.description(), question.is_closed(), size, PORTION, portions);
    python(py, "_types", "TourList", fields)
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
#[pyfunction(signature = (size=None, **options))]
pub fn random(py: Python, size: Size, options: Option<Given>) -> PyResult<Py<PyAny>> {
    let keywords = Keywords::new(py, "random", options);
    let (question, count) = (keywords.question(size)?, keywords.take::<u64>("count")?);
    let mut random = Random::new(keywords.take("seed")?.unwrap_or_else(Random::fresh_seed));
    if count == Some(0) {
        // Nothing has to be built to draw nothing.
        keywords.numbering(question.clone()).and_then(|job| keywords.long(&job))?;
        return list(py, &question, Vec::new()).map(Bound::unbind);
    }
    let list = tours(keywords, &question, |last| {
        let last = last.clone();
        (0..count.unwrap_or(1)).map_while(move |_| random.number_up_to(&last))
    })?;
    match (list.len()?, count) {
        (0, _) => Err(wrong(question.none())),
        (_, None) => list.get_item(0).map(Bound::unbind),
        _ => Ok(list.unbind()),
    }
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
#[pyfunction(signature = (number, size=None, **options))]
pub fn nth(number: &Bound<'_, PyAny>, size: Size, options: Option<Given>) -> PyResult<Py<PyAny>> {
    let keywords = Keywords::new(number.py(), "nth", options);
    let question = keywords.question(size)?;
    let (is_one, wanted): (bool, Vec<Vec<u8>>) = given(number, "numbers")?;
    let wanted = wanted.into_iter().map(|bytes| Tally::from_bytes_le(&bytes));
    let list = tours(keywords, &question, |_| wanted)?;
    Ok(if is_one { list.get_item(0)? } else { list }.unbind())
}

/// Return the number of a tour, or a list of the numbers of several tours of one board.
///
/// >>> kt_enum.rank(kt_enum.nth([5, 3, 8], "5x6"))
/// [5, 3, 8]
///
/// `tours` says whether tours are numbered as open or as closed ones; without it, as they are meant.
/// `ValueError` is raised for a tour that is none of the question.
#[pyfunction(signature = (tour, **options))]
pub fn rank(tour: &Bound<'_, PyAny>, options: Option<Given>) -> PyResult<Py<PyAny>> {
    let py = tour.py();
    let one = tour.cast::<Tour>().ok();
    let tours: Vec<Tour> = match one {
        Some(one) => vec![one.get().clone()],
        None => tour.try_iter()?.map(|tour| Ok(tour?.extract()?)).collect::<PyResult<_>>()?,
    };
    let Some(first) = tours.first() else { return PyList::empty(py).into_py_any(py) };
    let keywords = Keywords::new(py, "rank", options);
    let (board, is_closed) = (first.tour.board(), keywords.kind()?.unwrap_or(first.is_cycle));
    let ends = [keywords.end_of(&board, "from_")?, keywords.end_of(&board, "to")?];
    let question = of_kind(board, is_closed, ends);
    let tours: Vec<_> = tours.into_iter().map(|tour| tour.tour).collect();
    let foreign = |tour: &kt_enum::tour::Tour| {
        let (board, squares) = (tour.board(), tour.squares());
        let (first, last) = (board.name(squares[0]), board.name(squares[squares.len() - 1]));
        let tour = format!("a tour of {board} from {first} to {last}");
        wrong(format!("{tour} is not among the {question}"))
    };
    let is_foreign = |tour: &&kt_enum::tour::Tour| {
        let squares = tour.squares();
        tour.board() != question.board
            || is_closed && !tour.is_reentrant()
            || !question.has_ends(squares[0], squares[squares.len() - 1])
    };
    tours.iter().find(is_foreign).map_or(Ok(()), |tour| Err(foreign(tour)))?;
    let numbers =
        with_numbers(keywords, &question, |numbers, observer| numbers.numbers(&tours, observer))?;
    let number =
        |(number, tour): (Option<Tally>, _)| to_int(py, &number.ok_or_else(|| foreign(tour))?);
    let numbers = numbers.into_iter().zip(&tours).map(number).collect::<PyResult<Vec<_>>>()?;
    if one.is_some() { numbers[0].clone().into_py_any(py) } else { numbers.into_py_any(py) }
}
