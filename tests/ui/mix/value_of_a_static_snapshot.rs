//! A snapshot of a pool that lives for ever does not shrink to a section's brand.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(pool: &'static Pool<One<'static>>) {
    let old = pool.snapshot();
    let _ = persist_fase!(pool, |tx, one| {
        one.number = tx.share(&old.number);
        Ok(())
    });
}

fn main() {}
