//! A node is not written to through its pointer.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn write(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |_tx, one| {
        *one.number = 3;
        Ok(())
    });
}

fn main() {}
