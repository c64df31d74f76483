//! `check`: whether tours are tours.

use crate::cli::args::CheckArgs;
use crate::cli::board::board_of_tours;
use crate::cli::exit::Failure;
use crate::cli::output::{Output, note};
use crate::cli::place::OutputPlace;
use crate::cli::tour_file::TourFile;
use crate::tour::Read;

/// Bytes of verdicts that are written at once.
const PORTION: usize = 1 << 16;

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let board = board_of_tours(&args.board, args.file.as_deref())?;
    let mut tours = TourFile::open(args.file.as_deref(), board)?;
    let mut out = Output::to(OutputPlace::standard_output())?;
    let (mut verdicts, mut all, mut wrong) = (String::new(), 0_u64, 0_u64);
    while let Some(Read { line, tour }) = tours.next().transpose()? {
        all += 1;
        match tour {
            Ok(tour) if tour.is_reentrant() => verdicts += "closed\n",
            Ok(_) => verdicts += "open\n",
            Err(why) => {
                wrong += 1;
                verdicts += &format!("wrong: line {line}: {why}\n");
            }
        }
        if verdicts.len() >= PORTION {
            out.write(verdicts.as_bytes())?;
            verdicts.clear();
        }
        if out.is_closed() {
            break;
        }
    }
    out.write(verdicts.as_bytes())?;
    if all == 0 && !out.is_closed() {
        // An empty file has no wrong tour, but the user should know that there was nothing to
        // check.
        note(&tours.nothing().message);
    }
    out.end()?;
    Failure::mismatch_if(wrong > 0, || {
        format!("{wrong} of {all} read from {} are no tours", tours.name())
    })
}
