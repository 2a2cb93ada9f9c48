//! The mapping: one range of addresses over the pool's whole reservation.

use std::fs::File;
use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous, munmap};

use crate::hw::MapKind;

/// What is mapped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Backing<'f> {
    /// The file itself; stores reach it.
    Shared(&'f File, MapKind),
    /// The file's bytes, for reading.
    ReadOnly(&'f File),
    /// The file's bytes, with stores that stay in this process: relocation and recovery of a pool opened for reading.
    Private(&'f File),
    /// A device's bytes, for reading; devices have no private mappings.
    DeviceReadOnly(&'f File),
    /// Zeroed memory.
    Anonymous,
}

impl Backing<'_> {
    fn is_writable(self) -> bool {
        match self {
            Backing::Shared(..) | Backing::Private(_) | Backing::Anonymous => true,
            Backing::ReadOnly(_) | Backing::DeviceReadOnly(_) => false,
        }
    }
}

/// Bytes asked for that are not the pool's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfPool {
    /// Where the asked range starts.
    pub(crate) offset: u64,
    /// Its length.
    pub(crate) len_bytes: u64,
}

/// The pool's range of addresses.
///
/// # Invariants
/// 1. `reserve_bytes` bytes from `base` are mapped, by this value alone, until it is dropped; their provenance is exposed.
/// 2. The first `len_bytes` of them have pages behind them; `len_bytes` only grows.
#[derive(Debug)]
pub(crate) struct Region {
    base: NonNull<u8>,
    reserve_bytes: usize,
    is_writable: bool,
    len_bytes: AtomicU64,
}

// SAFETY: a region is a range of addresses; every access to what lies there argues for itself.
unsafe impl Send for Region {}
// SAFETY: as above; its own methods change only an atomic.
unsafe impl Sync for Region {}

impl Region {
    /// Maps at `base`, or nothing if any address of the range is in use.
    ///
    /// # Errors
    /// What else the operating system said.
    pub(super) fn map_at(base: u64, reserve_bytes: u64, backing: Backing<'_>) -> io::Result<Option<Region>> {
        let place = std::ptr::without_provenance_mut(base as usize);
        let address = match map(place, reserve_bytes as usize, backing) {
            Ok(address) => address,
            Err(Errno::EXIST) => return Ok(None),
            Err(other) => return Err(other.into()),
        };
        let region = Region::own(address, reserve_bytes as usize, backing)?;
        if region.base() != base {
            // The kernel took the address for a hint (MAP_SYNC mappings, old kernels), and it was not free.
            return Ok(None);
        }
        Ok(Some(region))
    }

    /// Maps wherever there is room.
    ///
    /// # Errors
    /// What the operating system said.
    pub(super) fn map_anywhere(reserve_bytes: u64, backing: Backing<'_>) -> io::Result<Region> {
        let address = map(std::ptr::null_mut(), reserve_bytes as usize, backing)?;
        Region::own(address, reserve_bytes as usize, backing)
    }

    fn own(address: *mut u8, reserve_bytes: usize, backing: Backing<'_>) -> io::Result<Region> {
        address.expose_provenance();
        let base = NonNull::new(address).expect("the kernel maps nothing at address zero");
        let is_writable = backing.is_writable();
        let region = Region { base, reserve_bytes, is_writable, len_bytes: AtomicU64::new(0) };
        if let Backing::Shared(_, MapKind::SharedSmallPages) = backing {
            // SAFETY: the range is this region's (invariant 1), and the advice changes no byte.
            unsafe { madvise(address.cast(), reserve_bytes, Advice::Random) }?;
        }
        Ok(region)
    }

    /// The address of offset 0.
    pub(crate) fn base(&self) -> u64 {
        self.base.as_ptr().addr() as u64
    }

    /// How long the pool can become.
    pub(crate) fn reserve_bytes(&self) -> u64 {
        self.reserve_bytes as u64
    }

    /// How many bytes may be touched.
    pub(crate) fn len_bytes(&self) -> u64 {
        // Acquire: pairs with the release of `set_len`, so that whoever sees the new length finds pages behind it.
        self.len_bytes.load(Ordering::Acquire)
    }

    /// Whether stores are possible at all; if the medium is volatile they stay in this process.
    pub(crate) fn is_writable(&self) -> bool {
        self.is_writable
    }

    /// Takes note that the first `len_bytes` may be touched now.
    pub(super) fn set_len(&self, len_bytes: u64) {
        debug_assert!(len_bytes <= self.reserve_bytes());
        // Release: pairs with the acquire of `len_bytes`.
        self.len_bytes.store(len_bytes, Ordering::Release);
    }

    /// The address of an offset within the reservation. Touching what is there needs an argument of its own.
    pub(crate) fn at(&self, offset: u64) -> *mut u8 {
        debug_assert!(offset <= self.reserve_bytes(), "offset {offset:#x} is behind the reservation");
        self.base.as_ptr().wrapping_add(offset as usize)
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// [`OutOfPool`] if they do not all lie below [`Region::len_bytes`].
    ///
    /// # Safety
    /// Nobody writes the bytes meanwhile.
    pub(crate) unsafe fn read_bytes(&self, offset: u64, to: &mut [u8]) -> Result<(), OutOfPool> {
        let len_bytes = to.len() as u64;
        let is_inside = offset.checked_add(len_bytes).is_some_and(|end| end <= self.len_bytes());
        if !is_inside {
            return Err(OutOfPool { offset, len_bytes });
        }
        // SAFETY: the bytes have pages (invariant 2), nobody writes them (caller's promise), and `to` is not in the pool,
        // whose bytes are never lent as `&mut [u8]`.
        unsafe { std::ptr::copy_nonoverlapping(self.at(offset), to.as_mut_ptr(), to.len()) };
        Ok(())
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the range is this region's alone (invariant 1), and whoever used it has borrowed or outlived it.
        let unmapped = unsafe { munmap(self.base.as_ptr().cast(), self.reserve_bytes) };
        debug_assert!(unmapped.is_ok(), "a whole mapping can always be unmapped");
    }
}

/// Maps at `place` or, if that is null, anywhere. Never replaces what is mapped there: `MAP_FIXED` is never passed
/// without `NOREPLACE`, so the kernel refuses, or maps elsewhere. Hence it is safe to call.
fn map(place: *mut u8, len_bytes: usize, backing: Backing<'_>) -> rustix::io::Result<*mut u8> {
    let fixed = if place.is_null() { MapFlags::empty() } else { MapFlags::FIXED_NOREPLACE };
    let (file, protection, flags) = match backing {
        // The kernel refuses FIXED_NOREPLACE along with SHARED_VALIDATE; the place is a hint then.
        Backing::Shared(file, MapKind::Synchronous) => {
            (file, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED_VALIDATE | MapFlags::SYNC)
        }
        Backing::Shared(file, MapKind::Shared | MapKind::SharedSmallPages) => {
            (file, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | fixed)
        }
        Backing::ReadOnly(file) => (file, ProtFlags::READ, MapFlags::PRIVATE | fixed),
        Backing::DeviceReadOnly(file) => (file, ProtFlags::READ, MapFlags::SHARED | fixed),
        // NORESERVE: the whole file could become private memory, and will not.
        Backing::Private(file) => {
            (file, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE | fixed)
        }
        Backing::Anonymous => {
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | fixed;
            // SAFETY: nothing in use is replaced (above).
            let mapped =
                unsafe { mmap_anonymous(place.cast(), len_bytes, ProtFlags::READ | ProtFlags::WRITE, flags) };
            return mapped.map(<*mut _>::cast);
        }
    };
    // SAFETY: nothing in use is replaced (above).
    unsafe { mmap(place.cast(), len_bytes, protection, flags, file, 0) }.map(<*mut _>::cast)
}
