//! A node of one section cannot be used in the next.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(pool: &Pool<One<'static>>) {
    let mut kept = None;
    let _ = persist_fase!(pool, once, |tx, _one| {
        kept = Some(P::new(tx, 7_u64));
        Ok(())
    });
    let _ = persist_fase!(pool, once, |_tx, one| {
        one.number = kept.take().unwrap();
        Ok(())
    });
}

fn main() {}
