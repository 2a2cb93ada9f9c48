//! What recovery writes once a graph is known to be good: pointers for another base, refcounts, volatile fields.
//!
//! **Relocation** rewrites each pointer to the base that the pool is mapped at now. Old and new addresses are disjoint,
//! so a word says by itself whether it was rewritten, and words are never torn: a crash between any two stores leaves
//! a graph whose pointers can still all be read. Only checksums suffer, and they are made anew by the next run. A run
//! writes back every node with pointers, also those that it found rewritten: the run before may have died between its
//! store and its write-back, and what this process reads is not for that reason on the medium.
//!
//! All three go through the starts one by one, so nothing recurses.

use std::sync::atomic::{AtomicU32, Ordering};

use super::mark::damaged;
use super::{Header, Image, Judged, MarkError, Scratch, Starts};
use crate::hw::Medium;
use crate::mutants::{Mutant, planted};
use crate::persist::{Edge, NodeHeader, Registry, TypeId32};

/// Where a checksum is, from the start of a node: `NodeHeader::crc32c`.
const CRC_OFFSET: u64 = std::mem::offset_of!(NodeHeader, crc32c) as u64;

/// What a relocation changed. A run that finds all done changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relocated {
    /// Pointers rewritten.
    pub(crate) pointers: u64,
    /// Checksums rewritten.
    pub(crate) checksums: u64,
}

/// Rewrites every pointer of the marked nodes to `base`, one of the image's two bases, and their checksums. All of it
/// is written back; the caller fences, and only then records the new base.
///
/// # Errors
/// As marking; not to be expected after it.
///
/// # Panics
/// If `base` is none of the image's: an interrupted run could not be read any more.
///
/// # Safety
/// The image's mapping is writable, through the pointer it was made of. Nobody else accesses it. `starts` are those
/// found by marking it.
pub(crate) unsafe fn relocate(
    image: &Image<'_>,
    registry: &Registry,
    starts: &Starts,
    medium: &dyn Medium,
    base: u64,
) -> Result<Relocated, MarkError> {
    assert!(image.space().bases.contains(&base), "a pool is relocated to a base that marking knows of");
    let mut done = Relocated::default();
    let mut edges = Vec::new();
    for start in starts.iter() {
        edges.clear();
        let node = judged(image, registry, start, &mut edges)?;
        if edges.is_empty() {
            continue;
        }
        let before = done.pointers;
        for edge in &edges {
            let slot = image.slot(edge).cast_mut();
            // SAFETY: the slot lies in a judged node's payload, aligned to eight (the types' promise).
            let pointer = unsafe { slot.read() };
            if pointer == base + edge.target {
                continue;
            }
            // SAFETY: as above; writable and accessed by nobody else (the caller's promise).
            unsafe { medium.store_word(slot, base + edge.target) };
            done.pointers += 1;
        }
        let checksum = node.checksum();
        if checksum != node.node().header.crc32c {
            let at = image.at(start + CRC_OFFSET).cast_mut();
            // SAFETY: the header's bytes, writable and accessed by nobody else (the caller's promise).
            unsafe { medium.store(at, &checksum.to_le_bytes()) };
            done.checksums += 1;
        }
        if done.pointers == before && planted(Mutant::RelocatedNotWrittenBack) {
            continue;
        }
        // SAFETY: the node lies in the mapping (invariant 2 of the room).
        unsafe { medium.write_back(image.at(start), node.node().len_bytes() as usize) };
    }
    Ok(done)
}

/// Stores the in-degrees that marking found into the headers, where they differ. Nothing is written back: refcounts
/// mean nothing on the medium.
///
/// # Safety
/// The image's mapping is writable, through the pointer it was made of, and `fixes` are those found by marking it.
pub(crate) unsafe fn fix_refcounts(image: &Image<'_>, fixes: &[(u64, u32)]) {
    for (start, in_degree) in fixes {
        let at = image.at(*start).cast::<u32>().cast_mut();
        // SAFETY: a marked node's header, in the mapping and aligned; refcounts are accessed atomically only.
        let refcount = unsafe { AtomicU32::from_ptr(at) };
        // Relaxed: recovery is alone with the pool; opening it publishes the store to whoever uses it.
        refcount.store(*in_degree, Ordering::Relaxed);
    }
}

/// Sets the volatile fields of all marked nodes to their defaults, storing only bytes that differ. Nothing is written
/// back: whatever of it reaches the medium, the checksums do not see these fields.
///
/// # Errors
/// As marking; not to be expected after it.
///
/// # Safety
/// As [`relocate`].
pub(crate) unsafe fn reset_volatile(
    image: &Image<'_>,
    registry: &Registry,
    starts: &Starts,
    medium: &dyn Medium,
) -> Result<(), MarkError> {
    if !registry.has_volatile() || planted(Mutant::VolatileKept) {
        return Ok(());
    }
    let mut edges = Vec::new();
    let mut scratch = Scratch::default();
    for start in starts.iter() {
        let header = header(image, start)?;
        let Some(reset) = registry.get(header.type_id).and_then(|each| each.reset) else { continue };
        edges.clear();
        let node = judged(image, registry, start, &mut edges)?;
        let wanted = scratch.reset_copy(&node, reset);
        let payload = node.node().payload().cast_mut();
        for run in differing(node.bytes(), wanted) {
            // SAFETY: the run lies in the payload.
            let at = unsafe { payload.add(run.start) };
            // SAFETY: writable and accessed by nobody else (the caller's promise).
            unsafe { medium.store(at, &wanted[run]) };
        }
    }
    Ok(())
}

/// The node that marking found at this start; its pointers are appended to `edges`.
pub(super) fn judged<'i>(
    image: &Image<'i>,
    registry: &Registry,
    start: u64,
    edges: &mut Vec<Edge>,
) -> Result<Judged<'i>, MarkError> {
    let header = header(image, start)?;
    let node_type = registry.get(header.type_id);
    let Some(node) = node_type.and_then(|node_type| image.candidate(start, header, node_type)) else {
        return Err(MarkError::Changed { offset: start, found: header.type_id });
    };
    node.judge(edges).map_err(|fault| damaged(image, &node, &fault))
}

fn header(image: &Image<'_>, start: u64) -> Result<Header, MarkError> {
    image.header(start).ok_or(MarkError::Changed { offset: start, found: TypeId32(0) })
}

/// The longest runs of indices at which two slices of one length differ.
fn differing(left: &[u8], right: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::<std::ops::Range<usize>>::new();
    for index in (0..left.len()).filter(|index| left[*index] != right[*index]) {
        match runs.last_mut() {
            Some(last) if last.end == index => last.end += 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}
