use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
}

impl Drop for Account {
    fn drop(&mut self) {}
}

fn main() {}
