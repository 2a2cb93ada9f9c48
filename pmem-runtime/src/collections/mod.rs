//! Collections that live in a pool: maps, sequences, queues and text, with the standard library's names.
//!
//! **Problem.** A pool's structures must never be edited where a reader may look, and yet an edit must not copy the structure.
//! So each collection is a tree of small nodes; a section copies the path that it changes, shares the rest with the version before,
//! and edits its own copies in place. What a version costs is what changed.
//!
//! **Words.** Reading takes no context: `map.get("alice")` follows plain pointers. Whatever makes nodes takes the section,
//! `tx`. A *share* (`share(&self, tx)`) is a second owner of the same tree, in constant time: undo, branches and history are
//! shares kept in other fields of the root.
//!
//! **Rules that all of them keep.**
//! 1. No `unsafe`: nodes are `persist::Array` and [`P`](crate::P), whose invariants do not depend on what a collection
//!    does with them. A `Hash`, `Eq` or `Ord` that lies can make an element be found in the wrong place, or not at all, and
//!    nothing worse; one that panics undoes the section, like every panic in a section's body.
//! 2. Nothing recurses in proportion to the number of elements; recursion over a tree's height is.
//! 3. A node made by a section is edited in place by it: 1,000 insertions in one section copy each touched node once.
//! 4. `==` compares element by element, so that a NaN differs from itself even in a share. `same`, for elements that are `Eq`, and
//!    `diff` pass over what two versions share. (The sets and the texts, whose elements are always `Eq`, do so in `==`.)
//! 5. `check()` verifies a collection's own invariants and says which one is broken, and where.
//!
//! **Damage.** `open` judges each node by itself, not whether nodes fit each other: that a parent's sums are its children's lengths, or
//! that keys ascend. Pools that fail only there were forged, or damaged and opened without `verify_checksums(true)`. What becomes
//! of a collection in such a pool:
//! - `check()` returns a [`Defect`], and neither panics nor goes on for ever;
//! - reading finds fewer elements than `len()` says, or other ones, and ends: an iterator ends early, `get` returns `None`, two
//!   collections compare as far as they have elements, or are unequal. It does not panic, but where a sound one would: indexing panics if there is no element,
//!   and who reserves memory for a forged length asks for too much;
//! - a change may panic, which undoes the section, or leave another damaged collection. Where `check()` found nothing it does neither.
//!
//! Whoever opens a stranger's pool therefore calls `check()` of each collection before changing it. None of this costs a sound pool
//! anything, and none of it is undefined behaviour.

pub mod bytes;
mod change;
mod defect;
pub mod map;
pub mod ord_map;
pub mod ord_set;
pub mod priority_queue;
pub mod queue;
mod rope;
pub(crate) mod sequence;
#[cfg(feature = "serde")]
pub mod serde;
pub mod set;
pub mod stack;
pub mod text;
pub mod vector;

pub use bytes::Bytes;
pub use change::{MapChange, SetChange};
pub use defect::Defect;
pub use map::Map;
pub use ord_map::OrdMap;
pub use ord_set::OrdSet;
pub use priority_queue::PriorityQueue;
pub use queue::Queue;
pub use set::Set;
pub use stack::Stack;
pub use text::Text;
pub use vector::Vector;
