//! `Persistent` for the types of the standard library whose bytes mean the same after a crash and in another process.
//!
//! `usize` and `isize` are among them: pools exist on 64-bit machines only, so these have one width. `Box`, `Vec`, `String`
//! and the maps hold addresses that die with the process; cells, locks and atomics would be a second way to write an old
//! version.
//!
//! Offsets of tuples, `Option` and `Result` are the compiler's choice. They are measured while compiling, never
//! assumed, and are part of the layout hash: a pool written under another choice is refused at open.

mod array;
mod nonzero;
mod option;
mod phantom;
mod result;
mod scalar;
mod tuple;
