//! `man [COMMAND]`: a man page, from the definition of the flags.

use crate::cli::args::Args;
use crate::cli::exit::{Exit, Failure};
use crate::cli::{help, output};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fmt::Write;

/// The last sections.
const SIGNALS_AND_FILES: &str = r".SH SIGNALS
SIGINT, SIGTERM, SIGUSR2 and SIGHUP save and stop. A second SIGINT leaves at once. SIGUSR1 prints how far the run is.
.SH FILES
.TP
\fI$XDG_STATE_HOME/kt-enum/*.kt\fR, else \fI~/.local/state/kt-enum/*.kt\fR
The state of runs that are live or were stopped, a file for each question, or where \fB\-\-checkpoint\fR says.
.TP
\fI*.kt.previous\fR
The state before that one.
.TP
\fI*.kt.lock\fR
Who holds the state: a pid and a host.
.TP
\fIpart\-I\-of\-N\fR
What \fBkt\-enum shard\fR writes: a text file of units under a checksum.
";

const EXIT_STATUS: &[(u8, &str)] = &[
    (
        0,
        "Done. That there is no tour, and a count of 0, are answers.",
    ),
    (
        1,
        "Could not finish: the system refused something, or a search gave up.",
    ),
    (
        2,
        "The command line is wrong. The message says what would be right.",
    ),
    (3, "A check found a mismatch."),
    (
        65,
        "A checkpoint or a part is damaged. Nothing was changed.",
    ),
    (73, "Another live process holds the checkpoint."),
    (
        75,
        "Stopped on request, with the state saved: type the same again.",
    ),
    (130, "Interrupted, with the state saved as for 75."),
];

pub fn run(command: Option<&str>) -> Result<(), Failure> {
    let page = page(command)?;
    let rendered = page.map_err(|error| Failure::new(Exit::Failed, error))?;
    output::print(&rendered)
}

fn page(command: Option<&str>) -> Result<std::io::Result<Vec<u8>>, Failure> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let Some(name) = command else {
        return Ok(render(program, help::FIRST_STEPS));
    };
    let unknown = || {
        let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let message = format!("`{name}` is no command: say one of {}", names.join(", "));
        Failure::saying(Exit::Usage, message)
    };
    let command = program.find_subcommand(name).ok_or_else(unknown)?.clone();
    Ok(render(command, help::examples(name)))
}

/// The sections of clap, then examples, exit status and files.
fn render(command: Command, examples: &str) -> std::io::Result<Vec<u8>> {
    let has_commands = command.has_subcommands();
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
    let mut rest = String::from(".SH EXAMPLES\n");
    for (typed, what) in help::parts(examples) {
        let _ = writeln!(rest, ".TP\n\\fB{}\\fR\n{what}", typed.replace('-', "\\-"));
    }
    rest += ".SH \"EXIT STATUS\"\n";
    for (code, meaning) in EXIT_STATUS {
        let _ = writeln!(rest, ".TP\n\\fB{code}\\fR\n{meaning}");
    }
    page.extend_from_slice(rest.as_bytes());
    page.extend_from_slice(SIGNALS_AND_FILES.as_bytes());
    Ok(page)
}
