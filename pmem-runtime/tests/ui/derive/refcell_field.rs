use std::cell::RefCell;
use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: RefCell<u64>,
}

fn main() {}
