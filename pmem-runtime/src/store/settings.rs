//! The options of a pool without its root's type.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::commit::Durability;
use crate::recover::{Checksums, Progress};

/// A pool's length at creation, unless told otherwise: 1 MiB.
const DEFAULT_SIZE_BYTES: u64 = 1 << 20;
/// Addresses reserved for a pool to grow into, unless told otherwise: 64 GiB, of which a process has room for a thousand.
const DEFAULT_RESERVE_BYTES: u64 = 64 << 30;

/// What is asked to look at the progress of an open; `Break` gives up.
pub(super) type ProgressCallback = Box<dyn FnMut(Progress) -> ControlFlow<()>>;

/// The options without the root's type.
pub(super) struct Settings {
    pub(super) size_bytes: u64,
    pub(super) reserve_bytes: u64,
    pub(super) limit_bytes: u64,
    pub(super) durability: Durability,
    pub(super) checksums: Checksums,
    pub(super) threads: NonZeroUsize,
    pub(super) force_dax: bool,
    pub(super) trust_clean_close: bool,
    /// Replaces what is otherwise random in a new pool.
    pub(super) seed: Option<u64>,
    pub(super) progress: ProgressCallback,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            size_bytes: DEFAULT_SIZE_BYTES,
            reserve_bytes: DEFAULT_RESERVE_BYTES,
            limit_bytes: u64::MAX,
            durability: Durability::Immediate,
            checksums: Checksums::Trust,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            force_dax: false,
            trust_clean_close: false,
            seed: None,
            progress: Box::new(|_| ControlFlow::Continue(())),
        }
    }
}
