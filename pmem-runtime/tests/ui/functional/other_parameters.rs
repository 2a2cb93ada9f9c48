use pmem_runtime::functional;

#[functional]
enum Nest<T> {
    End,
    Link { head: T, tail: Nest<(T, T)> },
}

fn main() {}
