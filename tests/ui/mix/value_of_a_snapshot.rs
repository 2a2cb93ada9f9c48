//! What a snapshot lends cannot be given a second owner in a section.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(pool: &Pool<One<'static>>) {
    let old = pool.snapshot();
    let _ = persist_fase!(pool, |tx, one| {
        one.number = tx.share(&old.number);
        Ok(())
    });
}

fn main() {}
