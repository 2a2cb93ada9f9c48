//! The owning pointer to an array node, and what can be read through it.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZeroU64;

use super::node_type::Table;
use super::{Counts, Head, Places, Utf8};
use crate::persist::{
    Brand, Fault, Kind, Niche, NodeHeader, NodeType, Persistent, Schema, Sharer, Tracer, Visit, combine,
    current, hash_str,
};

/// An owning pointer to an array node with head `H`, items `A`, children `B` and extras `C`: one word.
///
/// It is to array nodes what [`P`](crate::P) is to single values. What a section can do with it stands in `commit`.
///
/// # Invariants
/// 1. `address` is where a valid array node of these types starts, in the mapping of the pool that `'p` belongs to, which
///    outlives `'p`.
/// 2. One count of the node's refcount belongs to this value.
#[repr(transparent)]
pub(crate) struct Array<'p, H, A, B = (), C = ()> {
    address: NonZeroU64,
    brand: Brand<'p>,
    owns: PhantomData<(H, A, B, C)>,
}

impl<H, A, B, C> Array<'_, H, A, B, C> {
    /// Takes over one count of the node at `address`.
    ///
    /// # Safety
    /// Both invariants of [`Array`].
    pub(crate) unsafe fn from_address(address: NonZeroU64) -> Self {
        Array { address, brand: PhantomData, owns: PhantomData }
    }

    /// Where the node starts.
    pub(crate) fn address(&self) -> u64 {
        self.address.get()
    }

    /// Whether both point to the same node: equal without looking.
    pub(crate) fn ptr_eq(left: &Self, right: &Self) -> bool {
        left.address == right.address
    }
}

impl<H: Head, A: Persistent, B: Persistent, C: Persistent> Array<'_, H, A, B, C> {
    /// The node's type.
    pub(crate) const TYPE: &'static NodeType = Table::<H, A, B, C>::TYPE;

    /// What the node begins with.
    pub(crate) fn head(&self) -> &H {
        // SAFETY: invariant 1; nobody writes the payload while this reference lives: committed nodes have no writer, and a
        // fresh one is written only through `&mut` of its owner.
        unsafe { &*NodeHeader::payload(self.address()).cast::<H>() }
    }

    /// How many elements the node has.
    pub(crate) fn counts(&self) -> Counts {
        self.head().counts()
    }

    /// The items, in order.
    pub(crate) fn items(&self) -> &[A] {
        let counts = self.counts();
        let places = Places::of::<H, A, B, C>(counts);
        // SAFETY: invariant 1 of the room; nobody writes them, as for the head.
        unsafe { self.elements(places.items, counts.items) }
    }

    /// The children, in order.
    pub(crate) fn children(&self) -> &[B] {
        let counts = self.counts();
        let places = Places::of::<H, A, B, C>(counts);
        // SAFETY: as for the items.
        unsafe { self.elements(places.children, counts.children) }
    }

    /// The extras, in order.
    pub(crate) fn extras(&self) -> &[C] {
        let counts = self.counts();
        let places = Places::of::<H, A, B, C>(counts);
        // SAFETY: as for the items.
        unsafe { self.elements(places.extras, counts.extras) }
    }

    /// # Safety
    /// `count` valid values of type `T` lie in the payload at `offset`, and nobody writes them while the result lives.
    unsafe fn elements<T>(&self, offset: usize, count: usize) -> &[T] {
        let first = NodeHeader::payload(self.address()).wrapping_add(offset).cast::<T>();
        // SAFETY: the caller's promise; the first element is aligned (`Places`), as payloads are to 16.
        unsafe { std::slice::from_raw_parts(first, count) }
    }
}

impl<B: Persistent, C: Persistent> Array<'_, Utf8, u8, B, C> {
    /// The items as text, without judging them again.
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: invariant 4 of the room: the head accepts the items, as UTF-8.
        unsafe { std::str::from_utf8_unchecked(self.items()) }
    }
}

/// The elements as bytes if they are plain single bytes, else none.
pub(crate) fn single_bytes<A: Persistent>(elements: &[A]) -> &[u8] {
    if size_of::<A>() != 1 || A::HAS_PADDING {
        return &[];
    }
    // SAFETY: each is one byte, and none of it is padding.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}

impl<H, A, B, C> Drop for Array<'_, H, A, B, C> {
    fn drop(&mut self) {
        current::release(self.address.get());
    }
}

// SAFETY: one word, never zero, so no padding and the niche zero; the pointer is the only thing it owns, and is reported
// by `validate`, `trace` and `share` alike. `At` changes the brands only; heads have none.
unsafe impl<H: Head, A: Persistent, B: Persistent, C: Persistent> Persistent for Array<'_, H, A, B, C> {
    type At<'q> = Array<'q, H, A::At<'q>, B::At<'q>, C::At<'q>>;

    const NAME: &'static str = "Array";
    const NAME_HASH: u64 = {
        let hash = combine(hash_str("Array"), H::NAME_HASH);
        combine(combine(combine(hash, A::NAME_HASH), B::NAME_HASH), C::NAME_HASH)
    };
    const LAYOUT_HASH: u64 = Self::NAME_HASH;
    const HAS_POINTERS: bool = true;
    const HAS_PADDING: bool = false;
    const NICHE: Option<Niche> = Some(Niche::zero(8));
    const WITNESS: MaybeUninit<Self> =
        MaybeUninit::new(Array { address: NonZeroU64::MIN, brand: PhantomData, owns: PhantomData });

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "Array",
                arguments: &[H::schema, A::schema, B::schema, C::schema],
                size_bytes: 8,
                align_bytes: 8,
                kind: Kind::Pointer(Self::TYPE.schema),
            }
        }
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        types.push(Self::TYPE);
    }

    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        unsafe { visit.pointer(at, Self::TYPE) }
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.pointer(self.address(), Self::TYPE);
    }

    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
        sharer.pointer(self.address());
        // SAFETY: the node is the same, and the sharer has counted the new owner.
        unsafe { Array::from_address(self.address) }
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { this.cast::<u8>().copy_to_nonoverlapping(to, 8) }
    }

    unsafe fn scrub(_at: *mut u8) {}
}
