//! Two committed nodes are not swapped in place.
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

fn write(pool: &Pool<List<'static>>) {
    let _ = persist_fase!(pool, |_tx, list| {
        let first = list.head.as_mut().unwrap();
        let mut spare = Item { value: 0, next: None };
        std::mem::swap(&mut **first, &mut spare);
        Ok(())
    });
}

fn main() {}
