//! A snapshot taken within a section, of a pool that lives for ever, does not take the section's brand.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn mix(left: &'static Pool<One<'static>>, right: &'static Pool<One<'static>>) {
    let _ = persist_fase!(left, |tx, one| {
        let theirs = right.snapshot();
        one.number = theirs.number.share(tx);
        Ok(())
    });
}

fn main() {}
