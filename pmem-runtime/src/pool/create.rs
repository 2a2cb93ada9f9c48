//! Creation: a draft that no one sees, then everything at once.

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::bases::candidates;
use super::file::{Access, Current, PoolFile, Slot};
use super::format::{
    BLOCK_BYTES, MAGIC, MAX_RESERVE_BYTES, MAX_RING_BYTES, MAX_RINGS, MAX_SCHEMA_BYTES, MIN_HEAP_BYTES,
    MIN_RING_BYTES, PAGE_BYTES, SUPERBLOCK_BYTES, Superblock, heap_offset, rings_offset,
};
use super::open::{map_prefix, open_file};
use super::publish::Place;
use super::region::{Backing, Region};
use super::source::Source;
use super::{lock, random};
use crate::error::{CreateError, Limits, OpenError};
use crate::hw::{Chosen, FileKind, Medium, Volatile, for_file, is_want_of_space, note_caller};
use crate::mutants::{Mutant, planted};
use crate::sync::Mutex;

/// Pools below this length get few and small rings.
const SMALL_POOL_BYTES: u64 = 1 << 20;

/// What pool to create.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CreateSpec<'s> {
    /// Its length, rounded up to blocks. A device has the length it has.
    pub(crate) len_bytes: u64,
    /// How long it can become, rounded up to blocks.
    pub(crate) reserve_bytes: u64,
    /// How many rings; by default 4 in small pools, else 8.
    pub(crate) ring_count: Option<u32>,
    /// Bytes of each, rounded up to pages; by default 16 KiB in small pools, else 64 KiB.
    pub(crate) ring_bytes: Option<u64>,
    /// The description of its types.
    pub(crate) schema_text: &'s str,
    /// The type of its root.
    pub(crate) root_type_id: u32,
    /// As in [`super::OpenSpec`].
    pub(crate) force_dax_emulation: bool,
    /// Replaces what is otherwise random (identity, hash seed, base), for runs that can be repeated.
    pub(crate) seed: Option<u64>,
}

/// A pool that no one can open yet. Dropping it leaves nothing.
///
/// Its superblocks, rings, header and checkpoint are zero, and its schema is written. Fill the rest through the medium,
/// writing everything back from the thread that calls [`Unpublished::publish`].
#[derive(Debug)]
pub(crate) struct Draft {
    pool: PoolFile,
    place: Place,
}

