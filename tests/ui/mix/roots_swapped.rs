//! The shadows of two pools cannot be swapped.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(left: &Pool<One<'static>>, right: &Pool<One<'static>>) {
    let _ = persist_fase!(left, |_tx, one| {
        persist_fase!(right, |_tx, other| {
            std::mem::swap(&mut *one, &mut *other);
            Ok(())
        });
        Ok(())
    });
}

fn main() {}
