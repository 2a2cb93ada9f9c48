//! Persistent memory for ordinary Rust types.

pub mod hw;
pub mod persist;

mod commit;
mod error;
mod pool;
mod sync;

pub use error::{CreateError, GrowError, Limits, OpenError, SlotFault};
pub use persist::{P, Persistent};
pub use pmem_derive::Persistent;
