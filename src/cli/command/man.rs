//! `man [COMMAND]`: a man page, from the definition of the flags.

use crate::cli::args::Args;
use crate::cli::exit::{self, Failure};
use crate::cli::signals::SIGNALS;
use crate::cli::{help, output};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fmt::Display;

/// The last section.
const FILES: &str = r".SH FILES
.TP
\fI$XDG_STATE_HOME/kt-enum/*.kt\fR, else \fI~/.local/state/kt-enum/*.kt\fR
The state of runs that are live or were stopped, a file for each question, or where \fB\-\-checkpoint\fR says.
.TP
\fI*.kt.previous\fR
The state before that one.
.TP
\fI*.kt.states\fR
What a count without listing has built before its units.
.TP
\fI*.kt.lock\fR
Who holds the state: a pid and a host.
.TP
\fIpart\-I\-of\-N\fR
What \fBkt\-enum shard\fR writes: a text file of units under a checksum.
";

pub fn run(command: Option<&str>) -> Result<(), Failure> {
    let mut program = Args::command();
    program.build();
    let page = match command {
        None => render(program, help::FIRST_STEPS),
        Some(name) => {
            let command = help::subcommand(&mut program, name)?.clone();
            render(command, help::examples(name))
        }
    };
    output::print(&page.map_err(Failure::failed)?)
}

/// The sections of clap, then examples, exit status and files.
fn render(command: Command, examples: &str) -> std::io::Result<Vec<u8>> {
    let has_commands = command.has_subcommands();
    // A page has the text of every option, also of those that are not on the screen of help.
    let mut command = command.mut_args(|arg| arg.hide_short_help(false));
    if !has_commands {
        // Both of its forms print the same.
        command = command.mut_arg("help", |arg| arg.help("Print help").long_help("Print help"));
    }
    let man = Man::new(command).manual("Knight's tours");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    let examples = table("EXAMPLES", help::parts(examples));
    let codes = table("\"EXIT STATUS\"", exit::CODES.into_iter());
    let rest = examples + &codes + &table("SIGNALS", SIGNALS.into_iter()) + FILES;
    page.extend_from_slice(rest.as_bytes());
    Ok(page)
}

/// A section with an entry for each row.
fn table<'a, T: Display>(heading: &str, rows: impl Iterator<Item = (T, &'a str)>) -> String {
    let entry = |(of, meaning): (T, &str)| {
        let of = of.to_string().replace('-', "\\-");
        format!(".TP\n\\fB{of}\\fR\n{meaning}\n")
    };
    format!(".SH {heading}\n") + &rows.map(entry).collect::<String>()
}
