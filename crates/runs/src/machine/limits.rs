//! Limits that the system sets on the memory of this process: its cgroup, its Slurm job and `ulimit
//! -v`.
//!
//! The cgroups are read here, not by `sysinfo`, whose limits of a process end at the first group
//! without a memory controller. A task of Slurm is in such a group, below the one with the limit.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that processes of this one's cgroups may still take, by the tightest limit of its own
/// group and of all groups that this group is in; `None` where none of them has a limit.
pub fn left_in_cgroups() -> Option<u64> {
    let read = |name| fs::read_to_string(format!("/proc/self/{name}")).ok();
    of_cgroups(&read("cgroup")?, &read("mountinfo")?)
}

/// The same, from the text of `/proc/self/cgroup` and of `/proc/self/mountinfo`.
fn of_cgroups(groups: &str, mounts: &str) -> Option<u64> {
    let group = |line: &str| {
        let (_, line) = line.split_once(':')?;
        let (controllers, path) = line.split_once(':')?;
        let version = match controllers {
            "" => TWO,
            _ if names_memory(controllers) => ONE,
            _ => return None,
        };
        version.left(Path::new(path), mounts)
    };
    groups.lines().filter_map(group).min()
}

/// The names in a version of cgroups. Both versions may be mounted at once, the memory controller
/// in one of them.
struct Version {
    file_system: &'static str,
    /// The files with limits.
    limits: &'static [&'static str],
    /// The file with the bytes in use.
    usage: &'static str,
    /// The words of `memory.stat` for pages of files, which the system drops when memory is short.
    cached: [&'static str; 2],
}

const ONE: Version = Version {
    file_system: "cgroup",
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    cached: ["total_inactive_file", "total_active_file"],
};

const TWO: Version = Version {
    file_system: "cgroup2",
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    cached: ["inactive_file", "active_file"],
};

fn names_memory(controllers: &str) -> bool {
    controllers.split(',').any(|name| name == "memory")
}

impl Version {
    fn left(&self, group: &Path, mounts: &str) -> Option<u64> {
        let (mount, folder) = mounts.lines().find_map(|line| self.folder(group, line))?;
        let folders = folder.ancestors().take_while(|folder| folder.starts_with(&mount));
        folders.filter_map(|folder| self.left_in(folder)).min()
    }

    /// The place where a line of `mountinfo` mounts the groups of this version, and the folder of a
    /// group.
    fn folder(&self, group: &Path, line: &str) -> Option<(PathBuf, PathBuf)> {
        let (fields, file_system) = line.split_once(" - ")?;
        let mut file_system = file_system.split(' ');
        let (kind, options) = (file_system.next()?, file_system.nth(1)?);
        // In version 1 every controller has a mount of its own.
        if kind != self.file_system || kind == ONE.file_system && !names_memory(options) {
            return None;
        }
        let mut fields = fields.split(' ').skip(3);
        let (root, mount) = (unescaped(fields.next()?), unescaped(fields.next()?));
        // In a container the group may have a path outside of what is mounted: the mount is its
        // own.
        let within = group.strip_prefix(&root).unwrap_or(Path::new(""));
        let folder = mount.join(within);
        Some((mount, folder))
    }

    /// The limits of a group, less what its processes use.
    fn left_in(&self, folder: &Path) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        // `max` is not a number and so not a limit; version 1 has a number past all memory.
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(|name| number(name)).min()?;
        let stat = read("memory.stat").unwrap_or_default();
        let words = stat.lines().filter_map(|line| line.trim_end().split_once(' '));
        let cached = words.filter(|(name, _)| self.cached.contains(name));
        let of_files = cached.filter_map(|(_, bytes)| bytes.parse::<u64>().ok()).sum();
        let used = number(self.usage).unwrap_or(0).saturating_sub(of_files);
        (limit < NO_LIMIT).then(|| limit.saturating_sub(used))
    }
}

/// A number from which on version 1 means that there is no limit: the largest multiple of a page,
/// of any size.
const NO_LIMIT: u64 = 1 << 62;

/// A path of `mountinfo`, where blanks, tabs, line ends and backslashes are octal numbers.
fn unescaped(text: &str) -> PathBuf {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    let text = escapes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    text.into()
}

