//! Disks that are full, read-only or gone.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use crate::{DIRECTED, JOB, contents, names, refused, resumes};
use kt_enum::tally::Tally;
use kt_enum_runs::run::checkpoint::peek;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// A separate disk, small enough to be filled; it exists as long as the value.
pub struct Disk {
    at: tempfile::TempDir,
}

impl Disk {
    pub fn mount() -> Self {
        Self::of_size("256k")
    }

    /// Mounts a disk of this size.
    pub fn of_size(size: &str) -> Self {
        Self::with(&format!("size={size}"))
    }

    pub fn with(option: &str) -> Self {
        let at = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", option, "tmpfs"])
            .arg(at.path())
            .output()
            .unwrap();
        assert!(mounted.status.success(), "{}", text(&mounted.stderr));
        Self { at }
    }

    /// Returns a folder on the disk.
    pub fn folder(&self) -> PathBuf {
        let folder = self.at.path().join("folder");
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub fn fill(&self) {
        let mut options = fs::OpenOptions::new();
        let filler = self.at.path().join("filler");
        let mut file = options.append(true).create(true).open(filler).unwrap();
        while file.write_all(&[0; 1 << 12]).is_ok() {}
    }

    pub fn free(&self) {
        fs::remove_file(self.at.path().join("filler")).unwrap();
    }

    fn seal(&self) {
        self.remount("ro");
    }

    /// Changes the size of the disk.
    pub fn resize(&self, size: &str) {
        self.remount(&format!("size={size}"));
    }

    fn remount(&self, option: &str) {
        let sealed = Command::new("mount")
            .args(["-o", &format!("remount,{option}")])
            .arg(self.at.path())
            .output()
            .unwrap();
        assert!(sealed.status.success(), "{}", text(&sealed.stderr));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.at.path()).status();
        if !unmounted.is_ok_and(|status| status.success()) {
            let _ = Command::new("umount").arg("-l").arg(self.at.path()).status();
        }
    }
}

#[test]
#[ignore = "needs root and a mount"]
fn an_index_on_a_full_disk_is_reported_unfinished_and_its_tours_are_right() {
    let machine = Machine::new();
    let right = machine.kt("nth 1 700 --size 5").output().unwrap().stdout;
    // The index takes some 50 kilobytes, so the disk becomes full at its beginning, in its middle,
    // or at its end.
    for size in ["8k", "16k", "24k", "32k", "40k"] {
        let disk = Disk::of_size(size);
        let folder = disk.folder();
        let job = format!("nth 1 700 --size 5 --index {}", folder.display());
        let short = machine.kt(&job).output().unwrap();
        let said = text(&short.stderr);
        assert!(said.contains("cannot save the state"), "{size}: {said}");
        assert!(said.trim_end().ends_with("of --disk and of free space"), "{size}: {said}");
        assert!(said.contains("is incomplete") && !said.contains("again in"), "{size}: {said}");
        assert!(short.status.success() && short.stdout == right, "{size}");
        disk.resize("1m");
        for _ in 0..2 {
            machine.kt(&job).assert().success().stdout(right.clone());
        }
        let taken_up = machine.kt(&job).output().unwrap();
        assert!(text(&taken_up.stderr).contains("resumed from"), "{size}");
    }
}

#[test]
#[ignore = "needs root and a mount"]
fn no_more_disk_is_advised_than_there_is() {
    let (disk, machine) = (Disk::of_size("20m"), Machine::new());
    let prepare = format!("prepare --size 8 --closed --out {}", disk.folder().display());
    for limit in ["", " --disk 5M"] {
        let output = machine.kt(&format!("{prepare}{limit}")).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("on a disk with 21 MB free: free more") && !said.contains("give"));
    }
}

