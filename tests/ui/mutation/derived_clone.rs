//! A type that owns nodes cannot derive `Clone`.
use pmem_runtime::{P, Persistent};

#[derive(Persistent, Clone)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}



fn main() {}
