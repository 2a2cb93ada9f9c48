//! Kills processes at what they do to a pool: `cargo run --release --bin kill-loop -- --kills 1000`.
//!
//! A child works on a pool on a real file and raises `SIGKILL` on itself at a chosen event: a store half or wholly done, a
//! write-back, before or after a fence or sync or a growth of the file. Creation, recovery, relocation and the clean close are
//! hit like everything else. The parent opens what is left, compares every value with what it must be, and lets the next child go
//! on with the same file.
//!
//! `SIGKILL` takes the process, not the machine: all that it stored is still in the page cache, in order. So this shows that
//! everything is all or nothing at every single step of the real code on real files, and that recovery can be interrupted
//! anywhere. It cannot show a missing flush or fence; the crash simulator, the block log and the power cuts can.

mod evidence;
mod heard;
mod herd;
mod options;
mod place;
#[path = "../shop/mod.rs"]
mod shop;
mod single;
mod victim;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use pmem_runtime::crash::Random;

use evidence::Evidence;
use herd::{Ground, Herd};
use options::{Asked, HELP, Options};
use shop::ShopPool;
use victim::{Orders, VICTIM};

/// Kills over one pool before the next is made.
const KILLS_OF_A_POOL_MAX: u64 = 16;
/// Lives that may end by themselves, for each that was to be killed: more would be a defect of the loop.
const ESCAPES_MAX: u64 = 1;
/// Where Linux has a tmpfs.
const TMPFS: &str = "/dev/shm";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == VICTIM) {
        return victim(&arguments);
    }
    match options::parse(arguments.into_iter()) {
        Ok(Asked::Run(options)) => match hunt(&options) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("kill-loop: {error}");
                ExitCode::FAILURE
            }
        },
        Ok(Asked::Live(pool)) => finish(single::live_once(&pool)),
        Ok(Asked::Judge(pool)) => finish(single::judge_once(&pool)),
        Ok(Asked::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("kill-loop: {sentence}. Try --help.");
            ExitCode::from(2)
        }
    }
}

fn victim(arguments: &[String]) -> ExitCode {
    let Some(orders) = Orders::parse(arguments) else {
        eprintln!("orders that make no sense: {arguments:?}");
        return ExitCode::from(2);
    };
    finish(victim::run(&orders))
}

fn finish(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("kill-loop: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Folders that are removed when they are no longer needed, unless something in them is evidence.
struct Folder(PathBuf);

impl Folder {
    fn new(parent: &Path) -> std::io::Result<Self> {
        let path = parent.join(format!("kill-loop-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is in the temporary folder, and small.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How many failures there were.
fn hunt(options: &Options) -> Result<u64, Box<dyn std::error::Error>> {
    let disk = Folder::new(&std::env::temp_dir())?;
    let memory = Path::new(TMPFS).is_dir().then(|| Folder::new(Path::new(TMPFS))).transpose()?;
    let on_disk = Ground { name: "temporary folder", folder: &disk.0, force_dax: false };
    let mut grounds =
        vec![on_disk, Ground { name: "temporary folder, forced DAX", force_dax: true, ..on_disk }];
    match &memory {
        Some(memory) => grounds.push(Ground { name: "/dev/shm", folder: &memory.0, force_dax: false }),
        None => println!("{TMPFS} is not there: the DAX path runs on the disk's page cache only."),
    }
    println!("seed={} kills={}", options.seed, options.kills);
    for ground in &grounds {
        println!("{}: the medium is \"{}\"", ground.name, medium_of(ground)?);
    }
    let started = Instant::now();
    let mut random = Random::new(options.seed);
    let mut evidence = Evidence::default();
    let mut failures = 0;
    let report_every = (options.kills / 10).max(1);
    while evidence.kill_count() + failures < options.kills {
        let ground = grounds[evidence.pools as usize % grounds.len()];
        evidence.pools += 1;
        fs::create_dir_all(ground.folder)?;
        let mut herd = Herd::new(ground, random.bits() >> 1, options.is_liar);
        for _ in 0..1 + random.below(KILLS_OF_A_POOL_MAX) {
            match herd.kill_one(&mut random, &mut evidence) {
                Ok(true) => {
                    let kills = evidence.kill_count();
                    if kills.is_multiple_of(report_every) {
                        println!(
                            "{kills} kills, {failures} failures, {:.0} s",
                            started.elapsed().as_secs_f64()
                        );
                    }
                }
                Ok(false) => {}
                Err(wrong) => {
                    failures += 1;
                    println!("FAILURE on {}: {wrong}", ground.name);
                    if !options.is_liar {
                        println!("What it left is in {}", keep(ground.folder, failures)?.display());
                    }
                    break;
                }
            }
            if evidence.kill_count() + failures >= options.kills {
                break;
            }
        }
        fs::remove_dir_all(ground.folder)?;
        if evidence.escaped > options.kills * ESCAPES_MAX {
            return Err("most victims come through alive, so nothing is tested".into());
        }
    }
    print!("\n{evidence}");
    println!(
        "kills={} places={}/{} failures={failures} seconds={:.0}",
        evidence.kill_count(),
        evidence.kills.len(),
        evidence.places.len(),
        started.elapsed().as_secs_f64()
    );
    Ok(failures)
}

/// What the runtime takes the ground for.
fn medium_of(ground: &Ground<'_>) -> Result<&'static str, Box<dyn std::error::Error>> {
    let path = ground.folder.join("medium.pool");
    let pool = ShopPool::options().force_dax(ground.force_dax).create(&path)?;
    fs::remove_file(&path)?;
    Ok(pool.medium_name())
}

/// Moves a folder away from where the next pool will be.
fn keep(folder: &Path, failure: u64) -> std::io::Result<PathBuf> {
    let kept = PathBuf::from(format!("{}-failure-{failure}", folder.display()));
    fs::rename(folder, &kept)?;
    fs::create_dir_all(folder)?;
    Ok(kept)
}
