//! Pools built in memory, byte by byte, of a few node types, and the tests that recover them.

mod faults;
mod marking;
mod parts;
mod relocating;
mod speed;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Checksums, Image, LineMap, MarkError, Marked, Marker, Seen};
use crate::persist::{
    Fault, Kind, NodeHeader, NodeType, Registry, Reset, Scalar, Schema, Space, Tracer, TypeId32, Visit,
};

/// Where the heap of these pools begins, and the address that their pointers are relative to: not where they lie.
const HEAP_START: u64 = 4096;
const BASE: u64 = 0x1000_0000_0000;
const OTHER_BASE: u64 = 0x2000_0000_0000;

macro_rules! schema {
    ($name:literal) => {
        || {
            const {
                &Schema {
                    name: $name,
                    arguments: &[],
                    size_bytes: 0,
                    align_bytes: 8,
                    kind: Kind::Scalar(Scalar::Unsigned),
                }
            }
        }
    };
}

use schema;

const LEAF: NodeType = NodeType {
    id: TypeId32(0),
    len_min_bytes: 0,
    len_step_bytes: 0,
    is_leaf: true,
    validate: |_, _, _| Ok(()),
    trace: untraced,
    scrub: None,
    reset: None,
    targets: |_| {},
    schema: schema!("Leaf"),
};

/// A list: the value, and the rest or zero.
static LIST: NodeType = NodeType {
    id: TypeId32(1),
    len_min_bytes: 16,
    is_leaf: false,
    // SAFETY: 16 bytes, by the length that the type allows.
    validate: |at, _, visit| unsafe { optional(at.wrapping_add(8), &LIST, visit) },
    targets: |types| types.push(&LIST),
    schema: schema!("List"),
    ..LEAF
};

/// A tree: left, right, bytes, each may be zero; a truth value; seven bytes of padding.
static TREE: NodeType = NodeType {
    id: TypeId32(2),
    len_min_bytes: 40,
    is_leaf: false,
    validate: |at, _, visit| {
        // SAFETY: 40 bytes, by the length that the type allows.
        unsafe { optional(at, &TREE, visit) }?;
        // SAFETY: as above.
        unsafe { optional(at.wrapping_add(8), &TREE, visit) }?;
        // SAFETY: as above.
        unsafe { optional(at.wrapping_add(16), &BYTES, visit) }?;
        // SAFETY: as above.
        unsafe { optional(at.wrapping_add(24), &GAUGE, visit) }?;
        let at = at.wrapping_add(32);
        // SAFETY: as above.
        match unsafe { at.read() } {
            0 | 1 => Ok(()),
            found => Err(Fault { at: at.addr() as u64, expected: "0 or 1", found: u64::from(found) }),
        }
    },
    targets: |types| types.extend([&TREE, &TREE, &BYTES, &GAUGE]),
    schema: schema!("Tree"),
    ..LEAF
};

/// A leaf of any number of bytes.
static BYTES: NodeType = NodeType { id: TypeId32(3), len_step_bytes: 1, schema: schema!("Bytes"), ..LEAF };

/// A leaf with a number that lasts and one that does not, which defaults to 7.
static GAUGE: NodeType = NodeType {
    id: TypeId32(4),
    len_min_bytes: 16,
    reset: Some(|at, _, to| {
        let volatile = at.wrapping_add(8).cast::<u64>();
        // SAFETY: 16 bytes, by the length that the type allows.
        unsafe { volatile.write(if to == Reset::ToDefaults { 7 } else { 0 }) }
    }),
    schema: schema!("Gauge"),
    ..LEAF
};

/// Any number of pointers to its like.
static FAN: NodeType = NodeType {
    id: TypeId32(5),
    len_min_bytes: 0,
    len_step_bytes: 8,
    is_leaf: false,
    validate: |at, len_bytes, visit| {
        (0..len_bytes as usize).step_by(8).try_for_each(|index| {
            let at = at.wrapping_add(index);
            // SAFETY: within the length, which is a multiple of eight.
            unsafe { visit.pointer(at, &FAN) }
        })
    },
    targets: |types| types.push(&FAN),
    schema: schema!("Fan"),
    ..LEAF
};

/// # Safety
/// As `Tracer` users; recovery never traces.
unsafe fn untraced(_: *const u8, _: u32, _: &mut Tracer<'_>) {
    unreachable!("recovery judges bytes, it never traces values")
}

