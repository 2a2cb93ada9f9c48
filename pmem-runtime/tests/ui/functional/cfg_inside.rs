use pmem_runtime::functional;

#[functional]
enum List<T> {
    End,
    Link {
        head: T,
        #[cfg(unix)]
        mode: u32,
        tail: List<T>,
    },
}

fn main() {}
