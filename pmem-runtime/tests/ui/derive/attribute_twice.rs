use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    #[persistent(rename = "id", rename = "number")]
    id: u64,
}

fn main() {}
