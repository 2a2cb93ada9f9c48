//! Numbers, truth values and characters.

use std::mem::size_of;

use crate::persist::{
    Fault, Kind, Niche, NodeType, Persistent, Scalar, Schema, Sharer, Tracer, Visit, hash_str,
};

/// A type whose bytes are all its own, that owns nothing, and that is judged by `$judge`.
macro_rules! scalar {
    ($type:ty, $name:literal, $kind:expr, $witness:expr, $niche:expr, $judge:expr) => {
        // SAFETY: without pointers, `At` is the type itself, and there is nothing to report. Scalars have no padding, so
        // a copy of their bytes is `store` and nothing needs scrubbing. `$judge` accepts exactly the valid bit patterns.
        unsafe impl Persistent for $type {
            type At<'p> = $type;

            const NAME: &'static str = $name;
            const NAME_HASH: u64 = hash_str($name);
            const LAYOUT_HASH: u64 = hash_str($name);
            const HAS_POINTERS: bool = false;
            const HAS_PADDING: bool = false;
            const NICHE: Option<Niche> = $niche;
            const WITNESS: std::mem::MaybeUninit<Self> = std::mem::MaybeUninit::new($witness);

            fn schema() -> &'static Schema {
                &Schema {
                    name: $name,
                    arguments: &[],
                    size_bytes: size_of::<$type>(),
                    align_bytes: align_of::<$type>(),
                    kind: Kind::Scalar($kind),
                }
            }

            fn targets(_types: &mut Vec<&'static NodeType>) {}

            unsafe fn validate(at: *const u8, _visit: &mut Visit<'_>) -> Result<(), Fault> {
                let judge: unsafe fn(*const u8) -> Result<(), Fault> = $judge;
                // SAFETY: the caller's promise.
                unsafe { judge(at) }
            }

            fn trace(&self, _tracer: &mut Tracer<'_>) {}

            unsafe fn share(&self, _sharer: &Sharer<'_>) -> Self {
                *self
            }

            unsafe fn store(this: *const Self, to: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { this.cast::<u8>().copy_to_nonoverlapping(to, size_of::<Self>()) }
            }

            unsafe fn scrub(_at: *mut u8) {}
        }
    };
}

pub(super) use scalar;

macro_rules! numbers {
    ($kind:ident: $($type:ty = $name:literal),+) => {
        $(scalar!($type, $name, Scalar::$kind, 0 as $type, None, |_| Ok(()));)+
    };
}

numbers!(Unsigned: u8 = "u8", u16 = "u16", u32 = "u32", u64 = "u64", u128 = "u128");
// Pools exist on 64-bit machines only (`hw` refuses to compile elsewhere), so these have one width.
numbers!(Unsigned: usize = "usize");
numbers!(Signed: isize = "isize");
numbers!(Signed: i8 = "i8", i16 = "i16", i32 = "i32", i64 = "i64", i128 = "i128");
numbers!(Float: f32 = "f32", f64 = "f64");
scalar!(bool, "bool", Scalar::Bool, false, Niche::outside(1, 0, 1), judge_bool);
scalar!(char, "char", Scalar::Char, '\0', Niche::outside(4, 0, char::MAX as u128), judge_char);

/// # Safety
/// The byte at `at` is initialised and readable.
unsafe fn judge_bool(at: *const u8) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let found = unsafe { at.read() };
    if found <= 1 {
        return Ok(());
    }
    Err(Fault { at: at.addr() as u64, expected: "a bool: 0 or 1", found: u64::from(found) })
}

/// # Safety
/// Four bytes at `at` are initialised, readable and aligned to four.
unsafe fn judge_char(at: *const u8) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let found = unsafe { at.cast::<u32>().read() };
    if char::from_u32(found).is_some() {
        return Ok(());
    }
    let expected = "a char: a Unicode scalar value";
    Err(Fault { at: at.addr() as u64, expected, found: u64::from(found) })
}
