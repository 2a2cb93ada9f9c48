//! A reference into a version ends when its snapshot is dropped.
use pmem_runtime::{P, Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn outlive(pool: &Pool<One<'static>>) -> u64 {
    let now = pool.snapshot();
    let number: &u64 = &now.number;
    drop(now);
    *number
}

fn main() {}
