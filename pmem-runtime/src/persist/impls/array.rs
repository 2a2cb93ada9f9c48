//! Arrays: elements side by side, without gaps of their own.

use std::mem::{MaybeUninit, size_of};

use crate::persist::niche::niche_among;
use crate::persist::{
    Fault, Kind, Niche, NodeType, Persistent, Reset, Schema, Sharer, Tracer, Visit, combine, hash_str,
};

// SAFETY: element `i` lies at `i * size_of::<T>()`, and these are all the bytes there are; every method does to each
// element what the element's own method promises.
unsafe impl<T: Persistent, const N: usize> Persistent for [T; N] {
    type At<'p> = [T::At<'p>; N];

    const NAME: &'static str = "array";
    const NAME_HASH: u64 = combine(combine(hash_str("array"), N as u64), T::NAME_HASH);
    const LAYOUT_HASH: u64 = combine(combine(hash_str("array"), N as u64), T::LAYOUT_HASH);
    const HAS_POINTERS: bool = N != 0 && T::HAS_POINTERS;
    const HAS_PADDING: bool = N != 0 && T::HAS_PADDING;
    const HAS_VOLATILE: bool = N != 0 && T::HAS_VOLATILE;
    const NICHE: Option<Niche> = if N == 0 { None } else { niche_among::<Self>(&[(0, T::NICHE)]) };
    // SAFETY: a witness is a valid value; here it is only looked at.
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new([const { unsafe { T::WITNESS.assume_init() } }; N]);

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "array",
                arguments: &[T::schema],
                size_bytes: size_of::<Self>(),
                align_bytes: align_of::<Self>(),
                kind: Kind::Array { element: T::schema, count: N },
            }
        }
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        T::targets(types);
    }

    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
        for index in 0..N {
            // SAFETY: the caller's promise, of which this is the part for one element.
            unsafe { T::validate(at.wrapping_add(index * size_of::<T>()), visit) }?;
        }
        Ok(())
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        self.iter().for_each(|element| element.trace(tracer));
    }

    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
        // SAFETY: the caller's promise.
        std::array::from_fn(|index| unsafe { self[index].share(sharer) })
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        for index in 0..N {
            let element = this.cast::<T>().wrapping_add(index);
            // SAFETY: the caller's promise, of which this is the part for one element.
            unsafe { T::store(element, to.wrapping_add(index * size_of::<T>())) };
        }
    }

    unsafe fn scrub(at: *mut u8) {
        if !Self::HAS_PADDING {
            return;
        }
        for index in 0..N {
            // SAFETY: the caller's promise, of which this is the part for one element.
            unsafe { T::scrub(at.wrapping_add(index * size_of::<T>())) };
        }
    }

    unsafe fn reset(at: *mut u8, to: Reset) {
        for index in 0..N {
            // SAFETY: the caller's promise, of which this is the part for one element.
            unsafe { T::reset(at.wrapping_add(index * size_of::<T>()), to) };
        }
    }
}
