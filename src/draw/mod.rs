//! Pictures and pages from plain values: no clock, no file, no network, no script.
//!
//! [`plot`] draws lines, bars and the heat map of a board as SVG, [`report`] puts them on a page, and
//! every text goes through [`markup::escaped`] on its way. Light and dark are the same picture: all
//! colours are variables of one style sheet, which asks what the reader prefers.

pub mod markup;
pub mod plot;
pub mod report;
