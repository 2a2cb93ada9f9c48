//! Cuts the power of a real ext4, in a log of its block writes: `cd tests/block_log && cargo run --release -- --images 60`.
//!
//! A process works on a pool in an ext4 on a loop device on a file that this program serves by FUSE, so every block write and
//! every flush is known, and where in their order the process acknowledged what. Then images are made that a power cut at a
//! random position may leave: all up to the last flush before it, and any of the sectors written since. Each is mounted, which
//! replays the journal, and the pool in it is recovered and compared with what it must be, between the last section acknowledged as
//! durable and the last begun.
//!
//! A write that is in the log before a flush is taken to be durable by it, even if the kernel had not been answered yet.

mod disk;
mod log;
#[path = "../../real/shop/mod.rs"]
#[allow(dead_code, reason = "the kill loop uses the rest")]
mod shop;
mod system;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use fuser::{Config, MountOption, spawn_mount};
use pmem_runtime::crash::Random;

use disk::{DISK, Disk};
use log::{Durable, Expected, Log, SharedLog};
use shop::{Books, Life, Word, judge, live};
use system::{Mounted, bounded, isolate, obstacle, run};

/// Room for a small ext4 with its journal and a pool that has grown.
const DISK_BYTES: usize = 64 << 20;
/// Images of one run of the workload.
const IMAGES_OF_A_RUN: u64 = 100;
/// Processes of a run, one after the other on the same pool.
const LIVES: usize = 2;
const SECTIONS_OF_A_LIFE: u64 = 60;
const POOL: &str = "shop.pool";
const WORKER: &str = "__worker";
const JUDGE: &str = "__judge";
const HELP: &str = "\
block-log [--images N (default 60)] [--seed S] [--liar: the disk says that it has flushed, and has not; this must fail]
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match texts[..] {
        [WORKER, path, seed] => number(seed).and_then(|seed| work(Path::new(path), seed)),
        [JUDGE, path, seed, first, last] => numbers([seed, first, last]).and_then(|[seed, first, last]| {
            judge(Path::new(path), &mut Books::new(seed), first..=last).map(drop)
        }),
        _ => match options(&texts) {
            Ok((images, seed, is_liar)) => {
                if let Some(obstacle) = obstacle() {
                    println!("skipped: {obstacle}");
                    return ExitCode::SUCCESS;
                }
                if let Some(code) = isolate() {
                    return code;
                }
                cut(images, seed, is_liar)
            }
            Err(sentence) => Err(format!("{sentence}\n{HELP}")),
        },
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("block-log: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("\"{text}\" is not a number"))
}

fn numbers<const N: usize>(texts: [&str; N]) -> Result<[u64; N], String> {
    let mut numbers = [0; N];
    for (place, text) in numbers.iter_mut().zip(texts) {
        *place = number(text)?;
    }
    Ok(numbers)
}

fn options(texts: &[&str]) -> Result<(u64, u64, bool), String> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let (mut images, mut seed, mut is_liar) = (60, clock % 1_000_000, false);
    let mut texts = texts.iter();
    while let Some(flag) = texts.next() {
        let mut value =
            || texts.next().ok_or_else(|| format!("{flag} needs a value")).and_then(|text| number(text));
        match *flag {
            "--images" => images = value()?,
            "--seed" => seed = value()?,
            "--liar" => is_liar = true,
            _ => return Err(format!("{flag} is not an option")),
        }
    }
    Ok((images, seed, is_liar))
}

/// The process on the disk: it says each word and waits until it is noted.
fn work(path: &Path, seed: u64) -> Result<(), String> {
    let life = Life { path, seed, sections: SECTIONS_OF_A_LIFE, force_dax: false, is_liar: false };
    live(&life, &mut |word| {
        stdout().write_all(format!("{word}\n").as_bytes())?;
        stdin().read_exact(&mut [0])
    })
}

