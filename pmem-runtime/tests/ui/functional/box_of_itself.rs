use pmem_runtime::functional;

#[functional]
enum List<T> {
    End,
    Link { head: T, tail: Box<List<T>> },
}

fn main() {}
