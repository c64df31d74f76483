//! The memory and disk that this process may take: what the machine has free, within the limits
//! that the system sets on the process.

pub mod growing;
mod limits;

pub use limits::left_of_addresses;

use crate::quantity;
use rustix::time::{ClockId, clock_gettime};
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;
use sysinfo::System;

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

/// The processor time of all threads of this process so far.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// A disk.
#[derive(Debug, Clone, Copy)]
pub struct Disk {
    /// Its bytes.
    pub size: u64,
    /// The bytes that this user can still write.
    pub free: u64,
}

/// Refuses work that takes this many bytes in allocations that would end the process without a
/// message where the system does not give them.
pub fn check_gives(bytes: usize, what: impl Display) -> Result<(), String> {
    let given = Vec::<u8>::new().try_reserve_exact(bytes);
    let bytes = quantity::bytes(bytes as f64);
    given.map_err(|_| format!("{what} takes up to {bytes} of memory, more than the system gives"))
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
