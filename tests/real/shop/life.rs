//! What one process does with a pool, and what it says of it while it still can.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use pmem_runtime::Durability;

use super::{Section, Shop, ShopPool, run};

/// What a process says. Numbers count the sections done since the pool was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// The pool is open, and holds so many.
    Opened(u64),
    /// The section that makes it so many is about to begin.
    Begun(u64),
    /// It has returned. If it was Buffered, a crash may take it away.
    Returned(u64),
    /// So many are durable: they were Immediate, or synced.
    Durable(u64),
    /// A sync is about to begin.
    Syncing,
    /// The pool is about to be closed.
    Closing,
    /// It is closed.
    Closed,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Opened(done) => write!(f, "opened {done}"),
            Word::Begun(done) => write!(f, "begun {done}"),
            Word::Returned(done) => write!(f, "returned {done}"),
            Word::Durable(done) => write!(f, "durable {done}"),
            Word::Syncing => f.write_str("syncing"),
            Word::Closing => f.write_str("closing"),
            Word::Closed => f.write_str("closed"),
        }
    }
}

impl FromStr for Word {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (name, number) = text.split_once(' ').unwrap_or((text, ""));
        let done = || number.parse().map_err(|_| ());
        Ok(match name {
            "opened" => Word::Opened(done()?),
            "begun" => Word::Begun(done()?),
            "returned" => Word::Returned(done()?),
            "durable" => Word::Durable(done()?),
            "syncing" => Word::Syncing,
            "closing" => Word::Closing,
            "closed" => Word::Closed,
            _ => return Err(()),
        })
    }
}

/// One process's work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life<'l> {
    pub(crate) path: &'l Path,
    /// The shop's, if it must be made.
    pub(crate) seed: u64,
    /// How many sections to run.
    pub(crate) sections: u64,
    pub(crate) force_dax: bool,
    /// Says that a section is durable before it has begun, so that whoever judges has something to find.
    pub(crate) is_liar: bool,
}

/// Opens or makes the pool, runs its next sections, and closes it. Everything is said before the next thing is done.
///
/// An error is a sentence.
pub(crate) fn live(life: &Life<'_>, say: &mut dyn FnMut(Word) -> io::Result<()>) -> Result<(), String> {
    let mut say = |word| say(word).map_err(|error| format!("nobody hears \"{word}\": {error}"));
    let pool = ShopPool::options()
        .size_bytes(ShopPool::MIN_BYTES)
        .reserve_bytes(1 << 30)
        .force_dax(life.force_dax)
        .threads(1)
        .open_or_create_with(life.path, |tx| Shop::open(tx, life.seed))
        .map_err(|error| error.to_string())?;
    let (seed, mut done) = (pool.snapshot().seed, pool.snapshot().done);
    say(Word::Opened(done))?;
    for _ in 0..life.sections {
        let section = Section::of(seed, done);
        if life.is_liar {
            say(Word::Durable(done + 1))?;
        }
        say(Word::Begun(done + 1))?;
        run(&pool, seed, done).map_err(|error| format!("section {}: {error}", done + 1))?;
        done += 1;
        say(Word::Returned(done))?;
        if section.is_synced {
            say(Word::Syncing)?;
            pool.sync().map_err(|error| error.to_string())?;
        }
        if section.is_synced || section.durability == Durability::Immediate {
            say(Word::Durable(done))?;
        }
    }
    say(Word::Closing)?;
    pool.close().map_err(|error| error.to_string())?;
    say(Word::Closed)
}
