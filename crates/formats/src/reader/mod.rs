//! Reads tours and part-filled boards, in the forms that people write.
//!
//! Three passes, each pure: characters to cells with places ([`cells`]), cells to a table
//! ([`table`]), and a table to the squares of steps ([`squares`]). [`paragraphs`] tells which lines
//! of a text belong together.

mod cells;
mod paragraphs;
mod part_filled;
mod read;
mod squares;
mod table;
mod wrong;

pub use paragraphs::{KnownBoard, Reader};
pub use part_filled::{PartFilledReader, link};
pub use read::{Read, TourReader};
pub use wrong::{Misread, Wrong};
