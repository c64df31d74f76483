//! The units of a finished run or of a shard, with their counts, in a text file that anyone can
//! check.
//!
//! ```text
//! # kt-enum units, format 3
//! # {"rows":5,"cols":5,"tours":"open","from":"all","to":"all","engine":"walk","split_depth":0,"units":4,"shard":"0/1"}
//! a1<TAB>1216
//! c1<TAB>...
//! # sha256 <64 digits: the checksum of all the bytes before this line>
//! ```
//!
//! If the board is not a full rectangle with a knight, `board` follows `cols` with its description,
//! and `rows` and `cols` of an explicit graph are null. For the frontier the second line also has
//! its `cut`, such as `middle:8`. There is one line per unit in order: its label, such as the
//! squares of a prefix, a tab, and its count of directed tours, including all tours of its orbit.
//! Shard `I/N` contains every N-th unit, starting with unit I. If the second line has
//! `"by":"group"`, it contains a block of [`groups`] instead. The lines of the units alone make the
//! fingerprint: `grep -v '^#' FILE | sha256sum`. The file contains nothing else, so two machines
//! that count the same shard write identical files.
//!
//! A run that was counted in one place may include its history and its provenance. They follow the
//! second line: `# history` with the [`History`] as JSON, and `# provenance` with the
//! [`Provenance`].

pub mod fingerprint;
mod groups;
pub mod history;
pub mod merge;
pub mod provenance;
mod shard;

use crate::board::Board;
use crate::durable::{self, DurableError, Opened, trying};
use crate::legible::legible;
use crate::question::{Question, Tours};
use crate::tally::{ParseTallyError, Tally};
use crate::work::{Identity, Name, ParseCutError, Split, Work};
pub use fingerprint::{fingerprint, sha256};
use history::History;
pub use merge::MergeError;
use provenance::Provenance;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
pub(crate) use shard::ShardUnits;
pub use shard::{Assignment, Shard, ShardError};
use std::collections::TryReserveError;
use std::io;
use std::iter::Peekable;
use std::path::{Path, PathBuf};

/// The units of a run or of one shard of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units {
    /// The identity of the run.
    pub identity: Identity,
    /// The shard of the run.
    pub shard: Shard,
    /// The units in order, each with its label and its count of directed tours.
    pub counts: Vec<(String, Tally)>,
}

/// The contents of a file of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitsFile {
    /// The units.
    pub units: Units,
    /// The history of the run, if the file has one.
    pub history: Option<History>,
    /// The provenance of the run, if the file has one.
    pub provenance: Option<Provenance>,
}

/// The reason why a units file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnitsError {
    /// The system refused an operation.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// There is no such file.
    #[error("there is no {0}")]
    Missing(PathBuf),
    /// The file is damaged.
    #[error("{path} is damaged: {what}; nothing was changed")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The defect, and its place.
        what: String,
    },
    /// The file is of another version of the program.
    #[error("{path} is of another version of kt-enum: {what}; nothing was changed")]
    Version {
        /// The file.
        path: PathBuf,
        /// What shows it.
        what: String,
    },
    /// The units are not those of the run they claim to be of.
    #[error(
        "unit {unit} is `{theirs}` where this program has `{ours}`: the file is of another split or another version"
    )]
    Foreign {
        /// The number of the unit.
        unit: usize,
        /// Its prefix in the file.
        theirs: String,
        /// Its prefix here.
        ours: String,
    },
    /// No run can have such a count.
    #[error(
        "{} has {count} tours, which is no multiple of {by}, {}: this was not counted",
        unit.as_ref().map_or("the whole".to_owned(), |(unit, label)| format!("unit {unit}, {label},")),
        if unit.is_some() { "as the symmetries of the board ask for" } else { "the directions of a tour" }
    )]
    Impossible {
        /// The number and the label of the unit; `None` for the total.
        unit: Option<(usize, String)>,
        /// Its directed tours.
        count: Tally,
        /// The number that divides the count of this unit in every run.
        by: u64,
    },
    /// A shard by group has another number of units than here.
    #[error(
        "shard {shard} by group has {theirs} units where this program has {ours}: the file is of another version"
    )]
    Block {
        /// The shard.
        shard: Shard,
        /// Its number of units in the file.
        theirs: usize,
        /// Its number of units here.
        ours: usize,
    },
}

