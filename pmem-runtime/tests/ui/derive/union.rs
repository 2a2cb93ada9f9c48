use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
union Word {
    number: u32,
    bytes: [u8; 4],
}

fn main() {}
