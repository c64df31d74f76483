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

use bincode::Options;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::ops::Range;

const MAGIC: &[u8; 8] = b"KT-ENUM\n";
pub(super) const VERSION: u32 = 5;
const CHECKSUM_LEN: usize = 32;
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
}

fn damaged(at: &Range<usize>, what: impl Display) -> CodecError {
    CodecError::Damaged(format!("bytes {}..{} {what}", at.start, at.end))
}

fn too_long(at: Range<usize>, len: usize, wanted: u64) -> CodecError {
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
    for part in [options().serialize(head), options().serialize(body)] {
        let at = bytes.len()..bytes.len();
        let part = part.map_err(|error| damaged(&at, format!("do not encode: {error}")))?;
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    Ok(bytes)
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

/// True if the bytes are a checkpoint, possibly damaged or cut short. A file that is anything else
/// must never be removed.
pub fn looks_like_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || MAGIC.starts_with(bytes)
}

fn content<T: DeserializeOwned>(bytes: &[u8], at: Range<usize>) -> Result<T, CodecError> {
    let decoded = options().deserialize(&bytes[at.clone()]);
    decoded.map_err(|error| damaged(&at, format!("do not decode: {error}")))
}

/// The ranges of header and units, after all lengths and the checksum have been verified.
fn parts(bytes: &[u8]) -> Result<[Range<usize>; 2], CodecError> {
    let len = bytes.len();
    if !bytes.starts_with(MAGIC) {
        return Err(CodecError::Magic(0..len.min(MAGIC.len())));
    }
    let version = number::<4>(bytes, MAGIC.len())? as u32;
    if version != VERSION {
        return Err(CodecError::Version(version));
    }
    let header = part(bytes, MAGIC.len() + 4)?;
    let units = part(bytes, header.end)?;
    let body = units.end;
    if len != body + CHECKSUM_LEN {
        let wanted = (body + CHECKSUM_LEN) as u64;
        return Err(too_long(header.end..units.start, len, wanted));
    }
    if Sha256::digest(&bytes[..body]).as_slice() != &bytes[body..] {
        return Err(damaged(&(0..body), "do not fit their checksum"));
    }
    Ok([header, units])
}

/// The range of the part whose length is stored at `at`.
fn part(bytes: &[u8], at: usize) -> Result<Range<usize>, CodecError> {
    let start = at + 8;
    let wanted = number::<8>(bytes, at)?.saturating_add(start as u64);
    match usize::try_from(wanted) {
        Ok(end) if end <= bytes.len() => Ok(start..end),
        _ => Err(too_long(at..start, bytes.len(), wanted)),
    }
}

fn number<const LEN: usize>(bytes: &[u8], at: usize) -> Result<u64, CodecError> {
    let end = at + LEN;
    let digits = bytes.get(at..end).ok_or_else(|| too_long(at..end, bytes.len(), end as u64))?;
    Ok(digits.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
