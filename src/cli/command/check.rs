//! `check`: whether tours are tours.

use crate::cli::args::CheckArgs;
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::tour_file::TourFile;
use kt_enum::tour::Read;

/// Bytes of verdicts that are written at once.
const PORTION: usize = 1 << 16;

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut tours = TourFile::open(args.file.as_deref(), config::board(&args.board)?)?;
    let mut out = Output::to(None)?;
    let mut verdicts = Verdicts::default();
    while let Some(read) = tours.next().transpose()? {
        verdicts.add(&read);
        if verdicts.text.len() >= PORTION {
            out.write(verdicts.text.as_bytes())?;
            verdicts.text.clear();
        }
        if out.is_closed() {
            break;
        }
    }
    out.write(verdicts.text.as_bytes())?;
    out.end()?;
    match verdicts.wrong {
        0 => Ok(()),
        wrong => {
            let (all, name) = (verdicts.all, tours.name());
            let message = format!("{wrong} of {all} read from {name} are no tours");
            Err(Failure::mismatch(message))
        }
    }
}

/// What is to be said of the tours read.
#[derive(Default)]
struct Verdicts {
    text: String,
    all: u64,
    wrong: u64,
}

impl Verdicts {
    fn add(&mut self, read: &Read) {
        self.all += 1;
        match &read.tour {
            Ok((board, tour)) if tour.is_reentrant(*board) => self.text += "closed\n",
            Ok(_) => self.text += "open\n",
            Err(wrong) => {
                self.wrong += 1;
                self.text += &format!("wrong: line {}: {wrong}\n", read.line);
            }
        }
    }
}
