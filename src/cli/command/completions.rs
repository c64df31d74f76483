//! `completions SHELL`: shell completions, from the definition of the flags.

use crate::cli::args::Args;
use crate::cli::exit::Failure;
use crate::cli::output;
use clap::CommandFactory;
use clap_complete::Shell;

pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "kt-enum", &mut script);
    // For a name with a hyphen, the Bash script of clap_complete 4.6 looks for cases that it labels
    // otherwise, and so completes nothing within a command (clap issue 6421).
    let script = String::from_utf8_lossy(&script).replace("kt__subcmd__enum", "kt__enum");
    output::print(script.as_bytes())
}