#[test]
#[ignore = "needs root and a mount"]
fn a_finished_index_is_read_on_a_read_only_disk() {
    let (disk, machine) = (Disk::of_size("1m"), Machine::new());
    let job = format!("nth 1 700 --size 5 --index {}", disk.folder().join("index").display());
    let made = machine.kt(&job).output().unwrap();
    disk.seal();
    let read = machine.kt(&job).output().unwrap();
    let said = text(&read.stderr);
    assert!(read.status.success() && read.stdout == made.stdout, "{said}");
    assert!(!said.contains("cannot") && !said.contains("incomplete"), "{said}");
    refused(&machine, &format!("{job} --fresh"), 1, &["Read-only", "--index DIR"]);
}

#[test]
#[ignore = "needs root and a mount"]
fn a_disk_that_fills_up_under_a_run_leaves_the_last_state_whole_and_the_count_right() {
    let disk = Disk::mount();
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    let mut run = Watched::start(&machine, &format!("{JOB} --checkpoint {}", path.display()));
    let has_tours = || {
        let header = peek(&path).unwrap();
        header.is_some_and(|header| header.status.found > Tally::ZERO)
    };
    run.hold_at("saved");
    // On a slow machine the first checkpoint may be saved before any tour is found.
    while !has_tours() {
        run.let_go();
        run.hold_at("saved");
    }
    disk.fill();
    run.let_go();
    run.hold_at("save-failed");
    assert!(has_tours());
    run.let_go();
    run.ends_right(DIRECTED);
    assert_eq!(names(&disk.folder()), [""; 0], "nothing is left behind");
}

#[test]
#[ignore = "needs root and a mount"]
fn a_run_stopped_on_a_full_disk_keeps_the_state_before_byte_for_byte_and_resumes_with_space() {
    let disk = Disk::mount();
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    let job = format!("{JOB} --checkpoint {}", path.display());
    let mut run = Watched::start(&machine, &job);
    run.hold_at("saved");
    disk.fill();
    run.let_go();
    run.hold_at("save-failed");
    let before = fs::read(&path).unwrap();
    run.signal("TERM");
    run.let_go();
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
    for words in
        ["No space left", "the work since the last save", "free some space", "same command"]
    {
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("run without one"), "{}", ended.stderr);
    assert_eq!(fs::read(&path).unwrap(), before);
    let left = names(&disk.folder());
    assert!(left.iter().all(|name| !name.contains(".new-")), "{left:?}");

    // A new start is refused as well, and changes nothing.
    disk.fill();
    refused(&machine, &job, 1, &["run.kt", "--no-checkpoint"]);
    assert_eq!(fs::read(&path).unwrap(), before);

    disk.free();
    resumes(&machine, &job);
}

#[test]
#[ignore = "needs root and a mount"]
fn a_run_on_a_disk_that_has_room_again_is_saved_again() {
    let disk = Disk::mount();
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    let job = format!("{JOB} --checkpoint {}", path.display());
    let mut run = Watched::start(&machine, &job);
    run.hold_at("saved");
    disk.fill();
    run.let_go();
    run.hold_at("save-failed");
    let before = peek(&path).unwrap().unwrap();
    disk.free();
    run.let_go();
    run.hold_at("saved");
    assert!(peek(&path).unwrap().unwrap().status.found > before.status.found);
    run.signal("KILL");
    run.end();
    resumes(&machine, &job);
}

#[test]
#[ignore = "needs root and a mount"]
fn a_part_or_a_file_of_units_that_does_not_fit_the_disk_is_refused_and_not_half_there() {
    let disk = Disk::mount();
    let machine = Machine::new();
    let folder = disk.folder();
    let at = folder.display();
    disk.fill();
    let shard = format!("shard 0/2 --size 5 --no-checkpoint --out {at}");
    let count = format!("--size 5 --no-checkpoint --keep-units {at}/units");
    for arguments in [&shard, &count] {
        refused(&machine, arguments, 1, &["No space left"]);
        assert_eq!(names(&folder), [""; 0]);
    }
    disk.free();
    for arguments in [&shard, &count] {
        machine.kt(arguments).assert().success();
    }
    assert_eq!(names(&folder), ["part-0-of-2", "units"]);
}