/// The beginning of the first line of every format.
const FORMAT: &str = "# kt-enum units, format ";
const FIRST_LINE: &str = "# kt-enum units, format 3";
const ABOUT: &str = "# ";
const HISTORY: &str = "# history ";
const PROVENANCE: &str = "# provenance ";
const CHECKSUM: &str = "# sha256 ";
/// The number of bytes of the last line: the mark, 64 digits and a line end.
const CHECKSUM_LINE: u64 = CHECKSUM.len() as u64 + 65;
const CUT_SHORT: &str = "it does not end with a checksum: it is cut short, or something was added";
/// The largest file that is read: a million units take some tens of MB.
pub(crate) const LARGEST_FILE: u64 = 1 << 30;

impl Units {
    /// The sum of all units here, in directed tours.
    pub fn directed(&self) -> Tally {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// The number of tours without direction; see [`Question::directions`].
    pub fn undirected(&self) -> Tally {
        &self.directed() / self.identity.question.directions().into()
    }

    /// The fingerprint of the units; see [`fingerprint()`].
    pub fn fingerprint(&self) -> String {
        fingerprint(self.counts.iter().map(|(label, count)| (label, count)))
    }

    /// Writes the file by atomic replacement. Only a units file is replaced.
    ///
    /// # Errors
    /// [`DurableError`] if the system refuses, or if another file has this name.
    pub fn write(&self, path: &Path) -> Result<(), DurableError> {
        self.write_with(path, None)
    }

    /// The same with the history of the run.
    #[doc(hidden)]
    pub fn write_with(&self, path: &Path, history: Option<&History>) -> Result<(), DurableError> {
        let path = durable::resolved(path);
        let text = self.encode(history, None).map_err(io::Error::from);
        let text = text.map_err(trying("write", &path))?;
        durable::replace(&path, text.as_bytes(), || check_is_free(&path))
    }

    /// Reads a file of units.
    ///
    /// # Errors
    /// [`UnitsError`] if it cannot be read or is not a complete and unchanged units file.
    pub fn read(path: &Path) -> Result<Self, UnitsError> {
        Self::read_kept(path).map(|kept| kept.units)
    }

    /// Reads a units file, with the history and the provenance of the run if the file has them.
    ///
    /// # Errors
    /// [`UnitsError`] as for [`Units::read`].
    #[doc(hidden)]
    pub fn read_kept(path: &Path) -> Result<UnitsFile, UnitsError> {
        let damaged = |what| UnitsError::Damaged { path: path.to_owned(), what };
        let file = Opened::open(path)?.ok_or_else(|| UnitsError::Missing(path.to_owned()))?;
        // The last line comes first, so that a file of any size that has no checksum costs no
        // memory.
        let last = file.at(file.len.saturating_sub(CHECKSUM_LINE)..file.len)?;
        if !last.starts_with(CHECKSUM.as_bytes()) {
            return Err(damaged(CUT_SHORT.to_owned()));
        }
        decode(&file.all(LARGEST_FILE)?).map_err(|fault| match fault {
            Fault::Damaged(what) => damaged(what),
            Fault::Version(what) => UnitsError::Version { path: path.to_owned(), what },
            Fault::Memory(error) => trying("read", path)(error.into()).into(),
        })
    }

    /// Checks that these are units of `work`, each with its own prefix.
    ///
    /// # Errors
    /// [`UnitsError::Foreign`] with the first unit that differs, [`UnitsError::Block`] if there are
    /// too few units or too many.
    pub fn check_against(&self, work: &dyn Work) -> Result<(), UnitsError> {
        self.check_numbers(work, &self.shard.units_of(work))
    }

    /// Checks what holds for every sum of tours of `work`: the count of a unit is a multiple of the
    /// size of its orbit, and tours come in pairs of both directions. It costs next to nothing, and
    /// a wrong count may pass it; [`crate::audit`] counts again.
    ///
    /// # Errors
    /// [`UnitsError::Impossible`] with the first unit that no run can have counted, or the total.
    pub fn check_counts(&self, work: &dyn Work) -> Result<(), UnitsError> {
        let numbers = self.shard.units_of(work);
        for ((label, count), &unit) in self.counts.iter().zip(numbers.numbers()) {
            let by = work.divisor(unit);
            if count.div_exact(by).is_none() {
                let (label, count) = (label.clone(), count.clone());
                return Err(UnitsError::Impossible { unit: Some((unit, label)), count, by });
            }
        }
        let (count, by) = (self.directed(), self.identity.question.directions().into());
        if self.shard.of() > 1 || count.div_exact(by).is_some() {
            Ok(())
        } else {
            Err(UnitsError::Impossible { unit: None, count, by })
        }
    }

    /// Checks that these are the units of `work` with some numbers.
    fn check_numbers(&self, work: &dyn Work, units: &ShardUnits) -> Result<(), UnitsError> {
        if self.counts.len() != units.len() {
            let (theirs, ours) = (self.counts.len(), units.len());
            return Err(UnitsError::Block { shard: self.shard, theirs, ours });
        }
        for ((theirs, _), &unit) in self.counts.iter().zip(units.numbers()) {
            let ours = work.label(unit);
            if *theirs != ours {
                let theirs = theirs.clone();
                return Err(UnitsError::Foreign { unit, theirs, ours });
            }
        }
        Ok(())
    }

    /// The text of the file.
    ///
    /// # Errors
    /// [`io::Error`] if there is no memory for it.
    pub fn text(&self) -> io::Result<String> {
        Ok(self.encode(None, None)?)
    }

    /// The text of the file, with the history of the run and its provenance if they are given.
    #[doc(hidden)]
    pub fn encode(
        &self,
        history: Option<&History>,
        provenance: Option<&Provenance>,
    ) -> Result<String, TryReserveError> {
        let mut text = format!("{FIRST_LINE}\n{}", json_line(ABOUT, &About::from(self)));
        let history_line =
            |history: &History| json_line(HISTORY, &HistoryLine { history, nodes: history.nodes });
        text += &history.map_or(String::new(), history_line);
        text += &provenance.map_or(String::new(), |provenance| json_line(PROVENANCE, provenance));
        for (label, count) in &self.counts {
            let line = format!("{label}\t{count}\n");
            text.try_reserve(line.len())?;
            text += &line;
        }
        let checksum = format!("{CHECKSUM}{}\n", sha256(text.as_bytes()));
        text.try_reserve(checksum.len())?;
        Ok(text + &checksum)
    }

    /// Decodes the bytes of a file, or says what is wrong with them and where.
    ///
    /// # Errors
    /// A sentence that names the line or the bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        decode(bytes).map(|kept| kept.units).map_err(|fault| fault.to_string())
    }
}

