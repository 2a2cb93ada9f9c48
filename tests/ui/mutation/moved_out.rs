//! A node's contents are not moved out from under it; `take` does it with the section's permission.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct List<'p> {
    head: Option<P<'p, Item<'p>>>,
}

#[derive(Persistent)]
#[repr(C)]
struct Item<'p> {
    value: u64,
    next: Option<P<'p, Item<'p>>>,
}

fn cut(pool: &Pool<List<'static>>) {
    let _ = persist_fase!(pool, |_tx, list| {
        let rest = list.head.as_ref().unwrap().next;
        list.head = rest;
        Ok(())
    });
}

fn main() {}
