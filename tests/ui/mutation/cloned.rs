//! A pointer owns a count, so it is not cloned; `share` makes a second owner.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn copy(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |_tx, one| {
        let second: P<'_, u64> = one.number.clone();
        one.number = second;
        Ok(())
    });
}

fn main() {}
