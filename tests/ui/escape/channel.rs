//! A node cannot leave its section through a channel.
use std::sync::mpsc::channel;

use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent)]
#[repr(C)]
struct One<'p> {
    number: P<'p, u64>,
}

fn escape(pool: &Pool<One<'static>>) {
    let (sender, _receiver) = channel();
    let _ = persist_fase!(pool, |tx, one| {
        sender.send(one.number.share(tx)).unwrap();
        Ok(())
    });
}

fn main() {}
