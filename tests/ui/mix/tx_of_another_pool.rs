//! A node is copied with its own pool's permission, not with another's.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(left: &Pool<One<'static>>, right: &Pool<One<'static>>) {
    let _ = persist_fase!(left, |tx, _one| {
        let _ = persist_fase!(right, |_tx, other| {
            *other.number.make_mut(tx) = 3;
            Ok(())
        });
        Ok(())
    });
}

fn main() {}
