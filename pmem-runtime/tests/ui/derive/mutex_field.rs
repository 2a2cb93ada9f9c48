use std::sync::Mutex;
use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: Mutex<u64>,
}

fn main() {}
