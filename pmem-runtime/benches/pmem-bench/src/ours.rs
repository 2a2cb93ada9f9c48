//! A pool as a contestant.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use pmem_runtime::{CreateFault, Durability, Fase, FaseError, Persistent, Pool, hw};

use crate::contestant::{Contestant, Cost};
use crate::operation::{Op, Turn};

/// What a pool lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// A file in memory, written back and fenced like persistent memory.
    Dax,
    /// The same without write-backs: what a machine with persistent caches does.
    WithoutWriteBacks,
    /// Plain memory: nothing is written back, nothing is fenced.
    Volatile,
}

/// Makes names that no other pool of this machine has.
pub(crate) fn fresh_path(folder: &Path, extension: &str) -> PathBuf {
    static MADE: AtomicU64 = AtomicU64::new(0);
    // Relaxed: only distinct numbers are wanted.
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("pmem-bench-{}-{number}.{extension}", std::process::id()))
}

/// A pool whose root is the workload's structure.
pub(crate) struct Ours<R: Persistent> {
    pool: Option<Pool<R>>,
    path: PathBuf,
    run: fn(&Pool<R>, &Turn<'_>) -> u64,
    content: fn(&R) -> Vec<u64>,
}

impl<R> Ours<R>
where
    R: Persistent + 'static,
    for<'f> R::At<'f>: Default,
{
    /// A pool of that length, all of it allocated before the clock starts.
    pub(crate) fn new(
        folder: &Path,
        medium: Medium,
        size_bytes: u64,
        run: fn(&Pool<R>, &Turn<'_>) -> u64,
        content: fn(&R) -> Vec<u64>,
    ) -> Result<Self, CreateFault> {
        let path = fresh_path(folder, "pool");
        let options = || Pool::<R>::options().size_bytes(size_bytes).force_dax(true);
        let pool = match medium {
            Medium::Dax => options().create(&path)?,
            Medium::WithoutWriteBacks => hw::without_write_backs(|| options().create(&path))?,
            Medium::Volatile => options().volatile()?,
        };
        Ok(Ours { pool: Some(pool), path, run, content })
    }

    pub(crate) fn pool(&self) -> &Pool<R> {
        self.pool.as_ref().expect("it is there until it is dropped")
    }
}

impl<R> Contestant for Ours<R>
where
    R: Persistent + 'static,
    for<'f> R::At<'f>: Default,
    for<'s> pmem_runtime::Snapshot<'s, R>: std::ops::Deref<Target = R>,
{
    fn run(&mut self, turn: &Turn<'_>) -> u64 {
        (self.run)(self.pool(), turn)
    }

    fn content(&self) -> Vec<u64> {
        (self.content)(&self.pool().snapshot())
    }

    fn cost(&self) -> Option<Cost> {
        let counters = self.pool().counters();
        let line_bytes = 64;
        Some(Cost {
            lines: counters.lines_written_back as f64,
            fences: (counters.fences + counters.background_fences) as f64,
            written_bytes: (counters.bytes + counters.record_lines * line_bytes) as f64,
            // Every line of a node that is written back was allocated for it; records lie in the ring.
            allocated_bytes: ((counters.lines_written_back - counters.record_lines) * line_bytes) as f64,
        })
    }

    fn live_bytes(&self) -> Option<f64> {
        Some(self.pool().check().ok()?.bytes as f64)
    }
}

impl<R: Persistent> Drop for Ours<R> {
    fn drop(&mut self) {
        drop(self.pool.take());
        // A volatile pool has no file.
        let _ = fs::remove_file(&self.path);
    }
}

/// Does each operation, `turn.batch` of them in a section.
pub(crate) fn sections<R, F>(pool: &Pool<R>, turn: &Turn<'_>, each: F) -> u64
where
    R: Persistent,
    F: for<'f> Fn(&'f Fase<'f>, &mut R::At<'f>, &Op) -> u64,
{
    let mut sum = 0_u64;
    for slice in turn.ops.chunks(turn.batch) {
        let seen = pool.fase_once(Durability::Immediate, |tx, root| {
            let seen = slice.iter().fold(0_u64, |seen, op| seen.wrapping_add(each(tx, root, op)));
            Ok::<u64, FaseError>(seen)
        });
        sum = sum.wrapping_add(seen.expect("a section of a pool in memory fails only for want of memory"));
    }
    sum
}
