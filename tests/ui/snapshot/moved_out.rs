//! Nothing is moved out of a snapshot.
use pmem_runtime::{P, Persistent, Pool};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn take(pool: &Pool<One<'static>>) {
    let now = pool.snapshot();
    let _number = now.number;
}

fn main() {}
