//! A node cannot leave its section as the section's result.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn escape(pool: &Pool<One<'static>>) {
    let _kept = persist_fase!(pool, |tx, _one| { Ok(P::new(tx, 7_u64)) });
}

fn main() {}
