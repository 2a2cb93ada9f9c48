//! A node is not read through an old reference after it was lent for writing.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn write(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, one| {
        let old: &u64 = &one.number;
        *one.number.make_mut(tx) = 3;
        Ok(*old)
    });
}

fn main() {}
