//! What `#[functional]` makes of types and methods, on pools.

mod traits;
