//! What the runtime can do with an array node of which it knows only the type.

use std::marker::PhantomData;
use std::mem::{align_of, size_of};

use super::{Counts, Head, Places};
use crate::persist::layout::zero_gaps;
use crate::persist::{
    Fault, Kind, NodeType, Persistent, Reset, Schema, Tracer, TypeId32, Visit, combine, hash_str,
};

/// The table of functions for array nodes of these types.
pub(super) struct Table<H, A, B, C>(PhantomData<(H, A, B, C)>);

impl<H: Head, A: Persistent, B: Persistent, C: Persistent> Table<H, A, B, C> {
    const LAYOUT_HASH: u64 = {
        let hash = combine(hash_str("array node"), H::LAYOUT_HASH);
        combine(combine(combine(hash, A::LAYOUT_HASH), B::LAYOUT_HASH), C::LAYOUT_HASH)
    };
    const HAS_POINTERS: bool = A::HAS_POINTERS || B::HAS_POINTERS || C::HAS_POINTERS;
    const HAS_VOLATILE: bool = A::HAS_VOLATILE || B::HAS_VOLATILE || C::HAS_VOLATILE;

    pub(super) const TYPE: &'static NodeType = {
        assert!(
            align_of::<A>() <= 16 && align_of::<B>() <= 16 && align_of::<C>() <= 16,
            "a payload starts 16 bytes into a line: alignments above 16 cannot be kept"
        );
        &NodeType {
            id: TypeId32::from_layout(Self::LAYOUT_HASH),
            len_min_bytes: size_of::<H>() as u32,
            len_step_bytes: 1,
            is_leaf: !Self::HAS_POINTERS,
            validate: Self::validate,
            trace: Self::trace,
            scrub: Some(Self::scrub),
            reset: if Self::HAS_VOLATILE { Some(Self::reset) } else { None },
            targets: Self::targets,
            schema: Self::schema,
        }
    };

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "ArrayNode",
                arguments: &[H::schema, A::schema, B::schema, C::schema],
                size_bytes: size_of::<H>(),
                align_bytes: 16,
                kind: Kind::ArrayNode {
                    head: H::schema,
                    children: B::schema,
                    extras: C::schema,
                    items: A::schema,
                },
            }
        }
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        A::targets(types);
        B::targets(types);
        C::targets(types);
    }

    /// # Safety
    /// As [`Persistent::validate`], for `len_bytes` bytes.
    unsafe fn validate(at: *const u8, len_bytes: u32, visit: &mut Visit<'_>) -> Result<(), Fault> {
        // SAFETY: the node is at least as long as a head (`len_min_bytes`).
        unsafe { H::validate(at, visit) }?;
        // SAFETY: just judged; payloads are aligned to 16.
        let head = unsafe { at.cast::<H>().read() };
        let fault = |expected, found| Fault { at: at.addr() as u64, expected, found };
        let counts = head.counts();
        let places = Places::of::<H, A, B, C>(counts);
        if places.end > len_bytes as usize {
            return Err(fault("a node as long as its elements", places.end as u64));
        }
        let bytes: &[u8] = if size_of::<A>() == 1 && !A::HAS_PADDING {
            // SAFETY: within the node, initialised, and not written meanwhile (the caller's promise).
            unsafe { std::slice::from_raw_parts(at.wrapping_add(places.items), counts.items) }
        } else {
            &[]
        };
        head.judge(bytes).map_err(|expected| {
            // SAFETY: a head is at least eight bytes long (asserted below).
            fault(expected, unsafe { at.cast::<u64>().read_unaligned() })
        })?;
        // SAFETY: the children lie within the node.
        unsafe { validate_all::<B>(at.wrapping_add(places.children), counts.children, visit) }?;
        // SAFETY: so do the extras.
        unsafe { validate_all::<C>(at.wrapping_add(places.extras), counts.extras, visit) }?;
        // SAFETY: so do the items.
        unsafe { validate_all::<A>(at.wrapping_add(places.items), counts.items, visit) }
    }

    /// # Safety
    /// At `at` is the payload of a valid array node.
    unsafe fn trace(at: *const u8, _len_bytes: u32, tracer: &mut Tracer<'_>) {
        // SAFETY: the caller's promise, and invariant 1 of the room.
        let (places, counts) = unsafe { found::<H, A, B, C>(at) };
        // SAFETY: invariant 1 of the room.
        unsafe { trace_all::<B>(at.wrapping_add(places.children), counts.children, tracer) };
        // SAFETY: invariant 1 of the room.
        unsafe { trace_all::<C>(at.wrapping_add(places.extras), counts.extras, tracer) };
        // SAFETY: invariant 1 of the room.
        unsafe { trace_all::<A>(at.wrapping_add(places.items), counts.items, tracer) };
    }

    /// Zeroes the elements' padding, the gaps between the kinds, and the room.
    ///
    /// # Safety
    /// At `at` is the payload of a valid array node of this length, to which no reference exists.
    unsafe fn scrub(at: *mut u8, len_bytes: u32) {
        // SAFETY: the caller's promise, and invariant 1 of the room.
        let (places, counts) = unsafe { found::<H, A, B, C>(at) };
        let extents = [
            (places.children, counts.children * size_of::<B>()),
            (places.extras, counts.extras * size_of::<C>()),
            (places.items, counts.items * size_of::<A>()),
        ];
        // SAFETY: the extents are sorted and disjoint, and end within the node.
        unsafe { zero_gaps(at, size_of::<H>(), len_bytes as usize, &extents) };
        // SAFETY: invariant 1 of the room.
        unsafe { scrub_all::<B>(at.wrapping_add(places.children), counts.children) };
        // SAFETY: invariant 1 of the room.
        unsafe { scrub_all::<C>(at.wrapping_add(places.extras), counts.extras) };
        // SAFETY: invariant 1 of the room.
        unsafe { scrub_all::<A>(at.wrapping_add(places.items), counts.items) };
    }

    /// # Safety
    /// As [`Persistent::reset`], for the payload of an array node.
    unsafe fn reset(at: *mut u8, _len_bytes: u32, to: Reset) {
        // SAFETY: the caller's promise, and invariant 1 of the room; heads have no volatile fields.
        let (places, counts) = unsafe { found::<H, A, B, C>(at) };
        // SAFETY: invariant 1 of the room.
        unsafe { reset_all::<B>(at.wrapping_add(places.children), counts.children, to) };
        // SAFETY: invariant 1 of the room.
        unsafe { reset_all::<C>(at.wrapping_add(places.extras), counts.extras, to) };
        // SAFETY: invariant 1 of the room.
        unsafe { reset_all::<A>(at.wrapping_add(places.items), counts.items, to) };
    }
}

