//! The units of a finished run or of a shard, with their counts, in a text file that anyone can check.
//!
//! ```text
//! # kt-enum units, format 1
//! # {"rows":5,"cols":5,"tours":"open","from":"all","to":"all","engine":"walk","split_depth":0,"units":4,"shard":"0/1"}
//! a1<TAB>1216
//! c1<TAB>...
//! # sha256 <64 digits: the checksum of all the bytes before this line>
//! ```
//!
//! A line for each unit in order: the squares of its prefix, a tab, its count of directed tours, those
//! of all prefixes it stands for together. Shard `I/N` has every N-th unit from the I-th on. The
//! lines of the units alone make the fingerprint: `grep -v '^#' FILE | sha256sum`. There is nothing
//! else in the file, so two machines that count the same shard write the same bytes.

use super::durable::{self, DurableError};
use super::fingerprint::{fingerprint, sha256};
use super::shard::Shard;
use crate::board::Board;
use crate::question::{Question, Tours};
use crate::tally::{Overflow, Tally};
use crate::work::{Identity, Work};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The units of a run or of one shard of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units {
    /// Which run.
    pub identity: Identity,
    /// Which part of it.
    pub shard: Shard,
    /// In order, each unit's prefix and its count of directed tours.
    pub counts: Vec<(String, Tally)>,
}

/// Why a file of units cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum UnitsError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// There is no such file.
    #[error("there is no {0}")]
    Missing(PathBuf),
    /// The file is damaged.
    #[error(
        "{path} is damaged: {what}; nothing was changed: make it again with the command that made it"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
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
}

const FIRST_LINE: &str = "# kt-enum units, format 1";
const CHECKSUM: &str = "# sha256 ";

impl Units {
    /// The sum of all units here: directed tours.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit 128 bits.
    pub fn directed(&self) -> Result<Tally, Overflow> {
        Tally::sum(self.counts.iter().map(|(_, count)| *count))
    }

    /// The number of tours without direction; see [`Question::directions`].
    ///
    /// # Errors
    /// [`Overflow`] as for [`Units::directed`].
    pub fn undirected(&self) -> Result<Tally, Overflow> {
        let directions = self.identity.question.directions();
        Ok(Tally(self.directed()?.0 / u128::from(directions)))
    }

    /// The digest of the ordered list of units and counts; see [`fingerprint`].
    pub fn fingerprint(&self) -> String {
        fingerprint(self.counts.iter().map(|(label, count)| (label, *count)))
    }

    /// Writes the file in one step.
    ///
    /// # Errors
    /// [`DurableError`] when the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), DurableError> {
        durable::replace(path, self.encode().as_bytes(), || Ok(()))
    }

    /// Reads a file that [`Units::write`] wrote.
    ///
    /// # Errors
    /// [`UnitsError`] when it cannot be read or is not such a file, whole and unchanged.
    pub fn read(path: &Path) -> Result<Self, UnitsError> {
        let bytes = durable::read(path)?.ok_or_else(|| UnitsError::Missing(path.to_owned()))?;
        Self::decode(&bytes).map_err(|what| UnitsError::Damaged {
            path: path.to_owned(),
            what,
        })
    }

    /// Checks that these are units of `work`, each with its own prefix.
    ///
    /// # Errors
    /// [`UnitsError::Foreign`] with the first that is not.
    pub fn check_against<W: Work>(&self, work: &W) -> Result<(), UnitsError> {
        for (place, (theirs, _)) in self.counts.iter().enumerate() {
            let unit = self.shard.unit(place);
            let ours = work.label(unit);
            if *theirs != ours {
                let theirs = theirs.clone();
                return Err(UnitsError::Foreign { unit, theirs, ours });
            }
        }
        Ok(())
    }

    fn encode(&self) -> String {
        let about = serde_json::to_string(&About::from(self)).unwrap_or_default();
        let mut text = format!("{FIRST_LINE}\n# {about}\n");
        for (label, count) in &self.counts {
            text += &format!("{label}\t{count}\n");
        }
        let checksum = sha256(text.as_bytes());
        text + CHECKSUM + &checksum + "\n"
    }

    /// Decodes the bytes of a file, or says what is wrong with them and where.
    ///
    /// # Errors
    /// A sentence that names the line or the bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| format!("byte {} is no text", error.valid_up_to()))?;
        let body_len = text
            .rfind(CHECKSUM)
            .ok_or("it does not end with a checksum: it is cut short")?;
        let (body, last_line) = text.split_at(body_len);
        if last_line != format!("{CHECKSUM}{}\n", sha256(body.as_bytes())) {
            return Err(format!(
                "bytes 0..{body_len} do not fit the checksum after them"
            ));
        }
        let mut lines = body.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(format!("line 1 is not `{FIRST_LINE}`"));
        }
        let about = lines.next().and_then(|line| line.strip_prefix("# "));
        let about: About = serde_json::from_str(about.unwrap_or_default())
            .map_err(|error| format!("line 2 does not say which run it is of: {error}"))?;
        let (identity, shard) = about.read()?;
        let counts = lines.enumerate().map(|(place, line)| {
            read_line(line).ok_or_else(|| format!("line {} is no unit and its count", place + 3))
        });
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let expected = usize::try_from(identity.units).map_or(0, |units| shard.len(units));
        if counts.len() != expected {
            return Err(format!(
                "it has {} units where line 2 asks for {expected}",
                counts.len()
            ));
        }
        let units = Self {
            identity,
            shard,
            counts,
        };
        // Else the lines that people digest would not be those that this program does.
        match units.encode() == text {
            true => Ok(units),
            false => {
                Err("it says the right things but is not written as kt-enum writes it".to_owned())
            }
        }
    }
}

