//! Processes that try images and may die of them.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::attempt::Verdict;
use super::image::Studio;
use super::targets::TARGETS;

/// How long an image may take: most take a few milliseconds where nothing else runs.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many images had which end.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) opened: u64,
    pub(crate) refused: u64,
    pub(crate) caught: u64,
    /// Numbers of images, and what they did.
    pub(crate) failures: Vec<(u64, String)>,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.opened += other.opened;
        self.refused += other.refused;
        self.caught += other.caught;
        self.failures.extend(other.failures);
    }

    pub(crate) fn images(&self) -> u64 {
        self.opened + self.refused + self.caught + self.failures.len() as u64
    }
}

/// The child's part: tries the images and says of each that it begins and how it ended.
pub(crate) fn work(target: usize, seed: u64, first: u64, end: u64, folder: &Path) {
    let studio = Studio::new(target, seed);
    let path = folder.join("image.pool");
    for index in first..end {
        let image = studio.image(index);
        // A new file each time: what an image leaves behind is not the next one's.
        fs::remove_file(&path).ok();
        fs::write(&path, &image.bytes).expect("images can be written");
        say(&format!("begin {index}"));
        say(&sentence((TARGETS[target].attempt)(&path, image.manner)));
    }
}

fn say(line: &str) {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("the parent listens");
}

/// A verdict as a child prints it.
pub(crate) fn sentence(verdict: Verdict) -> String {
    match verdict {
        Verdict::Opened => "opened".to_owned(),
        Verdict::Refused => "refused".to_owned(),
        Verdict::Caught => "caught".to_owned(),
        Verdict::Failed(words) => format!("failed {words}"),
    }
}

/// The parent's part: children try all images, each child until it dies.
pub(crate) fn supervise(target: usize, seed: u64, first: u64, end: u64, folder: &Path) -> Tally {
    let (mut tally, mut next) = (Tally::default(), first);
    while next < end {
        let arguments = [
            format!("--only={}", TARGETS[target].name),
            format!("--seed={seed}"),
            format!("--share={next},{end},{}", folder.display()),
        ];
        let harm = listen(&arguments, folder, |line| match line {
            "opened" => (tally.opened, next) = (tally.opened + 1, next + 1),
            "refused" => (tally.refused, next) = (tally.refused + 1, next + 1),
            "caught" => (tally.caught, next) = (tally.caught + 1, next + 1),
            _ => {
                if let Some(words) = line.strip_prefix("failed ") {
                    tally.failures.push((next, words.to_owned()));
                    next += 1;
                }
            }
        });
        if next < end {
            tally.failures.push((next, harm.unwrap_or_else(|| "the process ended early".to_owned())));
            next += 1;
        }
    }
    tally
}

/// Tries one file in a process of its own; what it did, if it did harm.
pub(crate) fn harm_of(target: usize, file: &Path, manner: u64, folder: &Path) -> Option<String> {
    let arguments = [
        format!("--only={}", TARGETS[target].name),
        format!("--file={}", file.display()),
        format!("--manner={manner}"),
    ];
    let mut words = None;
    let harm = listen(&arguments, folder, |line| {
        if let Some(found) = line.strip_prefix("failed ") {
            words = Some(found.to_owned());
        }
    });
    words.or(harm)
}

/// Runs a child; how it died, unless it ended well.
fn listen(arguments: &[String], folder: &Path, mut heard: impl FnMut(&str)) -> Option<String> {
    let errors: PathBuf = folder.join("stderr");
    let mut child = Command::new(std::env::current_exe().expect("this program has a path"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(File::create(&errors).expect("the folder can be written"))
        .spawn()
        .expect("this program can be started again");
    let out = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
    let (sender, lines) = mpsc::channel();
    let reader = thread::spawn(move || {
        out.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok());
    });
    let mut hung = false;
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => heard(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                hung = true;
                child.kill().ok();
                break;
            }
        }
    }
    let status = child.wait().expect("a child can be waited for");
    reader.join().ok();
    if hung {
        return Some(format!("it took longer than {} s", PATIENCE.as_secs()));
    }
    if status.success() {
        return None;
    }
    let words = fs::read_to_string(&errors).unwrap_or_default();
    let words: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).take(6).collect();
    Some(format!("{status}: {}", words.join(" | ")))
}
