//! The state of an open pool that sections, checkpoints and snapshots share.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::buffer::Buffer;
use super::{Durability, Tally, Writer};
use crate::fase_error::FaseFault;
use crate::heap::{BLOCK_BYTES, Heap, LINE_BYTES, Line};
use crate::mutants::{Mutant, elsewhere, planted};
use crate::persist::{NodeType, Registry};
use crate::pool::PoolFile;
use crate::section::{Clock, Pins, Timestamp, Versions};

/// Checkpoint slots in the checkpoint page, written alternately.
pub(crate) const MASTER_SLOTS: u64 = 2;

/// An open pool, whatever its root type.
pub(crate) struct Core {
    pub(crate) file: PoolFile,
    /// Address at which the pool is mapped and which its pointers are relative to.
    pub(crate) base: u64,
    /// The pool's own seed for the hashes of records.
    pub(crate) salt: u64,
    pub(crate) heap: Heap,
    pub(crate) pins: Pins,
    pub(crate) clock: Clock,
    /// Versions of the root cell: addresses of root nodes.
    pub(crate) root: Versions,
    pub(crate) registry: Registry,
    pub(crate) root_type: &'static NodeType,
    /// The one writer of the root; taken out while a section runs. `None` for good if the runtime itself panicked.
    pub(crate) writer: Mutex<Option<Box<Writer>>>,
    pub(crate) buffer: Buffer,
    pub(crate) tally: Tally,
    pub(crate) durability: Durability,
    pub(crate) limit_bytes: u64,
    is_read_only: bool,
    /// The newest watermark that is durable.
    watermark: AtomicU64,
    /// Blocks with committed nodes whose refcount changed since the pool was opened: a clean close writes them back.
    recounted: Mutex<BTreeSet<u64>>,
    /// Set once by the first failed sync; no section commits after it.
    poison: OnceLock<String>,
}

/// What a pool is opened with.
pub(crate) struct CoreParts {
    pub(crate) file: PoolFile,
    pub(crate) salt: u64,
    pub(crate) heap: Heap,
    pub(crate) registry: Registry,
    pub(crate) root_type: &'static NodeType,
    /// Address of the root node; zero while a pool is being created.
    pub(crate) root: u64,
    /// The watermark that is durable.
    pub(crate) watermark: Timestamp,
    /// The largest ticket that any record of the pool may bear.
    pub(crate) last_ticket: Timestamp,
    /// `None` for a pool that is only read.
    pub(crate) writer: Option<Box<Writer>>,
    pub(crate) durability: Durability,
    pub(crate) limit_bytes: u64,
}

impl Core {
    pub(crate) fn new(parts: CoreParts) -> Arc<Self> {
        let base = parts.file.region().base();
        Arc::new(Core {
            base,
            salt: parts.salt,
            heap: parts.heap,
            pins: Pins::new(),
            clock: Clock::new(parts.last_ticket),
            root: Versions::new(parts.last_ticket, parts.root),
            registry: parts.registry,
            root_type: parts.root_type,
            is_read_only: parts.writer.is_none(),
            writer: Mutex::new(parts.writer),
            buffer: Buffer::default(),
            tally: Tally::default(),
            durability: parts.durability,
            limit_bytes: parts.limit_bytes,
            watermark: AtomicU64::new(parts.watermark.0),
            recounted: Mutex::default(),
            poison: OnceLock::new(),
            file: parts.file,
        })
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The root node of the newest version. The caller has the writer, or a pin.
    pub(crate) fn newest_root(&self) -> u64 {
        self.root.newest().1
    }

    pub(crate) fn watermark(&self) -> Timestamp {
        // Acquire: pairs with the Release store in `set_watermark`.
        Timestamp(self.watermark.load(Ordering::Acquire))
    }

    pub(crate) fn set_watermark(&self, watermark: Timestamp) {
        // Release: whoever sees the watermark may reuse what it settles, after the fence that made it durable.
        self.watermark.store(watermark.0, Ordering::Release);
    }

    /// Where an offset of the pool is mapped.
    pub(crate) fn at(&self, offset: u64) -> *mut u8 {
        self.file.region().at(offset)
    }

    /// The offset of an address in the mapping.
    pub(crate) fn offset(&self, address: u64) -> u64 {
        address - self.base
    }

    /// The line at which the node at `address` starts.
    pub(crate) fn line(&self, address: u64) -> Line {
        Line(self.offset(address) / LINE_BYTES)
    }

    /// Notes that these committed nodes' refcounts changed.
    pub(crate) fn note_recounted(&self, addresses: &[u64]) {
        if addresses.is_empty() {
            return;
        }
        let blocks = addresses.iter().map(|address| self.offset(*address) / BLOCK_BYTES);
        self.recounted.lock().unwrap_or_else(PoisonError::into_inner).extend(blocks);
    }

    /// Offsets of the blocks in which refcounts changed.
    pub(crate) fn recounted_blocks(&self) -> Vec<u64> {
        let blocks = self.recounted.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.iter().map(|block| block * BLOCK_BYTES).collect()
    }

    /// The error of a section that finds the pool poisoned.
    pub(crate) fn poisoned(&self) -> FaseFault {
        FaseFault::Poisoned { reason: self.poison().unwrap_or("unknown").to_owned() }
    }

    /// The error of a section for whose nodes there is no room.
    pub(crate) fn out_of_space(&self, needed_bytes: u64, disk: Option<String>) -> FaseFault {
        FaseFault::OutOfSpace {
            needed_bytes,
            pool_bytes: self.file.len_bytes(),
            limit_bytes: self.limit_bytes,
            longest_free_bytes: u64::from(self.heap.largest_free_run()) * LINE_BYTES,
            disk,
        }
    }

    /// Why the pool takes no more sections, if it does not.
    pub(crate) fn poison(&self) -> Option<&str> {
        self.poison.get().map(String::as_str)
    }

    /// Notes that a sync failed: what is durable is no longer known.
    pub(crate) fn fail(&self, error: &std::io::Error) -> FaseFault {
        if planted(Mutant::PoolNotPoisoned) {
            return self.poisoned();
        }
        self.poison.get_or_init(|| error.to_string());
        self.poisoned()
    }

    /// A fence on a section's path.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn fence(&self) -> Result<(), FaseFault> {
        self.tally.fences.add(1);
        if planted(Mutant::NoFence) {
            return Ok(());
        }
        if planted(Mutant::ForeignFence) {
            return elsewhere(|| self.background_fence());
        }
        if planted(Mutant::RetryFailedFence) && self.file.medium().fence().is_ok() {
            return Ok(());
        }
        self.file.medium().fence().map_err(|error| self.fail(&error))
    }

    /// A fence off the sections' path.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn background_fence(&self) -> Result<(), FaseFault> {
        self.tally.background_fences.add(1);
        self.file.medium().fence().map_err(|error| self.fail(&error))
    }

    /// Notes something in the superblock, durably, off the sections' path.
    pub(crate) fn note_in_superblock(
        &self,
        note: impl FnOnce(&PoolFile) -> std::io::Result<()>,
    ) -> Result<(), FaseFault> {
        self.tally.background_fences.add(1);
        note(&self.file).map_err(|error| self.fail(&error))
    }

    /// Runs `body` with the writer, unless a section has it.
    pub(crate) fn with_writer<O>(&self, body: impl FnOnce(&mut Writer) -> O) -> Result<O, FaseFault> {
        let mut slot = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = slot.as_mut().ok_or(FaseFault::RuntimePanicked)?;
        Ok(body(writer))
    }
}
