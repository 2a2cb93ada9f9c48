//! A section's permission is not shared with a scoped thread.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn share(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, one| {
        std::thread::scope(|scope| {
            scope.spawn(|| *one.number.make_mut(tx) = 3);
        });
        Ok(())
    });
}

fn main() {}
