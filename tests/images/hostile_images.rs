//! Attacks what opens files with files that lie: `cargo run --release --bin hostile-images -- --images 100000`.
//!
//! Every target of the list in [`targets`] gets a share of the images. An image is a pool with some bytes changed, in half of them with
//! the checksums made right again. It must be refused with a typed error, or be a pool: it is opened both ways, checked, read,
//! changed, closed and opened again. What may come of each step stands in [`attempt`]. Anything else is a failure: a panic, a
//! signal, more memory than is allowed, more time than is allowed. Children try the images, since they may die of them. The last line is
//! `images=N failures=0`; the same seed and number try the same.

mod attempt;
mod bases;
#[path = "../campaign/collections.rs"]
#[allow(dead_code, reason = "the campaign of crashes uses the rest")]
mod collections;
#[path = "../hostile/forge.rs"]
#[allow(dead_code, reason = "the test uses the rest")]
mod forge;
mod image;
#[path = "../hostile/mutate.rs"]
mod mutate;
mod options;
mod roots;
mod shares;
mod shelves;
mod shrink;
mod subject;
#[path = "../support/mod.rs"]
mod support;
mod targets;

use std::alloc::System;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use cap::Cap;

use image::Studio;
use options::{Asked, Campaign, HELP};
use shares::{Tally, sentence, supervise, work};
use shrink::shrink;
use targets::TARGETS;

/// What a process that tries images may allocate: many times what the largest sound pool of them takes.
const MEMORY_BYTES: usize = 512 << 20;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Images that one child tries at most.
const SHARE_IMAGES: u64 = 1_000;

/// Failing images that are shrunk.
const SHRUNK_MAX: usize = 10;

fn main() -> ExitCode {
    match options::parse(std::env::args().skip(1)) {
        Ok(Asked::Campaign(campaign)) => attack(&campaign),
        Ok(Asked::Share { target, seed, first, end, folder }) => {
            prepare();
            work(target, seed, first, end, &folder);
            ExitCode::SUCCESS
        }
        Ok(Asked::File { target, path, manner }) => {
            prepare();
            // The file itself stays as it is.
            let copy = path.with_extension("tried");
            fs::copy(&path, &copy).expect("the file can be copied");
            println!("{}", sentence((TARGETS[target].attempt)(&copy, manner)));
            fs::remove_file(copy).ok();
            ExitCode::SUCCESS
        }
        Ok(Asked::Help) => {
            print!("{HELP}");
            TARGETS.iter().for_each(|target| println!("  {}", target.name));
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("hostile-images: {sentence}. Try --help.");
            ExitCode::from(2)
        }
    }
}

fn prepare() {
    MEMORY.set_limit(MEMORY_BYTES).expect("little is allocated yet");
    attempt::listen();
}

fn attack(campaign: &Campaign) -> ExitCode {
    let started = Instant::now();
    let targets: Vec<usize> = campaign.only.map_or_else(|| (0..TARGETS.len()).collect(), |only| vec![only]);
    let count = targets.len() as u64;
    let mut pieces = Vec::new();
    for (index, target) in (0..).zip(&targets) {
        let images = campaign.images / count + u64::from(index < campaign.images % count);
        for first in (0..images).step_by(SHARE_IMAGES as usize) {
            pieces.push((*target, first, images.min(first + SHARE_IMAGES)));
        }
    }
    let tallies: Mutex<Vec<Tally>> = Mutex::new(TARGETS.iter().map(|_| Tally::default()).collect());
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for worker in 0..workers {
            let (pieces, tallies, next) = (&pieces, &tallies, &next);
            scope.spawn(move || {
                let folder = scratch_folder(worker);
                while let Some((target, first, end)) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let tally = supervise(*target, campaign.seed, *first, *end, &folder);
                    tallies.lock().expect("no worker panics")[*target].add(tally);
                }
                fs::remove_dir_all(folder).ok();
            });
        }
    });
    let (mut all, mut shrunk) = (Tally::default(), 0);
    for (target, tally) in tallies.into_inner().expect("no worker panicked").into_iter().enumerate() {
        if tally.images() == 0 {
            continue;
        }
        let name = TARGETS[target].name;
        let (opened, refused, caught) = (tally.opened, tally.refused, tally.caught);
        let failures = tally.failures.len();
        println!("{name:15} opened={opened} refused={refused} caught={caught} failures={failures}");
        for (index, words) in &tally.failures {
            println!("  {name} {index}: {words}");
            if shrunk < SHRUNK_MAX {
                shrunk += 1;
                keep(campaign, target, *index);
            }
        }
        all.add(tally);
    }
    let (images, failures) = (all.images(), all.failures.len());
    println!("{:15} opened={} refused={} caught={}", "all", all.opened, all.refused, all.caught);
    println!("seconds={}", started.elapsed().as_secs());
    println!("images={images} failures={failures}");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Memory is the fastest place for files, where there is a file system of it.
fn scratch_folder(worker: usize) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    let folder = place.join(format!("hostile-images-{}-{worker}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is a place for images");
    folder
}

/// Writes a failing image out, shrunk, and says how to try it again.
fn keep(campaign: &Campaign, target: usize, index: u64) {
    let name = TARGETS[target].name;
    let image = Studio::new(target, campaign.seed).image(index);
    fs::create_dir_all(&campaign.out).expect("the folder for failures can be made");
    let file = campaign.out.join(format!("{name}-{}-{index}.pool", campaign.seed));
    let folder = scratch_folder(usize::MAX);
    let changed = shrink(target, &image, &file, &folder);
    fs::remove_dir_all(folder).ok();
    println!(
        "    {changed} bytes of a pool changed ({}): cargo run --release --bin hostile-images -- --only {name} --file {} --manner {}",
        image.of,
        file.display(),
        image.manner
    );
}
