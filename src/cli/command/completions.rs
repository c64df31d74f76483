//! `completions SHELL`: shell completions, from the definition of the flags.

use crate::cli::args::Args;
use crate::cli::exit::Failure;
use crate::cli::output;
use clap::CommandFactory;
use clap_complete::Shell;

pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "kt-enum", &mut script);
    output::print(&script)
}
