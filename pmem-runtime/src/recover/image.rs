//! The pool as mapped, read with suspicion: from an offset, to a place for a node, to a node whose bytes are valid.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::persist::{Edge, Fault, NodeHeader, NodeType, Space, TypeId32, Visit, payload_checksum};

const LINE_BYTES: u64 = 64;

/// A mapped pool that nobody else writes.
///
/// # Invariants
/// 1. `len_bytes` bytes from `base` are mapped, initialised and readable for `'i`, and are written only through this
///    image's own room ([`mod@super::relocate`]), refcounts atomically.
/// 2. `base` is aligned to a line.
/// 3. `space.heap` ends within `len_bytes`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image<'i> {
    base: *const u8,
    space: Space,
    judges_volatile: bool,
    mapping: PhantomData<&'i [u8]>,
}

// SAFETY: by invariant 1 the bytes are those of a shared slice, refcounts aside, which are accessed atomically.
unsafe impl Send for Image<'_> {}
// SAFETY: as above.
unsafe impl Sync for Image<'_> {}

/// What a node's header says, refcount aside. It proves nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) crc32c: u32,
    pub(crate) type_id: TypeId32,
    pub(crate) len_bytes: u32,
}

/// A place that may hold a node: invariant 2 of the room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'i> {
    image: Image<'i>,
    pub(crate) offset: u64,
    pub(crate) header: Header,
    pub(crate) node_type: &'static NodeType,
}

/// A node whose payload is valid: invariant 3 of the room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged<'i>(Candidate<'i>);

impl<'i> Image<'i> {
    /// Takes a mapping over. A heap that the mapping does not hold wholly is cut off where it ends.
    ///
    /// # Panics
    /// If the mapping does not begin on a line.
    ///
    /// # Safety
    /// `len_bytes` bytes from `base` are mapped, initialised and readable for `'i`, and nobody writes them meanwhile,
    /// the functions of this room excepted.
    pub(crate) unsafe fn new(base: *const u8, len_bytes: u64, mut space: Space) -> Self {
        assert!((base.addr() as u64).is_multiple_of(LINE_BYTES), "a pool is mapped at a line's start");
        space.heap.1 = space.heap.1.min(len_bytes);
        Image { base, space, judges_volatile: true, mapping: PhantomData }
    }

    /// The same, but volatile fields may hold anything. A reset that a crash interrupted leaves half of a value there.
    ///
    /// Nobody may refer to a node before [`super::reset_volatile`] has gone through them all.
    pub(crate) fn ignoring_volatile(self) -> Self {
        Image { judges_volatile: false, ..self }
    }

    /// Where its pointers may lead.
    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// The offset of an address within the mapping.
    pub(crate) fn offset_of(&self, address: u64) -> Option<u64> {
        address.checked_sub(self.base.addr() as u64)
    }

    /// The byte at an offset, which may lie anywhere: the pointer is only as good as the offset.
    pub(crate) fn at(&self, offset: u64) -> *const u8 {
        self.base.wrapping_add(offset as usize)
    }

    /// The word that holds an edge of a node of this image.
    pub(crate) fn slot(&self, edge: &Edge) -> *const u64 {
        let offset = edge.slot.wrapping_sub(self.base.addr() as u64);
        self.at(offset).cast()
    }

    /// The header at an offset, if it is a line of the heap with room for one.
    pub(crate) fn header(&self, offset: u64) -> Option<Header> {
        let (start, end) = self.space.heap;
        let fits = offset >= start && offset.checked_add(NodeHeader::SIZE as u64)? <= end;
        if !fits || !offset.is_multiple_of(LINE_BYTES) {
            return None;
        }
        let at = self.at(offset);
        let word = |index: usize| {
            // SAFETY: the header's 16 bytes lie before the heap's end, so in the mapping (invariants 1 and 3).
            let field = unsafe { at.add(4 * index) };
            // SAFETY: as above; aligned, as the line is; nobody writes it (invariant 1).
            unsafe { field.cast::<u32>().read() }
        };
        Some(Header { crc32c: word(1), type_id: TypeId32(word(2)), len_bytes: word(3) })
    }