fn read_line(line: &str) -> Option<(String, Tally)> {
    let (label, count) = line.split_once('\t')?;
    Some((label.to_owned(), Tally(count.parse().ok()?)))
}

/// The second line of the file.
#[derive(Serialize, Deserialize)]
struct About {
    rows: u32,
    cols: u32,
    tours: String,
    from: String,
    to: String,
    engine: String,
    split_depth: u32,
    units: u64,
    shard: String,
}

impl From<&Units> for About {
    fn from(units: &Units) -> Self {
        let Identity {
            question,
            engine,
            split_depth,
            units: number,
        } = &units.identity;
        let [tours, from, to] = question.words();
        Self {
            rows: question.board.rows(),
            cols: question.board.cols(),
            tours,
            from,
            to,
            engine: engine.clone(),
            split_depth: *split_depth,
            units: *number,
            shard: units.shard.to_string(),
        }
    }
}

impl About {
    fn read(self) -> Result<(Identity, Shard), String> {
        let board = Board::new(self.rows, self.cols).map_err(|error| error.to_string())?;
        let end = |text: &str| match text {
            "all" => Ok(None),
            _ => board
                .parse_square(text)
                .map(Some)
                .map_err(|error| error.to_string()),
        };
        let tours = match self.tours.as_str() {
            "open" => Tours::Open {
                from: end(&self.from)?,
                to: end(&self.to)?,
            },
            "closed" => Tours::Closed,
            other => return Err(format!("line 2 has tours `{other}`")),
        };
        let identity = Identity {
            question: Question { board, tours },
            engine: self.engine,
            split_depth: self.split_depth,
            units: self.units,
        };
        let shard = self
            .shard
            .parse()
            .map_err(|error: super::ShardError| error.to_string())?;
        Ok((identity, shard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Units {
        let board = Board::new(5, 6).expect("in range");
        let from = board.parse_square("a1").ok();
        Units {
            identity: Identity {
                question: Question::open_between(board, from, None),
                engine: "walk".to_owned(),
                split_depth: 2,
                units: 5,
            },
            shard: Shard::new(1, 2).expect("below"),
            counts: vec![
                ("a1 b3 c5".to_owned(), Tally(1 << 90)),
                ("a1 c2 e1".to_owned(), Tally(0)),
            ],
        }
    }

    #[test]
    fn units_read_back_as_they_were_written() {
        let units = sample();
        assert_eq!(Units::decode(units.encode().as_bytes()), Ok(units));
    }

    #[test]
    fn a_file_cut_short_at_any_byte_or_with_any_bit_flipped_is_refused() {
        let bytes = sample().encode().into_bytes();
        for len in 0..bytes.len() {
            assert!(
                Units::decode(&bytes[..len]).is_err(),
                "{len} bytes were taken"
            );
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Units::decode(&flipped).is_err(), "bit {bit} was not missed");
        }
    }
}