const _: () = {
    assert!(size_of::<super::Lens>() == 8);
    assert!(size_of::<super::Utf8>() == 8);
    assert!(size_of::<super::Slots>() == 8);
};

/// Reads the head at `at`.
///
/// # Safety
/// The payload of a valid array node lies there.
unsafe fn found<H: Head, A, B, C>(at: *const u8) -> (Places, Counts) {
    // SAFETY: invariant 1 of the room; payloads are aligned to 16.
    let counts = unsafe { at.cast::<H>().read() }.counts();
    (Places::of::<H, A, B, C>(counts), counts)
}

/// # Safety
/// As [`Persistent::validate`], for so many elements side by side.
unsafe fn validate_all<T: Persistent>(
    at: *const u8,
    count: usize,
    visit: &mut Visit<'_>,
) -> Result<(), Fault> {
    // Elements without bytes are all the same one, and a file may claim billions of them in one line.
    let different = if size_of::<T>() == 0 { count.min(1) } else { count };
    for index in 0..different {
        // SAFETY: the caller's promise, of which this is the part for one element.
        unsafe { T::validate(at.wrapping_add(index * size_of::<T>()), visit) }?;
    }
    Ok(())
}

/// # Safety
/// So many valid elements lie at `at`.
unsafe fn trace_all<T: Persistent>(at: *const u8, count: usize, tracer: &mut Tracer<'_>) {
    if !T::HAS_POINTERS {
        return;
    }
    for index in 0..count {
        // SAFETY: the caller's promise.
        let element = unsafe { &*at.cast::<T>().wrapping_add(index) };
        element.trace(tracer);
    }
}

/// # Safety
/// As [`Persistent::scrub`], for so many elements side by side.
unsafe fn scrub_all<T: Persistent>(at: *mut u8, count: usize) {
    if !T::HAS_PADDING {
        return;
    }
    for index in 0..count {
        // SAFETY: the caller's promise.
        unsafe { T::scrub(at.wrapping_add(index * size_of::<T>())) };
    }
}

/// # Safety
/// As [`Persistent::reset`], for so many elements side by side.
unsafe fn reset_all<T: Persistent>(at: *mut u8, count: usize, to: Reset) {
    if !T::HAS_VOLATILE {
        return;
    }
    for index in 0..count {
        // SAFETY: the caller's promise.
        unsafe { T::reset(at.wrapping_add(index * size_of::<T>()), to) };
    }
}
