//! Types that only say that a type parameter matters.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::persist::{
    Fault, Kind, Niche, NodeType, Persistent, Schema, Sharer, Tracer, Visit, combine, hash_str,
};

// SAFETY: no bytes. `T` is required to be persistent so that a brand inside it is replaced with all others.
unsafe impl<T: Persistent> Persistent for PhantomData<T> {
    type At<'p> = PhantomData<T::At<'p>>;

    const NAME: &'static str = "PhantomData";
    const NAME_HASH: u64 = combine(hash_str("PhantomData"), T::NAME_HASH);
    const LAYOUT_HASH: u64 = combine(hash_str("PhantomData"), T::NAME_HASH);
    const HAS_POINTERS: bool = false;
    const HAS_PADDING: bool = false;
    const NICHE: Option<Niche> = None;
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new(PhantomData);

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "PhantomData",
                arguments: &[T::schema],
                size_bytes: 0,
                align_bytes: 1,
                kind: Kind::Struct(&[]),
            }
        }
    }

    fn targets(_types: &mut Vec<&'static NodeType>) {}

    unsafe fn validate(_at: *const u8, _visit: &mut Visit<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn trace(&self, _tracer: &mut Tracer<'_>) {}

    unsafe fn share(&self, _sharer: &Sharer<'_>) -> Self {
        PhantomData
    }

    unsafe fn store(_this: *const Self, _to: *mut u8) {}

    unsafe fn scrub(_at: *mut u8) {}
}