/// Fails if any image did.
fn cut(images: u64, seed: u64, is_liar: bool) -> Result<(), String> {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = Folder(parent.join(format!("block-log-{}", std::process::id())));
    fs::create_dir_all(&folder.0).map_err(|error| error.to_string())?;
    println!("seed={seed} images={images}");
    let started = Instant::now();
    let mut random = Random::new(seed);
    let (mut done, mut failures, mut writes, mut flushes, mut unborn) = (0, 0, 0, 0, 0);
    while done < images {
        let shop_seed = random.bits() >> 1;
        let (log, start) = record(&folder.0, shop_seed, is_liar)?;
        let flush_count = log.events.iter().filter(|event| matches!(event, log::Event::Flush)).count();
        flushes += flush_count;
        writes += log.events.len() - flush_count;
        let mut positions: Vec<usize> =
            (0..IMAGES_OF_A_RUN.min(images - done)).map(|_| position(&log, start, &mut random)).collect();
        positions.sort_unstable();
        let mut durable = Durable::new(DISK_BYTES);
        for position in positions {
            durable.advance(&log, position);
            let (image, choice) = durable.tear(&log, position, &mut random);
            let expected = log.expected(position);
            match recover(&folder.0, &image, shop_seed, expected) {
                Ok(is_there) => unborn += u64::from(!is_there),
                Err(wrong) => {
                    failures += 1;
                    let events = log.events.len();
                    println!(
                        "FAILURE after event {position} of {events}, with {choice} of the writes since: {wrong}"
                    );
                }
            }
            done += 1;
            if done % (images / 5).max(1) == 0 {
                println!("{done} images, {failures} failures, {:.0} s", started.elapsed().as_secs_f64());
            }
        }
    }
    println!(
        "writes={writes} flushes={flushes} without_a_pool={unborn} seconds={:.0}",
        started.elapsed().as_secs_f64()
    );
    println!("images={done} failures={failures}");
    if failures == 0 { Ok(()) } else { Err("a power cut would have lost something".to_owned()) }
}

/// Anywhere, or half of the time where something has just been acknowledged.
fn position(log: &Log, start: usize, random: &mut Random) -> usize {
    if random.one_in(2) {
        return start + random.below((log.events.len() - start) as u64 + 1) as usize;
    }
    random.pick(&log.words).0
}

/// Lets processes work on a pool on a new disk. The log, and how many events made the file system.
fn record(folder: &Path, seed: u64, is_liar: bool) -> Result<(Log, usize), String> {
    let log = Arc::new(SharedLog::default());
    let served = folder.join("served");
    fs::create_dir_all(&served).map_err(|error| error.to_string())?;
    let disk = Disk { bytes: Mutex::new(vec![0; DISK_BYTES]), log: Arc::clone(&log) };
    let mut config = Config::default();
    config.mount_options = vec![MountOption::FSName("block-log".to_owned()), MountOption::RW];
    // Dropped last: it is below the others.
    let session =
        spawn_mount(disk, &served, &config).map_err(|error| format!("FUSE cannot be mounted: {error}"))?;
    let file = served.join(DISK);
    run(bounded("mkfs.ext4")
        .args(["-q", "-F", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"])
        .arg(&file))?;
    let mounted = Mounted::new(&file, &folder.join("live"))?;
    run(bounded("sync").arg("--file-system").arg(&mounted.path))?;
    let start = log.lock().events.len();
    for _ in 0..LIVES {
        listen(&log, &mounted.path.join(POOL), seed)?;
    }
    mounted.unmount()?;
    session.umount_and_join().map_err(|error| format!("FUSE cannot be unmounted: {error}"))?;
    let mut log = std::mem::take(&mut *log.lock());
    if is_liar {
        log.forget_flushes_after(start);
    }
    Ok((log, start))
}

/// Runs a process on the pool, and notes what it says.
fn listen(log: &SharedLog, pool: &Path, seed: u64) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut worker = bounded(program)
        .arg(WORKER)
        .arg(pool)
        .arg(seed.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the worker cannot be started: {error}"))?;
    let (Some(mut answers), Some(words)) = (worker.stdin.take(), worker.stdout.take()) else {
        return Err("the worker has no pipes".to_owned());
    };
    for line in BufReader::new(words).lines() {
        let line = line.map_err(|error| error.to_string())?;
        let word: Word = line.parse().map_err(|()| format!("the worker said \"{line}\""))?;
        log.note(word);
        // If it has died, its status says so.
        let _ = answers.write_all(b".");
    }
    let status = worker.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("the worker ended with {status}")) }
}

/// Mounts the image and judges the pool in it; whether there is one.
fn recover(folder: &Path, image: &[u8], seed: u64, expected: Expected) -> Result<bool, String> {
    let file = folder.join("image");
    fs::write(&file, image).map_err(|error| error.to_string())?;
    let mounted = Mounted::new(&file, &folder.join("cut"))?;
    let pool = mounted.path.join(POOL);
    let is_there = pool.exists();
    if is_there {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let numbers = [seed, expected.durable, expected.begun].map(|number| number.to_string());
        run(bounded(program).arg(JUDGE).arg(&pool).args(numbers))?;
    } else if expected.is_made {
        return Err(format!("the pool is gone, though it had been made: {expected:?}"));
    }
    mounted.unmount()?;
    Ok(is_there)
}

/// Removed when it is no longer needed.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is in a temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
