//! The program `kt-enum`; see the library of the same name for what it does.

fn main() -> std::process::ExitCode {
    kt_enum::program(std::env::args_os().collect()).into()
}
