//! Whether a pool that a crash left is true.

use std::ops::RangeInclusive;
use std::path::Path;

use pmem_runtime::LastClose;

use super::{Books, ShopPool};

/// What a pool held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Sections done.
    pub(crate) done: u64,
    /// Whether there was anything to recover.
    pub(crate) was_crashed: bool,
    pub(crate) records_replayed: u64,
    pub(crate) records_rejected: u64,
    pub(crate) was_moved: bool,
    /// The medium's name.
    pub(crate) medium: &'static str,
}

/// Opens the pool at `path`, recovers it, and compares all that it holds with the books. `allowed` is how many sections may be
/// done. The books must not be ahead of them; they are advanced to what was found.
///
/// An error is a sentence.
pub(crate) fn judge(path: &Path, books: &mut Books, allowed: RangeInclusive<u64>) -> Result<Seen, String> {
    let pool = ShopPool::options()
        .verify_checksums(true)
        .threads(1)
        .open(path)
        .map_err(|error| format!("the pool cannot be opened: {error}"))?;
    let found = Books::read(&pool.snapshot())?;
    if !allowed.contains(&found.done) {
        let (first, last) = (allowed.start(), allowed.end());
        return Err(format!("{} sections are there, but it must be {first} to {last} of them", found.done));
    }
    books.advance(found.done);
    if let Some(what) = found.difference(books) {
        return Err(format!("after {} sections the {what} are wrong", found.done));
    }
    let report = pool.check().map_err(|error| format!("the pool is damaged: {error}"))?;
    if (report.unreachable_lines, report.unallocated_lines, report.refcounts_off) != (0, 0, 0) {
        return Err(format!("after recovery the heap is not what the root reaches: {report:?}"));
    }
    let recovery = pool.recovery();
    let seen = Seen {
        done: found.done,
        was_crashed: recovery.last_close == LastClose::Crash,
        records_replayed: recovery.records_replayed,
        records_rejected: recovery.records_rejected,
        was_moved: recovery.moved.is_some(),
        medium: pool.medium_name(),
    };
    pool.close().map_err(|error| format!("the recovered pool cannot be closed: {error}"))?;
    Ok(seen)
}
