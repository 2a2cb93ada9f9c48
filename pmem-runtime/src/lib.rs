//! Persistent memory for ordinary Rust types.

pub mod hw;
pub mod persist;

mod commit;
mod heap;
mod section;
mod sync;

pub use persist::{P, Persistent};
pub use pmem_derive::Persistent;
