//! Crash testing for the user's own types: every crash of every run, judged against a plain twin.
//!
//! **Problem.** That a section is all or nothing is the library's promise. That a program's *operations* are, is not: an invariant
//! that needs two sections is broken between them, and only a crash there shows it. Killing processes does not find it reliably, and never
//! finds a lost write-back. So the user describes a root, some operations and a twin in ordinary Rust ([`Model`]), and this
//! room runs the operations on a simulated medium, crashes after each event of the run, and opens what is left.
//!
//! **Words.** A *run* is the log of some operations on a fresh pool. A *point* is a number of events after which the crash
//! comes, a *state* one of the images that it may leave there, a *plan* says which states are tried. An operation is
//! *acknowledged* when it has returned, *in flight* before that.
//!
//! **Protocol.** Record the run, one thread, nothing by time, so that a seed means one log (`run`). Watch the log: what can be
//! decided without trying states is decided for all of them at once (`watch`, `masters`). Then, point after point (`explore`): everything
//! stored, only what is guaranteed, what recovery tells apart (`decisive`), each line alone missing and alone present, seeded
//! mixtures; all states, if there are few; none twice. A state is judged by opening it (`judge`); some more thoroughly (`thorough`). One that is wrong
//! is shrunk to the fewest missing chunks (`shrink`) and explained ([`Failure`]). Some runs have several processes, of which all
//! but the last are killed (`deaths`), some two threads (`threads`), some hardly any room (`squeeze`).
//!
//! **What a state must be** (the oracles).
//! 1. It opens, every checksum fits, what is reachable is what is allocated, and counts are in-degrees.
//! 2. Its value is the twin's after the last acknowledged operation, or after the one in flight. With buffered sections: after some
//!    operation since the last sync.
//! 3. Crashing again while it is recovered or closed, and recovering again, changes nothing. The same at another address.
//! 4. With unreachable memory poisoned it is the same. Further operations and a clean reopen behave as if nothing had happened.
//!
//! **Invariants of a log**, for all of its crash states at once, are numbered in `watch`.

mod deaths;
mod decisive;
mod environment;
mod evidence;
mod explore;
mod failure;
mod geometry;
mod judge;
mod macros;
mod masters;
mod model;
mod plan;
#[cfg(test)]
mod planted_test;
mod random;
mod record;
mod run;
mod shrink;
mod squeeze;
#[cfg(test)]
mod tests;
mod thorough;
mod threads;
mod watch;

pub use crate::hw::sim::Persistence;
pub use environment::ReplayPoint;
pub use evidence::Evidence;
pub use failure::Failure;
pub use model::{At, Model};
pub use plan::{Exploration, Plan};
pub use random::Random;
