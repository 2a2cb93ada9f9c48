//! `Persistent` for the types of the standard library.
