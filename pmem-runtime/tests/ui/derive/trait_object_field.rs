use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: Box<dyn Fn()>,
}

fn main() {}
