use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: usize,
}

fn main() {}
