use pmem_runtime::functional;

#[functional]
enum List<T> {
    End = 7,
    Link { head: T, tail: List<T> } = 9,
}

fn main() {}
