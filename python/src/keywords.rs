//! Keyword arguments of functions that share most of them, and the boards, questions and jobs that
//! they make. Each is taken by its name; the package has refused names that a function does not
//! know. `None` stands for an argument that is not given.

use crate::prelude::*;
use pyo3::call::PyCallArgs;
use pyo3::conversion::FromPyObjectOwned;
use std::str::FromStr;

const WHICH_BOARD: &str =
    "which board? give a size such as 8 or \"6x8\", rows and cols, a board or a graph";

/// A graph as `_given` tells it: its text, or its edges by the places of vertices, and the vertices.
type Graph = (Option<String>, Vec<(usize, usize)>, Vec<Object>);

/// An object of Python.
pub type Any<'py> = Bound<'py, PyAny>;

/// An object of Python that is returned.
pub type Object = Py<PyAny>;

/// The positional argument for a board, which may be missing.
pub type Size<'py> = Option<Any<'py>>;

/// The keyword arguments of a call, which were put into a dictionary for it.
pub type Given<'a, 'py> = &'a Bound<'py, PyDict>;

/// Keyword arguments that are not yet taken.
pub trait Keywords<'py>: Copy {
    /// Takes an argument as it is.
    fn any(self, name: &str) -> PyResult<Option<Any<'py>>>;

    /// Takes an argument and converts it, as [`argument`] does.
    fn with<T>(self, name: &str, to: impl FnOnce(Any<'py>) -> PyResult<T>) -> PyResult<Option<T>> {
        self.any(name)?.map(|value| argument(name, value, to)).transpose()
    }

    /// Takes an argument of a type, which is not a truth value: Python takes one for a number.
    fn take<T: FromPyObjectOwned<'py>>(self, name: &str) -> PyResult<Option<T>> {
        self.with(name, |value| match value.is_exact_instance_of::<PyBool>() {
            true => Err(PyTypeError::new_err(format!("{value} is a truth value"))),
            false => value.extract().map_err(Into::into),
        })
    }

    /// Takes a truth value.
    fn flag(self, name: &str) -> PyResult<Option<bool>> {
        let what = |_| PyTypeError::new_err("give True or False");
        self.with(name, |value| value.extract().map_err(what))
    }

    /// Takes an argument as a function of `_given` reads it.
    fn given<T: FromPyObjectOwned<'py>>(self, name: &str, how: &str) -> PyResult<Option<T>> {
        self.any(name)?.map(|value| given(&value, how)).transpose()
    }

    /// Takes an argument that the library reads from a text.
    fn read<T: FromStr<Err: Display>>(self, name: &str) -> PyResult<Option<T>> {
        self.with(name, |text| text.extract::<String>()?.parse().map_err(wrong))
    }

    /// Takes one of some named values.
    fn one_of<T: Clone>(self, name: &str, named: &[(T, &str)]) -> PyResult<Option<T>> {
        self.with(name, |text| {
            let text: String = text.extract()?;
            let found = named.iter().find(|(_, known)| *known == text);
            let names: Vec<&str> = named.iter().map(|(_, known)| *known).collect();
            let unknown = || wrong(format!("`{text}` is none of {}", names.join(", ")));
            found.map(|(value, _)| value.clone()).ok_or_else(unknown)
        })
    }

    /// Takes a time, in seconds or as a `timedelta`.
    fn time(self, name: &str) -> PyResult<Option<Duration>> {
        let what = "give a number of seconds from 0 on, or a timedelta";
        self.with(name, |time| {
            let seconds = time.call_method0("total_seconds").unwrap_or(time).extract();
            let seconds = seconds.map_err(|_| PyTypeError::new_err(what))?;
            Duration::try_from_secs_f64(seconds).map_err(|_| wrong(what))
        })
    }

    /// The board of a call, which has to be there.
    fn site(self, size: Size) -> PyResult<Site> {
        self.known(size)?.0.ok_or_else(|| wrong(WHICH_BOARD))
    }

    /// What a call says about the board of its tours or puzzles: the board, or the piece and the
    /// joined edges of boards whose sides a text tells.
    fn known(self, size: Size) -> PyResult<(Option<Site>, KnownBoard)> {
        let piece = |piece: Any| given::<String>(&piece, "piece")?.parse::<Piece>().map_err(wrong);
        let piece = self.with("piece", piece)?;
        let wrap = self.one_of("wrap", &Wrap::NAMED)?;
        let without: Option<Vec<String>> = self.given("without", "names")?;
        let signs = |name| Ok::<_, PyErr>(self.take::<String>(name)?.unwrap_or_default());
        let signs = KnownBoard::of_signs(signs("blank")?, signs("hole")?).map_err(wrong)?;
        let boards = [self.rectangle(size)?, self.drawing()?, self.graph()?];
        let mut sites: Vec<Site> = boards.into_iter().flatten().collect();
        refuse(sites.len() > 1, "size, board and graph are three ways to give a board: give one")?;
        let is_changed = piece.is_some() || wrap.is_some() || without.is_some();
        let known = KnownBoard { piece, wrap, ..signs };
        let Some(mut site) = sites.pop() else {
            refuse(without.is_some(), WHICH_BOARD)?;
            return Ok((None, known));
        };
        if is_changed {
            let own = || wrong("a graph has its own edges: leave out piece, wrap and without");
            let mut layout = site.layout().ok_or_else(own)?;
            for square in without.into_iter().flatten() {
                layout.leave_out(&square).map_err(|why| wrong(format!("without: {why}")))?;
            }
            site = known.board_of(layout).map_err(wrong)?.into();
        }
        let board = Some(Board::clone(&site));
        Ok((Some(site), KnownBoard { board, piece: None, wrap: None, ..known }))
    }

    /// The rectangle of `8`, `"6x8"`, `(6, 8)`, or rows and columns.
    fn rectangle(self, size: Size) -> PyResult<Option<Site>> {
        let board = match (size, self.take("rows")?, self.take("cols")?) {
            (None, None, None) => return Ok(None),
            (None, Some(rows), Some(cols)) => Board::new(rows, cols),
            (Some(size), None, None) => given::<String>(&size, "size")?.parse(),
            _ => return Err(wrong("give a size, or rows and cols together")),
        };
        match board {
            Err(BoardError::Text(_)) => Err(wrong("size: write 8, \"6x8\" or (6, 8)")),
            board => Ok(Some(board.map_err(wrong)?.into())),
        }
    }

    /// The board of a drawing, or of a text that describes a board, such as `8x8 piece=king`; that
    /// of a puzzle which was pickled is one already.
    fn drawing(self) -> PyResult<Option<Site>> {
        let Some(value) = self.any("board")? else { return Ok(None) };
        if let Ok(site) = value.extract() {
            return Ok(Some(site));
        }
        let text: String = given(&value, "drawing")?;
        if let Ok(board) = text.parse::<Board>() {
            return Ok(Some(board.into()));
        }
        let drawn = drawings(text.as_bytes(), *b".#").map_err(|why| no_path(&value, why))?;
        let layout = only(drawn, "", "boards: give one of them")?;
        Ok(Some(layout.board().map_err(wrong)?.into()))
    }

    /// The board of edges, of a graph of networkx, of a matrix, of a file, or of the text of one.
    fn graph(self) -> PyResult<Option<Site>> {
        let formats: Vec<_> = GraphFormat::all().map(|format| (format, format.name())).collect();
        let format = self.one_of("graph_format", &formats)?;
        let Some(value) = self.any("graph")? else { return Ok(None) };
        let (text, edges, vertices) = given::<Graph>(&value, "graph")?;
        let Some(text) = text else {
            return Site::of_graph(value.py(), &edges, &vertices).map(Some);
        };
        let file = GraphFile::read(text.as_bytes(), format);
        let graphs = file.map_err(|why| no_path(&value, why))?.graphs;
        let network = only(graphs, "", "graphs: give one of them")?;
        // A word is read as a vertex, and most are meant as something else.
        if network.edges().is_empty() && network.names() == [text.trim()] {
            return Err(no_path(&value, "a graph of one vertex and no edge"));
        }
        Ok(Some(Board::of_network(&network).into()))
    }

    /// The kind of tours of a call, if it is said; true for closed ones.
    fn is_closed(self) -> PyResult<Option<bool>> {
        let tours = self.one_of("tours", &[(false, "open"), (true, "closed")])?;
        let closed = self.flag("closed")?;
        let is_both = tours.zip(closed).is_some_and(|(tours, closed)| tours != closed);
        refuse(is_both, "tours and closed say different things: give one of them")?;
        Ok(tours.or(closed))
    }

    /// The question of a call, and its board.
    fn question(self, size: Size) -> PyResult<(Question, Site)> {
        let (is_closed, site) = (self.is_closed()?.unwrap_or_default(), self.site(size)?);
        let ends = self.ends(&site, is_closed)?;
        let why = "closed tours have no ends: leave out start, or take open tours";
        refuse(is_closed && ends[0].is_some(), why)?;
        Ok((Question::of_kind(Board::clone(&site), is_closed, ends), site))
    }

    /// The start and the end of the tours of a call; `None` if they are free. Closed tours can have
    /// a start.
    fn ends(self, site: &Site, is_closed: bool) -> PyResult<[Option<Square>; 2]> {
        let [start, from, to] = ["start", "from_", "to"].map(|name| self.end_of(site, name));
        let (start, from, to) = (start?, from?, to?);
        refuse(start.is_some() && from.is_some(), "start and from_ are the same: give one")?;
        let why = "closed tours end where they start: leave out to, or take open tours";
        refuse(is_closed && to.is_some(), why)?;
        Ok([start.or(from), to])
    }

    /// An end of the tours of a call; `None` if it is free.
    fn end_of(self, site: &Site, name: &str) -> PyResult<Option<Square>> {
        let is_all = |given: &Any| given.extract::<String>().is_ok_and(|text| text == "all");
        let given = self.any(name)?.filter(|given| !is_all(given));
        given.map(|given| argument(name, given, |given| site.square(&given))).transpose()
    }

    /// The number of threads of a call.
    fn threads(self) -> PyResult<Option<usize>> {
        let threads = self.take("threads")?;
        let said = threads.unwrap_or(1);
        refuse(!(1..=1_024).contains(&said), format_args!("threads: {said} is none of 1 to 1024"))?;
        Ok(threads)
    }

    /// The limits of a call, with the name of that of its time.
    fn limits(self, time: &str) -> PyResult<Limits> {
        let (memory, disk) = (self.with("memory", bytes)?, self.with("disk", bytes)?);
        Ok(Limits { threads: self.threads()?, memory, disk, max_time: self.time(time)? })
    }

    /// The engine and its options of a call.
    fn wishes(self) -> PyResult<Wishes> {
        let engines = ["auto", "walk", "frontier", "subsets"];
        let engines = engines.map(|name| (Name::from(name.to_owned()), name));
        let depth = self.take("split_depth")?.map(Split::Depth);
        let cut = |text: Any| Split::parse_cut(&text.extract::<String>()?).map_err(wrong);
        let cut = self.with("cut", cut)?;
        let why = "split_depth is for walk, cut for frontier: give one";
        refuse(depth.is_some() && cut.is_some(), why)?;
        let engine = self.one_of("engine", &engines)?.filter(|name| name.as_str() != "auto");
        let memo = self.with("memo", |size| match size.extract::<String>() {
            Ok(text) if text == "off" => Ok(MemoSize::Off),
            _ => bytes(size).map(MemoSize::Bytes),
        })?;
        Ok(Wishes { engine, split: cut.or(depth), memo })
    }

    /// The way in which the state of a call is kept.
    fn keeping(self) -> PyResult<Keeping> {
        let usual = Keeping::default();
        let place = self.given::<PathBuf>("checkpoint", "place")?.map(CheckpointPlace::named);
        let interval = self.time("checkpoint_interval")?.unwrap_or(usual.interval);
        Ok(Keeping { place, fresh: self.flag("fresh")?.unwrap_or_default(), interval, ..usual })
    }

    /// The job of a call that numbers the tours of a question, with its tables in the folder of an
    /// index if one is named.
    fn numbering(self, py: Python<'py>, question: Question) -> PyResult<(Long, Job)> {
        let index = self.given::<PathBuf>("index", "place")?;
        let mut job = Job::numbering(question, index.as_deref());
        job.limits = self.limits("max_time")?;
        job.keeping.fresh = self.flag("fresh")?.unwrap_or_default();
        Ok((self.long(py)?, job))
    }

    /// A call that tells its progress if it is asked to, and can be cancelled.
    fn long(self, py: Python<'py>) -> PyResult<Long> {
        let max_time = self.time("max_time")?;
        let asked = (self.any("progress")?, self.any("cancel")?, max_time.is_some());
        let (watch, interest) = called(py, "watch", asked)?.extract()?;
        Ok(Long { threads: 0, max_time, watch, interest })
    }
}

