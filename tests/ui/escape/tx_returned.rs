//! The permission to allocate cannot be returned.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn escape(pool: &Pool<One<'static>>) {
    let _tx = persist_fase!(pool, |tx, _one| { Ok(tx) });
}

fn main() {}
