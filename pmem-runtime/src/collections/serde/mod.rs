//! Collections to and from any serde format, without a copy on the way (feature `serde`).
//!
//! **Problem.** A pool's contents come from somewhere, and go somewhere: a JSON file, a network. Collecting them in a `Vec` or
//! a `HashMap` first would take twice the memory.
//!
//! Every collection is `Serialize` if its elements are, as the standard library's twin would be: maps as maps, sequences and
//! sets as sequences, text as a string. `Deserialize` has no place for a section, so reading goes through [`Load`]: a value is made
//! straight in the section's pool, element by element, while the format is read.
//!
//! A reader that fails in the middle leaves nothing: what was made is given back with the section, or before if the section
//! goes on.

mod load;
mod serialize;

pub use load::{Load, LoadSeed};
