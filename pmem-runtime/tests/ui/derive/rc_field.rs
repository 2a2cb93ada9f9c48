use std::rc::Rc;
use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: Rc<u64>,
}

fn main() {}
