//! Tests of the program through its command line: its output, its refusals, its exit codes.
#![allow(clippy::unwrap_used, missing_docs)]

mod any_board;
mod bad_input;
mod browser;
mod browser_report;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod effort;
mod engines;
mod estimate;
mod find;
mod fingerprint;
mod forecast;
mod golden;
mod graph_files;
mod list_command;
mod main_job;
mod number;
mod places;
mod progress;
mod promises;
mod puzzle_pages;
mod puzzles;
mod report;
mod selected;
mod show;
mod sides;
mod signals;
mod stats;
mod typed;
mod words;
