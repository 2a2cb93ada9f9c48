//! What `#[functional]` makes of types and methods, on pools.
#![allow(clippy::type_complexity, reason = "some types are as complex as they can be")]
#![allow(dead_code, reason = "the types are there to be expanded, and some of them to be used")]

mod collections;
mod depth;
mod kinds;
mod traits;
mod versions;
