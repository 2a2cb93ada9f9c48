//! Persistent memory for ordinary Rust types.

pub mod hw;
pub mod persist;

mod commit;
mod error;
mod fase_error;
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
pub use error::{CreateError, OpenError};
pub use fase_error::{FaseError, FaseFault};
pub use hw::Survives;
pub use persist::{P, Persistent};
pub use pmem_derive::Persistent;
pub use recover::{LastClose, MarkError, Moved, Phase, Progress, Recovery, RegistryError, ReplayError};
pub use section::Snapshot;
pub use store::{CheckReport, CreateFault, NodeInfo, OpenFault, Options, Pool};
