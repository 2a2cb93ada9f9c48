//! The process that dies: it works on a pool, counts what happens to the medium, and kills itself when it is told to.
//!
//! `SIGKILL` is raised on the thread on which the event happens, from within the medium: the stores before it are executed, the
//! ones after it are not. What is said before is in the pipe, whole: a line is one `write` of less than the pipe's buffer.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pmem_runtime::Durability;
use pmem_runtime::hw::listen;
use rustix::process::{Signal, getpid, kill_process};

use crate::place::{Phase, Place};
use crate::shop::{Life, Section, ShopPool, Word, live};

/// The first argument of a victim.
pub(crate) const VICTIM: &str = "__victim";
/// The name of the runtime's own thread.
const FLUSHER: &str = "pmem-flush";

/// What a victim is told.
#[derive(Clone, Debug)]
pub(crate) struct Orders<'o> {
    pub(crate) life: Life<'o>,
    /// A copy of the pool, opened first so that the pool's own addresses are taken.
    pub(crate) squatter: Option<&'o Path>,
    /// Dies at the event of this kind with this number, counted from 0.
    pub(crate) death: Option<(Place, u64)>,
}

impl Orders<'_> {
    /// As command-line arguments.
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        let Life { path, seed, sections, force_dax, is_liar } = self.life;
        let path_text = |path: &Path| path.display().to_string();
        let (place, number) = match &self.death {
            Some((place, number)) => (place.to_string(), number.to_string()),
            None => Default::default(),
        };
        vec![
            VICTIM.to_owned(),
            path_text(path),
            seed.to_string(),
            sections.to_string(),
            force_dax.to_string(),
            is_liar.to_string(),
            self.squatter.map(path_text).unwrap_or_default(),
            place,
            number,
        ]
    }

    /// The orders in arguments made by [`Orders::to_arguments`].
    pub(crate) fn parse(arguments: &[String]) -> Option<Orders<'_>> {
        let [_, path, seed, sections, force_dax, is_liar, squatter, place, number] = arguments else {
            return None;
        };
        let death = match place.parse() {
            Ok(place) => Some((place, number.parse().ok()?)),
            Err(()) => None,
        };
        Some(Orders {
            life: Life {
                path: Path::new(path),
                seed: seed.parse().ok()?,
                sections: sections.parse().ok()?,
                force_dax: force_dax.parse().ok()?,
                is_liar: is_liar.parse().ok()?,
            },
            squatter: (!squatter.is_empty()).then(|| Path::new(squatter)),
            death,
        })
    }
}

/// The index in [`Phase::ALL`] of what the main thread is at.
static PHASE: AtomicUsize = AtomicUsize::new(0);

fn enter(phase: Phase) {
    // Relaxed: the flusher has a phase of its own, so only the thread that stores it reads it.
    PHASE.store(Phase::ALL.iter().position(|each| *each == phase).unwrap_or(0), Ordering::Relaxed);
}

fn say(line: &str) -> std::io::Result<()> {
    stdout().write_all(format!("{line}\n").as_bytes())
}

/// Lives, and dies if told to; else says how often each kind of event happened. An error is a sentence.
pub(crate) fn run(orders: &Orders<'_>) -> Result<(), String> {
    let squatter = orders.squatter.map(|path| ShopPool::options().threads(1).open_read_only(path));
    let squatter = squatter.transpose().map_err(|error| format!("the squatter: {error}"))?;
    let seed = orders.life.seed;
    enter(match (&squatter, orders.life.path.exists()) {
        (_, false) => Phase::Create,
        (None, true) => Phase::Recover,
        (Some(_), true) => Phase::Relocate,
    });
    let counts: &'static Mutex<BTreeMap<Place, u64>> = Box::leak(Box::default());
    let death = orders.death.clone();
    listen(move |moment, line| {
        let place = Place { phase: phase(), moment, line: format!("{}:{}", short(line.file()), line.line()) };
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(place.clone()).or_default();
        if death.as_ref().is_some_and(|(wanted, number)| (wanted, number) == (&place, count)) {
            die(&place);
        }
        *count += 1;
    });
    live(&orders.life, &mut |word| {
        say(&word.to_string())?;
        match word {
            Word::Begun(done) => enter(match Section::of(seed, done - 1).durability {
                Durability::Immediate => Phase::Immediate,
                _ => Phase::Buffered,
            }),
            Word::Syncing => enter(Phase::Sync),
            Word::Closing => enter(Phase::Close),
            _ => {}
        }
        Ok(())
    })?;
    for (place, count) in counts.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        say(&format!("count {count} {place}")).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn phase() -> Phase {
    thread_local! {
        static IS_FLUSHER: Cell<bool> = Cell::new(std::thread::current().name() == Some(FLUSHER));
    }
    // Relaxed: see `enter`.
    if IS_FLUSHER.get() { Phase::Flusher } else { Phase::ALL[PHASE.load(Ordering::Relaxed)] }
}

/// The path below the runtime's sources.
fn short(file: &str) -> &str {
    file.rsplit_once("src/").map_or(file, |(_, file)| file)
}

fn die(place: &Place) -> ! {
    // If nobody hears it, nobody needs to know.
    let _ = say(&format!("dies {place}"));
    let _ = kill_process(getpid(), Signal::KILL);
    loop {
        std::thread::park();
    }
}
