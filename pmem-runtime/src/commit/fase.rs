//! `Fase<'f>`, the handle of a running section, and what it permits on `P<'f, T>`.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::num::NonZeroU64;
use std::ptr;
use std::sync::atomic::Ordering;

use super::Shadow;
use crate::fase_error::FaseFault;
use crate::mutants::{Mutant, planted};
use crate::persist::{Brand, Node, NodeHeader, P, Persistent, Sharer, combine, hash_str};

/// A running failure-atomic section. Holding one proves that allocation is allowed here, in this pool, on this thread.
///
/// `'f` is chosen anew for each section: nothing that mentions it can leave the section or enter another.
pub struct Fase<'f> {
    shadow: &'f Shadow,
    brand: Brand<'f>,
    not_send: PhantomData<*mut ()>,
}

impl fmt::Debug for Fase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fase")
    }
}

impl<'f> Fase<'f> {
    /// The handle of a section whose shadow is `shadow`.
    ///
    /// # Safety
    /// `'f` is a lifetime that only this section uses: it is given to a body that works for all lifetimes.
    pub(crate) unsafe fn new(shadow: &'f Shadow) -> Self {
        Fase { shadow, brand: PhantomData, not_send: PhantomData }
    }

    /// The section's shadow, for the room's own methods on pointers.
    pub(super) fn shadow(&self) -> &'f Shadow {
        self.shadow
    }

    /// The pool's seed for hashes of keys: random, the same for the life of the pool.
    pub(crate) fn hash_seed(&self) -> u64 {
        combine(self.shadow.core().salt, hash_str("keys"))
    }

    /// A second owner of everything `value` owns: structure is shared, not copied. An old version kept this way costs
    /// only what later changes.
    ///
    /// Complexity: one count per pointer directly in `value`.
    pub fn share<T>(&self, value: &T) -> T
    where
        T: Persistent<At<'f> = T>,
    {
        let retain = |address| self.shadow.retain(address);
        // SAFETY: `At<'f> = T` proves that the value belongs to this section, which counts the new owners.
        unsafe { value.share(&Sharer::new(&retain)) }
    }

    /// Makes sure that nodes which take so many bytes in all can be made, growing the pool if need be. A node takes 16 bytes
    /// and its value, rounded up to 64.
    ///
    /// Without it, a section that runs out of space ends there and then (its body unwinds, the section returns the error).
    /// A `catch_unwind` in the body stops the unwinding but does not rescue the section: whatever its body returns, nothing
    /// of it happens, and it returns [`FaseFault::OutOfSpace`]. To go on with less, ask here first: an error from here dooms
    /// nothing.
    ///
    /// # Errors
    /// [`FaseFault::OutOfSpace`] if the pool may not or cannot grow so far.
    pub fn reserve(&self, len_bytes: u64) -> Result<(), FaseFault> {
        self.shadow.reserve(len_bytes)
    }
}

impl<'p, T> P<'p, T> {
    /// Moves `value` into a new node of the section's pool.
    ///
    /// Complexity: O(size of `T`). Memory: 16 bytes of header and `T`, rounded up to 64.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub fn new(tx: &Fase<'p>, value: T) -> Self
    where
        T: Persistent<At<'p> = T>,
    {
        let value = ManuallyDrop::new(value);
        let address = tx.shadow.allocate(<T as Node>::TYPE, size_of::<T>() as u32);
        // SAFETY: the node was allocated for a `T`, and `value` is forgotten.
        unsafe { Self::fill(address, &raw const *value) }
    }

    /// Writes a value into a node just allocated for it, and owns the node.
    ///
    /// # Safety
    /// `address` is a fresh node of type `T` with one owner; the value at `value` is forgotten by the caller.
    unsafe fn fill(address: u64, value: *const T) -> Self
    where
        T: Persistent,
    {
        // SAFETY: the caller's promise.
        unsafe { fill(address, value) };
        let address = NonZeroU64::new(address).expect("a pool is never mapped at zero");
        // SAFETY: a fresh node with a valid payload and one count, which this pointer takes over.
        unsafe { P::from_address(address) }
    }

