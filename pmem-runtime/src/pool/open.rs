//! Opening: lock, judge, map; the file is not changed by any of it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::OFlags;

use super::bases::{candidates, overlap};
use super::file::{Access, Current, PoolFile};
#[cfg(feature = "crash-test")]
use super::format::PAGE_BYTES;
use super::format::{MAX_SCHEMA_BYTES, SCHEMA_OFFSET, Superblock};
use super::judge::{Judged, io_error, judge};
use super::publish::sync_name;
use super::region::{Backing, Region};
use super::source::Source;
use super::{device, lock};
use crate::error::OpenError;
use crate::hw::{Chosen, FileKind, Medium, Volatile, fill_holes, for_file, is_want_of_space};
use crate::sync::Mutex;

/// How to open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenSpec {
    /// For what.
    pub(crate) access: Access,
    /// Take the DAX path on any file: its durability is then [`crate::hw::Survives::ProcessDeath`].
    pub(crate) force_dax_emulation: bool,
    /// Whether nodes are stored to at each open, also of a clean pool: their types have volatile fields.
    pub(crate) has_volatile: bool,
}

impl PoolFile {
    /// Opens a pool's file or device.
    ///
    /// Another program that shortens the file while it is open defeats every check: the lock is advisory.
    ///
    /// # Errors
    /// See [`OpenError`]. The file is as it was.
    pub(crate) fn open(path: &Path, spec: &OpenSpec) -> Result<PoolFile, OpenError> {
        let (file, kind) = open_file(path, spec.access)?;
        let is_locked = lock::take(&file, spec.access).map_err(|error| io_error(path, "locking", error))?;
        if !is_locked {
            return Err(OpenError::Locked { path: path.to_path_buf() });
        }
        match kind {
            FileKind::Regular => {
                // After locking: a growth by the former owner is finished.
                let len_bytes =
                    file.metadata().map_err(|error| io_error(path, "asking for the length", error))?.len();
                let judged = judge(&Source::File { file: &file, len_bytes }, path)?;
                if spec.access == Access::ReadWrite {
                    sync_name(path).map_err(|error| io_error(path, "syncing its directory", error))?;
                    // Invariant 2 of the room: a store into a hole is a signal where the disk is full.
                    let needed = judged.superblock.len_bytes;
                    fill_holes(&file, needed).map_err(|error| match is_want_of_space(&error) {
                        true => OpenError::NoSpace { path: path.to_path_buf(), needed },
                        false => io_error(path, "allocating space for holes", error),
                    })?;
                }
                map(path, spec, file, kind, judged)
            }
            FileKind::Device { size_bytes, align_bytes } => {
                let prefix = map_prefix(&file, size_bytes, align_bytes)
                    .map_err(|error| io_error(path, "mapping the device", error))?;
                let judged = judge(&Source::Device { prefix: &prefix, len_bytes: size_bytes }, path)?;
                drop(prefix);
                map(path, spec, file, kind, judged)
            }
        }
    }

    /// Opens what a crash left on a simulated medium, which must be fresh from its image.
    ///
    /// # Errors
    /// See [`OpenError`].
    #[cfg(feature = "crash-test")]
    pub(crate) fn open_simulated(sim: &Arc<crate::hw::sim::SimMedium>) -> Result<PoolFile, OpenError> {
        let path = Path::new("(simulated)");
        let image = sim.opened();
        let Judged { superblock, slot, schema_text } = judge(&Source::Image(&image), path)?;
        let region = find_place(path, &superblock, Backing::Anonymous)?;
        let page_bytes = PAGE_BYTES as usize;
        let zero = vec![0; page_bytes];
        for (index, page) in image.chunks(page_bytes).enumerate() {
            // The mapping is new, so zero: touching all of it would be most of the time that opening takes.
            if *page != zero[..page.len()] {
                let to = region.at((index * page_bytes) as u64);
                // SAFETY: the mapping is at least as long as the image (its length was compared with the reservation),
                // writable, new, and nobody else's.
                unsafe { std::ptr::copy_nonoverlapping(page.as_ptr(), to, page.len()) };
            }
        }
        // SAFETY: the mapping holds the image and then zeros, and lives in the pool beside the medium.
        unsafe { sim.attach(region.at(0)) };
        region.set_len(superblock.len_bytes);
        Ok(PoolFile {
            path: path.to_path_buf(),
            access: Access::ReadWrite,
            is_device: false,
            schema_text,
            current: Mutex::new(Current { superblock, slot }),
            region,
            medium: Arc::clone(sim) as Arc<dyn Medium>,
            file: None,
        })
    }
}

