//! From a path to a pool: creation, and opening with recovery.
//!
//! Opening reads and judges first and writes last: until every live node has been found good, the file is not changed.
//! What is then written may be interrupted at any store: the checkpoint goes to the slot that is not the newest, refcounts
//! and volatile fields mean nothing on the medium, relocation can be run again, and the mark of a clean close is cleared
//! before anything else that it vouches for changes.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::fault::{CreateFault, OpenFault};
use super::section::run_on;
use super::settings::Settings;
use super::{Pool, recovering};
use crate::commit::{Core, CoreParts, Fase, Ring, Writer, make_root};
use crate::error::{CreateError, Limits};
use crate::fase_error::FaseFault;
use crate::heap::{Heap, Streams};
#[cfg(feature = "crash-test")]
use crate::hw::sim::SimMedium;
use crate::mutants::{Mutant, planted};
use crate::persist::{Node, Persistent, Registry, describe};
use crate::pool::{Access, CreateSpec, Draft, OpenSpec, PoolFile};
use crate::recover::{LastClose, Recovery};
use crate::section::Timestamp;

/// Where a pool is.
pub(super) enum Place<'p> {
    Path(&'p Path),
    Memory,
    #[cfg(feature = "crash-test")]
    Simulated(Arc<SimMedium>),
}

impl Place<'_> {
    fn path(&self) -> &Path {
        match self {
            Place::Path(path) => path,
            Place::Memory => Path::new("(volatile)"),
            #[cfg(feature = "crash-test")]
            Place::Simulated(_) => Path::new("(simulated)"),
        }
    }
}

