//! `Array`: an owning pointer to a node of variable length. Every collection is made of these, so that the
//! collections themselves need no `unsafe`.
//!
//! **Problem.** A tree's node holds some elements and some children, as many as there are. Rust has no such type, and a
//! `P` to a struct with room for the most would write and keep what is not there.
//!
//! **Words.** An array node's payload is a *head* ([`Head`]), then *children* `B`, then *extras* `C`, then *items* `A`, each
//! kind side by side at the alignment of its type ([`Places`]). The head's first duty is to say how many there are of each
//! ([`Counts`]). What is left up to the node's length is *room*, and zero when the node is committed.
//!
//! Which of the three a structure uses is its own affair: a map has entries as items and subtrees as children, a vector's
//! leaf has items only, its inner nodes have children and, as extras, how many elements lie under each.
//!
//! **Invariants.**
//! 1. The payload of a valid array node begins with a valid head, and as many valid elements as the head counts lie where
//!    [`Places`] says, within the node's length.
//! 2. The head is a plain value: its counts depend on its bytes alone.
//! 3. An array node's pointers are those of its elements.
//! 4. If the items are single bytes, the head accepts them ([`Head::judge`]): at open because it was asked, in a section because
//!    each change of the items was allowed ([`Head::allows`]).

mod head;
mod layout;
mod node_type;
mod pointer;
mod ranked;

pub(crate) use head::{Counts, Head, Lens, Slots, Utf8};
pub(crate) use layout::Places;
pub(crate) use pointer::{Array, single_bytes};
pub(crate) use ranked::Ranked;
