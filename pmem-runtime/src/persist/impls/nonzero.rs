//! Numbers that are not zero.

use std::mem::size_of;
use std::num::NonZero;

use super::scalar::scalar;
use crate::persist::layout::read_tag;
use crate::persist::{
    Fault, Kind, Niche, NodeType, Persistent, Scalar, Schema, Sharer, Tracer, Visit, hash_str,
};

macro_rules! nonzero {
    ($kind:ident: $($type:ty = $name:literal),+) => {
        $(scalar!(
            NonZero<$type>,
            $name,
            Scalar::$kind,
            NonZero::<$type>::MIN,
            Some(Niche::zero(size_of::<$type>())),
            judge::<{ size_of::<$type>() }>
        );)+
    };
}

nonzero!(NonZeroUnsigned: u8 = "NonZeroU8", u16 = "NonZeroU16", u32 = "NonZeroU32", u64 = "NonZeroU64");
nonzero!(NonZeroUnsigned: u128 = "NonZeroU128", usize = "NonZeroUsize");
nonzero!(NonZeroSigned: i8 = "NonZeroI8", i16 = "NonZeroI16", i32 = "NonZeroI32", i64 = "NonZeroI64");
nonzero!(NonZeroSigned: i128 = "NonZeroI128", isize = "NonZeroIsize");

/// # Safety
/// `WIDTH` bytes at `at` are initialised and readable.
unsafe fn judge<const WIDTH: usize>(at: *const u8) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    if unsafe { read_tag(at, WIDTH) } != 0 {
        return Ok(());
    }
    Err(Fault { at: at.addr() as u64, expected: "a number that is not zero", found: 0 })
}
