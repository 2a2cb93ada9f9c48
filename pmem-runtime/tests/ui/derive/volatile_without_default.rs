use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Account {
    #[persistent(volatile)]
    kind: Kind,
}

#[derive(Persistent)]
#[repr(u8)]
enum Kind {
    Private,
    Business,
}

fn main() {}
