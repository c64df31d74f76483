//! The names that most files use.

pub use crate::long::{Call, Long};
pub use crate::tour::{Tour, hash, packed, width};
pub use crate::tours::{one_or_all, to_int};
pub use crate::{error::*, keywords::*, site::Site};
pub use kt_enum::numbers::{Numbers, NumbersError, Random};
pub use kt_enum::solve::{self as solver, *};
pub use kt_enum::tour::{self, KnownBoard, Misread, PartFilledReader, Read, TourReader};
pub use kt_enum::{board::*, job::*, question::Question, tally::Tally, units::*};
pub use pyo3::exceptions::*;
pub use pyo3::prelude::*;
pub use pyo3::{IntoPyObjectExt, types::*};
pub use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
pub use std::sync::{Arc, Mutex, PoisonError};
pub use std::time::{Duration, Instant};
pub use std::{fmt::Display, path::PathBuf};
