//! Persistent memory for ordinary Rust types.

pub mod hw;
pub mod persist;

mod commit;
mod sync;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

// The derive names the runtime by its own name, also inside it.
extern crate self as pmem_runtime;

pub use persist::{P, Persistent};
pub use pmem_derive::Persistent;
