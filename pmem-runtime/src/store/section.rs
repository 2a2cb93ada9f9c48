//! Running one section: the writer, the pin, the root's shadow, the body, and its commit or undoing.

#[cfg(feature = "crash-test")]
use std::panic::Location;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, PoisonError};

use crate::commit::{Core, Durability, Fase, Shadow, commit};
use crate::fase_error::FaseFault;
#[cfg(feature = "crash-test")]
use crate::hw::sim::Note;
use crate::persist::current::{self, Entry};
use crate::persist::{NodeHeader, Persistent};

/// Runs `body` on a shadow of the newest root, and commits what it did.
///
/// A panic of the body leaves nothing behind and goes on.
#[cfg_attr(feature = "crash-test", track_caller)]
pub(super) fn run<R, O, E, F>(core: &Arc<Core>, durability: Durability, body: F) -> Result<O, E>
where
    R: Persistent,
    E: From<FaseFault>,
    F: for<'f> FnOnce(&'f Fase<'f>, &mut R::At<'f>) -> Result<O, E>,
{
    run_on(core, durability, |shadow| {
        let root = shadow.copy_root();
        // SAFETY: the handle's lifetime is the one at which `body`, which works for all, is called here and only here.
        let fase = unsafe { Fase::new(shadow) };
        // SAFETY: the copy of the root's payload, which no one else knows; `At<'f>` has the layout of the root type.
        let value = unsafe { &mut *NodeHeader::payload(root).cast() };
        Ok((root, body(&fase, value)?))
    })
}

/// Runs a section whose body returns the address of the new root's node.
#[cfg_attr(feature = "crash-test", track_caller)]
pub(super) fn run_on<O, E>(
    core: &Arc<Core>,
    durability: Durability,
    body: impl FnOnce(&Shadow) -> Result<(u64, O), E>,
) -> Result<O, E>
where
    E: From<FaseFault>,
{
    if core.is_read_only() {
        return Err(FaseFault::ReadOnly.into());
    }
    if current::is_running(core.base) {
        return Err(FaseFault::Nested.into());
    }
    let mut slot = core.writer.lock().unwrap_or_else(PoisonError::into_inner);
    if core.poison().is_some() {
        drop(slot);
        return Err(core.poisoned().into());
    }
    let Some(writer) = slot.take() else {
        drop(slot);
        return Err(FaseFault::RuntimePanicked.into());
    };
    #[cfg(feature = "crash-test")]
    core.file.medium().note(Note::SectionStarted { by: Location::caller() });
    // Pinned until the commit is complete: nothing that the section can reach is reclaimed under it.
    let pin = core.pins.pin(|| core.clock.visible());
    let shadow = Shadow::new(Arc::clone(core), writer);
    // A body that unwinds is undone: what it could have left half-done is its shadow, which is thrown away.
    let outcome = Entry::new(core.base, core.file.region().reserve_bytes(), &shadow)
        .run(|| panic::catch_unwind(AssertUnwindSafe(|| body(&shadow))));

    let mut state = shadow.into_state();
    let doomed = state.doomed.take();
    let (writer, committed) = match (&outcome, doomed) {
        (Ok(Ok((root, _))), None) => commit(core, state, *root, durability),
        (_, doomed) => {
            core.tally.aborts.add(1);
            (state.abort(core), doomed.map_or(Ok(()), Err))
        }
    };
    // From here on code of the user's runs: errors are converted, values are dropped. It may run a section of this pool.
    *slot = Some(writer);
    drop(slot);
    drop(pin);
    if let Err(fault) = committed {
        return Err(fault.into());
    }
    match outcome {
        Ok(result) => result.map(|(_, output)| output),
        Err(payload) => panic::resume_unwind(payload),
    }
}
