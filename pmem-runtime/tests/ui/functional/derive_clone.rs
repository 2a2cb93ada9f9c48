use pmem_runtime::functional;

#[functional]
#[derive(Debug, Clone, PartialEqq, Serialize)]
enum List<T> {
    End,
    Link { head: T, tail: List<T> },
}

fn main() {}
