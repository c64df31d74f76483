//! `nth`: tours by their numbers.

use crate::cli::args::{NthArgs, NumberedArgs};
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::numbering::{Numbering, with_numbers};
use crate::cli::output::Output;
use kt_enum::frontier::ORDER;
use kt_enum::question::Question;
use kt_enum::tour::{Tour, TourWriter};
use num_bigint::BigUint;
use serde_json::json;

/// Bytes of tours that are written at once.
const PORTION: usize = 1 << 16;

pub fn run(args: &NthArgs) -> Result<(), Failure> {
    let question = config::required_question(&args.question)?;
    with_numbers(&args.number, question, |numbering| {
        write(&args.write, &question, numbering, &args.numbers)
    })
}

/// Writes the tours with some numbers.
pub fn write(
    args: &NumberedArgs,
    question: &Question,
    numbering: &mut Numbering,
    wanted: &[BigUint],
) -> Result<(), Failure> {
    let tours = numbering.ask(|numbers, watch| numbers.tours(wanted, watch))?;
    let mut writer = TourWriter::new(question.board, args.format.into());
    let mut out = Output::to(args.output.as_deref())?;
    let mut text = Vec::new();
    for (place, (number, tour)) in wanted.iter().zip(&tours).enumerate() {
        if args.json {
            text.extend(object(question, number, tour).to_string().bytes());
            text.push(b'\n');
        } else {
            if place > 0 {
                text.extend_from_slice(writer.separator());
            }
            writer.write(tour.squares(), &mut text);
        }
        if text.len() >= PORTION {
            out.write(&text)?;
            text.clear();
        }
        if out.is_closed() {
            break;
        }
    }
    out.write(&text)?;
    out.end()
}

fn object(question: &Question, number: &BigUint, tour: &Tour) -> serde_json::Value {
    let board = question.board;
    let names = tour.squares().iter().map(|&square| board.name(square));
    json!({
        "tour": names.collect::<Vec<_>>(), "closed": tour.is_reentrant(board),
        "number": number.to_string(), "order": ORDER,
    })
}
