//! A snapshot is not written to.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn write(pool: &Pool<One<'static>>) {
    let mut now = pool.snapshot();
    let _ = persist_fase!(pool, once, |tx, one| {
        now.number = one.number.share(tx);
        Ok(())
    });
}

fn main() {}
