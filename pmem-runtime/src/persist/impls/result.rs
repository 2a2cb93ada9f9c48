//! `Result`: one of two payloads.

use std::mem::{MaybeUninit, align_of, size_of};

use crate::persist::layout::{offset_within, read_tag, write_tag};
use crate::persist::sum::{Sum, tag_width};
use crate::persist::{
    Fault, Field, Kind, Niche, NodeType, Persistent, Reset, Schema, Sharer, Tracer, Variant, Visit, combine,
    hash_str,
};

const OK: usize = 0;
const ERR: usize = 1;

const UNPROVED: &str = "the compiler keeps this `Result` in a way that cannot be proved; write an enum with \
                        `#[repr(C, u8)]` instead, or put the larger side behind `P<'p, T>`";

struct Proof<T, E>(T, E);

impl<T: Persistent, E: Persistent> Proof<T, E> {
    /// Where `Ok` and `Err` are kept, proved while compiling.
    const SUM: Sum = {
        let size = size_of::<Result<T, E>>();
        let is_tagged = size > size_of::<T>() && size > size_of::<E>();
        let sum = if is_tagged { Self::tagged() } else { Self::in_niche() };
        Self::check(&sum, OK);
        Self::check(&sum, ERR);
        sum
    };

    const fn witness(index: usize) -> MaybeUninit<Result<T, E>> {
        if index == OK {
            // SAFETY: a witness is a valid value; here it is only looked at.
            return MaybeUninit::new(Ok(unsafe { T::WITNESS.assume_init() }));
        }
        // SAFETY: a witness is a valid value; here it is only looked at.
        MaybeUninit::new(Err(unsafe { E::WITNESS.assume_init() }))
    }

    /// Offset and size of each payload.
    const fn payloads() -> [(usize, usize); 2] {
        let (ok, err) = (Self::witness(OK), Self::witness(ERR));
        // SAFETY: just initialised.
        let ok_value = unsafe { &*ok.as_ptr() };
        // SAFETY: just initialised.
        let err_value = unsafe { &*err.as_ptr() };
        let (Ok(left), Err(right)) = (ok_value, err_value) else { panic!("`Ok` is `Ok` and `Err` is `Err`") };
        // SAFETY: the payload is a part of the value.
        let left = unsafe { offset_within(ok.as_ptr(), left) };
        // SAFETY: the payload is a part of the value.
        let right = unsafe { offset_within(err.as_ptr(), right) };
        [(left, size_of::<T>()), (right, size_of::<E>())]
    }

    const fn tagged() -> Sum {
        let [left, right] = Self::payloads();
        let width = tag_width([(left.0, left.1, align_of::<T>()), (right.0, right.1, align_of::<E>())]);
        Sum::tagged(width, [left, right])
    }

    const fn in_niche() -> Sum {
        let (larger, niche) = if size_of::<T>() > size_of::<E>() { (OK, T::NICHE) } else { (ERR, E::NICHE) };
        let payloads = Self::payloads();
        let Some(niche) = niche else { panic!("{}", UNPROVED) };
        let smaller = Self::witness(1 - larger);
        // SAFETY: a niche lies within its payload, which is not larger than the sum; an uninitialised byte would be a
        // compile error.
        let pattern = unsafe {
            read_tag(smaller.as_ptr().cast::<u8>().wrapping_add(niche.offset_bytes), niche.width_bytes)
        };
        let [first, last] = niche.ends();
        assert!(pattern == first || pattern == last, "{}", UNPROVED);
        Sum::in_niche(niche, pattern, 1 - larger, payloads)
    }

    const fn which(value: &MaybeUninit<Result<T, E>>) -> usize {
        // SAFETY: only the discriminant is read; were it not initialised, this would be a compile error.
        if unsafe { &*value.as_ptr() }.is_ok() { OK } else { ERR }
    }

    /// That an alternative with a mark has it, and that whatever has the mark, all other bytes being uninitialised, is
    /// that alternative; and that one without a mark starts at the start, as its niche does.
    const fn check(sum: &Sum, index: usize) {
        let (offset, width) = sum.tag;
        let (start, len_bytes) = sum.alternatives[index].payload;
        let Some(mark) = sum.alternatives[index].mark else {
            assert!(start == 0, "{}", UNPROVED);
            return;
        };
        assert!(len_bytes == 0 || start >= offset + width || start + len_bytes <= offset, "{}", UNPROVED);
        let value = Self::witness(index);
        // SAFETY: within the result; an uninitialised byte would be a compile error.
        let found = unsafe { read_tag(value.as_ptr().cast::<u8>().wrapping_add(offset), width) };
        assert!(found == mark, "{}", UNPROVED);
        let mut marked = MaybeUninit::<Result<T, E>>::uninit();
        // SAFETY: within the result, as just asked by reading.
        unsafe { write_tag(marked.as_mut_ptr().cast::<u8>().wrapping_add(offset), width, mark) };
        assert!(Self::which(&marked) == index, "{}", UNPROVED);
    }
}