/// # Safety
/// As [`Visit::pointer`].
unsafe fn optional(at: *const u8, target: &'static NodeType, visit: &mut Visit<'_>) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    if unsafe { at.cast::<u64>().read() } == 0 {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe { visit.pointer(at, target) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A pool under construction, and in use.
#[derive(Clone, PartialEq, Eq)]
struct Pool {
    lines: Vec<Line>,
}

impl Pool {
    fn new() -> Self {
        Pool { lines: vec![Line([0; 64]); HEAP_START as usize / 64] }
    }

    fn len_bytes(&self) -> u64 {
        self.lines.len() as u64 * 64
    }

    fn bytes(&mut self) -> &mut [u8] {
        let len_bytes = self.len_bytes() as usize;
        // SAFETY: lines are bytes without padding.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), len_bytes) }
    }

    /// Appends a node with a refcount of 1, and says where it is.
    fn node(&mut self, node_type: &NodeType, payload: &[u8]) -> u64 {
        let offset = self.len_bytes();
        let lines = (NodeHeader::SIZE + payload.len()).div_ceil(64);
        self.lines.resize(self.lines.len() + lines, Line([0; 64]));
        self.put(offset, 0, 1);
        self.put(offset, 8, node_type.id.0);
        self.put(offset, 12, payload.len() as u32);
        self.bytes()[offset as usize + 16..][..payload.len()].copy_from_slice(payload);
        self.seal(offset);
        offset
    }

    /// Overwrites one of a node's 32-bit words.
    fn put(&mut self, offset: u64, at: usize, word: u32) {
        self.bytes()[offset as usize + at..][..4].copy_from_slice(&word.to_le_bytes());
    }

    fn get(&mut self, offset: u64, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes()[offset as usize + at..][..4].try_into().unwrap())
    }

    /// Points one of a node's payload words to another node.
    fn point(&mut self, from: u64, index: usize, to: u64) {
        self.bytes()[from as usize + 16 + 8 * index..][..8].copy_from_slice(&(BASE + to).to_le_bytes());
        self.seal(from);
    }

    /// Makes a node's checksum right.
    fn seal(&mut self, offset: u64) {
        let len_bytes = self.get(offset, 12) as usize;
        let mut payload = self.bytes()[offset as usize + 16..][..len_bytes].to_vec();
        if self.get(offset, 8) == GAUGE.id.0 {
            payload[8..16].fill(0);
        }
        self.put(offset, 4, crc32c::crc32c(&payload));
    }

    fn tree(&mut self) -> u64 {
        self.node(&TREE, &[0; 40])
    }

    /// A list of so many nodes, and where it begins.
    fn list(&mut self, count: u64) -> u64 {
        let nodes: Vec<u64> = (0..count).map(|value| self.node(&LIST, &[value as u8; 8].repeat(2))).collect();
        for (index, node) in nodes.iter().enumerate() {
            match nodes.get(index + 1) {
                Some(next) => self.point(*node, 1, *next),
                None => {
                    self.bytes()[*node as usize + 24..][..8].fill(0);
                    self.seal(*node);
                }
            }
        }
        nodes[0]
    }

    fn image(&mut self, bases: [u64; 2]) -> Image<'_> {
        let len_bytes = self.len_bytes();
        let space = Space { bases, heap: (HEAP_START, len_bytes) };
        // SAFETY: the lines are borrowed as long as the image lives.
        unsafe { Image::new(self.lines.as_mut_ptr().cast(), len_bytes, space) }
    }
}

/// A line map of the simplest kind.
struct Bitmap(Vec<AtomicU64>);

impl Bitmap {
    fn new(pool: &Pool) -> Self {
        Bitmap((0..pool.lines.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }
}

impl LineMap for Bitmap {
    fn mark(&self, first_line: u64, lines: u32) -> bool {
        let set = |line: u64| {
            let bit = 1 << (line % 64);
            self.0[line as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
        };
        (first_line..first_line + u64::from(lines)).all(set)
    }
}

/// How a test marks.
#[derive(Clone, Copy)]
struct How {
    threads: usize,
    checksums: Checksums,
    bases: [u64; 2],
}

const ALONE: How = How { threads: 1, checksums: Checksums::Verify, bases: [BASE, BASE] };
const TOGETHER: How = How { threads: 4, ..ALONE };

/// Marks a pool, requires that the line map agrees, and that nothing was written.
fn mark(pool: &mut Pool, root: u64, root_type: &'static NodeType, how: How) -> Result<Marked, MarkError> {
    let before = pool.clone();
    let result = mark_with(pool, root, root_type, how, &mut |_| ControlFlow::Continue(()));
    assert!(*pool == before, "marking wrote to the pool");
    result
}

fn mark_with(
    pool: &mut Pool,
    root: u64,
    root_type: &'static NodeType,
    how: How,
    progress: &mut dyn FnMut(Seen) -> ControlFlow<()>,
) -> Result<Marked, MarkError> {
    let lines = Bitmap::new(pool);
    let registry = Registry::new(root_type).unwrap();
    let marker = Marker {
        image: &pool.image(how.bases),
        registry: &registry,
        lines: &lines,
        checksums: how.checksums,
        threads: NonZeroUsize::new(how.threads).unwrap(),
    };
    let marked = marker.mark(root, progress)?;
    assert_eq!(lines.count(), marked.lines, "the line map has other lines than the nodes");
    assert_eq!(marked.starts.iter().count() as u64, marked.nodes);
    Ok(marked)
}

/// Repeatable numbers without order (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
