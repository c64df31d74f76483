//! Passes the git commit of the sources to the program, for its provenance.
//!
//! A packaged source has the commit in `.cargo_vcs_info.json`, a checkout in its git folder; anything
//! else has none, which is not an error. Builds without optimization leave the commit out, so that a
//! commit does not make everything be compiled again.

use std::env;
use std::path::Path;
use std::process::Command;

/// What the program is made of.
const SOURCES: [&str; 4] = ["src", "crates", "Cargo.toml", "Cargo.lock"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
    let root = Path::new(&root);
    if let Some(commit) = of_package(root).or_else(|| of_checkout(root)) {
        println!("cargo:rustc-env=KT_ENUM_COMMIT={commit}");
    }
}

/// The commit that a package was made from.
fn of_package(root: &Path) -> Option<String> {
    let about = std::fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = about.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    is_commit(commit).then(|| commit.to_owned())
}

/// The commit of a checkout, marked if tracked files differ from it.
fn of_checkout(root: &Path) -> Option<String> {
    // A package that lies in the repository of another project has not its commit.
    git(root, &["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let commit = git(root, &["rev-parse", "HEAD"]).filter(|commit| is_commit(commit))?;
    for changed in SOURCES {
        println!("cargo:rerun-if-changed={changed}");
    }
    if let Some(log) = git(root, &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let changes = git(
        root,
        &[&["status", "--porcelain", "--untracked-files=no", "--"][..], &SOURCES[..]].concat(),
    )?;
    let mark = if changes.is_empty() { "" } else { "-modified" };
    Some(commit + mark)
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
