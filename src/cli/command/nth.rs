//! `nth`: tours by their numbers.

use crate::cli::args::{NthArgs, NumberArgs, NumberedArgs, QuestionArgs};
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::numbering::with_numbers;
use crate::cli::output::{Document, Output};
use crate::cli::place::{OutputPlace, TOURS};
use crate::job::file_of_index;
use crate::numbers::ORDER;
use crate::question::Question;
use crate::tally::Tally;
use crate::tour::{Tour, TourWriter};

/// Bytes of tours that are written at once.
const PORTION: usize = 1 << 16;

/// The number of tours that are requested at once.
const MOST_AT_ONCE: usize = 1 << 17;

pub fn run(args: &NthArgs) -> Result<(), Failure> {
    let question = config::required_question(&args.question)?;
    let mut writing = Writing::to(&args.write, &args.question, &args.number, question.clone())?;
    with_numbers(&args.number, question, |numbering| {
        let last = numbering.last().clone();
        // Numbers are checked before anything is written.
        let ends = args.numbers.iter();
        let ends = ends.flat_map(|range| [range.start().clone(), range.end().clone()]);
        for end in ends.filter(|end| *end == Tally::ZERO || *end > last) {
            numbering.tours(&[end])?;
        }
        let lengths =
            args.numbers.iter().map(|range| range.end().as_big() + 1_u32 - range.start().as_big());
        numbering.portion.of =
            lengths.reduce(|sum, more| sum + more).and_then(|all| u64::try_from(all).ok());
        let numbers = args.numbers.iter().flat_map(|range| {
            let next = |number: &Tally| Some(number + 1);
            let all = std::iter::successors(Some(range.start().clone()), next);
            all.take_while(|number| number <= range.end())
        });
        writing.write_all(Some(ORDER), numbers, |wanted| numbering.tours(wanted))
    })?;
    writing.out.end()
}

/// Tours with numbers that are being written.
pub struct Writing<'a> {
    args: &'a NumberedArgs,
    question: Question,
    writer: TourWriter,
    pub out: Output,
    /// What stands before the next tour: the header, or what separates it from the one before.
    before: Vec<u8>,
}

impl<'a> Writing<'a> {
    /// Writes to the place that the arguments name.
    pub fn to(
        args: &'a NumberedArgs,
        asked: &QuestionArgs,
        number: &NumberArgs,
        question: Question,
    ) -> Result<Self, Failure> {
        let index = number.index.as_deref().map(file_of_index);
        let inputs = asked.board.files().chain(index.as_deref());
        let is_chosen = args.json || args.file.format.is_some();
        let place = OutputPlace::of_tours(&args.file.write.wanted(TOURS, is_chosen, inputs))?;
        let format = args.file.format();
        let before = format.header(&question.board, question.is_closed()).into_bytes();
        let writer = TourWriter::new(question.board.clone(), format);
        Ok(Self { args, question, writer, out: Output::to(place)?, before })
    }

    /// Writes the tours with these numbers, and the version of the numbering if it has one. A
    /// bounded number of tours is made at a time, so that any number of them fits into memory and
    /// can be interrupted.
    pub fn write_all(
        &mut self,
        order: Option<u32>,
        mut numbers: impl Iterator<Item = Tally>,
        mut tours: impl FnMut(&[Tally]) -> Result<Vec<Tour>, Failure>,
    ) -> Result<(), Failure> {
        let mut text = Vec::new();
        loop {
            let wanted: Vec<Tally> = numbers.by_ref().take(MOST_AT_ONCE).collect();
            if wanted.is_empty() || self.out.is_closed() {
                return Ok(());
            }
            for (number, tour) in wanted.iter().zip(tours(&wanted)?) {
                self.add(number, order, &tour, &mut text);
                if text.len() >= PORTION {
                    self.out.write(&std::mem::take(&mut text))?;
                }
            }
            self.out.write(&std::mem::take(&mut text))?;
        }
    }

    /// Adds a tour to the text.
    fn add(&mut self, number: &Tally, order: Option<u32>, tour: &Tour, text: &mut Vec<u8>) {
        if !self.args.json {
            text.append(&mut self.before);
            self.writer.write(tour.squares(), text);
            self.before.extend_from_slice(self.writer.separator());
            return;
        }
        let board = &self.question.board;
        let names: Vec<String> = tour.squares().iter().map(|&square| board.name(square)).collect();
        let object = Document::default()
            .field("number", number.to_string())
            .optional("order", order)
            .field("closed", tour.is_reentrant())
            .field("tour", names)
            .field("board", board.description())
            .line();
        text.extend(object.bytes());
    }
}
