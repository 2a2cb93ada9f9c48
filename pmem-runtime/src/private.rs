//! What the derive's output names. Not for people: nothing here is stable, and both crates move together.
//!
//! Names of the language's own library are here too, so that a user's `Option` or `u64` does not stand in for them.

pub use core::clone::Clone;
pub use core::cmp::{Eq, Ord, Ordering, PartialEq, PartialOrd};
pub use core::default::Default;
pub use core::fmt::{self, Debug, Formatter};
pub use core::hash::{Hash, Hasher};
pub use core::marker::{Copy, PhantomData, Send, Sync};
pub use core::matches;
pub use core::mem::{MaybeUninit, align_of, offset_of, size_of};
pub use core::ops::Drop;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::{bool, isize, str, u8, u64};
pub use core::result::Result::{self, Err, Ok};
pub use std::vec::Vec;

pub use crate::commit::Fase;
pub use crate::functional::{
    AssertEq, ByEq, ByOrd, ByPartialOrd, Compare, Comparison, Unequal, Walk, debug_within, hash_length,
    in_order, ordering, total,
};
pub use crate::persist::layout::{
    Extent, VariantLayout, check_layout, copy_tag, extent_within, has_gap, hash_field, hash_variant,
    other_variant, position, require_volatile, reset_volatile, tag_of, unknown_tag, zero_gaps,
};
pub use crate::persist::niche::{niche_among, niche_of_tags};
pub use crate::persist::{
    EnumRepr, Fault, Field, Kind, Niche, P, Persistent, Reset, Schema, Sharer, Tracer, Variant, Visit,
    combine, hash_str,
};

/// Where `Persistent::targets` lists node types.
pub type NodeTypes = std::vec::Vec<&'static crate::persist::NodeType>;
