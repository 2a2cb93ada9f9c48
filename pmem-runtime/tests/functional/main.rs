//! What `#[functional]` makes of types and methods, on pools.
#![allow(dead_code, reason = "the types are there to be expanded, and some of them to be used")]

mod depth;
mod kinds;
mod traits;
mod versions;
