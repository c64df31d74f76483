//! Tours, and reading tours.

use crate::prelude::*;
use kt_enum::draw::{self, Style, Subject};

/// The complaint about a text without tours.
const NONE: &str = "there is no tour";

/// A tour: every square of its board once, each a move from the last.
///
/// >>> tour = kt_enum.Tour("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
/// >>> tour.squares[:2], tour.names[:2], tour.closed
/// ([(0, 0), (1, 2)], ['a1', 'c2'], False)
/// >>> print(tour.grid(), end="")
///  3  6  9 12
///  8 11  2  5
///  1  4  7 10
///
/// It is made from a text in any usual form, or from squares: names, or rows and columns from 0.
/// An array of numpy is read as `array` writes it. `ValueError` says what is wrong with squares
/// that are no tour. Notebooks draw it.
#[pyclass(frozen, sequence, from_py_object, module = "kt_enum")]
#[derive(Clone)]
pub struct Tour {
    pub tour: tour::Tour,
    /// True if the tour is meant as a cycle.
    pub is_cycle: bool,
    pub site: Site,
}

impl Tour {
    /// A tour that is known to be one.
    pub fn of(site: &Site, squares: Vec<Square>, is_cycle: bool) -> PyResult<Self> {
        let tour = tour::Tour::new(site, squares).map_err(wrong)?;
        Ok(Self { tour, is_cycle, site: site.clone() })
    }

    /// The words of the squares in order.
    fn words(&self, py: Python) -> PyResult<Vec<String>> {
        self.names(py)?.iter().map(|name| Ok(name.str()?.to_string())).collect()
    }
}

#[pymethods]
impl Tour {
    #[new]
    #[pyo3(signature = (squares, size=None, **options))]
    fn new(squares: &Any, size: Size, options: Option<Given>) -> PyResult<Self> {
        let _call = Call::begin()?;
        called(squares.py(), "check", ("Tour", options))?;
        let cycle = options.flag("cycle")?;
        let tour = only(all(squares, size, options)?, NONE, "tours: read() takes several")?;
        let tour = tour.map_err(wrong)?;
        let is_cycle = cycle.unwrap_or(tour.is_cycle);
        refuse(is_cycle && !tour.closed(), "cycle: no move joins the ends of this tour")?;
        Ok(Self { is_cycle, ..tour })
    }

    /// The squares in order, as rows and columns from 0.
    #[getter]
    fn squares(&self) -> PyResult<Vec<(u32, u32)>> {
        let board = self.tour.board();
        refuse(board.is_graph(), "the vertices of a graph have no places: take names")?;
        let place = |&square| (board.row(square), board.col(square));
        Ok(self.tour.squares().iter().map(place).collect())
    }

    /// The names of the squares in order. Vertices of a graph are the objects that were given.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.tour.squares().iter().map(|&square| self.site.name(py, square));
        PyList::new(py, names.collect::<PyResult<Vec<_>>>()?)
    }

    /// True if a move leads from the last square to the first.
    #[getter]
    fn closed(&self) -> bool {
        self.tour.is_reentrant()
    }

    /// The description of the board.
    #[getter]
    fn board(&self) -> String {
        self.tour.board().description()
    }

    /// True if the other tour goes through the same moves, wherever each begins and whichever way
    /// it goes. Both have to be closed.
    fn same_cycle(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.tour.is_same_cycle(&other.tour) && self.site.__eq__(&other.site, py)?)
    }

    /// The tour as a graph of networkx: the names of its squares, joined by its moves.
    fn to_networkx<'py>(&self, py: Python<'py>) -> PyResult<Any<'py>> {
        let way = if self.is_cycle { "cycle_graph" } else { "path_graph" };
        py.import("networkx")?.call_method1(way, (self.names(py)?,))
    }

    /// The board with the number of each square, the top row first.
    fn grid(&self) -> String {
        let clues = (1..).zip(self.tour.squares()).map(|(step, &square)| Clue { step, square });
        grid(&self.tour.board(), &clues.collect::<Vec<_>>(), &[])
    }

    /// The numbers of the squares as an array of numpy, by row and column from a1; 0 for a hole.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let board = self.tour.board();
        let mut steps = vec![vec![0_u32; board.cols() as usize]; board.rows() as usize];
        for ((row, col), step) in self.squares()?.into_iter().zip(1..) {
            steps[row as usize][col as usize] = step;
        }
        py.import("numpy")?.call_method1("array", (steps,))
    }

    /// The tour as an SVG picture: with `numbers` on the squares, and a `title`. The vertices of a
    /// graph are on a circle, or on the places that `pos` has for them, as networkx has it.
    #[pyo3(signature = (*, numbers=false, title=None, pos=None))]
    fn svg(
        &self,
        py: Python<'_>,
        numbers: bool,
        title: Option<String>,
        pos: Option<Any>,
    ) -> PyResult<String> {
        let all = self.tour.squares();
        let (steps, path) = ((1..).zip(all.iter().copied()), (all, self.is_cycle));
        let how = (title.as_deref(), pos);
        if let Some(drawn) = self.site.drawn(how, (py, all), steps.collect(), Some(path))? {
            return Ok(drawn);
        }
        let subject = Subject::new(self.tour.clone(), self.is_cycle).map_err(wrong)?;
        Ok(draw::svg(&subject, &Style { numbers, title }))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        self.svg(py, false, None, None).ok()
    }

    fn __len__(&self) -> usize {
        self.tour.squares().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: &Any<'py>) -> PyResult<Any<'py>> {
        self.names(py)?.as_any().get_item(place)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.names(py)?.try_iter()
    }

    fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        let is_same = self.is_cycle == other.is_cycle && self.tour == other.tour;
        Ok(is_same && self.site.__eq__(&other.site, py)?)
    }

    fn __hash__(&self) -> u64 {
        hash(self.tour.squares())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.words(py)?.join(" "))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let kind = if self.is_cycle { "closed tour" } else { "tour" };
        Ok(format!("<{kind} of {}: {}>", *self.site, self.__str__(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Any<'py>, (Site, bool, Any<'py>))> {
        let bytes = PyBytes::new(py, &packed(&self.site, self.tour.squares())).into_any();
        let unpacked = py.import("kt_enum._kt_enum")?.getattr("unpacked")?;
        Ok((unpacked, (self.site.clone(), self.is_cycle, bytes)))
    }
}

