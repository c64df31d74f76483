//! The pages of `report` and the plots of `compare` in headless Chromium, driven by
//! `tests/browser/report.py`.
//!
//! `tests/install` installs Chromium. If `KT_PICTURES` names a folder, this test writes pictures
//! there.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use std::path::Path;
use std::process::Command;

/// Writes the page about a file in the machine's folder.
fn report(machine: &Machine, run: &str, page: &str) {
    let folder = machine.folder.path();
    let mut command = machine.kt("report -o");
    command.arg(folder.join(page)).arg(folder.join(run));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{run}: {}", text(&output.stderr));
}

#[test]
#[ignore = "needs chromium and python3"]
fn pages_of_runs_and_plots_fit_a_desk_and_a_phone_and_can_be_read_in_light_and_dark() {
    let machine = Machine::new();
    let folder = machine.folder.path();
    for (count, name) in [
        ("--rows 3 --cols 4", "3x4"),
        ("--size 6", "6x6"),
        ("--size 6 --tours closed", "6x6-closed"),
        ("--rows 5 --cols 8 --memo off", "5x8<script>injected=1<"),
    ] {
        let mut command = machine.kt(&format!("{count} --no-checkpoint -q --keep-units"));
        command.arg(folder.join(name)).assert().success();
        report(&machine, name, &format!("{name}.html"));
    }
    for (count, name) in
        [("--size 8 --from d4", "8x8"), ("--rows 3 --cols 30", "3x30"), ("--size 20", "20x20")]
    {
        let run = folder.join(format!("{name}.kt"));
        let count = format!(
            "{count} --engine walk --checkpoint-interval 0.1 --checkpoint {}",
            run.display()
        );
        for _ in 0..2 {
            let mut counting = Watched::start(&machine, &count);
            // The plots are not empty once the sizes of the units are known.
            counting.wait_for("progress");
            counting.wait_for("progress");
            counting.hold_at("saved");
            counting.stop();
        }
        report(&machine, &format!("{name}.kt"), &format!("{name}.html"));
    }
    for (compare, name) in [
        ("--sizes 3..=7 --strategies blind,pruned --order report", "small.svg"),
        ("--sizes 5..=8,10,20,100", "large.svg"),
    ] {
        let plot = folder.join(name);
        let compare = format!("compare {compare} --plot {}", plot.display());
        machine.kt(&compare).assert().success();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3")
        .arg("-B")
        .arg(root.join("tests/browser/report.py"))
        .arg(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}
