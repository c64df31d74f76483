//! Checkpoints that are damaged, have an old format, or are held by another process.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use crate::{DIRECTED, JOB, contents, refused, resumes};
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::walk::{MemoSize, Options, Walk};
use kt_enum_runs::run::checkpoint::{CheckpointError, Store, peek};
use kt_enum_runs::run::{self, RunError, Settings, Silent};
use std::fs;
use std::path::{Path, PathBuf};

/// Stops a run after a few saves and returns the path of its checkpoint.
fn stopped(machine: &Machine, job: &str) -> PathBuf {
    let path = machine.folder.path().join("run.kt");
    let mut run = Watched::start(machine, &format!("{job} --checkpoint {}", path.display()));
    for _ in 0..3 {
        run.wait_for("saved");
    }
    run.hold();
    run.stop();
    path
}

fn is_damaged<T>(read: Result<T, CheckpointError>) -> bool {
    matches!(read, Err(CheckpointError::Damaged { .. } | CheckpointError::Version { .. }))
}

/// Overwrites a checkpoint with these bytes and checks that it is refused and that the file stays
/// unchanged.
fn is_refused_and_kept(path: &Path, work: &Walk, bytes: &[u8]) -> bool {
    fs::write(path, bytes).unwrap();
    let saving = Store::hold(path).unwrap().into();
    let settings = Settings { saving, ..Settings::on_threads(1) };
    let counted = run::count(work, settings, &mut Silent);
    let is_refused = match counted {
        Err(RunError::Checkpoint(error)) => is_damaged(Err::<(), _>(error)),
        _ => false,
    };
    is_refused && is_damaged(peek(path)) && fs::read(path).unwrap() == bytes
}

fn cut_short_or_flipped_anywhere_is_refused(whole: &[u8], split_depth: u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.kt");
    let options = Options { split_depth: Some(split_depth), memo: MemoSize::Off };
    let work = Walk::new(Question::open(Board::new(5, 8).unwrap()), &options).unwrap();
    for len in 0..whole.len() {
        assert!(is_refused_and_kept(&path, &work, &whole[..len]), "{len} bytes were taken");
    }
    for at in 0..whole.len() {
        for flip in [1 << (at % 8), 0xff] {
            let mut flipped = whole.to_vec();
            flipped[at] ^= flip;
            assert!(
                is_refused_and_kept(&path, &work, &flipped),
                "byte {at} flipped by {flip:#x} was taken"
            );
        }
    }
    let longer = [whole, b"\0"].concat();
    assert!(is_refused_and_kept(&path, &work, &longer));
}

#[test]
fn a_checkpoint_cut_short_at_any_length_or_flipped_at_any_byte_is_refused_and_kept() {
    let machine = Machine::new();
    // There are few units, and one of them is partly done.
    let path = stopped(&machine, &JOB.replace("--split-depth 4", "--split-depth 1"));
    let header = peek(&path).unwrap().unwrap();
    let whole = fs::read(path).unwrap();
    cut_short_or_flipped_anywhere_is_refused(&whole, header.identity.split.depth());
}

#[test]
fn a_checkpoint_of_another_format_version_is_refused_with_the_way_out() {
    let machine = Machine::new();
    let path = stopped(&machine, JOB);
    let job = format!("{JOB} --checkpoint {}", path.display());
    let mut other = fs::read(&path).unwrap();
    let own = other[8];
    for version in [own - 1, own + 1] {
        other[8] = version;
        fs::write(&path, &other).unwrap();
        let says = format!("run.kt has format version {version}");
        refused(&machine, &job, 65, &[&says, "kt-enum that wrote it", "--fresh"]);
        assert_eq!(fs::read(&path).unwrap(), other);
    }
    machine.kt(&format!("{job} --fresh")).assert().success();
}

#[test]
fn a_damaged_checkpoint_is_refused_with_65_and_the_state_before_it_resumes() {
    let machine = Machine::new();
    let path = stopped(&machine, JOB);
    let whole = fs::read(&path).unwrap();
    let previous = path.with_extension("kt.previous");
    let before = fs::read(&previous).unwrap();
    let job = format!("{JOB} --checkpoint {}", path.display());
    let sample = [0, 12, 30, whole.len() / 2, whole.len() - 1];
    for at in sample {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        for bytes in [&whole[..at], &flipped] {
            fs::write(&path, bytes).unwrap();
            refused(&machine, &job, 65, &["run.kt", "run.kt.previous", "bytes"]);
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(fs::read(&previous).unwrap(), before);
        }
    }
    // Follow the advice of the message.
    fs::copy(&previous, &path).unwrap();
    resumes(&machine, &job);
}

#[test]
fn a_checkpoint_that_is_a_folder_is_refused() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    fs::create_dir(&path).unwrap();
    let job = format!("{JOB} --checkpoint {}", path.display());
    refused(&machine, &job, 1, &["run.kt"]);
    assert!(path.is_dir());
}

#[test]
fn while_one_process_holds_a_checkpoint_all_others_are_refused_and_it_is_kept() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, JOB);
    run.hold_at("saved");
    let before = contents(&machine.state_folder());
    let pid = format!("pid {}", run.child.id());
    for arguments in [JOB.to_owned(), format!("{JOB} --fresh"), format!("{JOB} --threads 2")] {
        let arguments = arguments.replace("--threads 1 ", "");
        refused(&machine, &arguments, 73, &[&pid, "open-5x8.kt"]);
    }
    machine.kt("status").assert().success();
    assert_eq!(contents(&machine.state_folder()), before);
    run.let_go();
    run.ends_right(DIRECTED);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn of_many_that_start_on_one_checkpoint_at_once_each_counts_right_or_is_refused() {
    let machine = Machine::new();
    let running: Vec<_> = (0..6).map(|_| machine.start(&format!("{JOB} -q"))).collect();
    let mut counted = 0;
    for child in running {
        let output = child.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert!(!said.contains("panicked"), "{said}");
        match output.status.code() {
            Some(0) => {
                assert_eq!(text(&output.stdout), format!("{DIRECTED}\n"), "{said}");
                counted += 1;
            }
            Some(73) => assert!(said.contains("is held by"), "{said}"),
            other => panic!("{other:?}: {said}"),
        }
    }
    assert!(counted >= 1);
    assert_eq!(machine.files(), [""; 0]);
}
