//! The unit, and tuples of up to eight. Their fields lie where the compiler likes; `offset_of!` says where.

use std::mem::{MaybeUninit, offset_of, size_of};

use crate::persist::layout::{has_gap, hash_field, sorted, zero_gaps};
use crate::persist::niche::niche_among;
use crate::persist::{
    Fault, Field, Kind, Niche, NodeType, Persistent, Reset, Schema, Sharer, Tracer, Visit, combine, hash_str,
};

// SAFETY: no bytes, nothing owned.
unsafe impl Persistent for () {
    type At<'p> = ();

    const NAME: &'static str = "()";
    const NAME_HASH: u64 = hash_str("()");
    const LAYOUT_HASH: u64 = hash_str("()");
    const HAS_POINTERS: bool = false;
    const HAS_PADDING: bool = false;
    const NICHE: Option<Niche> = None;
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new(());

    fn schema() -> &'static Schema {
        &Schema { name: "()", arguments: &[], size_bytes: 0, align_bytes: 1, kind: Kind::Struct(&[]) }
    }

    fn targets(_types: &mut Vec<&'static NodeType>) {}

    unsafe fn validate(_at: *const u8, _visit: &mut Visit<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn trace(&self, _tracer: &mut Tracer<'_>) {}

    unsafe fn share(&self, _sharer: &Sharer<'_>) -> Self {}

    unsafe fn store(_this: *const Self, _to: *mut u8) {}

    unsafe fn scrub(_at: *mut u8) {}
}

macro_rules! tuple {
    ($($T:ident $index:tt),+) => {
        // SAFETY: `offset_of!` gives each element's place, and every method does to each element what the element's own
        // method promises; the bytes between them are zeroed by `scrub` and never written by `store`.
        unsafe impl<$($T: Persistent),+> Persistent for ($($T,)+) {
            type At<'p> = ($($T::At<'p>,)+);

            const NAME: &'static str = "tuple";
            const NAME_HASH: u64 = {
                let hash = hash_str("tuple");
                $(let hash = combine(hash, $T::NAME_HASH);)+
                hash
            };
            const LAYOUT_HASH: u64 = {
                let hash = combine(hash_str("tuple"), size_of::<Self>() as u64);
                $(let hash = hash_field(hash, stringify!($index), offset_of!(Self, $index), false, $T::LAYOUT_HASH);)+
                hash
            };
            const HAS_POINTERS: bool = $($T::HAS_POINTERS)||+;
            const HAS_PADDING: bool =
                $($T::HAS_PADDING ||)+ has_gap(0, size_of::<Self>(), &[$((offset_of!(Self, $index), size_of::<$T>())),+]);
            const HAS_VOLATILE: bool = $($T::HAS_VOLATILE)||+;
            const NICHE: Option<Niche> = niche_among::<Self>(&[$((offset_of!(Self, $index), $T::NICHE)),+]);
            const WITNESS: MaybeUninit<Self> = MaybeUninit::new((
                $(
                    // SAFETY: a witness is a valid value; here it is only looked at.
                    unsafe { $T::WITNESS.assume_init() },
                )+
            ));

            fn schema() -> &'static Schema {
                const {
                    &Schema {
                        name: "tuple",
                        arguments: &[$($T::schema),+],
                        size_bytes: size_of::<Self>(),
                        align_bytes: align_of::<Self>(),
                        kind: Kind::Struct(&[$(Field {
                            name: stringify!($index),
                            offset_bytes: offset_of!(Self, $index),
                            is_volatile: false,
                            schema: $T::schema,
                        }),+]),
                    }
                }
            }

            fn targets(types: &mut Vec<&'static NodeType>) {
                $($T::targets(types);)+
            }

            unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
                $(
                    // SAFETY: the caller's promise, of which this is the part for one element.
                    unsafe { $T::validate(at.wrapping_add(offset_of!(Self, $index)), visit) }?;
                )+
                Ok(())
            }

            fn trace(&self, tracer: &mut Tracer<'_>) {
                $(self.$index.trace(tracer);)+
            }

            unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
                // SAFETY: the caller's promise.
                ($(unsafe { self.$index.share(sharer) },)+)
            }

            unsafe fn store(this: *const Self, to: *mut u8) {
                $(
                    let element = this.wrapping_byte_add(offset_of!(Self, $index)).cast::<$T>();
                    // SAFETY: the caller's promise, of which this is the part for one element.
                    unsafe { $T::store(element, to.wrapping_add(offset_of!(Self, $index))) };
                )+
            }

            unsafe fn scrub(at: *mut u8) {
                let extents = const { sorted([$((offset_of!(Self, $index), size_of::<$T>())),+]) };
                // SAFETY: the caller's promise; elements lie within the tuple.
                unsafe { zero_gaps(at, 0, size_of::<Self>(), &extents) };
                $(
                    // SAFETY: the caller's promise, of which this is the part for one element.
                    unsafe { $T::scrub(at.wrapping_add(offset_of!(Self, $index))) };
                )+
            }

            unsafe fn reset(at: *mut u8, to: Reset) {
                $(
                    // SAFETY: the caller's promise, of which this is the part for one element.
                    unsafe { $T::reset(at.wrapping_add(offset_of!(Self, $index)), to) };
                )+
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
