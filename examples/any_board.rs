//! Counts the tours of any board: `any_board "8x8 piece=king" closed`.
//!
//! The first argument is the text that [`Board::description`] writes, the second is `open` or
//! `closed`, and a third may name an engine.
//!
//! [`Board::description`]: kt_enum::board::Board::description
#![allow(clippy::print_stdout)]

use kt_enum::board::Board;
use kt_enum::job::{Job, Name, Silent};
use kt_enum::question::Question;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let board: Board = words.next().unwrap_or("5x5 piece=king".to_owned()).parse()?;
    let question = match words.next().as_deref() {
        Some("closed") => Question::closed(board),
        _ => Question::open(board),
    };
    if let Some(reason) = question.impossible() {
        println!("0 {question}: {reason}");
        return Ok(());
    }
    let mut job = Job::new(question.clone());
    job.wishes.engine = match words.next().as_deref() {
        Some("walk") => Some(Name::Walk),
        Some("frontier") => Some(Name::Frontier),
        _ => None,
    };
    let plan = job.plan(&mut Silent)?;
    let outcome = plan.count(&Default::default(), &mut Silent)?;
    let (states, name) = (outcome.effort.nodes, &outcome.units.identity.engine);
    println!("{} {question}: {states} nodes of the engine `{name}`", outcome.units.undirected());
    Ok(())
}
