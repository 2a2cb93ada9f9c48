//! A node cannot be kept in a static variable.
use std::sync::Mutex;

use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

static KEPT: Mutex<Option<P<'static, u64>>> = Mutex::new(None);

fn escape(pool: &Pool<One<'static>>) {
    let _ = persist_fase!(pool, |tx, one| {
        *KEPT.lock().unwrap() = Some(one.number.share(tx));
        Ok(())
    });
}

fn main() {}
