//! A root without a default is made by `create_with`.
use pmem_runtime::{P, Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn create() {
    let _ = Pool::<One>::options().create("one.pool");
}

fn main() {}
