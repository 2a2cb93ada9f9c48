//! Real processes on real pools: killed, and run under Valgrind. The long form of the first is the command `kill-loop`.

use std::path::Path;
use std::process::{Command, Output};

const KILL_LOOP: &str = env!("CARGO_BIN_EXE_kill-loop");
/// What Valgrind ends with if it has something to complain about.
const COMPLAINT: &str = "86";

fn run(program: &str, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(program).args(arguments).output().expect("the program can be started");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    (output, text)
}

/// If this failed, a process that dies at some step of its work would take a section with it, or leave a pool that
/// cannot be opened.
#[test]
fn a_process_that_dies_at_any_step_loses_nothing() {
    let (output, text) = run(KILL_LOOP, &["--kills", "60", "--seed", "1"]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("\nkills=60 "), "{text}");
    assert!(text.contains(" failures=0 "), "{text}");
}

/// If this failed, the test above would find nothing wrong with a pool that loses what it acknowledged.
#[test]
fn the_kill_loop_finds_a_section_that_was_acknowledged_too_early() {
    let (output, text) = run(KILL_LOOP, &["--kills", "40", "--seed", "1", "--liar"]);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("sections are there, but it must be"), "{text}");
}

/// If this failed, a pool could not be used under Valgrind: by an instruction that it lacks, an address that it does not
/// give, or a read of memory that nobody wrote.
#[test]
fn a_pool_is_made_used_and_recovered_under_valgrind() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let memory = Path::new("/dev/shm").is_dir().then(|| tempfile::tempdir_in("/dev/shm").expect("as above"));
    for folder in [Some(&folder), memory.as_ref()].into_iter().flatten() {
        let pool = folder.path().join("shop.pool");
        let pool = pool.to_str().expect("temporary folders have plain names");
        let under_valgrind = |arguments: &[&str]| {
            let complaint = format!("--error-exitcode={COMPLAINT}");
            run("valgrind", &[&[&complaint, KILL_LOOP, "--seed", "1"], arguments].concat())
        };
        let (output, text) = under_valgrind(&["--live", pool, "--sections", "40"]);
        assert!(output.status.success() && text.contains("closed"), "{text}");
        let (output, text) = under_valgrind(&["--judge", pool, "--at-least", "40"]);
        assert!(output.status.success() && text.contains("judged: 40 sections"), "{text}");
    }
}
