//! One image: opened for reading and for writing, checked, read, changed, closed and opened again.
//!
//! What is accepted, of which step:
//! - opening, for reading and for writing alike: a typed error, the same one;
//! - checking the pool, reading, comparing two versions, closing: nothing but that it succeeds;
//! - changing: that the pool is full; and a panic, only if the check of a collection had found a defect before (`caught`). Where
//!   none was found, none is found afterwards either;
//! - opening again: that the pool opens. A pool forged to be one ticket from the last that there may be has passed it.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;

use pmem_runtime::{Durability, FaseFault, OpenFault, Pool, ReplayError};

use super::subject::Subject;
use super::support::Random;

/// What became of an image.
pub(crate) enum Verdict {
    Opened,
    Refused,
    /// A section panicked over a collection whose check had found a defect, and was undone.
    Caught,
    /// Harm, in a sentence.
    Failed(String),
}

thread_local! {
    /// Where the last panic was, and what it said.
    static PANIC: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// Panics are remembered, not printed.
pub(crate) fn listen() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, ToString::to_string);
        let payload = info.payload();
        let words = payload.downcast_ref::<&str>().map(ToString::to_string);
        let words = words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        PANIC.with(|panic| *panic.borrow_mut() = Some((place, words)));
    }));
}

/// The limit of what an attempt may make a pool grow to.
const LIMIT_BYTES: u64 = 2 << 20;

/// Opens and uses the file; `manner` says how, and by which changes.
pub(crate) fn attempt<S: Subject>(path: &Path, manner: u64) -> Verdict {
    let mut caught = false;
    match catch_unwind(AssertUnwindSafe(|| visit::<S>(path, manner, &mut caught))) {
        Ok(Ok(_)) if caught => Verdict::Caught,
        Ok(Ok(true)) => Verdict::Opened,
        Ok(Ok(false)) => Verdict::Refused,
        Ok(Err(sentence)) => Verdict::Failed(sentence),
        Err(_) => Verdict::Failed(last_panic()),
    }
}

fn last_panic() -> String {
    let (place, words) = PANIC.with(|panic| panic.borrow_mut().take()).unwrap_or_default();
    format!("a panic at {place}: {words}").replace('\n', " ")
}

/// Does something that may not panic.
fn calmly<T>(step: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| format!("{step}: {}", last_panic()))
}

fn visit<S: Subject>(path: &Path, manner: u64, caught: &mut bool) -> Result<bool, String> {
    let mut random = Random::new(manner);
    let (verify, dax, close) = (random.one_in(2), !random.one_in(8), random.one_in(2));
    let options = || {
        Pool::<S::Root>::options().verify_checksums(verify).threads(1).limit_bytes(LIMIT_BYTES).force_dax(dax)
    };
    let for_reading = options().open_read_only(path);
    if let Ok(pool) = &for_reading {
        let report = pool.check();
        if verify && let Err(error) = report {
            return Err(format!("opened for reading and verified, and then: {error}"));
        }
        calmly("reading a pool opened for reading", || S::read(&pool.snapshot()))?;
    }
    let refusal = for_reading.err().map(|fault: OpenFault| fault.to_string());
    let pool = match (options().open(path), refusal) {
        (Ok(pool), None) => pool,
        (Err(_), Some(_)) => return Ok(false),
        (opened, refusal) => {
            return Err(format!("for writing {:?}, for reading {refusal:?}", opened.err()));
        }
    };
    let is_sound = calmly("reading", || S::read(&pool.snapshot()))?;
    let before = pool.snapshot();
    for _ in 0..3 {
        let seed = random.next();
        let durability = if random.one_in(3) { Durability::Buffered } else { Durability::Immediate };
        let change = || {
            pool.fase(durability, |tx, root| {
                S::change(tx, root, &mut Random::new(seed));
                Ok(())
            })
        };
        match calmly("changing what no check had found a defect in", change) {
            Ok(Ok(()) | Err(FaseFault::OutOfSpace { .. })) => {}
            Ok(Err(fault)) => return Err(format!("a section: {fault:?}")),
            Err(_) if !is_sound => *caught = true,
            Err(panic) => return Err(panic),
        }
    }
    calmly("comparing", || S::compare(&before, &pool.latest()))?;
    let is_still_sound = calmly("reading what was changed", || S::read(&pool.latest()))?;
    if is_sound && !is_still_sound {
        return Err("a check found a defect after sections, and none before".to_owned());
    }
    drop(before);
    // Sums may be wrong that nobody compared; the graph is not.
    if let Err(error) = pool.check()
        && verify
    {
        return Err(format!("after use: {error}"));
    }
    if close {
        pool.close().map_err(|error| format!("closing: {error}"))?;
    } else {
        drop(pool);
    }
    match options().verify_checksums(false).open(path) {
        Ok(_) | Err(OpenFault::Replay { error: ReplayError::ExcessiveTicket { .. }, .. }) => Ok(true),
        Err(error) => Err(format!("opened, used, and then refused: {error}")),
    }
}
