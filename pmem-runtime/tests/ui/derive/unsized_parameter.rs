use pmem_runtime::Persistent;

#[derive(Persistent)]
#[repr(C)]
struct Pair<T: ?Sized> {
    first: u64,
    second: T,
}

fn main() {}