    /// A place for a node of this type, if the header just read there has a length that the type and the heap allow.
    /// The caller has compared the identity.
    pub(crate) fn candidate(
        &self,
        offset: u64,
        header: Header,
        node_type: &'static NodeType,
    ) -> Option<Candidate<'i>> {
        let fits = u64::from(header.len_bytes) <= self.room_bytes(offset);
        (fits && node_type.allows_len(header.len_bytes)).then_some(Candidate {
            image: *self,
            offset,
            header,
            node_type,
        })
    }

    /// How long a payload can be before the heap ends, if a node starts at this offset.
    pub(crate) fn room_bytes(&self, offset: u64) -> u64 {
        self.space.heap.1.saturating_sub(offset).saturating_sub(NodeHeader::SIZE as u64)
    }
}

impl<'i> Candidate<'i> {
    /// Bytes of header and payload.
    pub(crate) fn len_bytes(&self) -> u64 {
        NodeHeader::SIZE as u64 + u64::from(self.header.len_bytes)
    }

    /// Lines that it occupies.
    pub(crate) fn lines(&self) -> u32 {
        self.len_bytes().div_ceil(LINE_BYTES) as u32
    }

    /// Its first line, counted from the start of the pool.
    pub(crate) fn first_line(&self) -> u64 {
        self.offset / LINE_BYTES
    }

    /// The refcount as stored.
    pub(crate) fn refcount(&self) -> u32 {
        let at = self.image.at(self.offset).cast::<u32>().cast_mut();
        // SAFETY: the header lies in the mapping (invariant 2 of the room); refcounts are accessed atomically only.
        let refcount = unsafe { AtomicU32::from_ptr(at) };
        // Relaxed: recovery is alone with the pool; threads are started and joined around it.
        refcount.load(Ordering::Relaxed)
    }

    /// Judges the payload, and appends its pointers to `edges`.
    ///
    /// # Errors
    /// The type's complaint. `edges` may have grown nevertheless.
    pub(crate) fn judge(self, edges: &mut Vec<Edge>) -> Result<Judged<'i>, Fault> {
        let space = self.image.space;
        let visit = Visit::new(&space, edges);
        let mut visit = if self.image.judges_volatile { visit } else { visit.ignoring_volatile() };
        // SAFETY: the payload lies in the mapping, initialised and unwritten, aligned to 16 bytes, with a length that
        // the type allows (invariant 2 of the room).
        unsafe { (self.node_type.validate)(self.payload(), self.header.len_bytes, &mut visit) }?;
        Ok(Judged(self))
    }

    pub(super) fn payload(&self) -> *const u8 {
        self.image.at(self.offset + NodeHeader::SIZE as u64)
    }
}

impl<'i> Judged<'i> {
    /// The node, without the proof.
    pub(crate) fn node(&self) -> &Candidate<'i> {
        &self.0
    }

    /// The payload's bytes.
    pub(crate) fn bytes(&self) -> &'i [u8] {
        let len_bytes = self.0.header.len_bytes as usize;
        // SAFETY: the payload lies in the mapping, initialised (invariant 2 of the room). Nobody writes it while the
        // slice lives: relocation drops it before it stores.
        unsafe { std::slice::from_raw_parts(self.0.payload(), len_bytes) }
    }

    /// The checksum that belongs into the header: of the payload with its volatile fields zero.
    pub(crate) fn checksum(&self) -> u32 {
        // SAFETY: a judged payload, initialised, aligned to 16 (invariants 2 and 3 of the room).
        unsafe { payload_checksum(self.0.node_type, self.0.payload(), self.0.header.len_bytes) }
    }
}
