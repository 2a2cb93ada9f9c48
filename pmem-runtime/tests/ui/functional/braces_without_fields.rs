use pmem_runtime::functional;

#[functional]
enum List<T> {
    End {},
    Link { head: T, tail: List<T> },
}

fn main() {}
