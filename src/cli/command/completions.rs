//! `completions SHELL`: shell completions, from the definition of the flags.

use crate::board::Piece;
use crate::cli::args::Args;
use crate::cli::exit::Failure;
use crate::cli::output;
use clap::builder::PossibleValuesParser;
use clap::{Arg, CommandFactory};
use clap_complete::Shell;

pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    let definition = Args::command();
    let name = |command: &clap::Command| &*command.get_name().to_owned().leak();
    let commands: Vec<&str> = definition.get_subcommands().map(name).collect();
    // Other values are taken too, but these are offered.
    let offered = |arg: Arg| match arg.get_id().as_str() {
        "piece" => arg.value_parser(PossibleValuesParser::new(Piece::names())),
        "command" => arg.value_parser(PossibleValuesParser::new(commands.clone())),
        _ => arg,
    };
    let mut definition =
        definition.mut_args(offered).mut_subcommands(|command| command.mut_args(offered));
    clap_complete::generate(shell, &mut definition, "kt-enum", &mut script);
    // For a name with a hyphen, the Bash script of clap_complete 4.6 looks for cases that it labels
    // otherwise, and so completes nothing within a command (clap issue 6421).
    let script = String::from_utf8_lossy(&script).replace("kt__subcmd__enum", "kt__enum");
    output::print(script.as_bytes())
}
