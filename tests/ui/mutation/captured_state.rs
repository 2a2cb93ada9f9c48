//! A section may be run again, so without `once` it does not change captured variables.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn count(pool: &Pool<One<'static>>) {
    let mut runs = 0;
    let _ = persist_fase!(pool, |_tx, _one| {
        runs += 1;
        Ok(())
    });
}

fn main() {}
