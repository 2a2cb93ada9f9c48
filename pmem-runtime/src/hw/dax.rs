//! The mapping is the medium: stores become durable by cache-line write-back and a fence, without a system call.
//!
//! *Emulated* DAX runs the same instructions over the page cache. They reach memory, and memory outlives the process but
//! not the power: so it protects from the death of the process only. That is all that tmpfs can give; on other files it
//! is for measuring and testing the DAX path.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::processor::WriteBack;
use super::space;
#[cfg(feature = "measure")]
use super::without;
use super::{LINE_BYTES, Medium, Survives};

/// What lies behind the mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Persistent memory. If its caches are in the persistence domain (eADR), nothing need be written back.
    PersistentMemory {
        /// Whether a power failure flushes the caches.
        caches_persist: bool,
    },
    /// The page cache.
    PageCache,
}

/// The medium.
#[derive(Debug)]
pub(super) struct Dax {
    file: Arc<File>,
    /// A device has the size it has.
    is_device: bool,
    behind: Behind,
    /// False if caches persist, or are measured as if they did.
    must_write_back: bool,
    write_back: WriteBack,
}

impl Dax {
    pub(super) fn new(file: Arc<File>, is_device: bool, behind: Behind) -> Self {
        let must_write_back = behind != (Behind::PersistentMemory { caches_persist: true });
        #[cfg(feature = "measure")]
        let must_write_back = must_write_back && !(behind == Behind::PageCache && without::is_asked());
        Dax { file, is_device, behind, must_write_back, write_back: WriteBack::detect() }
    }
}

impl Medium for Dax {
    fn durability(&self) -> Survives {
        match self.behind {
            Behind::PersistentMemory { .. } => Survives::PowerLoss,
            Behind::PageCache => Survives::ProcessDeath,
        }
    }

    fn name(&self) -> &'static str {
        match (self.behind, self.write_back.name()) {
            (Behind::PersistentMemory { caches_persist: true }, _) => "dax eadr",
            (Behind::PersistentMemory { caches_persist: false }, "clwb") => "dax clwb",
            (Behind::PersistentMemory { caches_persist: false }, "clflushopt") => "dax clflushopt",
            (Behind::PersistentMemory { caches_persist: false }, "clflush") => "dax clflush",
            (Behind::PersistentMemory { caches_persist: false }, _) => "dax",
            (Behind::PageCache, _) if !self.must_write_back => "emulated dax eadr",
            (Behind::PageCache, "clwb") => "emulated dax clwb",
            (Behind::PageCache, _) => "emulated dax",
        }
    }

    unsafe fn write_back(&self, from: *const u8, len_bytes: usize) {
        if !self.must_write_back || len_bytes == 0 {
            return;
        }
        let offset_in_line = from.addr() % LINE_BYTES;
        let first = from.wrapping_sub(offset_in_line);
        let lines = (offset_in_line + len_bytes).div_ceil(LINE_BYTES);
        for line in 0..lines {
            // SAFETY: the bytes lie in the mapping (caller's promise), whose pages consist of whole lines; the
            // instruction was detected.
            unsafe { self.write_back.line(first.wrapping_add(line * LINE_BYTES)) };
        }
    }

    fn fence(&self) -> io::Result<()> {
        WriteBack::drain();
        Ok(())
    }

    fn allocate(&self, old_len_bytes: u64, new_len_bytes: u64) -> io::Result<()> {
        if self.is_device {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "a device cannot grow"));
        }
        space::extend(&self.file, old_len_bytes, new_len_bytes)
    }
}