impl<'py> Keywords<'py> for Option<Given<'_, 'py>> {
    fn any(self, name: &str) -> PyResult<Option<Any<'py>>> {
        let value = self.map(|given| given.get_item(name)).transpose()?.flatten();
        Ok(value.filter(|value| !value.is_none()))
    }
}

/// A number of bytes, also as text such as `2G`.
pub fn bytes(value: Any) -> PyResult<u64> {
    Limits::parse_bytes(&given::<String>(&value, "size_of_bytes")?).map_err(wrong)
}

/// The value of an argument. An error begins with its name, and is a `ValueError` unless the value
/// is of another type.
pub fn argument<'py, T>(
    name: &str,
    value: Any<'py>,
    convert: impl FnOnce(Any<'py>) -> PyResult<T>,
) -> PyResult<T> {
    let (py, said) = (value.py(), value.clone());
    convert(value).map_err(|error| match error.value(py).to_string() {
        _ if error.is_instance_of::<PyOverflowError>(py) => {
            wrong(format!("{name}: {said} is out of range"))
        }
        why if error.is_instance_of::<PyTypeError>(py) => {
            PyTypeError::new_err(format!("{name}: {why}"))
        }
        why if error.is_instance_of::<PyException>(py) => wrong(format!("{name}: {why}")),
        _ => error,
    })
}

