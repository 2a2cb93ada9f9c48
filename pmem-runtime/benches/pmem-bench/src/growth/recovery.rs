//! How long opening takes, against what is alive. Opening visits every live node, also after a clean close.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use pmem_runtime::{Durability, FaseError, Map, Pool};

use crate::operation::{scattered, value};
use crate::options::Options;
use crate::ours::fresh_path;

type Root = Map<'static, u64, [u64; 4]>;

/// Entries in a section.
const BATCH: u64 = 10_000;
/// About what an entry takes of the pool, in bytes.
const ENTRY_BYTES: u64 = 64;
/// The smallest pool, in live bytes.
const LIVE_BYTES_MIN: u64 = 10 << 20;
/// Times of which the shortest counts: a shared machine only ever takes longer.
const REPEATS: usize = 3;

/// Rows of live MiB, and the milliseconds of opening with one and with two threads.
pub(super) fn measure(options: &Options) -> Result<Vec<[f64; 3]>, Box<dyn Error>> {
    let mut rows = Vec::new();
    let mut live_bytes = LIVE_BYTES_MIN;
    while live_bytes <= options.recovery_bytes {
        eprintln!("opening, {} MiB", live_bytes >> 20);
        let path = fresh_path(&options.folder, "pool");
        let row = measure_one(&path, live_bytes);
        // A pool that could not be made has no file.
        let _ = fs::remove_file(&path);
        rows.push(row?);
        live_bytes *= 3;
    }
    Ok(rows)
}

fn measure_one(path: &Path, live_bytes: u64) -> Result<[f64; 3], Box<dyn Error>> {
    fill(path, live_bytes / ENTRY_BYTES)?;
    let mut live_mib = 0.0;
    let mut open = |threads: usize| -> Result<f64, Box<dyn Error>> {
        let mut shortest = f64::INFINITY;
        for _ in 0..REPEATS {
            let started = Instant::now();
            let pool = Pool::<Root>::options().force_dax(true).threads(threads).open(path)?;
            shortest = shortest.min(started.elapsed().as_secs_f64() * 1e3);
            live_mib = pool.recovery().live_bytes as f64 / f64::from(1 << 20);
        }
        Ok(shortest)
    };
    let (one, two) = (open(1)?, open(2)?);
    Ok([live_mib, one, two])
}

fn fill(path: &Path, entries: u64) -> Result<(), Box<dyn Error>> {
    let pool = Pool::<Root>::options().force_dax(true).create(path)?;
    for first in (0..entries).step_by(BATCH as usize) {
        pool.fase_once(Durability::Immediate, |tx, map| {
            map.extend(
                tx,
                (first..entries.min(first + BATCH)).map(|number| (scattered(number), value(number))),
            );
            Ok::<(), FaseError>(())
        })?;
    }
    Ok(())
}
