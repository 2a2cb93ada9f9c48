//! `Option`: a payload or its absence.

use std::mem::{MaybeUninit, align_of, size_of};

use crate::persist::layout::{offset_within, read_tag, write_tag};
use crate::persist::niche::pattern_of_none;
use crate::persist::sum::{Sum, tag_width};
use crate::persist::{
    Fault, Field, Kind, Niche, NodeType, Persistent, Reset, Schema, Sharer, Tracer, Variant, Visit, combine,
    hash_str,
};

const NONE: usize = 0;
const SOME: usize = 1;

struct Proof<T>(T);

impl<T: Persistent> Proof<T> {
    /// Where `None` and `Some` are kept, proved while compiling.
    const SUM: Sum = {
        let is_tagged = size_of::<Option<T>>() > size_of::<T>();
        let sum = if is_tagged { Self::tagged() } else { Self::in_niche() };
        assert!(
            is_tagged || Self::payload_offset() == 0,
            "the payload of an `Option` in a niche starts with it"
        );
        Self::check_none(&sum);
        sum
    };

    const fn payload_offset() -> usize {
        // SAFETY: a witness is a valid value; here it is only looked at.
        let some = MaybeUninit::new(Some(unsafe { T::WITNESS.assume_init() }));
        // SAFETY: just initialised.
        match unsafe { &*some.as_ptr() } {
            // SAFETY: the payload is a part of `some`.
            Some(payload) => unsafe { offset_within(some.as_ptr(), payload) },
            None => panic!("`Some` is `Some`"),
        }
    }

    const fn tagged() -> Sum {
        let offset = Self::payload_offset();
        let width = tag_width([(offset, size_of::<T>(), align_of::<T>()), (0, 0, 1)]);
        // SAFETY: a witness is a valid value; here it is only looked at.
        let some = MaybeUninit::new(Some(unsafe { T::WITNESS.assume_init() }));
        // SAFETY: within the option; an uninitialised byte would be a compile error.
        let tag = unsafe { read_tag(some.as_ptr().cast(), width) };
        assert!(tag == 1, "this compiler does not mark `Some` by a tag of 1");
        Sum::tagged(width, [(0, 0), (offset, size_of::<T>())])
    }

    const fn in_niche() -> Sum {
        let proved = match T::NICHE {
            Some(niche) => (niche, pattern_of_none::<T>(niche)),
            None => (Niche::zero(1), None),
        };
        let (niche, Some(pattern)) = proved else {
            panic!(
                "the compiler keeps this `Option` in a way that cannot be proved; write an enum with \
                 `#[repr(C, u8)]` instead, or put the payload behind `P<'p, T>`"
            )
        };
        Sum::in_niche(niche, pattern, NONE, [(0, 0), (0, size_of::<T>())])
    }

    /// That `None` has the mark, and that whatever has the mark is `None`, all other bytes being uninitialised.
    const fn check_none(sum: &Sum) {
        let none = MaybeUninit::new(None::<T>);
        let (offset, width) = sum.tag;
        let Some(mark) = sum.alternatives[NONE].mark else { panic!("`None` has a mark") };
        // SAFETY: within the option; an uninitialised byte would be a compile error.
        let found = unsafe { read_tag(none.as_ptr().cast::<u8>().wrapping_add(offset), width) };
        assert!(found == mark, "this compiler marks `None` in another way than expected");
        let mut marked = MaybeUninit::<Option<T>>::uninit();
        // SAFETY: within the option, as just asked by reading.
        unsafe { write_tag(marked.as_mut_ptr().cast::<u8>().wrapping_add(offset), width, mark) };
        // SAFETY: only the discriminant is read; were it more than the mark, this would be a compile error.
        let is_none = unsafe { &*marked.as_ptr() }.is_none();
        assert!(is_none, "this compiler reads the mark of `None` in another way than expected");
    }
}

// SAFETY: `SUM` is proved: its invariants give the place of the mark and of the payload, and what the mark means. The
// payload's own methods do the rest, and are called if and only if there is one.
unsafe impl<T: Persistent> Persistent for Option<T> {
    type At<'p> = Option<T::At<'p>>;

    const NAME: &'static str = "Option";
    const NAME_HASH: u64 = combine(hash_str("Option"), T::NAME_HASH);
    const LAYOUT_HASH: u64 = Proof::<T>::SUM.hash(combine(hash_str("Option"), T::LAYOUT_HASH));
    const HAS_POINTERS: bool = T::HAS_POINTERS;
    const HAS_PADDING: bool = T::HAS_PADDING || Proof::<T>::SUM.has_gap(size_of::<Self>());
    const HAS_VOLATILE: bool = T::HAS_VOLATILE;
    const NICHE: Option<Niche> = Proof::<T>::SUM.niche;
    // SAFETY: a witness is a valid value; here it is only looked at.
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new(Some(unsafe { T::WITNESS.assume_init() }));

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "Option",
                arguments: &[T::schema],
                size_bytes: size_of::<Self>(),
                align_bytes: align_of::<Self>(),
                kind: Kind::Enum {
                    repr: Proof::<T>::SUM.repr(),
                    variants: &[
                        Variant { name: "None", tag: Proof::<T>::SUM.shown_tag(NONE), fields: &[] },
                        Variant {
                            name: "Some",
                            tag: Proof::<T>::SUM.shown_tag(SOME),
                            fields: &[Field {
                                name: "0",
                                offset_bytes: Proof::<T>::SUM.alternatives[SOME].payload.0,
                                is_volatile: false,
                                schema: T::schema,
                            }],
                        },
                    ],
                },
            }
        }
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        T::targets(types);
    }

    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
        let sum = const { Proof::<T>::SUM };
        // SAFETY: the caller's promise.
        if unsafe { sum.which(at) }? == NONE {
            return Ok(());
        }
        // SAFETY: the caller's promise, of which this is the part for the payload.
        unsafe { T::validate(at.wrapping_add(sum.alternatives[SOME].payload.0), visit) }
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Some(payload) = self {
            payload.trace(tracer);
        }
    }

    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
        // SAFETY: the caller's promise.
        self.as_ref().map(|payload| unsafe { payload.share(sharer) })
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        let sum = const { Proof::<T>::SUM };
        // SAFETY: the caller's promise.
        let index = unsafe { sum.which_of_valid(this.cast()) };
        // SAFETY: the caller's promise.
        unsafe { sum.store_mark(to, index) };
        if index == SOME {
            let offset = sum.alternatives[SOME].payload.0;
            // SAFETY: the caller's promise, of which this is the part for the payload.
            unsafe { T::store(this.wrapping_byte_add(offset).cast(), to.wrapping_add(offset)) };
        }
    }

    unsafe fn scrub(at: *mut u8) {
        let sum = const { Proof::<T>::SUM };
        // SAFETY: the caller's promise.
        let index = unsafe { sum.which_of_valid(at) };
        // SAFETY: the caller's promise.
        unsafe { sum.scrub_gaps(at, size_of::<Self>(), index) };
        if index == SOME {
            // SAFETY: the caller's promise, of which this is the part for the payload.
            unsafe { T::scrub(at.wrapping_add(sum.alternatives[SOME].payload.0)) };
        }
    }

    unsafe fn reset(at: *mut u8, to: Reset) {
        let sum = const { Proof::<T>::SUM };
        // SAFETY: the caller's promise.
        if unsafe { sum.which_of_valid(at) } == SOME {
            // SAFETY: the caller's promise, of which this is the part for the payload.
            unsafe { T::reset(at.wrapping_add(sum.alternatives[SOME].payload.0), to) };
        }
    }
}
