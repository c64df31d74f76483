//! What the machine has to give, and what its terminal can do.

use std::path::Path;
use sysinfo::System;

/// Bytes of memory that can be taken without swapping, within the limits of a container or a job; `None`
/// when the system does not say.
fn free_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let limits = system.cgroup_limits().map(|limits| limits.free_memory);
    Some(system.available_memory().min(limits.unwrap_or(u64::MAX)))
}

/// What the states of a frontier may take of the free memory.
pub fn memory_for_states() -> Option<u64> {
    Some(free_memory()? / 4 * 3)
}

/// Bytes that are free where a file lies or will lie; `None` when the system does not say.
pub fn free_disk(path: &Path) -> Option<u64> {
    let there = path.ancestors().skip(1).find(|folder| folder.exists());
    let folder = there.filter(|folder| !folder.as_os_str().is_empty());
    let disk = rustix::fs::statvfs(folder.unwrap_or(Path::new("."))).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// The columns of the terminal that standard error is.
pub fn columns() -> usize {
    const USUAL: usize = 80;
    match rustix::termios::tcgetwinsize(std::io::stderr()) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        _ => USUAL,
    }
}

/// Whether the terminal is one that does nothing but print.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
