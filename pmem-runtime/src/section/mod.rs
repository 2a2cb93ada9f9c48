//! Sections: who sees which version, and when an old one may go.
//!
//! **Problem.** A reader holds plain references into the pool and must never wait. A writer makes a new version beside the old
//! one. So a reader must know which versions it sees, and a reclaimer must know which ones nobody can see any more.
//!
//! **Words.** A *ticket* is a commit's [`Timestamp`], drawn from a shared counter; tickets are dense, and each is some day
//! *completed* or *failed*. The *durable horizon* is the largest ticket up to which every commit is durable; the *visible
//! horizon*, which is never behind, is the largest up to which every commit's versions are linked ([`Clock`]). A *pin* holds a
//! timestamp `L`, read from a horizon: its section sees, of every cell, the newest version with a stamp of at most `L`
//! ([`Pins`], [`Versions`]). The *bound* of a reclaimer is a timestamp that no pin, now or later, lies below.
//!
//! **Protocol.** A committer holds the locks of its cells. It draws a ticket `W`, links a version stamped `W` to each cell, makes
//! its record durable, completes `W`, and only then returns, unlocks and drops its pin. A ticket is completed only after
//! all before it, so whoever reads a horizon at or past `W` sees the links of `W` and of every commit before it. A reclaimer
//! reads the durable horizon, then computes the bound from it and from the pins, then trims.
//!
//! **Invariants.**
//! 1. A horizon never goes back, and `durable <= visible`.
//! 2. Whoever reads a horizon `H` (acquire) sees every version stamped `<= H` linked: `Versions::push(W)` happens before
//!    `complete(W)` or `publish_visible(W)`, and each ticket's completion happens before the next one's.
//! 3. A pin's timestamp was read after the pin's slot was seen taken by every reclaimer that does not see the pin's section begin
//!    later than its own fence (the argument is at [`Pins::pin`]); so a pin lies at or past every bound computed since.
//! 4. Under a pin at `L`, of each cell only the versions from the newest down to the newest stamped `<= L` are read.
//! 5. `trim(bound)` frees only versions older than the newest stamped `<= bound`. With 3 and 4 nobody reads those.
//! 6. No version and no node is written in place, so one grace period is enough.
//!
//! The models in `clock/models.rs` and `pins/models.rs` run these protocols under loom, each beside a broken twin that loom must refute:
//! `RUSTFLAGS="--cfg loom" cargo test -p pmem-runtime --lib --release loom_`.

mod clock;
mod pins;
mod snapshot;
#[cfg(all(test, not(loom)))]
mod tests;
mod versions;

pub(crate) use clock::{Clock, Timestamp};
pub(crate) use pins::{Pin, Pins};
pub use snapshot::Snapshot;
pub(crate) use versions::Versions;
