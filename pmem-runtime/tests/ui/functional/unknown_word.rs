use pmem_runtime::functional;

#[functional(no_getters)]
enum List<T> {
    End,
    Link { head: T, tail: List<T> },
}

fn main() {}
