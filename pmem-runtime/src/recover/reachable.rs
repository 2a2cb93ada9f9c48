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

/// The lines of the nodes that the root node at offset `root` reaches, of a pool of these bytes that was mapped at `base`.
/// Every node is judged, and compared with its checksum.
///
/// Complexity: linear in the bytes.
///
/// # Errors
/// The first damage.
pub(crate) fn reachable_lines(
    bytes: &[u8],
    base: u64,
    heap_offset: u64,
    registry: &Registry,
    root: u64,
) -> Result<Vec<u64>, MarkError> {
    let mut copy = vec![Line([0; LINE_BYTES]); bytes.len().div_ceil(LINE_BYTES)];
    for (line, bytes) in copy.iter_mut().zip(bytes.chunks(LINE_BYTES)) {
        line.0[..bytes.len()].copy_from_slice(bytes);
    }
    let space = Space { bases: [base; 2], heap: (heap_offset, bytes.len() as u64) };
    // SAFETY: the copy is at least as long as `bytes`, initialised, aligned to lines, borrowed mutably here, and outlives
    // the image.
    let image = unsafe { Image::new(copy.as_mut_ptr().cast_const().cast(), bytes.len() as u64, space) };
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