impl Draft {
    /// Starts a pool in a new file, or on a device that holds none.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub(crate) fn create(path: &Path, spec: &CreateSpec<'_>) -> Result<Draft, CreateError> {
        if fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_char_device()) {
            return Draft::create_on_device(path, spec);
        }
        let mut superblock = plan(path, spec)?;
        if fs::symlink_metadata(path).is_ok() {
            return Err(CreateError::AlreadyExists { path: path.to_path_buf() });
        }
        let failed = |what| move |error| io_error(path, what, spec.len_bytes, error);
        let (file, place) = Place::make(path).map_err(failed("creating the file"))?;
        let file = Arc::new(file);
        // Nobody else has the file; the lock is for those who will find its name.
        let is_locked = lock::take(&file, Access::ReadWrite).map_err(failed("locking"))?;
        if !is_locked {
            return Err(CreateError::Locked { path: path.to_path_buf() });
        }
        let Chosen { medium, map_kind } = for_file(&file, FileKind::Regular, spec.force_dax_emulation)
            .map_err(failed("choosing the medium"))?;
        note_caller();
        medium
            .allocate(0, superblock.len_bytes)
            .map_err(|error| io_error(path, "allocating space", superblock.len_bytes, error))?;
        let region = find_place(path, &mut superblock, Backing::Shared(&file, map_kind))?;
        let pool = assemble(path, spec, superblock, region, medium, false);
        Ok(Draft { pool: PoolFile { file: Some(file), ..pool }, place })
    }

    /// Starts a pool in plain memory.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub(crate) fn volatile(spec: &CreateSpec<'_>) -> Result<Draft, CreateError> {
        let path = Path::new("(volatile)");
        let mut superblock = plan(path, spec)?;
        let region = find_place(path, &mut superblock, Backing::Anonymous)?;
        let pool = assemble(path, spec, superblock, region, Arc::new(Volatile), false);
        Ok(Draft { pool, place: Place::Unnamed })
    }

    /// Starts a pool on an empty simulated medium.
    ///
    /// # Errors
    /// See [`CreateError`].
    ///
    /// # Panics
    /// If the medium is not empty.
    #[cfg(feature = "crash-test")]
    pub(crate) fn simulated(
        spec: &CreateSpec<'_>,
        sim: &Arc<crate::hw::sim::SimMedium>,
    ) -> Result<Draft, CreateError> {
        let path = Path::new("(simulated)");
        assert_eq!(sim.len_bytes(), 0, "a pool is created on an empty simulated medium");
        let mut superblock = plan(path, spec)?;
        let region = find_place(path, &mut superblock, Backing::Anonymous)?;
        // SAFETY: the mapping is new, so zero, as long as the pool can become, and lives in the pool beside the medium.
        unsafe { sim.attach(region.at(0)) };
        note_caller();
        sim.allocate(0, superblock.len_bytes)
            .map_err(|error| io_error(path, "allocating space", superblock.len_bytes, error))?;
        let medium = Arc::clone(sim) as Arc<dyn Medium>;
        Ok(Draft { pool: assemble(path, spec, superblock, region, medium, false), place: Place::Unnamed })
    }

    fn create_on_device(path: &Path, spec: &CreateSpec<'_>) -> Result<Draft, CreateError> {
        let failed = |what| move |error| io_error(path, what, spec.len_bytes, error);
        let (file, kind) = open_file(path, Access::ReadWrite).map_err(|error| from_open(path, error))?;
        let FileKind::Device { size_bytes, align_bytes } = kind else {
            return Err(CreateError::AlreadyExists { path: path.to_path_buf() });
        };
        let unit = align_bytes.max(BLOCK_BYTES);
        let len_bytes = size_bytes / unit * unit;
        let mut superblock = plan(path, &CreateSpec { len_bytes, reserve_bytes: len_bytes, ..*spec })?;
        if !lock::take(&file, Access::ReadWrite).map_err(failed("locking"))? {
            return Err(CreateError::Locked { path: path.to_path_buf() });
        }
        let prefix = map_prefix(&file, size_bytes, align_bytes).map_err(failed("mapping the device"))?;
        let source = Source::Device { prefix: &prefix, len_bytes: size_bytes };
        for slot in [Slot::A, Slot::B] {
            let mut magic = [0; MAGIC.len()];
            source.read(slot.offset(), &mut magic).map_err(failed("reading the device"))?;
            // A pool's, or the start of something else: an unfinished creation leaves zeros.
            if magic != [0; MAGIC.len()] {
                return Err(CreateError::AlreadyExists { path: path.to_path_buf() });
            }
        }
        drop(prefix);
        let Chosen { medium, map_kind } =
            for_file(&file, kind, false).map_err(failed("choosing the medium"))?;
        let region = find_place(path, &mut superblock, Backing::Shared(&file, map_kind))?;
        // A device holds what it held; a file is zero.
        for page in (0..superblock.heap_offset).step_by(PAGE_BYTES as usize) {
            put(&*medium, &region, page, &[0; PAGE_BYTES as usize]);
        }
        let pool = assemble(path, spec, superblock, region, medium, true);
        Ok(Draft { pool: PoolFile { file: Some(file), ..pool }, place: Place::Unnamed })
    }

    /// How stores become durable.
    #[cfg(test)]
    pub(crate) fn medium(&self) -> &Arc<dyn Medium> {
        self.pool.medium()
    }

    /// Where it is mapped.
    #[cfg(test)]
    pub(crate) fn region(&self) -> &Region {
        self.pool.region()
    }

    /// The geometry that it will have.
    #[cfg(test)]
    pub(crate) fn superblock(&self) -> Superblock {
        self.pool.superblock()
    }

    /// Parts the pool from its name, so that it can be filled by sections before anyone sees it.
    pub(crate) fn into_parts(self) -> (PoolFile, Unpublished) {
        (self.pool, Unpublished { place: self.place })
    }

    /// Makes the pool durable and then visible.
    ///
    /// # Errors
    /// As [`Unpublished::publish`].
    #[cfg(test)]
    pub(crate) fn publish(self) -> Result<PoolFile, CreateError> {
        let (pool, unpublished) = self.into_parts();
        unpublished.publish(&pool)?;
        Ok(pool)
    }
}

