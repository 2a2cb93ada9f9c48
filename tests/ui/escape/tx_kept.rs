//! The permission to allocate ends with its section.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn escape(pool: &Pool<One<'static>>) {
    let mut kept = None;
    let _ = persist_fase!(pool, once, |tx, _one| {
        kept = Some(tx);
        Ok(())
    });
}

fn main() {}
