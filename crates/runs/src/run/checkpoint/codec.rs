//! The bytes of a checkpoint. The only file that knows bincode.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the magic `KT-ENUM` and a line feed |
//! | 4 | format version, little-endian as all numbers here |
//! | 8, then as many | length of the header, header |
//! | 8, then as many | length of the units, units |
//! | 32 | SHA-256 of all the bytes before |
//!
//! Header and units are encoded with bincode 1.3 and its variable-length integers. Other format
//! versions are refused.

use crate::durable::{DurableError, Opened};
use bincode::Options;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::TryReserveError;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

const MAGIC: &[u8; 8] = b"KT-ENUM\n";
pub(super) const VERSION: u32 = 10;
const CHECKSUM_LEN: u64 = 32;
/// The largest part of a checkpoint that is read: a million units take some tens of MB.
const LARGEST_PART: u64 = 1 << 30;

/// The reason why the bytes of a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The system refused to read it.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// The file does not start like a checkpoint.
    #[error("bytes {}..{} are not the beginning of a checkpoint", .0.start, .0.end)]
    Magic(Range<usize>),
    /// It was written by another version of the program.
    #[error("bytes 8..12 say format version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// Its lengths, checksum or content are not what this program writes. The text says what is
    /// wrong, and in which bytes.
    #[error("{0}")]
    Damaged(String),
    /// There is no memory for its bytes or its content.
    #[error(transparent)]
    Memory(#[from] TryReserveError),
}

fn damaged(at: &Range<usize>, what: impl Display) -> CodecError {
    CodecError::Damaged(format!("bytes {}..{} {what}", at.start, at.end))
}

fn too_long(at: Range<u64>, len: u64, wanted: u64) -> CodecError {
    let Range { start, end } = at;
    let asked = format!("where its lengths, bytes {start}..{end}, ask for {wanted}");
    CodecError::Damaged(format!("it has {len} bytes {asked}"))
}

fn options() -> impl Options {
    bincode::DefaultOptions::new().with_limit(LARGEST_PART).reject_trailing_bytes()
}

/// Encodes a file with these two parts.
pub(in crate::run) fn encode(
    head: &impl Serialize,
    body: &(impl Serialize + ?Sized),
) -> Result<Vec<u8>, CodecError> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    append(&mut bytes, head)?;
    append(&mut bytes, body)?;
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    Ok(bytes)
}

/// Appends a part with its length, and leaves room for the checksum.
fn append(bytes: &mut Vec<u8>, part: &(impl Serialize + ?Sized)) -> Result<(), CodecError> {
    let at = bytes.len()..bytes.len();
    let failed = |error| damaged(&at, format!("do not encode: {error}"));
    let len = options().serialized_size(part).map_err(failed)?;
    bytes.try_reserve(len as usize + 8 + CHECKSUM_LEN as usize)?;
    bytes.extend(len.to_le_bytes());
    options().serialize_into(bytes, part).map_err(failed)
}

/// True if a file with these first bytes is one of this program, possibly damaged. Any other must
/// never be removed.
pub(in crate::run) fn has_magic(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// True if the bytes are a checkpoint, possibly damaged or cut short.
pub fn looks_like_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || MAGIC.starts_with(bytes)
}

/// The bytes of a file whose lengths and checksum have been verified.
pub(in crate::run) struct Encoded {
    bytes: Vec<u8>,
    head: Range<usize>,
    body: Range<usize>,
}

impl Encoded {
    /// Reads a file, or returns `None` if it does not exist. Its lengths are verified before the
    /// rest is read, so that a file of any size that is not a checkpoint costs no memory.
    pub fn read(path: &Path) -> Result<Option<Self>, CodecError> {
        let Some(file) = Opened::open(path)? else { return Ok(None) };
        let [head, body] = parts(&file)?;
        let bytes = file.all(2 * LARGEST_PART)?;
        match bytes.split_at_checked(body.end) {
            Some((parts, checksum)) if Sha256::digest(parts)[..] == *checksum => {
                Ok(Some(Self { bytes, head, body }))
            }
            _ => Err(damaged(&(0..body.end), "do not fit their checksum")),
        }
    }

    /// Decodes the first part.
    pub fn head<T: DeserializeOwned>(&self) -> Result<T, CodecError> {
        content(&self.bytes, &self.head)
    }

    /// Decodes the second part.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, CodecError> {
        content(&self.bytes, &self.body)
    }

    /// Decodes the second part, a list of any length, for which there may be no memory.
    pub fn list<T: DeserializeOwned>(&self) -> Result<Vec<T>, CodecError> {
        let (mut rest, mut list) = (&self.bytes[self.body.clone()], Vec::new());
        let failed = |error| undecoded(&self.body, error);
        let len: usize = options().deserialize_from(&mut rest).map_err(failed)?;
        for _ in 0..len {
            list.try_reserve(1)?;
            list.push(options().deserialize_from(&mut rest).map_err(failed)?);
        }
        // Nothing may follow.
        options().deserialize::<()>(rest).map_err(failed)?;
        Ok(list)
    }
}

fn content<T: DeserializeOwned>(bytes: &[u8], at: &Range<usize>) -> Result<T, CodecError> {
    options().deserialize(&bytes[at.clone()]).map_err(|error| undecoded(at, error))
}

fn undecoded(at: &Range<usize>, error: bincode::Error) -> CodecError {
    damaged(at, format!("do not decode: {error}"))
}

/// The ranges of header and units in a file, after all lengths have been verified.
fn parts(file: &Opened) -> Result<[Range<usize>; 2], CodecError> {
    const START: u64 = MAGIC.len() as u64;
    let len = file.len;
    let number = |range: Range<u64>| {
        let digits = file.at(range.clone())?;
        match digits.len() as u64 == range.end - range.start {
            true => Ok(digits.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))),
            false => Err(too_long(range.clone(), len, range.end)),
        }
    };
    // The range of the part whose length is stored at `at`.
    let part = |at: u64| {
        let start = at + 8;
        let end = number(at..start)?.saturating_add(start);
        match end <= len && end - start <= LARGEST_PART {
            true => Ok(start..end),
            false => Err(too_long(at..start, len, end)),
        }
    };
    if file.at(0..START)? != MAGIC {
        return Err(CodecError::Magic(0..len.min(START) as usize));
    }
    let version = number(START..START + 4)? as u32;
    if version != VERSION {
        return Err(CodecError::Version(version));
    }
    let header = part(START + 4)?;
    let units = part(header.end)?;
    let wanted = units.end + CHECKSUM_LEN;
    match len == wanted {
        true => Ok([header, units].map(|part| part.start as usize..part.end as usize)),
        false => Err(too_long(header.end..units.start, len, wanted)),
    }
}
