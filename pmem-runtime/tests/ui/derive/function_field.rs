use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    owner: fn(u64) -> u64,
}

fn main() {}