/// Opens without waiting (for a pipe's other end, say) and tells what it is.
pub(super) fn open_file(path: &Path, access: Access) -> Result<(Arc<File>, FileKind), OpenError> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let is_write = access == Access::ReadWrite;
    let opened = OpenOptions::new().read(true).write(is_write).custom_flags(flags).open(path);
    let owned = || path.to_path_buf();
    let file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => OpenError::NotFound { path: owned() },
        io::ErrorKind::PermissionDenied => OpenError::PermissionDenied { path: owned() },
        io::ErrorKind::IsADirectory => OpenError::IsDirectory { path: owned() },
        io::ErrorKind::ReadOnlyFilesystem => OpenError::ReadOnlyFileSystem { path: owned() },
        _ => io_error(path, "opening", error),
    })?;
    match device::kind_of(&file).map_err(|error| io_error(path, "asking what it is", error))? {
        Ok(kind) => Ok((Arc::new(file), kind)),
        Err("directory") => Err(OpenError::IsDirectory { path: owned() }),
        Err(found) => Err(OpenError::WrongFileType { path: owned(), found }),
    }
}

/// Maps as much of a device as is read before it is mapped as a pool.
pub(super) fn map_prefix(file: &File, size_bytes: u64, align_bytes: u64) -> io::Result<Region> {
    let wanted = (SCHEMA_OFFSET + MAX_SCHEMA_BYTES).next_multiple_of(align_bytes);
    let len_bytes = wanted.min(size_bytes / align_bytes * align_bytes);
    let prefix = Region::map_anywhere(len_bytes, Backing::DeviceReadOnly(file))?;
    prefix.set_len(len_bytes);
    Ok(prefix)
}

fn map(
    path: &Path,
    spec: &OpenSpec,
    file: Arc<File>,
    kind: FileKind,
    judged: Judged,
) -> Result<PoolFile, OpenError> {
    let Judged { superblock, slot, schema_text } = judged;
    let is_device = kind != FileKind::Regular;
    let (region, medium) = match spec.access {
        Access::ReadWrite => {
            let Chosen { medium, map_kind } = for_file(&file, kind, spec.force_dax_emulation)
                .map_err(|error| io_error(path, "choosing the medium", error))?;
            (find_place(path, &superblock, Backing::Shared(&file, map_kind))?, medium)
        }
        Access::ReadOnly => {
            let region = map_for_reading(path, spec, &superblock, &file, is_device)?;
            (region, Arc::new(Volatile) as Arc<dyn Medium>)
        }
    };
    region.set_len(superblock.len_bytes);
    Ok(PoolFile {
        path: path.to_path_buf(),
        access: spec.access,
        is_device,
        schema_text,
        current: Mutex::new(Current { superblock, slot }),
        region,
        medium,
        file: Some(file),
    })
}

/// A clean pool at its own base needs no store at all, if it has no volatile fields. Else pointers, refcounts or defaults
/// must be written, privately.
fn map_for_reading(
    path: &Path,
    spec: &OpenSpec,
    superblock: &Superblock,
    file: &File,
    is_device: bool,
) -> Result<Region, OpenError> {
    let is_ready = superblock.is_clean() && !superblock.is_relocating() && !spec.has_volatile;
    if !is_ready && !is_device {
        return find_place(path, superblock, Backing::Private(file));
    }
    let backing = if is_device { Backing::DeviceReadOnly(file) } else { Backing::ReadOnly(file) };
    match try_place(path, superblock, superblock.base, backing)? {
        Some(region) => Ok(region),
        None if is_device => {
            Err(no_place(path, superblock, "a device opened read-only can be mapped at its base only"))
        }
        None => find_place(path, superblock, Backing::Private(file)),
    }
}

/// Maps at the base or, if that is taken, at another place, disjoint from the base so that no pointer is ambiguous.
fn find_place(path: &Path, superblock: &Superblock, backing: Backing<'_>) -> Result<Region, OpenError> {
    let known: &[u64] = if superblock.is_relocating() {
        // Pointers of either base may be met, and a third base could not be told from them: finish, or go back.
        &[superblock.pending_base, superblock.base]
    } else {
        &[superblock.base]
    };
    for base in known {
        if let Some(region) = try_place(path, superblock, *base, backing)? {
            return Ok(region);
        }
    }
    if superblock.is_relocating() {
        return Err(no_place(path, superblock, "both bases of an interrupted relocation are taken"));
    }
    let apart = |base: &u64| !overlap(*base, superblock.base, superblock.reserve_bytes);
    for base in candidates(superblock.uuid).filter(apart) {
        if let Some(region) = try_place(path, superblock, base, backing)? {
            return Ok(region);
        }
    }
    Err(no_place(path, superblock, "the base and every other place tried are taken"))
}

fn try_place(
    path: &Path,
    superblock: &Superblock,
    base: u64,
    backing: Backing<'_>,
) -> Result<Option<Region>, OpenError> {
    Region::map_at(base, superblock.reserve_bytes, backing).map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => {
            no_place(path, superblock, "the operating system refuses a mapping of this size")
        }
        _ => io_error(path, "mapping", error),
    })
}

fn no_place(path: &Path, superblock: &Superblock, reason: &'static str) -> OpenError {
    OpenError::AddressSpace { path: path.to_path_buf(), reserve_bytes: superblock.reserve_bytes, reason }
}