#[test]
#[ignore = "needs root and a mount"]
fn a_list_that_would_fill_the_disk_is_refused_or_stops_at_the_reserve_and_is_resumed() {
    let disk = Disk::of_size("4m");
    let machine = Machine::new();
    let path = disk.folder().join("list");
    let list = format!("list --size 6 -o {}", path.display());
    refused(&machine, &list, 1, &["717 MB", "4.19 MB are free", "--limit K", "--fill-disk"]);
    assert_eq!(names(&disk.folder()), [""; 0]);
    machine.kt(&format!("{list} --limit 10")).assert().success();
    fs::remove_file(&path).unwrap();

    // How many tours come after a tour is not known, so the reserve ends the list.
    let whole = machine.kt("list --size 6 --limit 40000").output().unwrap().stdout;
    let whole = text(&whole);
    let first = whole.lines().next().unwrap();
    let mut after = machine.kt(&list);
    let output = after.args(["--after", first]).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for word in ["reserve", "lines there, all whole", "--resume", "--fill-disk"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let kept = text(&fs::read(&path).unwrap());
    assert!((1 << 20..=2 << 20).contains(&kept.len()), "half of what was free: {}", kept.len());
    assert!(kept.ends_with('\n') && whole[first.len() + 1..].starts_with(&kept));

    let mut fill = machine.kt(&format!("{list} --resume --fill-disk"));
    let output = fill.args(["--after", first]).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("No space left") && said.contains("all whole"), "{said}");
    let kept = text(&fs::read(&path).unwrap());
    assert!(kept.len() > 3 << 20, "{}", kept.len());
    assert!(kept.ends_with('\n') && whole[first.len() + 1..].starts_with(&kept));
}

#[test]
#[ignore = "needs root and a mount"]
fn tours_by_number_that_would_fill_the_disk_stop_at_the_reserve_and_leave_nothing() {
    let disk = Disk::of_size("4m");
    let machine = Machine::new();
    let path = disk.folder().join("tours");
    for tours in ["random --size 5 --count 1,000,000 --seed 1", "nth 1..=3,318,960 --size 6"] {
        refused(&machine, &format!("{tours} -o {}", path.display()), 1, &["kept in reserve"]);
        assert_eq!(names(&disk.folder()), [""; 0], "{tours}");
    }
    machine.kt(&format!("nth 1..=100 --size 6 -o {}", path.display())).assert().success();
}

#[test]
#[ignore = "needs root and a mount"]
fn a_read_only_disk_is_named_and_what_is_on_it_can_still_be_looked_at() {
    let disk = Disk::mount();
    let machine = Machine::new();
    let folder = disk.folder();
    let path = folder.join("run.kt");
    let job = format!("{JOB} --checkpoint {}", path.display());
    let mut run = Watched::start(&machine, &job);
    run.wait_for("saved");
    run.signal("TERM");
    assert_eq!(run.end().status.code(), Some(75));
    let units = format!("--size 5 --no-checkpoint --keep-units {}/units", folder.display());
    machine.kt(&units).assert().success();
    let before = contents(&folder);
    disk.seal();
    let way_out = ["Read-only", "run.kt", "--checkpoint PATH", "--no-checkpoint"];
    refused(&machine, &job, 1, &way_out);
    refused(&machine, &format!("{job} --fresh"), 1, &way_out);
    refused(&machine, &units, 2, &["units", "--overwrite"]);
    refused(&machine, &format!("{units} --overwrite"), 1, &["Read-only", "units"]);
    let shard = format!("shard 0/2 --size 5 --out {}", folder.display());
    refused(&machine, &shard, 1, &["Read-only", "name another place with --out DIR"]);
    let read = [format!("status {}", path.display()), format!("audit {}/units", folder.display())];
    for arguments in read {
        machine.kt(&arguments).assert().success();
    }
    // The default state folder was not requested by the user, so the count continues without it.
    let output = machine.kt("--size 6 --quiet").env("XDG_STATE_HOME", &folder).output().unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "6637920\n");
    assert!(text(&output.stderr).contains("no checkpoint is kept"));
    assert_eq!(contents(&folder), before);
}

