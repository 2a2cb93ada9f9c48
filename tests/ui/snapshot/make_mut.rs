//! The nodes of a snapshot are not copied for writing.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn write(pool: &Pool<One<'static>>) {
    let old = pool.snapshot();
    let _ = persist_fase!(pool, |tx, _one| {
        *old.number.make_mut(tx) = 3;
        Ok(())
    });
}

fn main() {}
