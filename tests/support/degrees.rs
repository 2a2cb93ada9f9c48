//! The judges of a pool: counts of pointers found by walking a world through the public API, compared with what the pool
//! says of itself.

use std::collections::BTreeMap;

use pmem_runtime::P;

use super::tree::Branch;
use super::world::{Link, Padded, Shape, World, WorldPool};

/// Bytes before each payload.
const HEADER_BYTES: usize = 16;

/// For every node, by its address, how many pointers lead to it.
#[derive(Debug, Default)]
struct Degrees(BTreeMap<usize, u32>);

impl Degrees {
    /// Counts one pointer. Whether it is the first one found.
    fn count<T>(&mut self, pointer: &P<'_, T>) -> bool {
        let address = std::ptr::from_ref::<T>(pointer).addr() - HEADER_BYTES;
        let degree = self.0.entry(address).or_default();
        *degree += 1;
        *degree == 1
    }

    fn links<'p>(&mut self, mut next: &Option<P<'p, Link<'p>>>) {
        while let Some(link) = next
            && self.count(link)
        {
            next = &link.next;
        }
    }

    fn branches(&mut self, top: &Option<P<'_, Branch<'_>>>) {
        if let Some(branch) = top
            && self.count(branch)
        {
            self.branches(&branch.left);
            self.branches(&branch.right);
        }
    }

    fn shape(&mut self, shape: &P<'_, Shape<'_>>) {
        if self.count(shape)
            && let Shape::Group(left, right) = &**shape
        {
            self.shape(left);
            self.shape(right);
        }
    }

    fn padded(&mut self, padded: &P<'_, Padded<'_>>) {
        if self.count(padded) {
            self.links(&padded.links);
        }
    }

    fn of(world: &World<'_>) -> Self {
        let mut degrees = Degrees::default();
        degrees.0.insert(std::ptr::from_ref(world).addr() - HEADER_BYTES, 1);
        degrees.links(&world.list);
        degrees.branches(&world.tree.top);
        world.kept.iter().for_each(|tree| degrees.branches(&tree.top));
        world.padded.iter().for_each(|padded| degrees.padded(padded));
        world.shape.iter().for_each(|shape| degrees.shape(shape));
        degrees
    }
}

/// Pairs of (true in-degree, refcount) of every node of the newest version.
///
/// # Panics
/// If the pool's own list of nodes is not the set found by walking.
pub(crate) fn degrees_and_counts(pool: &WorldPool) -> Vec<(u32, u32)> {
    let world = pool.latest();
    let degrees = Degrees::of(&world);
    let mut nodes: Vec<_> = pool.nodes().unwrap().iter().map(|node| (node.offset, node.refcount)).collect();
    nodes.sort_unstable();
    assert_eq!(nodes.len(), degrees.0.len(), "marking and walking find different numbers of nodes");
    let base = degrees.0.keys().next().map_or(0, |first| first - nodes[0].0 as usize);
    let pair = |((address, degree), (offset, refcount)): ((&usize, &u32), &(u64, u32))| {
        assert_eq!(*address - base, *offset as usize, "marking and walking find different nodes");
        (*degree, *refcount)
    };
    degrees.0.iter().zip(&nodes).map(pair).collect()
}

/// Marking finds what the heap calls used, and no node has fewer counts than owners.
///
/// Counts that wait to be given back make a refcount larger than the in-degree, and memory used but unreachable.
pub(crate) fn assert_sound(pool: &WorldPool) {
    let report = pool.check().unwrap_or_else(|error| panic!("check: {error}"));
    assert_eq!(report.unallocated_lines, 0, "a live node lies in free memory: {report:?}");
    for (degree, count) in degrees_and_counts(pool) {
        assert!(count >= degree, "a node with {degree} owners has the refcount {count}");
    }
}

/// As just after an open: nothing is used but what is reachable, and refcounts are in-degrees.
pub(crate) fn assert_exact(pool: &WorldPool) {
    let report = pool.check().unwrap_or_else(|error| panic!("check: {error}"));
    assert_eq!(report.unallocated_lines, 0, "a live node lies in free memory: {report:?}");
    assert_eq!(report.unreachable_lines, 0, "memory is used that nothing reaches: {report:?}");
    assert_eq!(report.refcounts_off, 0, "{report:?}");
    for (degree, count) in degrees_and_counts(pool) {
        assert_eq!(degree, count, "refcount is not the in-degree");
    }
}
