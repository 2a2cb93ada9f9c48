//! The pool's file: its bytes outside the heap, its mapping, its birth, its opening, its growth.
//!
//! **Problem.** A pool is a range of addresses backed by a file that may be anything: a stranger's, a half-made one, one
//! that is open elsewhere. Everything above works on plain addresses, so every doubt is settled here, before the first
//! of them is used, by a typed error; and a pool that is opened is never the worse for a failed opening.
//!
//! **Words.** The *base* is the address at which the pool was mapped when its pointers were written. The *reservation* is
//! the range of addresses that the pool may grow into; the file is mapped over all of it at once, and what lies behind the
//! file's end is never touched. A *draft* is a pool that no one can see yet. The *recorded length* is the superblock's.
//!
//! **Protocol.** *Create:* a nameless file, its space really allocated, locked, mapped, filled; fence; the superblocks
//! without their magic; fence; **the magic**; fence; then the name. *Open:* lock, read and judge the superblocks without
//! mapping, compare lengths, check the schema, map. *Update the superblock:* the older of the two slots is overwritten with
//! a higher sequence number; the newest valid one counts. *Grow:* space and file length first, durable, then the recorded
//! length, durable, then use.
//!
//! **Invariants.**
//! 1. A superblock is believed only if its checksum holds, and used only if its geometry does (`Superblock::check`).
//! 2. Recorded length <= durable length of the file, always; so no store below the recorded length meets a missing page.
//! 3. `Region` is mapped from its base over the whole reservation as long as it lives; memory is touched below the recorded
//!    length only.
//! 4. A pool opened for writing is locked against everyone; one opened for reading is locked against writers.
//! 5. A pool's name appears after its bytes are durable. A failed creation leaves no name.

mod bases;
mod create;
mod device;
mod file;
mod format;
mod judge;
mod lock;
mod open;
mod publish;
mod random;
mod region;
mod schema_diff;
mod session;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use create::{CreateSpec, Draft};
pub(crate) use file::{Access, PoolFile};
#[cfg(test)]
pub(crate) use format::Superblock;
pub(crate) use open::OpenSpec;
pub(crate) use region::Region;
pub(crate) use schema_diff::schema_diff;
pub(crate) use session::SavedBitmap;

/// The length at which any pool fits, whatever its types.
pub(crate) const MIN_POOL_BYTES: u64 = 256 << 10;
