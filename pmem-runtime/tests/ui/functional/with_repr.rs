use pmem_runtime::functional;

#[functional]
#[repr(C)]
struct List {
    head: u64,
    tail: Option<List>,
}

fn main() {}
