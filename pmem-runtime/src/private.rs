//! What the derive's output names. Not for people: nothing here is stable, and both crates move together.

pub use crate::persist::layout::{
    Extent, VariantLayout, has_gap, hash_field, hash_variant, offset_within, read_tag, sorted, unknown_tag,
    write_tag, zero_gaps,
};
pub use crate::persist::niche::{niche_among, niche_of_field, niche_of_tags};
pub use crate::persist::{
    EnumRepr, Fault, Field, Kind, Niche, Persistent, Schema, Sharer, Tracer, Variant, Visit, combine, hash_str,
};