#[test]
fn a_folder_deleted_during_a_run_is_created_again_and_the_run_resumes_from_there() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("deleted");
    let path = folder.join("below/run.kt");
    let job = format!("{JOB} --checkpoint {}", path.display());
    let mut run = Watched::start(&machine, &job);
    run.hold_at("saved");
    fs::remove_dir_all(&folder).unwrap();
    run.let_go();
    // The first event may have been printed before the folder was removed.
    while !path.exists() {
        run.wait_for("saved");
    }
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    resumes(&machine, &job);
}

#[test]
fn a_run_whose_folder_is_deleted_ends_right() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, JOB);
    run.hold_at("saved");
    fs::remove_dir_all(machine.state_folder()).unwrap();
    run.let_go();
    run.ends_right(DIRECTED);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_run_whose_folder_has_become_a_file_says_so_and_ends_right() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, JOB);
    run.hold_at("saved");
    fs::remove_dir_all(machine.state_folder()).unwrap();
    fs::write(machine.state_folder(), "in the way").unwrap();
    run.let_go();
    run.wait_for("save-failed");
    let ended = run.end();
    assert_eq!(ended.stdout, format!("{DIRECTED}\n"), "{}", ended.stderr);
    assert_eq!(fs::read(machine.state_folder()).unwrap(), b"in the way");
}

/// The commands that write a whole result, without the name of the file.
const WHOLE: [&str; 4] = [
    "find --size 5 -o",
    "random --size 5 --seed 1 -o",
    "nth 1..=9 --size 5 -o",
    "list --size 5 --limit 9 -o",
];

#[test]
#[ignore = "needs root and a mount"]
fn a_result_stays_where_no_new_file_can_be_made_beside_it() {
    let machine = Machine::new();
    let disk = Disk::with("nr_inodes=4");
    let path = disk.folder().join("result");
    fs::write(&path, "the old result").unwrap();
    // The last inode.
    let _ = fs::write(disk.folder().join("other"), "");
    for command in WHOLE {
        let command = format!("{command} {} --overwrite", path.display());
        refused(&machine, &command, 1, &["result", "No space left"]);
        assert_eq!(fs::read(&path).unwrap(), b"the old result", "{command}");
    }
}

#[test]
#[ignore = "needs root and a mount"]
fn a_file_in_a_read_only_folder_is_written_in_place_once_the_result_is_complete_and_fits() {
    let machine = Machine::new();
    let (disk, sealed) = (Disk::mount(), Disk::mount());
    let (real, path) = (disk.folder().join("real"), sealed.folder().join("result"));
    for file in [&real, &path] {
        fs::write(file, "the old result").unwrap();
    }
    assert!(Command::new("mount").arg("--bind").args([&real, &path]).status().unwrap().success());
    sealed.seal();
    let find = format!("find --size 60 -o {} --overwrite", path.display());
    disk.fill();
    refused(&machine, &find, 1, &["result", "No space left"]);
    assert_eq!(fs::read(&path).unwrap(), b"the old result");
    // A command that gives up has no result to write.
    let none = "find --size 8 --strategy blind --closed --max-moves 1000 --overwrite -o";
    refused(&machine, &format!("{none} {}", path.display()), 1, &["limit"]);
    assert_eq!(fs::read(&path).unwrap(), b"the old result");
    disk.free();
    machine.kt(&find).assert().success();
    assert!(fs::metadata(&path).unwrap().len() > 10_000);
    machine.kt(&find.replace("60", "5")).assert().success();
    let there = text(&fs::read(&path).unwrap());
    assert!(there.len() < 1_000 && there.starts_with("# board 5x5\n 7 20"), "{there}");
    assert!(Command::new("umount").arg(&path).status().unwrap().success());
}
