//! A snapshot does not outlive its pool.
use pmem_runtime::{P, Persistent, Pool, Snapshot};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn outlive<'a>(pool: Pool<One<'static>>) -> Snapshot<'a, One<'static>> {
    pool.snapshot()
}

fn main() {}
