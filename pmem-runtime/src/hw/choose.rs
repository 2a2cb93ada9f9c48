//! Which medium a file is.
//!
//! A mapping with `MAP_SYNC` is granted by the kernel only over persistent memory, and promises that the file's own
//! bookkeeping is durable before a page can be written. Without it, write-back instructions alone make nothing durable
//! on a file system, so anything else is synced, or said not to survive the loss of power.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{fstatfs, major, minor};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::dax::{Behind, Dax};
use super::file::PageCache;
use super::{Medium, Survives, domain};

/// What was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// A regular file.
    Regular,
    /// A device-DAX character device, whose mappings come in multiples of `align_bytes`.
    Device {
        /// How long it is.
        size_bytes: u64,
        /// What lengths and addresses of mappings are multiples of.
        align_bytes: u64,
    },
}

/// How the file must be mapped for the chosen medium to keep its promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapKind {
    /// `MAP_SHARED_VALIDATE | MAP_SYNC`.
    Synchronous,
    /// `MAP_SHARED`, as it comes.
    Shared,
    /// `MAP_SHARED`, advised as `MADV_RANDOM` before its first touch: else the page cache holds it in large folios, and
    /// one stored byte costs a write of up to 2 MiB (measured: 1,000 us a sync instead of 60).
    SharedSmallPages,
}

/// A medium, and the mapping it needs.
#[derive(Debug)]
pub(crate) struct Chosen {
    /// How stores to the mapping become durable.
    pub(crate) medium: Arc<dyn Medium>,
    /// How to map.
    pub(crate) map_kind: MapKind,
}

/// Chooses the medium of a file that is open for reading and writing.
///
/// `force_dax_emulation` takes the DAX path on any file. Its write-backs reach the page cache, which outlives the process
/// but not the power, so it is said to survive [`Survives::ProcessDeath`].
///
/// # Errors
/// What the operating system said when asked.
pub(crate) fn for_file(file: &Arc<File>, kind: FileKind, force_dax_emulation: bool) -> io::Result<Chosen> {
    let chosen = choose(file, kind, force_dax_emulation)?;
    #[cfg(feature = "crash-test")]
    let chosen = super::listen::overheard(chosen);
    Ok(chosen)
}

fn choose(file: &Arc<File>, kind: FileKind, force_dax_emulation: bool) -> io::Result<Chosen> {
    let dax = |is_device, behind| Arc::new(Dax::new(Arc::clone(file), is_device, behind));
    if let FileKind::Device { .. } = kind {
        let device = file.metadata()?.rdev();
        let behind = persistent_memory(false, device);
        return Ok(Chosen { medium: dax(true, behind), map_kind: MapKind::Synchronous });
    }
    if force_dax_emulation {
        return Ok(Chosen { medium: dax(false, Behind::PageCache), map_kind: MapKind::Shared });
    }
    if grants_map_sync(file)? {
        let behind = persistent_memory(true, file.metadata()?.dev());
        return Ok(Chosen { medium: dax(false, behind), map_kind: MapKind::Synchronous });
    }
    Ok(match judge_file_system(fstatfs(file)?.f_type as u64) {
        FileSystem::Memory => Chosen { medium: dax(false, Behind::PageCache), map_kind: MapKind::Shared },
        FileSystem::Disk(survives) => {
            let medium = Arc::new(PageCache::new(Arc::clone(file), survives));
            Chosen { medium, map_kind: MapKind::SharedSmallPages }
        }
    })
}

fn persistent_memory(is_block: bool, device: u64) -> Behind {
    let caches_persist = domain::caches_persist(Path::new("/sys"), is_block, major(device), minor(device));
    Behind::PersistentMemory { caches_persist }
}

/// Asks by mapping one page anywhere: over the place meant for the pool a refusal would tear a hole into it.
fn grants_map_sync(file: &File) -> io::Result<bool> {
    const PAGE_BYTES: usize = 4096;
    let flags = MapFlags::SHARED_VALIDATE | MapFlags::SYNC;
    // SAFETY: the kernel chooses free addresses, so no memory in use is touched.
    let mapped =
        unsafe { mmap(std::ptr::null_mut(), PAGE_BYTES, ProtFlags::READ | ProtFlags::WRITE, flags, file, 0) };
    match mapped {
        Ok(page) => {
            // SAFETY: the page was mapped above, and nobody else knows of it.
            unsafe { munmap(page, PAGE_BYTES) }?;
            Ok(true)
        }
        Err(Errno::OPNOTSUPP | Errno::INVAL) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// What is known of a file system's promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileSystem {
    /// Its files are memory, and a sync does nothing.
    Memory,
    /// A sync has a meaning: what survives after it.
    Disk(Survives),
}

/// Judges by the magic numbers of `statfs(2)`. What the kernel passes on to a server or a user's program is only as
/// durable as these please; a FUSE program without `fsync` is reported by the kernel as a success. Local file systems
/// are taken at their word, which `nobarrier`, overlay's `volatile` and disks with lying caches break.
fn judge_file_system(magic: u64) -> FileSystem {
    const TMPFS: u64 = 0x0102_1994;
    const RAMFS: u64 = 0x8584_58f6;
    const HUGETLBFS: u64 = 0x9584_58f6;
    const NFS: u64 = 0x6969;
    const SMB: u64 = 0x517b;
    const SMB2: u64 = 0xfe53_4d42;
    const CIFS: u64 = 0xff53_4d42;
    const FUSE: u64 = 0x6573_5546;
    const V9FS: u64 = 0x0102_1997;
    const CEPH: u64 = 0x00c3_6400;
    const AFS: u64 = 0x5346_414f;
    match magic & 0xffff_ffff {
        TMPFS | RAMFS | HUGETLBFS => FileSystem::Memory,
        NFS | SMB | SMB2 | CIFS | FUSE | V9FS | CEPH | AFS => FileSystem::Disk(Survives::ProcessDeath),
        _ => FileSystem::Disk(Survives::PowerLoss),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{FileKind, FileSystem, MapKind, Survives, for_file, judge_file_system};

    /// If this failed, a user would be told that tmpfs survives the loss of power.
    #[test]
    fn memory_file_systems_and_emulation_do_not_claim_to_survive_power_loss() {
        let file = Arc::new(tempfile::tempfile_in("/dev/shm").unwrap());
        let chosen = for_file(&file, FileKind::Regular, false).unwrap();
        assert_eq!(chosen.medium.durability(), Survives::ProcessDeath);
        assert_eq!(chosen.map_kind, MapKind::Shared);
        let file = Arc::new(tempfile::tempfile().unwrap());
        let chosen = for_file(&file, FileKind::Regular, true).unwrap();
        assert_eq!(chosen.medium.durability(), Survives::ProcessDeath);
        assert!(chosen.medium.name().starts_with("emulated"), "{}", chosen.medium.name());
    }

    /// If this failed, a network's or a user program's promise would be passed on as the disk's.
    #[test]
    fn file_systems_behind_a_server_are_not_trusted_with_power_loss() {
        assert_eq!(judge_file_system(0x6969), FileSystem::Disk(Survives::ProcessDeath));
        assert_eq!(judge_file_system(0x6573_5546), FileSystem::Disk(Survives::ProcessDeath));
        assert_eq!(judge_file_system(0xef53), FileSystem::Disk(Survives::PowerLoss), "ext4");
    }
}
