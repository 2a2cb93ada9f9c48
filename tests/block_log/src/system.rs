//! Programs of the system, each with an end in time, and mounts that go with their owner.
//!
//! All runs in a mount namespace of its own, and every loop device is one that the kernel gives back when it is unmounted: even if
//! the process is killed, nothing stays mounted and no loop device stays taken.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Seconds that any one program may take: a hundred times what it needs.
const PROGRAM_SECONDS: &str = "60";
/// Seconds that the whole may take before it is killed.
const RUN_SECONDS: &str = "3600";
/// Set in the process that is inside the namespace.
const INSIDE: &str = "BLOCK_LOG_INSIDE";

/// A command that is killed if it takes too long.
pub(crate) fn bounded(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", PROGRAM_SECONDS]).arg(program);
    command
}

/// Runs it; what it printed, or a sentence with what it complained of.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} ended with {}: {}", output.status, complaint.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Why this cannot run here, if it cannot.
pub(crate) fn obstacle() -> Option<String> {
    for device in ["/dev/fuse", "/dev/loop-control"] {
        if !Path::new(device).exists() {
            return Some(format!("{device} is missing"));
        }
    }
    for program in ["mkfs.ext4", "unshare", "timeout", "mount", "umount"] {
        if Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .output()
            .is_ok_and(|it| !it.status.success())
        {
            return Some(format!("{program} is missing"));
        }
    }
    let is_root = run(Command::new("id").arg("-u")).is_ok_and(|id| id == "0");
    if !is_root {
        return Some("mounting needs root".to_owned());
    }
    run(Command::new("unshare").args(["--mount", "true"])).err()
}

/// Runs this program again in a mount namespace of its own; `None` if this is that run.
pub(crate) fn isolate() -> Option<ExitCode> {
    if std::env::var_os(INSIDE).is_some() {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let status = Command::new("timeout")
        .args([
            "--kill-after=5",
            "--foreground",
            RUN_SECONDS,
            "unshare",
            "--mount",
            "--propagation",
            "private",
        ])
        .arg(program)
        .args(std::env::args().skip(1))
        .env(INSIDE, "1")
        .status();
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// An ext4 in a file, mounted until this is dropped.
pub(crate) struct Mounted {
    pub(crate) path: PathBuf,
    is_mounted: bool,
}

impl Mounted {
    pub(crate) fn new(image: &Path, path: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(path).map_err(|error| error.to_string())?;
        run(bounded("mount").args(["-t", "ext4", "-o", "loop,noatime"]).arg(image).arg(path))?;
        Ok(Mounted { path: path.to_owned(), is_mounted: true })
    }

    pub(crate) fn unmount(mut self) -> Result<(), String> {
        self.is_mounted = false;
        run(bounded("umount").arg(&self.path)).map(drop)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if self.is_mounted {
            // Lazily, since something has failed already; the namespace's end does the rest.
            let _ = run(bounded("umount").arg("--lazy").arg(&self.path));
        }
    }
}