// SAFETY: `SUM` is proved: its invariants give the places of the mark and of the payloads, and what the mark means. The
// payloads' own methods do the rest, each called if and only if it is the one there.
unsafe impl<T: Persistent, E: Persistent> Persistent for Result<T, E> {
    type At<'p> = Result<T::At<'p>, E::At<'p>>;

    const NAME: &'static str = "Result";
    const NAME_HASH: u64 = combine(combine(hash_str("Result"), T::NAME_HASH), E::NAME_HASH);
    const LAYOUT_HASH: u64 =
        Proof::<T, E>::SUM.hash(combine(combine(hash_str("Result"), T::LAYOUT_HASH), E::LAYOUT_HASH));
    const HAS_POINTERS: bool = T::HAS_POINTERS || E::HAS_POINTERS;
    const HAS_PADDING: bool =
        T::HAS_PADDING || E::HAS_PADDING || Proof::<T, E>::SUM.has_gap(size_of::<Self>());
    const HAS_VOLATILE: bool = T::HAS_VOLATILE || E::HAS_VOLATILE;
    const NICHE: Option<Niche> = Proof::<T, E>::SUM.niche;
    // SAFETY: a witness is a valid value; here it is only looked at.
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new(Ok(unsafe { T::WITNESS.assume_init() }));

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "Result",
                arguments: &[T::schema, E::schema],
                size_bytes: size_of::<Self>(),
                align_bytes: align_of::<Self>(),
                kind: Kind::Enum {
                    repr: Proof::<T, E>::SUM.repr(),
                    variants: &[
                        Variant {
                            name: "Ok",
                            tag: Proof::<T, E>::SUM.shown_tag(OK),
                            fields: &[Field {
                                name: "0",
                                offset_bytes: Proof::<T, E>::SUM.alternatives[OK].payload.0,
                                is_volatile: false,
                                schema: T::schema,
                            }],
                        },
                        Variant {
                            name: "Err",
                            tag: Proof::<T, E>::SUM.shown_tag(ERR),
                            fields: &[Field {
                                name: "0",
                                offset_bytes: Proof::<T, E>::SUM.alternatives[ERR].payload.0,
                                is_volatile: false,
                                schema: E::schema,
                            }],
                        },
                    ],
                },
            }
        }
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        T::targets(types);
        E::targets(types);
    }

    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
        let sum = const { Proof::<T, E>::SUM };
        // SAFETY: the caller's promise.
        let index = unsafe { sum.which(at) }?;
        let payload = at.wrapping_add(sum.alternatives[index].payload.0);
        if index == OK {
            // SAFETY: the caller's promise, of which this is the part for the payload.
            return unsafe { T::validate(payload, visit) };
        }
        // SAFETY: the caller's promise, of which this is the part for the payload.
        unsafe { E::validate(payload, visit) }
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        match self {
            Ok(payload) => payload.trace(tracer),
            Err(payload) => payload.trace(tracer),
        }
    }

    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
        match self {
            // SAFETY: the caller's promise.
            Ok(payload) => Ok(unsafe { payload.share(sharer) }),
            // SAFETY: the caller's promise.
            Err(payload) => Err(unsafe { payload.share(sharer) }),
        }
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        let sum = const { Proof::<T, E>::SUM };
        // SAFETY: the caller's promise.
        let index = unsafe { sum.which_of_valid(this.cast()) };
        // SAFETY: the caller's promise.
        unsafe { sum.store_mark(to, index) };
        let offset = sum.alternatives[index].payload.0;
        let (payload, to) = (this.wrapping_byte_add(offset), to.wrapping_add(offset));
        if index == OK {
            // SAFETY: the caller's promise, of which this is the part for the payload.
            return unsafe { T::store(payload.cast(), to) };
        }
        // SAFETY: the caller's promise, of which this is the part for the payload.
        unsafe { E::store(payload.cast(), to) }
    }

    unsafe fn scrub(at: *mut u8) {
        let sum = const { Proof::<T, E>::SUM };
        // SAFETY: the caller's promise.
        let index = unsafe { sum.which_of_valid(at) };
        // SAFETY: the caller's promise.
        unsafe { sum.scrub_gaps(at, size_of::<Self>(), index) };
        let payload = at.wrapping_add(sum.alternatives[index].payload.0);
        if index == OK {
            // SAFETY: the caller's promise, of which this is the part for the payload.
            return unsafe { T::scrub(payload) };
        }
        // SAFETY: the caller's promise, of which this is the part for the payload.
        unsafe { E::scrub(payload) }
    }

    unsafe fn reset(at: *mut u8, to: Reset) {
        let sum = const { Proof::<T, E>::SUM };
        // SAFETY: the caller's promise.
        let index = unsafe { sum.which_of_valid(at) };
        let payload = at.wrapping_add(sum.alternatives[index].payload.0);
        if index == OK {
            // SAFETY: the caller's promise, of which this is the part for the payload.
            return unsafe { T::reset(payload, to) };
        }
        // SAFETY: the caller's promise, of which this is the part for the payload.
        unsafe { E::reset(payload, to) }
    }
}
