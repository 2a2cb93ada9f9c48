//! One node is not lent for writing twice.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn write(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, one| {
        let left = one.number.make_mut(tx);
        let right = one.number.make_mut(tx);
        std::mem::swap(left, right);
        Ok(())
    });
}

fn main() {}