/// The name that a draft does not have yet. Dropping it, no name is given.
#[derive(Debug)]
pub(crate) struct Unpublished {
    place: Place,
}

impl Unpublished {
    /// Makes the draft's pool durable and then visible.
    ///
    /// # Errors
    /// [`CreateError::AlreadyExists`] if someone else was first; else what the medium or the operating system said. No
    /// name is given then.
    pub(crate) fn publish(self, pool: &PoolFile) -> Result<(), CreateError> {
        let path = &pool.path;
        let failed = |what| move |error| io_error(path, what, pool.region.len_bytes(), error);
        write_superblocks(pool).map_err(failed("syncing the new pool"))?;
        if let Some(file) = &pool.file {
            if !pool.is_device {
                file.sync_all().map_err(failed("syncing the new file"))?;
            }
            self.place.publish(file, path).map_err(failed("naming the new file"))?;
        }
        Ok(())
    }
}

fn write_superblocks(pool: &PoolFile) -> io::Result<()> {
    let medium = &**pool.medium();
    // Fence: everything in the pool is durable before a superblock can be found.
    if !planted(Mutant::MagicFirst) {
        medium.fence()?;
    }
    let superblock = pool.superblock();
    let older = Superblock { sequence: superblock.sequence - 1, ..superblock };
    for (slot, superblock) in [(Slot::A, superblock), (Slot::B, older)] {
        let bytes = superblock.encode();
        let from = if planted(Mutant::MagicFirst) { 0 } else { MAGIC.len() };
        put(medium, &pool.region, slot.offset() + from as u64, &bytes[from..]);
    }
    // Fence: the superblocks are whole before their magic can be found.
    medium.fence()?;
    for slot in [Slot::A, Slot::B] {
        let to = pool.region.at(slot.offset());
        // SAFETY: the word lies in the pool, is aligned to a page, and no one else knows of the draft.
        unsafe { medium.store_word(to.cast(), u64::from_le_bytes(MAGIC)) };
        // SAFETY: as above.
        unsafe { medium.write_back(to, SUPERBLOCK_BYTES) };
    }
    // Fence: the pool exists from here on; the name follows.
    medium.fence()
}

/// Stores and writes back bytes of a draft's first pages.
#[cfg_attr(feature = "crash-test", track_caller)]
fn put(medium: &dyn Medium, region: &Region, offset: u64, bytes: &[u8]) {
    note_caller();
    let to = region.at(offset);
    // SAFETY: the bytes lie before the heap, so within the pool, and no one else knows of the draft.
    unsafe { medium.store(to, bytes) };
    // SAFETY: as above.
    unsafe { medium.write_back(to, bytes.len()) };
}

fn assemble(
    path: &Path,
    spec: &CreateSpec<'_>,
    superblock: Superblock,
    region: Region,
    medium: Arc<dyn Medium>,
    is_device: bool,
) -> PoolFile {
    region.set_len(superblock.len_bytes);
    put(&*medium, &region, superblock.schema_offset, spec.schema_text.as_bytes());
    PoolFile {
        path: path.to_path_buf(),
        access: Access::ReadWrite,
        is_device,
        schema_text: spec.schema_text.to_owned(),
        current: Mutex::new(Current { superblock, slot: Slot::A }),
        region,
        medium,
        file: None,
    }
}

fn find_place(path: &Path, superblock: &mut Superblock, backing: Backing<'_>) -> Result<Region, CreateError> {
    let (reserve_bytes, len_bytes) = (superblock.reserve_bytes, superblock.len_bytes);
    let no_place = || CreateError::AddressSpace { path: path.to_path_buf(), reserve_bytes };
    for base in candidates(superblock.uuid) {
        let mapped = Region::map_at(base, reserve_bytes, backing).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => no_place(),
            _ => io_error(path, "mapping", len_bytes, error),
        })?;
        if let Some(region) = mapped {
            superblock.base = base;
            return Ok(region);
        }
    }
    Err(no_place())
}

