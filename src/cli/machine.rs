//! This program on this machine, and the abilities of its terminal.

use crate::units::provenance::Provenance;
use crate::words::timestamp;
use clap::ColorChoice;
use std::io::IsTerminal;
use std::time::SystemTime;
use sysinfo::{CpuRefreshKind, System};

/// This program and this machine, now.
pub fn provenance() -> Provenance {
    let system = System::new().ok().map(|mut system| {
        system.refresh_cpu_specifics(CpuRefreshKind::nothing());
        system
    });
    let processors = system.as_ref().map_or(&[][..], System::cpus);
    let cpu = processors.first().map(|cpu| cpu.brand().trim().to_owned());
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("KT_ENUM_COMMIT").map(str::to_owned),
        host: gethostname::gethostname().to_string_lossy().into_owned(),
        cpu: cpu.filter(|cpu| !cpu.is_empty()),
        cores: u32::try_from(processors.len().max(cores)).unwrap_or(u32::MAX),
        date: timestamp(SystemTime::now()),
    }
}

/// The columns of the terminal that standard error is.
pub fn columns() -> usize {
    const USUAL: usize = 80;
    match rustix::termios::tcgetwinsize(std::io::stderr()) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        _ => USUAL,
    }
}

/// True if text on a stream is to be in colours.
pub fn has_colours(choice: ColorChoice, stream: &impl IsTerminal) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb(),
    }
}

/// True if the terminal can do nothing but print.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