/// Creates a pool whose root is what `init` returns. It gets its name when its first version is durable.
pub(super) fn create<R, F>(settings: &Settings, place: Place<'_>, init: F) -> Result<Pool<R>, CreateFault>
where
    R: Persistent,
    F: for<'f> FnOnce(&'f Fase<'f>) -> R::At<'f>,
{
    let root_type = <R as Node>::TYPE;
    let registry = Registry::new(root_type)?;
    let schema_text = describe(R::schema);
    let spec = CreateSpec {
        len_bytes: settings.size_bytes,
        reserve_bytes: settings.reserve_bytes,
        ring_count: None,
        ring_bytes: None,
        schema_text: &schema_text,
        root_type_id: root_type.id.0,
        force_dax_emulation: settings.force_dax,
        seed: settings.seed,
    };
    if settings.limit_bytes < settings.size_bytes {
        let limits = Limits { at_least: settings.size_bytes, at_most: u64::MAX, multiple_of: 1 };
        let path = place.path().to_owned();
        return Err(CreateError::WrongOption {
            path,
            option: "limit_bytes",
            found: settings.limit_bytes,
            limits,
        }
        .into());
    }
    let draft = match place {
        Place::Path(path) => Draft::create(path, &spec)?,
        Place::Memory => Draft::volatile(&spec)?,
        #[cfg(feature = "crash-test")]
        Place::Simulated(medium) => Draft::simulated(&spec, &medium)?,
    };
    let (file, unpublished) = draft.into_parts();
    let heap = Heap::new(file.heap_offset(), file.len_bytes(), file.region().reserve_bytes());
    let writer = Some(new_writer(&file, 0));
    let core = Core::new(CoreParts {
        salt: file.salt(),
        limit_bytes: settings.limit_bytes.min(file.region().reserve_bytes()),
        file,
        heap,
        registry,
        root_type,
        root: 0,
        watermark: Timestamp(0),
        last_ticket: Timestamp(0),
        writer,
        durability: settings.durability,
    });
    run_on(&core, crate::commit::Durability::Immediate, |shadow| {
        // SAFETY: the handle's lifetime is the one at which `init`, which works for all, is called here and only here.
        let fase = unsafe { Fase::new(shadow) };
        let root = init(&fase);
        // SAFETY: the value was made by this section, as the section's own brand proves.
        Ok::<_, FaseFault>((unsafe { make_root(shadow, root) }, ()))
    })?;
    core.with_writer(|writer| writer.checkpoint(&core))??;
    unpublished.publish(&core.file)?;
    Ok(pool(core, Recovery { last_close: LastClose::New, ..Recovery::default() }))
}

/// A writer over the pool's first ring.
fn new_writer(file: &PoolFile, next_slot: u64) -> Box<Writer> {
    let superblock = file.superblock();
    let ring = Ring::new(superblock.rings_offset, superblock.ring_bytes);
    Box::new(Writer::new(ring, Streams::default(), next_slot))
}

/// The checkpoint slot that recovery may write to, if the newest checkpoint is in the given one.
fn older_slot(newest: u64) -> u64 {
    if planted(Mutant::NewestSlotOverwritten) { newest } else { 1 - newest }
}

fn pool<R: Persistent>(core: Arc<Core>, recovery: Recovery) -> Pool<R> {
    Pool { core, flusher: Mutex::new(None), recovery, root: PhantomData }
}

/// Opens the pool or, where there is none, creates it. Of several that try at once, one creates it.
pub(super) fn open_or_create<R, F>(settings: Settings, path: &Path, init: F) -> Result<Pool<R>, OpenFault>
where
    R: Persistent,
    F: for<'f> FnOnce(&'f Fase<'f>) -> R::At<'f>,
{
    if path.try_exists().unwrap_or(true) {
        return open(settings, Place::Path(path));
    }
    match create(&settings, Place::Path(path), init) {
        // Someone else was faster: theirs is the pool.
        Err(CreateFault::File(CreateError::AlreadyExists { .. })) => open(settings, Place::Path(path)),
        created => Ok(created?),
    }
}

/// Opens a pool for reading and writing.
pub(super) fn open<R: Persistent>(settings: Settings, place: Place<'_>) -> Result<Pool<R>, OpenFault> {
    let registry = Registry::new(<R as Node>::TYPE)?;
    let spec = OpenSpec {
        access: Access::ReadWrite,
        force_dax_emulation: settings.force_dax,
        has_volatile: registry.has_volatile(),
    };
    let file = match place {
        Place::Path(path) => PoolFile::open(path, &spec)?,
        Place::Memory => unreachable!("a volatile pool is created, never opened"),
        #[cfg(feature = "crash-test")]
        Place::Simulated(medium) => PoolFile::open_simulated(&medium)?,
    };
    recover(settings, file, registry)
}

/// Opens a pool for reading.
pub(super) fn open_read_only<R: Persistent>(settings: Settings, path: &Path) -> Result<Pool<R>, OpenFault> {
    let registry = Registry::new(<R as Node>::TYPE)?;
    let spec = OpenSpec {
        access: Access::ReadOnly,
        force_dax_emulation: false,
        has_volatile: registry.has_volatile(),
    };
    recover(settings, PoolFile::open(path, &spec)?, registry)
}

/// Finds the version that the file holds and makes a pool of it.
fn recover<R: Persistent>(
    mut settings: Settings,
    file: PoolFile,
    registry: Registry,
) -> Result<Pool<R>, OpenFault> {
    let root_type = registry.root();
    file.check_schema(&describe(R::schema), root_type.id.0)?;

    let mut report = Recovery {
        last_close: if file.was_closed_cleanly() { LastClose::Clean } else { LastClose::Crash },
        ..Recovery::default()
    };
    let (heap, found) = recovering::find(&file, &registry, &mut settings, &mut report)?;
    let writer = file.access() == Access::ReadWrite;
    let core = Core::new(CoreParts {
        salt: file.salt(),
        limit_bytes: settings.limit_bytes.min(file.region().reserve_bytes()),
        root: file.region().base() + found.replayed.root,
        watermark: found.replayed.checkpointed,
        last_ticket: found.replayed.watermark,
        writer: writer.then(|| new_writer(&file, older_slot(found.replayed.slot))),
        file,
        heap,
        registry,
        root_type,
        durability: settings.durability,
    });
    recovering::repair(&core, &found, &mut report)?;
    Ok(pool(core, report))
}
