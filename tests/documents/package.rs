//! The packages that users install: the crate contains the files that its tests need, and the
//! Debian package follows Debian's rules.
//!
//! `scripts/package-test` has the long tests: it builds, tests and installs from both packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command, which must succeed, and returns its output.
fn printed(command: &mut Command) -> String {
    let output = command.current_dir(root()).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.flat_map(|path| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    });
    below.collect()
}

#[test]
fn the_packaged_crate_is_small_and_holds_all_that_its_tests_read() {
    let list = printed(Command::new(env!("CARGO")).args([
        "package",
        "--package",
        "kt-enum",
        "--list",
        "--allow-dirty",
        "--offline",
        "--locked",
    ]));
    let listed: Vec<&str> = list.lines().collect();
    for folder in ["src", "tests", "examples", "benches", "docs", "scripts"] {
        for file in files_below(&root().join(folder)) {
            let name = file.strip_prefix(root()).unwrap().to_str().unwrap();
            let is_left_behind = name.starts_with("tests/shape/")
                || name.contains("__pycache__")
                || name.ends_with(".proptest-regressions");
            assert!(is_left_behind || listed.contains(&name), "{name} is not packaged");
        }
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.lock"] {
        assert!(listed.contains(&name), "{name} is not packaged");
    }
    let sizes = listed.iter().filter_map(|name| fs::metadata(root().join(name)).ok());
    let size: u64 = sizes.map(|file| file.len()).sum();
    // crates.io accepts at most 10 MiB, compressed.
    assert!(size < 10 << 20, "{size} bytes");
}

/// Returns the permissions, the owner and the path of each file in a Debian package, as `dpkg-deb
/// --contents` lists them.
fn contents(package: &str) -> Vec<[String; 3]> {
    let list = printed(Command::new("dpkg-deb").args(["--contents", package]));
    let rows = list.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        [words[0], words[1], words[5]].map(str::to_owned)
    });
    rows.collect()
}

#[test]
#[ignore = "needs dpkg-deb and strip"]
fn the_debian_package_has_program_man_pages_completions_copyright_and_guide() {
    let folder = tempfile::tempdir().unwrap();
    let script = root().join("scripts/debian-package");
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let package = printed(Command::new(script).arg("--program").arg(&program).arg(folder.path()));
    let package = package.trim();
    let contents = contents(package);
    for [rights, owner, path] in &contents {
        assert_eq!(owner, "root/root", "{path}");
        assert!(!rights[5..].contains('w'), "{path} can be written: {rights}");
    }
    let doc = "./usr/share/doc/kt-enum";
    let mut expected = vec![
        "./usr/bin/kt-enum".to_owned(),
        "./usr/share/man/man1/kt-enum.1.gz".to_owned(),
        "./usr/share/bash-completion/completions/kt-enum".to_owned(),
        "./usr/share/zsh/vendor-completions/_kt-enum".to_owned(),
        "./usr/share/fish/vendor_completions.d/kt-enum.fish".to_owned(),
    ];
    for command in ["count", "list", "find", "status", "merge", "man"] {
        expected.push(format!("./usr/share/man/man1/kt-enum-{command}.1.gz"));
    }
    for name in ["copyright", "changelog.gz", "changelog.Debian.gz", "README.md", "docs/README.md"]
    {
        expected.push(format!("{doc}/{name}"));
    }
    for path in expected {
        let entry = contents.iter().find(|[_, _, other]| *other == path);
        let [rights, ..] = entry.unwrap_or_else(|| panic!("{path} is not in the package"));
        assert_eq!(rights.contains('x'), path.starts_with("./usr/bin"), "{path}");
    }
    let fields = printed(Command::new("dpkg-deb").args(["--field", package]));
    for field in [
        "Package: kt-enum\n",
        concat!("Version: ", env!("CARGO_PKG_VERSION"), "-1\n"),
        "Depends: libc6",
        "Maintainer: ",
    ] {
        assert!(fields.contains(field), "{field} is not in {fields}");
    }
    unpacked_runs(package, folder.path());
}

/// Unpacks a package into another folder and checks that its program counts.
fn unpacked_runs(package: &str, folder: &Path) {
    let root = folder.join("unpacked");
    printed(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&root));
    let mut program = Command::new(root.join("usr/bin/kt-enum"));
    program.args(["--size", "5", "--quiet", "--no-checkpoint"]);
    assert_eq!(printed(&mut program), "1728\n");
    let sums = root.join("../sums");
    printed(Command::new("dpkg-deb").arg("--control").arg(package).arg(&sums));
    let mut check = Command::new("md5sum");
    check.args(["--check", "--quiet"]).arg(sums.join("md5sums"));
    let checked = check.current_dir(&root).status().unwrap();
    assert!(checked.success(), "a checksum of the package is wrong");
}

#[test]
fn completions_of_each_shell_know_commands_and_options() {
    for (shell, syntax) in [("bash", Some("bash")), ("zsh", None), ("fish", None)] {
        let mut program = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"));
        let script = printed(program.args(["completions", shell]));
        for word in ["split-depth", "estimate", "checkpoint-interval", "warnsdorff"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        if let Some(shell) = syntax {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("kt-enum");
            fs::write(&file, script).unwrap();
            printed(Command::new(shell).arg("-n").arg(&file));
        }
    }
}
