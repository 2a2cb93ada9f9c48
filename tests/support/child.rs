//! Running a test's other half in a process of its own, which may die.

use std::process::{Command, Output};

/// Set in the child to the argument given to [`run`].
const VARIABLE: &str = "PMEM_TEST_CHILD";

/// The argument, if this process is the child.
pub(crate) fn argument() -> Option<String> {
    std::env::var(VARIABLE).ok()
}

/// Runs `test`, a test of this binary, in a child process that sees `argument`.
pub(crate) fn run(test: &str, argument: &str) -> Output {
    let program = std::env::current_exe().expect("a test knows its own program");
    Command::new(program)
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(VARIABLE, argument)
        .output()
        .expect("the test program can be started again")
}

/// Dies as if the power of this process failed: no destructor runs, nothing is flushed.
pub(crate) fn kill_self() -> ! {
    let _ = Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status();
    loop {
        std::thread::park();
    }
}