/// Checks that units may be written to a file: it is a units file, or none is there.
///
/// # Errors
/// [`DurableError`] if it is something else, or cannot be read.
pub fn check_is_free(path: &Path) -> Result<(), DurableError> {
    match durable::beginning(path, UNITS.len() as u64)? {
        Some(bytes) if !looks_like_units(&bytes) => {
            Err(trying("replace", path)(io::Error::other("it is no file of units")))
        }
        _ => Ok(()),
    }
}

/// The beginning of every units file.
const UNITS: &[u8] = b"# kt-enum units";

/// True if bytes are a units file, complete or damaged.
pub fn looks_like_units(bytes: &[u8]) -> bool {
    bytes.starts_with(UNITS)
}

/// The reason why bytes give no units.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Fault {
    /// The sentence names the line or the bytes.
    #[error("{0}")]
    Damaged(String),
    /// They are of another version. The text says what shows it.
    #[error("{0}")]
    Version(String),
    /// There is no memory for the units.
    #[error(transparent)]
    Memory(#[from] TryReserveError),
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::Damaged(what)
    }
}

fn decode(bytes: &[u8]) -> Result<UnitsFile, Fault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("byte {} is no text", error.valid_up_to()))?;
    match text.lines().next() {
        Some(FIRST_LINE) => {}
        Some(line) if line.starts_with(FORMAT) => {
            let line = legible(line, FIRST_LINE.len() + 10, false);
            return Err(Fault::Version(format!("its first line is `{line}`, not `{FIRST_LINE}`")));
        }
        _ => return Err(format!("line 1 is not `{FIRST_LINE}`").into()),
    }
    let mut lines = checked_body(text)?.lines().enumerate().skip(1).peekable();
    let about = lines.next().map_or("", |(_, line)| line);
    let about: About = read_json(about, ABOUT, "line 2 does not say which run it is of")?;
    let (identity, shard) = about.read()?;
    let history: Option<HistoryLine<History>> =
        read_marked(&mut lines, HISTORY, "does not say how the run went")?;
    let history = history.map(|HistoryLine { mut history, nodes }| {
        history.nodes = nodes;
        history
    });
    let fault = "does not say where the run was counted";
    let provenance = read_marked(&mut lines, PROVENANCE, fault)?;
    let most = most_digits(&identity.question.board);
    let mut counts = Vec::new();
    for (place, line) in lines {
        counts.try_reserve(1)?;
        let wrong = |fault| format!("line {} is no unit and its count: {fault}", place + 1);
        counts.push(read_line(line, most).map_err(wrong)?);
    }
    // The number of units of a shard by group is checked by the engine when they are used.
    if shard.assignment() == Assignment::Remainder {
        let expected = shard.len_of_run(&identity).unwrap_or(0);
        if counts.len() != expected {
            let (number, plural) = (counts.len(), if counts.len() == 1 { "" } else { "s" });
            let asked = format!("where line 2 asks for {expected}");
            return Err(format!("it has {number} unit{plural} {asked}").into());
        }
    }
    let units = Units { identity, shard, counts };
    let digits = units.directed().to_string().len();
    if digits > most {
        return Err(format!(
            "its counts add up to a number of {digits} digits, and no count of this board has more than {most}"
        )
        .into());
    }
    // Otherwise a checksum of the lines would differ from the fingerprint.
    if units.encode(history.as_ref(), provenance.as_ref())? != text {
        let fault = "it says the right things but is not written as kt-enum writes it";
        return Err(fault.to_owned().into());
    }
    Ok(UnitsFile { units, history, provenance })
}

