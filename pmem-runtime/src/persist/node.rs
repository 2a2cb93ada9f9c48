//! A node on the heap: its header's bytes, and the table of functions that stand for its type.

use std::mem::{align_of, offset_of, size_of};
use std::sync::atomic::AtomicU32;

use super::{Fault, Persistent, Reset, Schema, Tracer, Visit};

/// The 16 bytes before each payload. The fields' offsets are part of the format (`docs/format.md`).
#[repr(C)]
#[derive(Debug)]
pub struct NodeHeader {
    /// References to the node from other nodes and cells; while its section runs, also [`NodeHeader::FRESH`].
    /// Excluded from checksums, never flushed for its own sake, rebuilt by recovery.
    pub refcount: AtomicU32,
    /// CRC-32C of the payload; while the node's section runs, the node's index in the section's fresh list.
    pub crc32c: AtomicU32,
    /// Which type the payload has.
    pub type_id: TypeId32,
    /// Bytes of payload.
    pub len_bytes: u32,
}

impl NodeHeader {
    /// Set in `refcount` while the section that made the node has not committed: its memory may be edited in place.
    pub const FRESH: u32 = 1 << 31;
    /// Bytes before the payload.
    pub const SIZE: usize = 16;

    /// The header of the node at `address`.
    ///
    /// # Safety
    /// A node with a valid header starts there, in a mapping whose provenance is exposed and which lives throughout `'n`.
    pub(crate) unsafe fn at<'n>(address: u64) -> &'n NodeHeader {
        let header = std::ptr::with_exposed_provenance::<NodeHeader>(address as usize);
        // SAFETY: the caller's promise; the fields that others may write meanwhile are atomics.
        unsafe { &*header }
    }

    /// Where the payload of the node at `address` starts.
    pub(crate) fn payload(address: u64) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(address as usize + NodeHeader::SIZE)
    }

    /// Lines that a node with so many payload bytes takes.
    pub(crate) const fn lines(len_bytes: u32) -> u32 {
        (NodeHeader::SIZE as u64 + len_bytes as u64).div_ceil(64) as u32
    }
}

const _: () = {
    assert!(size_of::<NodeHeader>() == NodeHeader::SIZE);
    assert!(offset_of!(NodeHeader, refcount) == 0);
    assert!(offset_of!(NodeHeader, crc32c) == 4);
    assert!(offset_of!(NodeHeader, type_id) == 8);
    assert!(offset_of!(NodeHeader, len_bytes) == 12);
};

/// A type's identity in node headers: 32 bits of its layout hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct TypeId32(pub u32);

impl TypeId32 {
    /// The identity that belongs to a layout hash. Never zero, so that zeroed memory has no type.
    #[must_use]
    pub const fn from_layout(hash: u64) -> Self {
        let folded = (hash ^ (hash >> 32)) as u32;
        TypeId32(if folded == 0 { 1 } else { folded })
    }
}

/// What the runtime can do with a node of which it knows only the type.
pub struct NodeType {
    /// The identity in headers.
    pub id: TypeId32,
    /// Payload bytes of every node of the type, or of the shortest if `len_step_bytes` is not zero.
    pub len_min_bytes: u32,
    /// Payload lengths are `len_min_bytes` plus a multiple of this; zero for types of fixed size.
    pub len_step_bytes: u32,
    /// Whether nodes of this type own no pointers. Leaves and inner nodes are allocated in different streams.
    pub is_leaf: bool,
    /// [`Persistent::validate`] over a payload of the given length.
    ///
    /// Safety contract: as there, for the given number of bytes, and the length is one the type allows.
    pub validate: unsafe fn(*const u8, u32, &mut Visit<'_>) -> Result<(), Fault>,
    /// [`Persistent::trace`] over a valid payload of the given length.
    pub trace: unsafe fn(*const u8, u32, &mut Tracer<'_>),
    /// [`Persistent::scrub`], if the type has padding.
    pub scrub: Option<unsafe fn(*mut u8, u32)>,
    /// [`Persistent::reset`], if the type has volatile fields.
    pub reset: Option<unsafe fn(*mut u8, u32, Reset)>,
    /// [`Persistent::targets`]: the types of the nodes that a payload owns directly.
    pub targets: fn(&mut Vec<&'static NodeType>),
    /// The payload's description.
    pub schema: fn() -> &'static Schema,
}

impl NodeType {
    /// The payload type's name with its arguments.
    pub(crate) fn name(&self) -> String {
        (self.schema)().full_name()
    }

    /// Whether a node of this type may have this many payload bytes.
    #[must_use]
    pub fn allows_len(&self, len_bytes: u32) -> bool {
        match len_bytes.checked_sub(self.len_min_bytes) {
            Some(0) => true,
            Some(extra) => self.len_step_bytes != 0 && extra.is_multiple_of(self.len_step_bytes),
            None => false,
        }
    }
}

impl std::fmt::Debug for NodeType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NodeType({:08x} {})", self.id.0, (self.schema)().name)
    }
}

/// A type that can be the payload of a node.
///
/// # Safety
/// `TYPE` describes `Self`. Every [`Persistent`] type is one; collections have nodes of variable length besides.
pub unsafe trait Node {
    /// The functions of the type.
    const TYPE: &'static NodeType;
}

// SAFETY: the functions below are the type's own, applied to a payload of its size.
unsafe impl<T: Persistent> Node for T {
    const TYPE: &'static NodeType = {
        assert!(
            align_of::<T>() <= 16,
            "a payload starts 16 bytes into a line: alignments above 16 cannot be kept"
        );
        assert!(size_of::<T>() <= (u32::MAX / 2) as usize, "a node's payload is at most 2 GiB");
        &NodeType {
            id: TypeId32::from_layout(T::LAYOUT_HASH),
            len_min_bytes: size_of::<T>() as u32,
            len_step_bytes: 0,
            is_leaf: !T::HAS_POINTERS,
            validate: validate::<T>,
            trace: trace::<T>,
            scrub: if T::HAS_PADDING { Some(scrub::<T>) } else { None },
            reset: if T::HAS_VOLATILE { Some(reset::<T>) } else { None },
            targets: T::targets,
            schema: T::schema,
        }
    };
}

/// # Safety
/// As [`Persistent::validate`].
unsafe fn validate<T: Persistent>(at: *const u8, _len: u32, visit: &mut Visit<'_>) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    unsafe { T::validate(at, visit) }
}

/// # Safety
/// `at` points to a valid `T`.
unsafe fn trace<T: Persistent>(at: *const u8, _len: u32, tracer: &mut Tracer<'_>) {
    // SAFETY: the caller's promise; nodes' payloads are aligned to 16 bytes, which is enough for `T` (asserted above).
    let value = unsafe { &*at.cast::<T>() };
    value.trace(tracer);
}

/// # Safety
/// As [`Persistent::scrub`].
unsafe fn scrub<T: Persistent>(at: *mut u8, _len: u32) {
    // SAFETY: the caller's promise.
    unsafe { T::scrub(at) }
}

/// # Safety
/// As [`Persistent::reset`].
unsafe fn reset<T: Persistent>(at: *mut u8, _len: u32, to: Reset) {
    // SAFETY: the caller's promise.
    unsafe { T::reset(at, to) }
}
