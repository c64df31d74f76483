//! The resources of the machine, and the abilities of its terminal.

use super::limits;
use super::quantity::timestamp;
use crate::units::provenance::Provenance;
use std::path::Path;
use std::time::SystemTime;
use sysinfo::{CpuRefreshKind, System};

/// Bytes of memory that this process can come to hold without swapping, within the limits of its
/// cgroups, of its Slurm job and of `ulimit -v`; `None` when the system does not say.
pub fn free_memory(threads: usize) -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let of_slurm = limits::of_slurm(|name| std::env::var(name).ok());
    let own = resident().unwrap_or(0);
    let left = limits::left_in_cgroups().map(|left| left.saturating_add(own));
    let limits = [left, of_slurm, limits::left_of_addresses(threads)].into_iter().flatten().min();
    let available = system.available_memory().saturating_add(own);
    Some(available.min(limits.unwrap_or(u64::MAX)))
}

/// Bytes of memory that this process holds.
fn resident() -> Option<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = sizes.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The memory that a process with so many worker threads takes unless it is told otherwise: three
/// quarters of what is free.
pub fn memory_to_take(threads: usize) -> Option<u64> {
    Some(free_memory(threads)? / 4 * 3)
}

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

/// A disk.
#[derive(Debug, Clone, Copy)]
pub struct Disk {
    pub size: u64,
    /// The bytes that this user can still write.
    pub free: u64,
}

/// Bytes that are free where a file lies or will lie; `None` when the system does not say.
pub fn free_disk(path: &Path) -> Option<u64> {
    Some(disk(path)?.free)
}

/// The disk where a file lies or will lie; `None` when the system does not say, as for a tmpfs
/// without a bound.
pub fn disk(path: &Path) -> Option<Disk> {
    let there = path.ancestors().skip(1).find(|folder| folder.exists());
    let folder = there.filter(|folder| !folder.as_os_str().is_empty());
    let disk = rustix::fs::statvfs(folder.unwrap_or(Path::new("."))).ok()?;
    let bytes = |blocks: u64| blocks.checked_mul(disk.f_frsize);
    let (size, free) = (bytes(disk.f_blocks)?, bytes(disk.f_bavail)?);
    (size > 0).then_some(Disk { size, free })
}

/// The columns of the terminal that standard error is.
pub fn columns() -> usize {
    const USUAL: usize = 80;
    match rustix::termios::tcgetwinsize(std::io::stderr()) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        _ => USUAL,
    }
}

/// True if the terminal can do nothing but print.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
