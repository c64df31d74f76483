//! `man`: the man page, from the definition of the flags.

use crate::cli::args::Args;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use clap::CommandFactory;

pub fn run() -> Result<(), Failure> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(Args::command()).render(&mut page);
    rendered.map_err(|error| Failure::new(Exit::Failed, error))?;
    output::print(&page)
}
