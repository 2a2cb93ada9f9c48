//! A section may be run again, so without `once` it does not consume captured values.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn consume(pool: &Pool<One<'static>>, text: String) {
    let _ = persist_fase!(pool, |_tx, _one| {
        drop(text);
        Ok(())
    });
}

fn main() {}
