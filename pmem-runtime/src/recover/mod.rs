//! From the bytes of a pool to a heap that may be used: which lines are alive, and how often each node is referred to.
//!
//! **Problem.** The allocator keeps nothing on the medium, and refcounts are never flushed. After a crash both are
//! found again by walking everything that the root reaches. The walk meets bytes that nobody has judged: a torn file,
//! a failing disk, an enemy. It must be fast (a pool is opened before it is of any use), must not recurse (a list may
//! have a million nodes), and must end in a heap that is right or in an error that says where the damage lies.
//!
//! **Words.** The *image* is the pool as mapped. A *start* is the offset where a node's header lies; *marking* visits
//! each start once. A node's *in-degree* is the number of pointers to it from marked nodes, and one more for the root:
//! what its refcount ought to be. An *edge* is a pointer met while marking, with the type that it must lead to. The
//! *registry* knows every type that a pool of a given root may hold, by the identity in headers.
//!
//! **Protocol.** The caller maps the pool, replays its records, and builds a [`Registry`](crate::persist::Registry). [`Marker::mark`] then walks
//! from the root: of each edge's target it judges place, type, length, payload and (on request) checksum, in this
//! order, before it uses what it read. Nothing is written meanwhile: a pool that proves to be damaged is left as it
//! was found. Only when the whole graph is good do [`relocate()`], [`reset_volatile`] and [`fix_refcounts`] write,
//! guided by the starts. The first may be interrupted at any store and run again.
//!
//! **Invariants.**
//! 1. An [`Image`]'s bytes are mapped and initialised, and no one else writes them while it exists.
//! 2. A [`Candidate`] lies wholly in the image's heap, on a line, with the type and a length that the type allows.
//! 3. A [`Judged`] node's payload is valid for its type, so the type's functions may be applied to it; if the image ignores
//!    volatile fields, those aside, and only `reset` may be applied before it has set them.
//! 4. Each start is entered into [`Starts`] once, and whoever entered it is the only one to mark its lines. Two nodes
//!    that share a line are therefore noticed by whoever marks second, whatever the order and the number of threads.
//! 5. Memory and time are linear in the image: an edge is pushed once, when the node it lies in is judged, and a node
//!    is judged once.
//! 6. In a [`Registry`](crate::persist::Registry), an identity belongs to one type. So an equal identity in a header proves an equal type.

mod cycles;
mod error;
mod image;
mod injector;
mod mark;
#[cfg(feature = "crash-test")]
mod reachable;
mod relocate;
mod replay;
mod report;
mod scratch;
mod starts;
#[cfg(test)]
mod tests;

pub use error::{MarkError, Referrer};
pub use replay::ReplayError;
pub use report::{LastClose, Moved, Phase, Progress, Recovery};

pub(crate) use cycles::refuse_cycles;
pub(crate) use image::{Candidate, Header, Image, Judged};
pub(crate) use mark::{Checksums, LineMap, Marked, Marker, Seen};
#[cfg(feature = "crash-test")]
pub(crate) use reachable::PoolCopy;
pub(crate) use relocate::{fix_refcounts, relocate, reset_volatile};
pub(crate) use replay::{ReplayLayout, Replayed, replay};
pub(crate) use scratch::Scratch;
pub(crate) use starts::Starts;