    /// The node's refcount word.
    fn count(&self) -> u32 {
        // SAFETY: invariant 1 of `P`.
        let header = unsafe { NodeHeader::at(self.address()) };
        // Relaxed: a count of one cannot grow, since only owners share; a larger one that shrinks costs a copy too many.
        header.refcount.load(Ordering::Relaxed)
    }

    /// Access for writing: in place if this section made the node and nobody else owns it, else to a copy that takes the
    /// node's place. What others see of the old node does not change.
    ///
    /// Complexity: O(size of `T`) the first time in a section; the children of a node with one owner pass to the copy
    /// without their counts being touched.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub fn make_mut(&mut self, tx: &Fase<'p>) -> &mut T
    where
        T: Persistent<At<'p> = T>,
    {
        let count = self.count();
        if count != NodeHeader::FRESH | 1 && !(count == 1 && planted(Mutant::CommittedEditedInPlace)) {
            let copy = if count == 1 { self.move_out_to_copy(tx) } else { P::new(tx, tx.share(&**self)) };
            // Where the contents were moved, the old node is a shell whose count is not given back.
            let old = std::mem::replace(self, copy);
            if count == 1 {
                std::mem::forget(old);
            }
        }
        // SAFETY: a fresh node with this one owner, borrowed mutably: no other reference to the payload exists.
        unsafe { &mut *self.payload() }
    }

    /// A fresh node with the payload of this committed one, which becomes a shell.
    #[cfg_attr(feature = "crash-test", track_caller)]
    fn move_out_to_copy(&self, tx: &Fase<'p>) -> Self
    where
        T: Persistent,
    {
        let address = tx.shadow.allocate(<T as Node>::TYPE, size_of::<T>() as u32);
        // SAFETY: the node was allocated for a `T`; the old payload is not used as an owner again: it is noted as moved,
        // and the only pointer to it is forgotten by `make_mut`.
        let copy = unsafe { Self::fill(address, self.payload()) };
        tx.shadow.note_moved(self.address());
        copy
    }

    /// Moves the value out of the node: by ownership transfer if nobody else owns the node, else a copy that shares what
    /// the value owns.
    ///
    /// Complexity: O(size of `T`).
    #[must_use]
    pub fn take(self, tx: &Fase<'p>) -> T
    where
        T: Persistent<At<'p> = T>,
    {
        let count = self.count();
        if count & !NodeHeader::FRESH != 1 {
            return tx.share(&*self);
        }
        // SAFETY: the only owner's value, read once: the node is freed or becomes a shell, and `self` is forgotten.
        let value = unsafe { ptr::read(self.payload()) };
        if count & NodeHeader::FRESH == 0 {
            tx.shadow.note_moved(self.address());
        } else {
            tx.shadow.free_shell(self.address());
        }
        std::mem::forget(self);
        value
    }

    /// A second owner of the same node.
    ///
    /// Complexity: one count.
    #[must_use]
    pub fn share(&self, tx: &Fase<'p>) -> Self
    where
        T: Persistent<At<'p> = T>,
    {
        tx.share(self)
    }
}

/// Writes a value into a node just allocated for its type.
///
/// # Safety
/// `address` is a fresh node allocated for a `T`; the value at `value` is forgotten by the caller.
unsafe fn fill<T: Persistent>(address: u64, value: *const T) {
    let payload = NodeHeader::payload(address).cast::<T>();
    if T::HAS_PADDING {
        // SAFETY: the payload is zeroed and apart from `value` (`allocate`'s promise).
        unsafe { T::store(value, payload.cast()) };
    } else {
        // SAFETY: the payload is valid for writes and apart from `value`.
        unsafe { payload.copy_from_nonoverlapping(value, 1) };
    }
}

/// Moves the first root of a pool into a node. Returns the node's address.
///
/// # Safety
/// The value belongs to the section of `shadow`, and its type is the root type at that section's brand.
pub(crate) unsafe fn make_root<T: Persistent>(shadow: &Shadow, value: T) -> u64 {
    let value = ManuallyDrop::new(value);
    let address = shadow.allocate(shadow.core().root_type, size_of::<T>() as u32);
    // SAFETY: just allocated; `value` is forgotten.
    unsafe { fill(address, &raw const *value) };
    address
}
