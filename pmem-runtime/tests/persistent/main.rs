//! How persistent types treat bytes: the derived ones and those of the standard library, through the hidden methods.

mod bytes;
mod identity;
mod laws;
mod mutation;
mod pointers;
mod types;
mod volatile;