/// The hash of a thing.
pub fn hash(thing: &(impl Hash + ?Sized)) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(thing)
}

/// The bytes of the index of a square in a list of tours.
pub fn width(board: &Board) -> usize {
    board.squares().ilog2() as usize / 8 + 1
}

/// The bytes of squares in a list of tours.
pub fn packed(board: &Board, squares: &[Square]) -> Vec<u8> {
    let bytes = |at: &Square| at.index().to_le_bytes().into_iter().take(width(board));
    squares.iter().flat_map(bytes).collect()
}

/// Return the tour of a list that these bytes are.
#[pyfunction]
pub fn unpacked(site: Site, is_cycle: bool, bytes: &[u8]) -> PyResult<Tour> {
    let index = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte));
    let squares = bytes.chunks(width(&site)).map(|bytes| Square::from_index(index(bytes)));
    Tour::of(&site, squares.collect(), is_cycle)
}

/// Tours, or what is wrong with them.
type Checked = Vec<Result<Tour, String>>;

/// The lines of a text between two looks for signals.
const LINES: usize = 1 << 12;

/// The tours of a text, of a file or of some squares, of the board of a call, each meant as a cycle
/// if it can be one, or what is wrong with it. Tours are themselves, unless a board is given.
fn all(text: &Any, size: Size, options: Option<Given>) -> PyResult<Checked> {
    let (site, known) = options.known(size)?;
    let (mut checked, is_own) = (Checked::new(), known == KnownBoard::default());
    let (py, texts) = (text.py(), site.as_ref().map(|site| site.texts(text.py())).transpose()?);
    let several: Vec<(Option<Tour>, String)> = called(py, "tours", (text, texts))?.extract()?;
    for (tour, of) in several {
        match tour.filter(|_| is_own) {
            Some(tour) => checked.push(Ok(tour)),
            None => checked.extend(read_all(py, (site.as_ref(), known.clone()), &of)?),
        }
    }
    if checked.is_empty() && !given::<String>(text, "advice")?.is_empty() {
        return Err(no_path(text, NONE));
    }
    Ok(checked)
}

/// The tours of a text.
fn read_all(py: Python, known: (Option<&Site>, KnownBoard), text: &str) -> PyResult<Checked> {
    let (site, call) = (known.0, Call::begin()?);
    let (mut reader, mut all) = (TourReader::expecting(known.1), Vec::new());
    for lines in text.lines().collect::<Vec<_>>().chunks(LINES) {
        call.look(py, None, None)?;
        let read = || lines.iter().flat_map(|line| reader.read(line)).flatten().collect();
        all.extend(py.detach::<Vec<Read>, _>(read));
    }
    all.extend(reader.finish());
    let tour = |Read { line, tour, .. }| match tour {
        Ok(tour) => {
            let site = site.cloned().unwrap_or_else(|| tour.board().into());
            Ok(Tour { is_cycle: tour.is_reentrant(), tour, site })
        }
        Err(why) => Err(format!("line {line}: {why}")),
    };
    Ok(all.into_iter().map(tour).collect())
}

/// Read the tours of a text or of the file that a path names, in all the forms that people write.
///
/// >>> [tour] = kt_enum.read("1. Na1 2. Nc2 3. Na3 4. Nb1 5. Nd2 6. Nb3 "
/// ...                       "7. Nc1 8. Na2 9. Nc3 10. Nd1 11. Nb2 12. Nd3")
/// >>> tour.board
/// '3x4'
///
/// The board is that of the text, unless it is given. `ValueError` names the first line that is
/// wrong.
#[pyfunction(signature = (text, size=None, **options))]
pub fn read(text: &Any, size: Size, options: Option<Given>) -> PyResult<Vec<Tour>> {
    let tours = all(text, size, options)?;
    refuse(tours.is_empty(), NONE)?;
    tours.into_iter().map(|tour| tour.map_err(wrong)).collect()
}

/// Say of each tour of a text, of a file or of some squares whether it is one.
///
/// >>> kt_enum.check("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
/// ['open']
/// >>> kt_enum.check(["a1", "b1"], "3x4")
/// ["wrong: line 1: step 1 from a1 to b1 is not a knight's move"]
///
/// A verdict is "open", "closed" (a move joins the ends) or begins with "wrong: ". Tours may be
/// given too: they are of their own boards, unless one is given.
#[pyfunction(signature = (text, size=None, **options))]
pub fn check(text: &Any, size: Size, options: Option<Given>) -> PyResult<Vec<String>> {
    let verdict = |tour: Result<Tour, String>| match tour {
        Ok(tour) if tour.closed() => "closed".to_owned(),
        Ok(_) => "open".to_owned(),
        Err(why) => format!("wrong: {why}"),
    };
    Ok(all(text, size, options)?.into_iter().map(verdict).collect())
}
