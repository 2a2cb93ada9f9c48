//! A pool is not dropped while a snapshot of it lives.
use pmem_runtime::{P, Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn close(pool: Pool<One<'static>>) -> u64 {
    let now = pool.snapshot();
    drop(pool);
    *now.number
}

fn main() {}
