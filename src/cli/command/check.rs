//! `check`: whether tours are tours.

use crate::cli::args::CheckArgs;
use crate::cli::board::board_of_tours;
use crate::cli::exit::Failure;
use crate::cli::output::{Output, note};
use crate::cli::tour_file::TourFile;
use crate::tour::{KnownBoard, Read, Wrong};
use std::fmt::Display;
use std::path::Path;

/// Bytes of verdicts that are written at once.
const PORTION: usize = 1 << 16;

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let expected = board_of_tours(&args.board, &args.signs, &args.files)?;
    let out = Output::standard()?;
    let mut check = Check { out, verdicts: String::new(), all: 0, wrong: 0, name: String::new() };
    let is_named = args.files.len() > 1;
    let read = args.files.iter().try_for_each(|file| check.file(file, is_named, &expected));
    check.out.write(check.verdicts.as_bytes())?;
    check.out.end()?;
    read?;
    let Check { all, wrong, name, .. } = check;
    Failure::mismatch_if(wrong > 0, || format!("not a tour: {wrong} of {all} read from {name}"))
}

/// The verdicts on the tours so far.
struct Check {
    out: Output,
    verdicts: String,
    all: u64,
    wrong: u64,
    /// The files in words.
    name: String,
}

impl Check {
    /// Checks the tours of a file. Its name stands before each verdict if there are several files.
    fn file(&mut self, file: &Path, is_named: bool, expected: &KnownBoard) -> Result<(), Failure> {
        let mut tours = TourFile::open(file, expected.clone())?;
        self.name = if is_named { "these files".to_owned() } else { tours.name.clone() };
        let name = if is_named { format!("{}: ", tours.name) } else { String::new() };
        let before = self.all;
        while let Some(Read { line, tour, .. }) = tours.next().transpose()? {
            match tour {
                Ok(tour) if tour.is_reentrant() => self.add(&name, "closed"),
                Ok(_) => self.add(&name, "open"),
                Err(why @ Wrong::Unfinished { .. }) => {
                    self.wrong += 1;
                    self.add(&name, &why.to_string());
                }
                Err(why) => self.add_wrong(&name, line, &why),
            }
            if self.verdicts.len() >= PORTION {
                self.out.write(self.verdicts.as_bytes())?;
                self.verdicts.clear();
            }
            if self.out.is_closed() {
                return Ok(());
            }
        }
        match tours.skipped() {
            _ if self.all > before => {}
            // A text that is not a tour is wrong, but an empty file has no wrong tour. The user
            // should know that there was nothing to check.
            Some((_, line)) => self.add_wrong(&name, line, &"words, and no tour"),
            None => note(&tours.nothing().message),
        }
        Ok(())
    }

    fn add(&mut self, name: &str, verdict: &str) {
        self.all += 1;
        self.verdicts.extend([name, verdict, "\n"]);
    }

    fn add_wrong(&mut self, name: &str, line: usize, why: &dyn Display) {
        self.wrong += 1;
        self.add(name, &format!("wrong: line {line}: {why}"));
    }
}