/// The complaint about a text that cannot be read, with advice if it may have been meant as a path.
pub fn no_path(text: &Any, why: impl Display) -> PyErr {
    let with = |advice: String| wrong(format!("{why}{advice}"));
    given(text, "advice").map_or_else(|error| error, with)
}

/// A value as a function of `_given` reads it.
pub fn given<'py, T: FromPyObjectOwned<'py>>(value: &Any<'py>, how: &str) -> PyResult<T> {
    called(value.py(), how, (value,))?.extract().map_err(Into::into)
}

/// The result of a function of `_given`.
pub fn called<'py>(py: Python<'py>, name: &str, of: impl PyCallArgs<'py>) -> PyResult<Any<'py>> {
    let _call = Call::begin()?;
    py.import("kt_enum._given")?.call_method1(name, of)
}

/// Makes an object of a class of the package that is written in Python.
pub fn made<'py>(py: Python<'py>, name: &str, of: impl PyCallArgs<'py>) -> PyResult<Object> {
    let _call = Call::begin()?;
    Ok(py.import("kt_enum._types")?.call_method1(name, of)?.unbind())
}

/// The only one of several things, with the words for none and for several.
pub fn only<T>(mut all: Vec<T>, none: &'static str, several: &str) -> PyResult<T> {
    match all.len() {
        0 => Err(wrong(none)),
        1 => Ok(all.remove(0)),
        count => Err(wrong(format!("these are {count} {several}"))),
    }
}
