//! The fingerprint of a run: a digest of the ordered list of units and their counts.
//!
//! The digest is the SHA-256, in hexadecimal, of one line per unit in order: the label of the unit,
//! a tab, its count of directed tours (weighted by its orbit), and a line feed. So anyone can
//! compute it from a list of units with a checksum program. It does not depend on threads, stops
//! and resumes.

use sha2::{Digest, Sha256};
use std::fmt::Display;

/// The fingerprint of units, given in order as pairs of label and count.
///
/// ```
/// use kt_enum_runs::{tally::Tally, units::fingerprint};
/// let units = [("a1 b3", Tally::from(2_u32))];
/// // printf 'a1 b3\t2\n' | sha256sum
/// assert!(fingerprint(units).starts_with("105043b2ec"));
/// ```
pub fn fingerprint(units: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    let mut digest = Sha256::new();
    for (label, count) in units {
        digest.update(format!("{label}\t{count}\n"));
    }
    hex(&digest.finalize())
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
