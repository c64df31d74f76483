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
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};
use std::collections::TryReserveError;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

const MAGIC: &[u8; 8] = b"KT-ENUM\n";
pub(super) const VERSION: u32 = 6;
const CHECKSUM_LEN: u64 = 32;
/// The largest part of a checkpoint that is read: a million units take some tens of MB.
const LARGEST_PART: u64 = 1 << 30;

/// A defect in the bytes of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
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

/// Decodes the first part of a file.
pub(in crate::run) fn head<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    let [head, _] = parts(bytes)?;
    content(bytes, head)
}

/// Decodes the second part of a file.
pub(in crate::run) fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    let [_, body] = parts(bytes)?;
    content(bytes, body)
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

fn content<T: DeserializeOwned>(bytes: &[u8], at: Range<usize>) -> Result<T, CodecError> {
    let decoded = options().deserialize(&bytes[at.clone()]);
    decoded.map_err(|error| damaged(&at, format!("do not decode: {error}")))
}

/// A list of any length, for which there may be no memory.
pub(super) struct List<T>(Result<Vec<T>, TryReserveError>);

impl<T> List<T> {
    /// The list, if there was memory for it.
    pub fn complete(self) -> Result<Vec<T>, CodecError> {
        Ok(self.0?)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = List<T>;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
                let mut list = Ok(Vec::new());
                while let Some(item) = items.next_element()? {
                    // The rest is read all the same, so that the bytes are checked to their end.
                    list = list.and_then(|mut list: Vec<T>| {
                        list.try_reserve(1)?;
                        list.push(item);
                        Ok(list)
                    });
                }
                Ok(List(list))
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

/// The reason why the bytes of a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::run) enum ReadError {
    /// The system refused to read it.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// The bytes are not what this program writes.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

/// Reads the bytes of a file, or returns `None` if it does not exist. Its lengths are verified
/// before the rest is read, so that a file of any size that is not a checkpoint costs no memory.
pub(in crate::run) fn read(path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
    let Some(file) = Opened::open(path)? else { return Ok(None) };
    ranges(file.len, |range| Ok::<_, ReadError>(file.at(range)?))?;
    Ok(Some(file.all(2 * LARGEST_PART)?))
}

/// The ranges of header and units, after all lengths and the checksum have been verified.
fn parts(bytes: &[u8]) -> Result<[Range<usize>; 2], CodecError> {
    let len = bytes.len();
    let inside = |Range { start, end }: Range<u64>| {
        start.min(len as u64) as usize..end.min(len as u64) as usize
    };
    let parts = ranges(len as u64, |range| Ok::<_, CodecError>(bytes[inside(range)].to_vec()))?;
    let [header, units] = parts.map(inside);
    let body = units.end;
    if Sha256::digest(&bytes[..body]).as_slice() != &bytes[body..] {
        return Err(damaged(&(0..body), "do not fit their checksum"));
    }
    Ok([header, units])
}

/// The ranges of header and units in a file of `len` bytes, after all lengths have been verified.
/// `at` returns the bytes of a range, or those of them that the file has.
fn ranges<E: From<CodecError>>(
    len: u64,
    at: impl Fn(Range<u64>) -> Result<Vec<u8>, E>,
) -> Result<[Range<u64>; 2], E> {
    const START: u64 = MAGIC.len() as u64;
    let number = |range: Range<u64>| {
        let digits = at(range.clone())?;
        match digits.len() as u64 == range.end - range.start {
            true => Ok(digits.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))),
            false => Err(E::from(too_long(range.clone(), len, range.end))),
        }
    };
    // The range of the part whose length is stored at `at`.
    let part = |at: u64| {
        let start = at + 8;
        let end = number(at..start)?.saturating_add(start);
        match end <= len && end - start <= LARGEST_PART {
            true => Ok(start..end),
            false => Err(E::from(too_long(at..start, len, end))),
        }
    };
    if at(0..START)? != MAGIC {
        return Err(CodecError::Magic(0..len.min(START) as usize).into());
    }
    let version = number(START..START + 4)? as u32;
    if version != VERSION {
        return Err(CodecError::Version(version).into());
    }
    let header = part(START + 4)?;
    let units = part(header.end)?;
    let wanted = units.end + CHECKSUM_LEN;
    match len == wanted {
        true => Ok([header, units]),
        false => Err(too_long(header.end..units.start, len, wanted).into()),
    }
}
