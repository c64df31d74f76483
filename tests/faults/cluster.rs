//! The scripts for clusters, with a real Slurm and a real GNU parallel on the loopback address.
//!
//! `tests/install` installs both, `scripts/cluster-test` does that and runs these tests.

use crate::common::text;
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// So many ports that nobody listens on.
fn free_ports(ports: usize) -> Vec<String> {
    let listening: Vec<TcpListener> =
        (0..ports).map(|_| TcpListener::bind(("127.0.0.1", 0)).unwrap()).collect();
    listening.iter().map(|listener| listener.local_addr().unwrap().port().to_string()).collect()
}

/// Runs a script of `tests/cluster` and gives the JSON objects that it prints.
fn counts(script: &str, arguments: &[String]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("tests/cluster").join(script))
        .arg(folder.path())
        .args(arguments)
        .env("KT_ENUM", assert_cmd::cargo::cargo_bin("kt-enum"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Open 6x6, a second board, then closed 7x10 by the frontier.
fn assert_right(counts: &[Value], second: &str) {
    let directed: Vec<_> = counts.iter().map(|count| count["directed"].as_str().unwrap()).collect();
    assert_eq!(directed, ["6637920", second, "2500126559877708"]);
    let frontier = &counts[2];
    assert_eq!(frontier["undirected"], "1250063279938854");
    assert_eq!(frontier["fingerprint"], by_one_process()["fingerprint"]);
}

/// The answer of one process for closed 7x10, by the frontier.
fn by_one_process() -> Value {
    let question = "--rows 7 --cols 10 --tours closed --engine frontier";
    let output = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(question.split(' '))
        .args(["--no-checkpoint", "--progress", "none", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
#[ignore = "needs root and slurm"]
fn slurm_counts_right_while_a_task_is_stopped_and_a_node_is_killed() {
    assert_right(&counts("slurm", &free_ports(3)), "779938932");
}

#[test]
#[ignore = "needs parallel"]
fn gnu_parallel_counts_right_when_jobs_fail_and_are_run_again() {
    assert_right(&counts("parallel", &[]), "36122108");
}
