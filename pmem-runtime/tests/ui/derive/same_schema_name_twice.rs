use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    id: u64,
    #[persistent(rename = "id")]
    number: u64,
}

fn main() {}
