//! Sections and their commit: one fence, durable on return.
//!
//! **Problem.** A section's new version is true only when all its lines are on the medium, and nothing orders the lines'
//! way there but a fence, the dearest instruction of all. MOD (ASPLOS 2020, section 4) pays one fence and a pointer swap
//! that becomes durable with the *next* fence. Here a section is durable when it returns, still with one fence.
//!
//! **Words.** A section's *fresh* nodes are those it made; they may be edited in place. What it *moved* out of, *released*
//! or *shared* are committed nodes. A *record* in the writer's *ring* names the section's *ticket*, the cells it changed and
//! the runs of lines it wrote, with a hash over the nodes. A *checkpoint* writes the cells' masters and then the
//! *watermark*: records up to it are settled, their ring lines and the nodes retired by them may be reused.
//!
//! **Protocol** ([`publish`]).
//! 1. Finish the fresh nodes (padding, checksum), write their lines back.
//! 2. Store the record, write it back.
//! 3. Fence. The only ordering point: nodes and record reach the medium in any order before it.
//! 4. Link the new version, advance the durable horizon. Retire what the section moved out of or released.
//!
//! Recovery believes a record if a later record claims that its ticket was durable, or if the hash over the nodes that it
//! names is right. A section too large to hash writes its nodes, fences, and then does steps 2 and 3.
//!
//! **Invariants.**
//! 1. A committed node is written by nobody, its refcount aside ([`Shadow`] edits fresh nodes only).
//! 2. A line is freed only if it belongs to a fresh node of a section that gave it up, or to a node retired by a ticket
//!    that both the persistent watermark and every pinned section have reached ([`Writer::reclaim`]).
//! 3. A ring line is overwritten only when the watermark has passed its record ([`ring`]).
//! 4. One section at a time changes the root; it holds the writer.
//! 5. A node's refcount is at least the number of its owners in the newest version and in every version that a pinned
//!    section can read; counts given back reach the header only when no such version is left.

mod array;
mod buffer;
mod checkpoint;
mod core;
mod counters;
mod fase;
mod publish;
mod record;
mod ring;
mod shadow;
mod writer;

pub(crate) use self::buffer::write_back;
pub(crate) use self::core::{Core, CoreParts, MASTER_SLOTS};

pub(crate) use checkpoint::{CHECKPOINT_SLOT_BYTES, CheckpointSlot};
pub use counters::Counters;
pub(crate) use counters::Tally;
pub use fase::Fase;
pub(crate) use fase::make_root;
pub(crate) use publish::commit;
pub(crate) use record::{NodesHash, Record, RecordKind, Run};
pub(crate) use ring::Ring;
pub(crate) use shadow::Shadow;
pub(crate) use writer::Writer;

/// When a section's effects are durable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// When the section returns: one fence.
    #[default]
    Immediate,
    /// At the next group flush: no fence. A crash takes the newest sections, never one without all later ones.
    Buffered,
}
