//! `P<'p, T>`: an owning pointer to a node, one word, followed by a plain load.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZeroU64;
use std::ops::Deref;

use super::{
    Fault, Kind, Niche, Node, NodeHeader, NodeType, Persistent, Schema, Sharer, Tracer, Visit, combine,
    hash_str,
};

/// Invariant in `'p`: a section's lifetime can neither grow nor shrink into another's.
pub type Brand<'p> = PhantomData<fn(&'p ()) -> &'p ()>;

/// An owning pointer to a node of a pool.
///
/// Possessing one proves that the node is alive as long as `'p` lasts and that its payload is a valid `T`. It does not
/// prove that it is the only owner: see [`P::make_mut`].
///
/// It is read like a `Box`, by dereferencing. The rest takes the section's `tx`, since others may see the same node:
/// [`P::make_mut`] instead of `&mut *p`, [`P::take`] instead of moving out of `*p`, [`P::share`] instead of `clone`.
///
/// In generic code a type parameter is of the section's own brand, `T: Persistent<At<'p> = T>`, or these methods are not
/// found:
///
/// ```
/// use pmem_runtime::{Fase, P, Persistent};
///
/// #[derive(Persistent)]
/// #[repr(C)]
/// struct Stack<'p, T> {
///     top: Option<P<'p, Item<'p, T>>>,
/// }
///
/// #[derive(Persistent)]
/// #[repr(C)]
/// struct Item<'p, T> {
///     value: T,
///     below: Option<P<'p, Item<'p, T>>>,
/// }
///
/// impl<'p, T: Persistent<At<'p> = T>> Stack<'p, T> {
///     fn push(&mut self, tx: &Fase<'p>, value: T) {
///         let below = self.top.take();
///         self.top = Some(P::new(tx, Item { value, below }));
///     }
///
///     fn pop(&mut self, tx: &Fase<'p>) -> Option<T> {
///         let item = self.top.take()?.take(tx);
///         self.top = item.below;
///         Some(item.value)
///     }
/// }
/// ```
///
/// # Invariants
/// 1. `address` is where a node with a valid payload of type `T` starts, in the mapping of the pool that `'p` belongs
///    to, which outlives `'p`.
/// 2. One count of the node's refcount belongs to this value.
#[repr(transparent)]
pub struct P<'p, T> {
    address: NonZeroU64,
    brand: Brand<'p>,
    owns: PhantomData<T>,
}

impl<T> P<'_, T> {
    /// Takes over one count of the node at `address`.
    ///
    /// # Safety
    /// Both invariants of [`P`].
    pub(crate) unsafe fn from_address(address: NonZeroU64) -> Self {
        P { address, brand: PhantomData, owns: PhantomData }
    }

    /// Where the node starts.
    pub(crate) fn address(&self) -> u64 {
        self.address.get()
    }

    /// Whether both point to the same node: equal without looking.
    #[must_use]
    pub fn ptr_eq(left: &Self, right: &Self) -> bool {
        left.address == right.address
    }

    pub(crate) fn payload(&self) -> *mut T {
        NodeHeader::payload(self.address()).cast()
    }
}

impl<T> Deref for P<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: invariant 1; the mapping's provenance was exposed when it was made. No one writes the payload while
        // this reference lives: committed nodes have no writer, and a fresh one is written only through `&mut` of its owner.
        unsafe { &*self.payload() }
    }
}

impl<T> Drop for P<'_, T> {
    fn drop(&mut self) {
        super::current::release(self.address.get());
    }
}

impl<T: fmt::Debug> fmt::Debug for P<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for P<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for P<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for P<'_, T> {}

impl<T: PartialOrd> PartialOrd for P<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: Ord> Ord for P<'_, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: Hash> Hash for P<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

// SAFETY: one word, never zero, so no padding and the niche zero; the pointer is the only thing it owns, and is reported
// by `validate`, `trace` and `share` alike. `At` changes the brands only.
unsafe impl<T: Persistent> Persistent for P<'_, T> {
    type At<'q> = P<'q, T::At<'q>>;

    const NAME: &'static str = "P";
    const NAME_HASH: u64 = combine(hash_str("P"), T::NAME_HASH);
    const LAYOUT_HASH: u64 = combine(hash_str("P"), T::NAME_HASH);
    const HAS_POINTERS: bool = true;
    const HAS_PADDING: bool = false;
    const NICHE: Option<Niche> = Some(Niche::zero(8));
    const WITNESS: MaybeUninit<Self> =
        MaybeUninit::new(P { address: NonZeroU64::MIN, brand: PhantomData, owns: PhantomData });

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "P",
                arguments: &[T::schema],
                size_bytes: 8,
                align_bytes: 8,
                kind: Kind::Pointer(T::schema),
            }
        }
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        types.push(<T as Node>::TYPE);
    }

    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        unsafe { visit.pointer(at, <T as Node>::TYPE) }
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.pointer(self.address(), <T as Node>::TYPE);
    }

    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
        sharer.pointer(self.address());
        // SAFETY: the node is the same, and the sharer has counted the new owner.
        unsafe { P::from_address(self.address) }
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { this.cast::<u8>().copy_to_nonoverlapping(to, 8) }
    }

    unsafe fn scrub(_at: *mut u8) {}
}