/// Bytes that a task of Slurm was granted on its node, by the environment of the task.
///
/// Slurm need not enforce the grant by a cgroup, but another job on the node counts on the rest.
pub fn of_slurm(variable: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let number = |name: &str| variable(name)?.trim().parse::<u64>().ok();
    // Only a task that was started by srun shares the grant of its job with others.
    let of_step = |tasks: String| {
        let node = number("SLURM_NODEID").unwrap_or(0);
        tasks_on_node(&tasks, node)
    };
    let tasks = variable("SLURM_STEP_TASKS_PER_NODE").and_then(of_step).unwrap_or(1).max(1);
    let cpus = || {
        let of_node = || Some(number("SLURM_CPUS_ON_NODE")? / tasks);
        number("SLURM_CPUS_PER_TASK").or_else(of_node).unwrap_or(1).max(1)
    };
    let of_node = number("SLURM_MEM_PER_NODE").map(|memory| memory / tasks);
    let of_cpus = number("SLURM_MEM_PER_CPU").map(|memory| memory.saturating_mul(cpus()));
    // A job that asked for all memory of its nodes has 0.
    let granted = of_node.or(of_cpus).filter(|&mebibytes| mebibytes > 0);
    granted.map(|mebibytes| mebibytes.saturating_mul(1 << 20))
}

/// The number of tasks of a node in a list such as `2(x3),1`: three nodes with two tasks, then one
/// with one.
fn tasks_on_node(tasks: &str, node: u64) -> Option<u64> {
    let mut before = 0;
    for item in tasks.split(',') {
        let (tasks, nodes) = match item.split_once("(x") {
            Some((tasks, nodes)) => (tasks, nodes.strip_suffix(')')?.parse::<u64>().ok()?),
            None => (item, 1),
        };
        before += nodes;
        if node < before {
            return tasks.trim().parse().ok();
        }
    }
    None
}

/// Addresses that a thread reserves and does not use: its stack, and a heap of its own.
const ADDRESSES_OF_THREAD: u64 = (16 << 20) + (128 << 20);

