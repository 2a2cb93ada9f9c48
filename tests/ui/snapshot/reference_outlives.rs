//! A reference into a version does not outlive the snapshot that keeps the version.
use pmem_runtime::{P, Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn outlive<'a>(pool: &'a Pool<One<'static>>) -> &'a u64 {
    let now = pool.snapshot();
    &now.number
}

fn main() {}
