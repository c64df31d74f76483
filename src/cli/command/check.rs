//! `check`: whether tours are tours.

use crate::cli::args::CheckArgs;
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use kt_enum::tour::{Read, TourReader};
use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// Bytes of verdicts that are written at once.
const PORTION: usize = 1 << 16;

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut reader = TourReader::new(config::board(&args.board)?);
    let (name, mut text): (String, Box<dyn BufRead>) = match &args.file {
        None => ("standard input".to_owned(), Box::new(io::stdin().lock())),
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| cannot_read(&name, &error))?;
            (name, Box::new(BufReader::new(file)))
        }
    };
    let mut out = Output::to(None)?;
    let mut verdicts = Verdicts::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = text.read_until(b'\n', &mut line);
        let is_end = length.map_err(|error| cannot_read(&name, &error))? == 0;
        let read = match is_end {
            true => [reader.finish(), None],
            false => reader.read(&String::from_utf8_lossy(&line)),
        };
        read.iter().flatten().for_each(|read| verdicts.add(read));
        if is_end || verdicts.text.len() >= PORTION {
            out.write(verdicts.text.as_bytes())?;
            verdicts.text.clear();
        }
        if is_end || out.is_closed() {
            break;
        }
    }
    out.end()?;
    match verdicts.wrong {
        0 => Ok(()),
        wrong => {
            let message = format!("{wrong} of {} read from {name} are no tours", verdicts.all);
            Err(Failure::saying(Exit::Mismatch, message))
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

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    Failure::saying(Exit::Failed, format!("cannot read {name}: {error}"))
}
