use pmem_runtime::functional;

#[functional]
struct List<T> {
    head: T,
    tail: List<T>,
}

fn main() {}
