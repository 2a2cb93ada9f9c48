//! A node cannot be made of a value with another section's nodes in it.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(left: &Pool<One<'static>>, right: &Pool<One<'static>>) {
    let _ = persist_fase!(left, |tx, _one| {
        let _ = persist_fase!(right, |other_tx, _other| {
            let inner = One { number: P::new(other_tx, 7) };
            let _outer = P::new(tx, inner);
            Ok(())
        });
        Ok(())
    });
}

fn main() {}
