//! Persistent memory for ordinary Rust types.

pub mod hw;
pub mod persist;

mod commit;
mod recover;
mod sync;

pub use persist::{P, Persistent};
pub use pmem_derive::Persistent;
pub use recover::{LastClose, MarkError, Moved, Phase, Progress, Recovery, Referrer, RegistryError};
