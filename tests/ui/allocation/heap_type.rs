//! What lives on the ordinary heap is not put into a node.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn allocate(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, _one| {
        let _text = P::new(tx, String::new());
        Ok(())
    });
}

fn main() {}
