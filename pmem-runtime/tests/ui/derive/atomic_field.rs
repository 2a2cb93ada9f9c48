use std::sync::atomic::AtomicU64;
use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: AtomicU64,
}

fn main() {}
