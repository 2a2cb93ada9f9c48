use std::cell::Cell;
use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: Cell<u64>,
}

fn main() {}
