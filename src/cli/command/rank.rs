//! `rank`: the numbers of tours.

use crate::cli::args::RankArgs;
use crate::cli::board::board_of_tours;
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::numbering::{Numbering, with_numbers};
use crate::cli::output::{Document, Output};
use crate::cli::tour_file::TourFile;
use crate::numbers::ORDER;
use crate::question::Question;
use crate::tour::{Read, Tour};
use std::slice::from_ref;

/// Tours that are read before their numbers are looked for.
const MOST_AT_ONCE: usize = 1 << 17;

pub fn run(args: &RankArgs) -> Result<(), Failure> {
    let expected = board_of_tours(&args.question.board, &args.signs, from_ref(&args.file))?;
    let known = expected.board.clone().map(|board| (board, false));
    let mut tours = TourFile::open(&args.file, expected)?;
    let first = tours.of_first()?.or(known);
    let (board, is_closed) = first.ok_or_else(|| tours.nothing())?;
    let mut question = config::question_on(&board, &args.question)?;
    if is_closed && args.question.kind.are_closed.is_none() && question.is_whole() {
        question = Question::closed(board);
    }
    // Nothing is counted for what cannot be read.
    let mut read = next_tours(&question, &mut tours)?;
    let mut out = Output::standard()?;
    with_numbers(&args.number, question.clone(), |numbering| {
        loop {
            let (lines, end) = read;
            let is_last = lines.len() < MOST_AT_ONCE;
            let all = numbering.portion.after(lines.len()).before;
            numbering.portion.of = is_last.then_some(all);
            out.write(text(args, numbering, lines)?.as_bytes())?;
            end?;
            if is_last || out.is_closed() {
                return out.end();
            }
            read = next_tours(&question, &mut tours)?;
        }
    })
}

/// Some tours, each with its line, and the failure that ended them, if one did.
type ReadTours = (Vec<(usize, Tour)>, Result<(), Failure>);

fn next_tours(question: &Question, tours: &mut TourFile) -> Result<ReadTours, Failure> {
    let mut lines = Vec::new();
    while lines.len() < MOST_AT_ONCE
        && let Some(Read { line, tour, .. }) = tours.next().transpose()?
    {
        let checked = tour.map_err(|why| tours.wrong(line, why)).and_then(|tour| {
            question.check(&tour).map_err(|why| tours.wrong(line, why))?;
            Ok(tour)
        });
        match checked {
            Ok(tour) => lines.push((line, tour)),
            Err(wrong) if lines.is_empty() => return Err(wrong),
            Err(wrong) => return Ok((lines, Err(wrong))),
        }
    }
    Ok((lines, Ok(())))
}

fn text(
    args: &RankArgs,
    numbering: &mut Numbering,
    lines: Vec<(usize, Tour)>,
) -> Result<String, Failure> {
    let (lines, tours): (Vec<usize>, Vec<Tour>) = lines.into_iter().unzip();
    let numbers = numbering.numbers(&tours)?;
    let last = numbering.last().to_string();
    let mut text = String::new();
    for (line, number) in lines.into_iter().zip(numbers) {
        let not = || {
            Failure::mismatch(format!("line {line}: not among the {last} tours of the question"))
        };
        let number = number.ok_or_else(not)?.to_string();
        text += &if args.json {
            let ranked = Document::default().field("line", line).field("number", number);
            ranked.field("of", &last).field("order", ORDER).line()
        } else {
            number + "\n"
        };
    }
    Ok(text)
}
