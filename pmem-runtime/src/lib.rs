//! Persistent memory for ordinary Rust types.

// Lifetimes carry the safety argument here, so they are always visible in types.
#![deny(elided_lifetimes_in_paths)]

pub mod hw;
pub mod persist;

mod commit;
mod error;
mod fase_error;
#[cfg(test)]
mod format_test;
mod heap;
mod pool;
mod recover;
mod section;
mod store;
mod sync;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

// The derive names the runtime by its own name, also inside it.
extern crate self as pmem_runtime;

pub use commit::{Counters, Durability, Fase};
pub use error::{CreateError, Limits, OpenError, SlotFault};
pub use fase_error::{FaseError, FaseFault};
pub use hw::Survives;
pub use persist::{P, Persistent, TypeId32};
pub use pmem_derive::Persistent;
pub use recover::{LastClose, MarkError, Moved, Phase, Progress, Recovery, Referrer, RegistryError, ReplayError};
pub use section::Snapshot;
pub use store::{CheckReport, CreateFault, NodeInfo, OpenFault, Options, Pool};
