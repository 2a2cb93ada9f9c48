//! The lines that a root reaches in a copy of a pool: for checks of a pool that is not open.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::PoisonError;

use super::{Checksums, Image, LineMap, MarkError, Marker};
use crate::persist::{Registry, Space};
use crate::sync::Mutex;

const LINE_BYTES: usize = 64;

/// A line, aligned as one.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

/// Collects the lines that are marked.
struct Collector(Mutex<Vec<u64>>);

impl LineMap for Collector {
    fn mark(&self, first_line: u64, lines: u32) -> bool {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(first_line..first_line + u64::from(lines));
        // Nodes that share lines are noticed by whoever opens the pool.
        true
    }
}

/// A copy of a pool's bytes, kept up to date by its owner.
#[derive(Default)]
pub(crate) struct PoolCopy {
    lines: Vec<Line>,
    len_bytes: u64,
}

impl PoolCopy {
    /// Makes it so long; new bytes are zero.
    pub(crate) fn resize(&mut self, len_bytes: u64) {
        self.lines.resize((len_bytes as usize).div_ceil(LINE_BYTES), Line([0; LINE_BYTES]));
        self.len_bytes = len_bytes;
    }

    /// Changes bytes.
    pub(crate) fn store(&mut self, offset: u64, bytes: &[u8]) {
        for (index, byte) in bytes.iter().enumerate() {
            let at = offset as usize + index;
            self.lines[at / LINE_BYTES].0[at % LINE_BYTES] = *byte;
        }
    }

    /// A byte.
    pub(crate) fn byte(&self, offset: u64) -> u8 {
        self.lines[offset as usize / LINE_BYTES].0[offset as usize % LINE_BYTES]
    }

    /// The lines of the nodes that the root node at offset `root` reaches, if the pool was mapped at `base`. Every node is judged,
    /// and compared with its checksum.
    ///
    /// Complexity: linear in the nodes.
    ///
    /// # Errors
    /// The first damage.
    pub(crate) fn reachable_lines(
        &mut self,
        base: u64,
        heap_offset: u64,
        registry: &Registry,
        root: u64,
    ) -> Result<Vec<u64>, MarkError> {
        let space = Space { bases: [base; 2], heap: (heap_offset, self.len_bytes) };
        let start = self.lines.as_mut_ptr().cast_const().cast();
        // SAFETY: the copy is so long, initialised, aligned to lines, borrowed mutably here, and outlives the image.
        let image = unsafe { Image::new(start, self.len_bytes, space) };
        let lines = Collector(Mutex::new(Vec::new()));
        let marker = Marker {
            image: &image.ignoring_volatile(),
            registry,
            lines: &lines,
            checksums: Checksums::Verify,
            threads: NonZeroUsize::MIN,
        };
        marker.mark(root, &mut |_| ControlFlow::Continue(()))?;
        Ok(lines.0.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
