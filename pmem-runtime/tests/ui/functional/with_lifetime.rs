use pmem_runtime::functional;

#[functional]
enum List<'p, T> {
    End,
    Link { head: T, tail: List<'p, T> },
}

fn main() {}