/// A history with the nodes of all its processes, which are left out if they are not known.
#[derive(Serialize, Deserialize)]
struct HistoryLine<T> {
    #[serde(flatten)]
    history: T,
    #[serde(default, skip_serializing_if = "is_default")]
    nodes: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn json_line(mark: &str, value: &impl Serialize) -> String {
    format!("{mark}{}\n", serde_json::to_string(value).unwrap_or_default())
}

/// The content of the next line if it has this mark.
fn read_marked<'t, T: DeserializeOwned>(
    lines: &mut Peekable<impl Iterator<Item = (usize, &'t str)>>,
    mark: &str,
    fault: &str,
) -> Result<Option<T>, String> {
    lines
        .next_if(|(_, line)| line.starts_with(mark))
        .map(|(place, line)| read_json(line, mark, &format!("line {} {fault}", place + 1)))
        .transpose()
}

fn read_json<T: DeserializeOwned>(line: &str, mark: &str, fault: &str) -> Result<T, String> {
    serde_json::from_str(line.strip_prefix(mark).unwrap_or_default())
        .map_err(|error| format!("{fault}: {error}"))
}

/// The bytes before the last line, once the checksum in that line has been verified.
fn checked_body(text: &str) -> Result<&str, String> {
    let body_len = text.rfind(CHECKSUM).ok_or(CUT_SHORT)?;
    let (body, last_line) = text.split_at(body_len);
    if last_line == format!("{CHECKSUM}{}\n", sha256(body.as_bytes())) {
        Ok(body)
    } else {
        Err(format!("bytes 0 to {body_len} are not those that its checksum was made of"))
    }
}

fn read_line(line: &str, most_digits: usize) -> Result<(String, Tally), String> {
    let (label, count) = line.split_once('\t').ok_or("it has no tab")?;
    if count.len() > most_digits {
        let digits = count.len();
        return Err(format!(
            "{label} has a number of {digits} digits, and no count of this board has more than {most_digits}"
        ));
    }
    let count = count.parse().map_err(|error: ParseTallyError| error.to_string())?;
    Ok((label.to_owned(), count))
}

/// The largest number of digits of a count of directed tours: a tour leaves its first square by one
/// of its moves, and every other by at most one move less than the square has.
fn most_digits(board: &Board) -> usize {
    /// More squares than any board that an engine counts.
    const TOO_LARGE: usize = 1 << 18;
    if board.squares() > TOO_LARGE {
        return TOO_LARGE;
    }
    let moves = |square| board.moves(square).count();
    let first: usize = board.all_squares().map(moves).sum();
    let onward = |square| (moves(square).saturating_sub(1).max(1) as f64).log10();
    let onward: f64 = board.all_squares().map(onward).sum();
    // Logarithms are rounded.
    const MARGIN: f64 = 1e-6;
    1 + (onward + (first.max(1) as f64).log10() + MARGIN) as usize
}

/// The second line of the file.
#[derive(Serialize, Deserialize)]
struct About {
    /// The sides, which an explicit graph does not have.
    rows: Option<u32>,
    cols: Option<u32>,
    /// The description of a board that is not a full rectangle with a knight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    tours: String,
    from: String,
    to: String,
    engine: Name,
    split_depth: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    units: u64,
    shard: String,
    #[serde(default, skip_serializing_if = "is_default")]
    by: Assignment,
}

impl From<&Units> for About {
    fn from(units: &Units) -> Self {
        let Identity { question, engine, split, units: number } = &units.identity;
        let [tours, from, to] = question.words();
        let board = &question.board;
        let has_sides = !board.is_graph();
        Self {
            rows: has_sides.then(|| board.rows()),
            cols: has_sides.then(|| board.cols()),
            board: (!board.is_plain()).then(|| board.description()),
            tours,
            from,
            to,
            engine: engine.clone(),
            split_depth: split.depth(),
            cut: split.cut(),
            units: *number,
            shard: units.shard.to_string(),
            by: units.shard.assignment(),
        }
    }
}

impl About {
    fn read(self) -> Result<(Identity, Shard), Fault> {
        let board = match (&self.board, self.rows, self.cols) {
            (Some(text), ..) => text.parse(),
            (None, Some(rows), Some(cols)) => Board::new(rows, cols),
            _ => return Err("line 2 has no board".to_owned().into()),
        };
        let board = board.map_err(|error| error.to_string())?;
        let end = |text: &str| match text {
            "all" => Ok(None),
            _ => board.parse_square(text).map(Some).map_err(|error| error.to_string()),
        };
        let tours = match self.tours.as_str() {
            "open" => Tours::Open { from: end(&self.from)?, to: end(&self.to)? },
            "closed" => Tours::Closed,
            other => return Err(format!("line 2 has tours `{other}`").into()),
        };
        let split = match self.cut.as_ref().map(|cut| (cut, Split::parse_cut(cut))) {
            None => Split::Depth(self.split_depth),
            Some((_, Ok(split))) => split,
            // No engine of this version has such units.
            Some((cut, Err(ParseCutError::Earlier))) => {
                return Err(Fault::Version(format!("its cut {cut} has three numbers")));
            }
            Some((cut, Err(error))) => {
                return Err(format!("line 2 has the cut `{cut}`: {error}").into());
            }
        };
        let (question, engine) = (Question { board, tours }, self.engine);
        let identity = Identity { question, engine, split, units: self.units };
        let shard: Shard = self.shard.parse().map_err(|error: ShardError| error.to_string())?;
        Ok((identity, shard.by(self.by)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::every_damage;
    use crate::units::history::{Sample, Session};
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(1 << 40);

    fn sample() -> Units {
        let board = Board::new(5, 6).expect("in range");
        let from = board.parse_square("a1").ok();
        Units {
            identity: Identity {
                question: Question::open_between(board, from, None),
                engine: Name::Walk,
                split: Split::Depth(2),
                units: 5,
            },
            shard: Shard::new(1, 2).expect("below"),
            counts: vec![
                ("a1 b3 c5".to_owned(), Tally::from(1_u64 << 50)),
                ("a1 c2 e1".to_owned(), Tally::ZERO),
            ],
        }
    }

    #[test]
    fn units_of_any_board_split_and_shard_say_so_and_read_back() {
        type Change<'a> = &'a dyn Fn(&mut Units);
        let on = |board: &str| Question::open(board.parse().expect("a board"));
        let changes: [(Change, &str); 4] = [
            (
                &|units| units.identity.question = on("5x6 piece=king without=b2"),
                r#""rows":5,"cols":6,"board":"5x6 piece=king"#,
            ),
            (
                &|units| units.identity.question = on("graph 1-2,2-3"),
                r#""rows":null,"cols":null,"board":"graph 1-2,2-3""#,
            ),
            (
                &|units| units.identity.split = Split::parse_cut("middle:8").expect("a cut"),
                r#""split_depth":0,"cut":"middle:8","units":5"#,
            ),
            (
                &|units| units.shard = units.shard.by(Assignment::Group),
                r#""units":5,"shard":"1/2","by":"group"}"#,
            ),
        ];
        for (change, says) in changes {
            let mut units = sample();
            units.counts[0].1 = Tally::from(4_u32);
            change(&mut units);
            let text = units.text().expect("memory");
            assert!(text.contains(says), "{text}");
            assert_eq!(Units::decode(text.as_bytes()), Ok(units));
        }
    }

    #[test]
    fn a_second_line_that_contradicts_itself_or_is_not_in_its_one_form_is_refused() {
        let forge = |known: &str, other: &str| {
            let text = sample().text().expect("memory").replace(known, other);
            let body = &text[..text.rfind(CHECKSUM).expect("a checksum")];
            Units::decode(format!("{body}{CHECKSUM}{}\n", sha256(body.as_bytes())).as_bytes())
        };
        let (sides, shard) = (r#""rows":5,"cols":6"#, r#""shard":"1/2""#);
        assert!(forge(sides, sides).is_ok());
        for (known, other) in [
            (sides, r#""rows":null,"cols":6"#),
            (sides, r#""rows":5,"cols":6,"board":"5x6""#),
            (sides, r#""rows":5,"cols":5,"board":"5x6 piece=king""#),
            (sides, r#""rows":5,"cols":6,"board":"5x6 king""#),
            // A shard by remainder is not marked.
            (shard, r#""shard":"1/2","by":"remainder""#),
            (shard, r#""shard":"1/2","by":"neither""#),
        ] {
            assert!(forge(known, other).is_err(), "{other} was taken");
        }
    }

    fn provenance() -> Provenance {
        Provenance {
            version: "0.1.0".to_owned(),
            commit: None,
            host: "a\"host".to_owned(),
            cpu: Some("a processor".to_owned()),
            cores: 2,
            date: "2026-11-21T11:09:08Z".to_owned(),
        }
    }

    #[test]
    fn units_read_back_as_they_were_written() {
        let units = sample();
        let text = units.text().expect("memory");
        assert_eq!(Units::decode(text.as_bytes()), Ok(units.clone()));
        let mut history = History::default();
        history.begin(Session::beginning(2, 0, Sample::new(LONG, None, Tally::from(7_u32))));
        for provenance in [None, Some(provenance())] {
            let text = units.encode(Some(&history), provenance.as_ref()).expect("memory");
            let history = Some(history.clone());
            let kept = UnitsFile { units: units.clone(), history, provenance };
            assert_eq!(decode(text.as_bytes()), Ok(kept));
        }
    }

    #[test]
    fn units_of_another_format_or_of_a_cut_of_an_earlier_version_are_refused_as_such() {
        let mut units = sample();
        units.identity.engine = Name::Frontier;
        units.identity.split = Split::parse_cut("30:4").expect("a cut");
        let text = units.text().expect("memory");
        for (own, theirs, what) in [
            ("30:4", "30:4:6", "its cut 30:4:6 has three numbers"),
            ("format 3", "format 2", "its first line is `# kt-enum units, format 2`, not"),
        ] {
            let text = text.replacen(own, theirs, 1);
            let body = &text[..text.len() - CHECKSUM_LINE as usize];
            let text = format!("{body}{CHECKSUM}{}\n", sha256(body.as_bytes()));
            let refused = decode(text.as_bytes()).expect_err("is of another version");
            assert!(matches!(&refused, Fault::Version(said) if said.contains(what)), "{refused}");
        }
    }

    #[test]
    fn a_file_cut_short_at_any_byte_or_with_any_bit_flipped_is_refused() {
        let mut history = History::default();
        history.note(Sample::new(LONG, Some(0.5), Tally::from(7_u32)));
        let provenance = provenance();
        for (history, provenance) in
            [(None, None), (Some(&history), None), (Some(&history), Some(&provenance))]
        {
            for (what, damaged) in
                every_damage(sample().encode(history, provenance).expect("memory").as_bytes())
            {
                assert!(Units::decode(&damaged).is_err(), "{what}");
            }
        }
    }
}
