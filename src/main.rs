//! The program `kt-enum`; see the library of the same name for what it does.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
