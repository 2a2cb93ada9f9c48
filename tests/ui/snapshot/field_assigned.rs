//! A field that a snapshot lends is not written to.
use pmem_runtime::{Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct Counter {
    value: u64,
}

fn write(pool: &Pool<Counter>) {
    let now = pool.snapshot();
    now.value = 3;
}

fn main() {}