/// The superblock that the options ask for, but for its base.
fn plan(path: &Path, spec: &CreateSpec<'_>) -> Result<Superblock, CreateError> {
    let wrong = |option, found, at_least, at_most| CreateError::WrongOption {
        path: path.to_path_buf(),
        option,
        found,
        limits: Limits { at_least, at_most, multiple_of: 1 },
    };
    let within = |option, found: u64, at_least, at_most| {
        if (at_least..=at_most).contains(&found) {
            Ok(found)
        } else {
            Err(wrong(option, found, at_least, at_most))
        }
    };
    let len_bytes = within("size_bytes", spec.len_bytes, 1, MAX_RESERVE_BYTES)?.next_multiple_of(BLOCK_BYTES);
    let reserve_bytes = within("reserve_bytes", spec.reserve_bytes, spec.len_bytes, MAX_RESERVE_BYTES)?;
    let schema = spec.schema_text.as_bytes();
    let schema_len_bytes = within("schema", schema.len() as u64, 0, MAX_SCHEMA_BYTES)?;
    let (ring_count, ring_bytes) = if len_bytes < SMALL_POOL_BYTES { (4, 16 << 10) } else { (8, 64 << 10) };
    let ring_count = within("ring_count", spec.ring_count.unwrap_or(ring_count).into(), 1, MAX_RINGS)?;
    let ring_bytes =
        within("ring_bytes", spec.ring_bytes.unwrap_or(ring_bytes), MIN_RING_BYTES, MAX_RING_BYTES)?;
    let ring_bytes = ring_bytes.next_multiple_of(PAGE_BYTES);
    let rings_offset = rings_offset(schema_len_bytes);
    let heap_offset = heap_offset(rings_offset, ring_count, ring_bytes);
    let minimum = heap_offset + MIN_HEAP_BYTES;
    if len_bytes < minimum {
        return Err(CreateError::TooSmall { path: path.to_path_buf(), asked: spec.len_bytes, minimum });
    }
    let (uuid, hash_seed) =
        identity(spec.seed).map_err(|error| io_error(path, "drawing an identity", 0, error))?;
    Ok(Superblock {
        uuid,
        hash_seed,
        // Superblock B has 1.
        sequence: 2,
        reserve_bytes: reserve_bytes.next_multiple_of(BLOCK_BYTES),
        len_bytes,
        rings_offset,
        ring_count: ring_count as u32,
        ring_bytes,
        root_type_id: spec.root_type_id,
        schema_len_bytes,
        schema_fingerprint: XxHash3_64::oneshot(schema),
        heap_offset,
        ..Superblock::blank()
    })
}

fn identity(seed: Option<u64>) -> io::Result<([u8; 16], u64)> {
    let Some(seed) = seed else {
        return Ok((random::bytes()?, u64::from_le_bytes(random::bytes()?)));
    };
    let draw = |stream: u64| XxHash3_64::oneshot_with_seed(seed, &stream.to_le_bytes());
    let mut uuid = [0; 16];
    uuid[..8].copy_from_slice(&draw(0).to_le_bytes());
    uuid[8..].copy_from_slice(&draw(1).to_le_bytes());
    Ok((uuid, draw(2)))
}

fn from_open(path: &Path, error: OpenError) -> CreateError {
    let path = path.to_path_buf();
    match error {
        OpenError::PermissionDenied { .. } => CreateError::PermissionDenied { path },
        OpenError::ReadOnlyFileSystem { .. } => CreateError::ReadOnlyFileSystem { path },
        OpenError::Io { what, source, .. } => CreateError::Io { what, path, source },
        _ => CreateError::AlreadyExists { path },
    }
}

fn io_error(path: &Path, what: &'static str, needed: u64, source: io::Error) -> CreateError {
    let path = path.to_path_buf();
    if is_want_of_space(&source) {
        return CreateError::NoSpace { path, needed };
    }
    match source.kind() {
        io::ErrorKind::AlreadyExists => CreateError::AlreadyExists { path },
        io::ErrorKind::NotFound => CreateError::NotFound { path },
        io::ErrorKind::PermissionDenied => CreateError::PermissionDenied { path },
        io::ErrorKind::ReadOnlyFilesystem => CreateError::ReadOnlyFileSystem { path },
        _ => CreateError::Io { what, path, source },
    }
}
