//! Looking at a pool from outside its types: checking it, listing its nodes, reading their bytes.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{MutexGuard, PoisonError};

use super::Pool;
use crate::commit::Writer;
use crate::heap::{LINE_BYTES, Line};
use crate::persist::{NodeHeader, Persistent, Space};
use crate::recover::{Checksums, Image, LineMap, MarkError, Marked, Marker, refuse_cycles};
use crate::sync::Mutex;

/// What [`Pool::check`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckReport {
    /// Nodes of the newest version.
    pub nodes: u64,
    /// Bytes of their headers and payloads.
    pub bytes: u64,
    /// Nodes whose stored refcount is not their in-degree: counts of retired nodes that wait to be given back, else none.
    pub refcounts_off: u64,
    /// Lines that are in use, though the newest version does not reach them: retired nodes that wait to be reused.
    pub unreachable_lines: u64,
    /// Lines that the newest version reaches, though they are not in use. Never anything but zero.
    pub unallocated_lines: u64,
}

/// One node, as [`Pool::nodes`] lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeInfo {
    /// Where the node starts in the pool.
    pub offset: u64,
    /// Bytes of payload.
    pub len_bytes: u32,
    /// The count in its header.
    pub refcount: u32,
    /// Its type's name.
    pub type_name: String,
}

/// A bitmap of one marking, beside the heap's own.
struct Scan {
    lines: Mutex<Vec<u64>>,
}

impl LineMap for Scan {
    fn mark(&self, first_line: u64, lines: u32) -> bool {
        let mut words = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_free = true;
        for line in first_line..first_line + u64::from(lines) {
            let (word, bit) = ((line / 64) as usize, 1 << (line % 64));
            is_free &= words[word] & bit == 0;
            words[word] |= bit;
        }
        is_free
    }
}

impl<R: Persistent> Pool<R> {
    /// Walks the newest version from its root, verifying every pointer, value and checksum, and that no node lies
    /// below itself, and compares it with the heap. Sections wait meanwhile; snapshots do not.
    ///
    /// Complexity: linear in the live bytes. Memory: four bits per line of the pool.
    ///
    /// # Errors
    /// The first damage found.
    ///
    /// # Panics
    /// If called from within a section of this pool, which it would wait for.
    pub fn check(&self) -> Result<CheckReport, MarkError> {
        self.scan(Checksums::Verify, |marked, lines| {
            let total = self.core.heap.total_lines();
            let first = self.core.file.heap_offset() / LINE_BYTES;
            let (mut unreachable_lines, mut unallocated_lines) = (0, 0);
            for line in first..first + total {
                let is_marked = lines[(line / 64) as usize] >> (line % 64) & 1 == 1;
                match (is_marked, self.core.heap.is_allocated(Line(line))) {
                    (false, true) => unreachable_lines += 1,
                    (true, false) => unallocated_lines += 1,
                    _ => {}
                }
            }
            CheckReport {
                nodes: marked.nodes,
                bytes: marked.bytes,
                refcounts_off: marked.refcount_fixes.len() as u64,
                unreachable_lines,
                unallocated_lines,
            }
        })
    }

    /// Lists the nodes of the newest version, in the order of their offsets.
    ///
    /// # Errors
    /// The first damage found.
    ///
    /// # Panics
    /// As [`Pool::check`].
    pub fn nodes(&self) -> Result<Vec<NodeInfo>, MarkError> {
        self.scan(Checksums::Trust, |marked, _| {
            let info = |offset: u64| {
                // SAFETY: marking found a node there, and the writer is held, so it is not freed.
                let header = unsafe { NodeHeader::at(self.core.base + offset) };
                let node_type = self.core.registry.get(header.type_id);
                NodeInfo {
                    offset,
                    len_bytes: header.len_bytes,
                    refcount: header.refcount.load(std::sync::atomic::Ordering::Relaxed),
                    type_name: node_type.map_or_else(String::new, |each| (each.schema)().full_name()),
                }
            };
            marked.starts.iter().map(info).collect()
        })
    }

    /// The bytes of a node of the newest version or of a version that a snapshot holds: its header without the refcount,
    /// and its payload. `None` where no node can be.
    ///
    /// # Panics
    /// As [`Pool::check`].
    #[must_use]
    pub fn node_bytes(&self, offset: u64) -> Option<Vec<u8>> {
        let _writer = self.without_sections();
        let image = self.image();
        let header = image.header(offset)?;
        let node = image.candidate(offset, header, self.core.registry.get(header.type_id)?)?;
        let node = node.judge(&mut Vec::new()).ok()?;
        let mut bytes = Vec::with_capacity(12 + node.bytes().len());
        for field in [header.crc32c, header.type_id.0, header.len_bytes] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(node.bytes());
        Some(bytes)
    }

    /// Keeps sections away, so that nothing is written or reused meanwhile.
    fn without_sections(&self) -> MutexGuard<'_, Option<Box<Writer>>> {
        assert!(
            !crate::persist::current::is_running(self.core.base),
            "a pool is not inspected from within one of its own sections"
        );
        self.core.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn image(&self) -> Image<'_> {
        let core = &self.core;
        let space = Space { bases: [core.base; 2], heap: (core.file.heap_offset(), core.file.len_bytes()) };
        // SAFETY: the pool is mapped up to its length for as long as `self` lives; the callers keep sections away.
        unsafe { Image::new(core.at(0), core.file.len_bytes(), space) }
    }

    fn scan<O>(
        &self,
        checksums: Checksums,
        found: impl FnOnce(&Marked, &[u64]) -> O,
    ) -> Result<O, MarkError> {
        let _writer = self.without_sections();
        let image = self.image();
        let words = (self.core.file.len_bytes() / LINE_BYTES).div_ceil(64) as usize;
        let scan = Scan { lines: Mutex::new(vec![0; words]) };
        let marker = Marker {
            image: &image,
            registry: &self.core.registry,
            lines: &scan,
            checksums,
            threads: NonZeroUsize::MIN,
        };
        let root = self.core.offset(self.core.newest_root());
        let marked = marker.mark(root, &mut |_| ControlFlow::Continue(()))?;
        if checksums == Checksums::Verify {
            refuse_cycles(&image, &self.core.registry, &marked)?;
        }
        let lines = scan.lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(found(&marked, &lines))
    }
}
