//! A node of one pool cannot be put into another.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(left: &Pool<One<'static>>, right: &Pool<One<'static>>) {
    let _ = persist_fase!(left, |tx, one| {
        persist_fase!(right, |_tx, other| {
            other.number = one.number.share(tx);
            Ok(())
        })?;
        Ok(())
    });
}

fn main() {}
