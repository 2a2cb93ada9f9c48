use pmem_runtime::Persistent;

#[derive(Persistent)]
#[persistent(rename)]
#[repr(C)]
struct Account {
    #[persistent(volatile = true)]
    id: u64,
    #[persistent]
    cents: u64,
    #[persistent(rename = "the owner")]
    owner: u64,
}

fn main() {}