/// Bytes that a process with `threads` worker threads may still use under `ulimit -v`. That is a
/// limit on addresses, of which every thread reserves more than it uses.
pub fn left_of_addresses(threads: usize) -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let reserved = ADDRESSES_OF_THREAD.saturating_mul(threads as u64);
    Some(limit.saturating_sub(reserved))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the files of cgroups: the path below the mount, and the content.
    fn mounted(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, content) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, content).expect("a file");
        }
        folder
    }

    fn two(root: &str, mount: &Path) -> String {
        format!(
            "22 1 0:20 / /proc rw - proc proc rw\n\
             31 23 0:28 {root} {} rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
            mount.display()
        )
    }

    fn one(root: &str, mount: &Path) -> String {
        format!(
            "30 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
             31 23 0:28 {root} {} rw,relatime - cgroup cgroup rw,memory\n",
            mount.display()
        )
    }

    #[test]
    fn the_tightest_limit_of_version_2_is_that_of_any_group_around_the_process() {
        let folder = mounted(&[
            ("a/memory.max", "1000\n"),
            ("a/memory.current", "700\n"),
            ("a/memory.stat", "anon 300\nfile 400\ninactive_file 250\nactive_file 150\n"),
            ("a/b/memory.max", "max\n"),
            ("a/b/memory.current", "10\n"),
            // The group of the process has no memory controller.
            ("a/b/task/cgroup.procs", "1\n"),
            ("other/memory.max", "5\n"),
        ]);
        let mounts = two("/", folder.path());
        assert_eq!(of_cgroups("0::/a/b/task\n", &mounts), Some(700));
        assert_eq!(of_cgroups("0::/\n", &mounts), None);
        fs::write(folder.path().join("a/b/memory.high"), "500\n").expect("a file");
        assert_eq!(of_cgroups("0::/a/b/task\n", &mounts), Some(490));
    }

    #[test]
    fn the_limit_of_version_1_is_that_of_the_memory_controller() {
        let folder = mounted(&[
            ("memory.limit_in_bytes", "9223372036854771712\n"),
            ("job/memory.limit_in_bytes", "2000\n"),
            ("job/memory.usage_in_bytes", "900\n"),
            ("job/memory.stat", "inactive_file 1\ntotal_inactive_file 100\ntotal_active_file 0\n"),
            ("job/step/memory.limit_in_bytes", "9223372036854771712\n"),
            ("job/step/memory.usage_in_bytes", "1\n"),
        ]);
        let groups = "9:cpu,cpuacct:/\n4:memory:/job/step\n0::/\n";
        let mounts = one("/", folder.path());
        assert_eq!(of_cgroups(groups, &mounts), Some(1200));
        assert_eq!(of_cgroups("4:memory:/other\n", &mounts), None);
    }

    #[test]
    fn where_a_group_is_mounted_in_a_container_its_own_files_are_read() {
        let folder = mounted(&[("with blank/memory.max", "300"), ("with blank/sub/x", "")]);
        let mount = folder.path().join("with blank");
        let mounts = two("/docker/1", &mount).replace("with blank", "with\\040blank");
        for group in ["0::/docker/1", "0::/docker/1/sub", "0::/", "0::/../elsewhere"] {
            assert_eq!(of_cgroups(group, &mounts), Some(300), "{group}");
        }
    }

    #[test]
    fn what_is_absent_or_makes_no_sense_is_not_a_limit() {
        let folder = mounted(&[("a/memory.max", "many"), ("b/memory.max", "70")]);
        let mounts = two("/", folder.path());
        for groups in ["", "0", "0:", "0::/a", "x:memory:/b", "0::/nowhere", "::::"] {
            assert_eq!(of_cgroups(groups, &mounts), None, "{groups}");
        }
        for mounts in ["", " - ", "- cgroup2", "1 2 3 - cgroup2 cgroup2 rw"] {
            assert_eq!(of_cgroups("0::/b", mounts), None, "{mounts}");
        }
        // Without the bytes in use, all of the limit may be taken.
        assert_eq!(of_cgroups("0::/b", &mounts), Some(70));
    }

    #[test]
    fn a_task_of_slurm_has_its_share_of_what_was_granted() {
        const MEBIBYTE: u64 = 1 << 20;
        for (variables, mebibytes) in [
            ("", None),
            ("SLURM_MEM_PER_NODE=4000", Some(4000)),
            ("SLURM_MEM_PER_NODE=0", None),
            ("SLURM_MEM_PER_NODE=much", None),
            ("SLURM_MEM_PER_CPU=500 SLURM_CPUS_PER_TASK=4", Some(2000)),
            ("SLURM_MEM_PER_CPU=500 SLURM_CPUS_ON_NODE=8", Some(4000)),
            ("SLURM_MEM_PER_CPU=500", Some(500)),
            // A batch script is one process, whatever it may start.
            ("SLURM_MEM_PER_NODE=4000 SLURM_TASKS_PER_NODE=4", Some(4000)),
            ("SLURM_MEM_PER_NODE=4000 SLURM_STEP_TASKS_PER_NODE=4", Some(1000)),
            (
                "SLURM_MEM_PER_NODE=4000 SLURM_STEP_TASKS_PER_NODE=4(x2),2 SLURM_NODEID=1",
                Some(1000),
            ),
            (
                "SLURM_MEM_PER_NODE=4000 SLURM_STEP_TASKS_PER_NODE=4(x2),2 SLURM_NODEID=2",
                Some(2000),
            ),
            ("SLURM_MEM_PER_NODE=4000 SLURM_STEP_TASKS_PER_NODE=4(x SLURM_NODEID=9", Some(4000)),
            ("SLURM_MEM_PER_CPU=500 SLURM_CPUS_ON_NODE=8 SLURM_STEP_TASKS_PER_NODE=4", Some(1000)),
        ] {
            let variable = |name: &str| {
                let pairs = variables.split(' ').filter_map(|pair| pair.split_once('='));
                let mut of_name = pairs.filter(|(known, _)| *known == name);
                of_name.next().map(|(_, value)| value.to_owned())
            };
            let granted = mebibytes.map(|mebibytes: u64| mebibytes * MEBIBYTE);
            assert_eq!(of_slurm(variable), granted, "{variables}");
        }
    }
}
