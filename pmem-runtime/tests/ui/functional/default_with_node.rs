use pmem_runtime::functional;

#[functional]
#[derive(Default)]
enum List<T> {
    End,
    #[default]
    Link { head: T, tail: List<T> },
}

#[functional]
#[derive(Default)]
struct Pair(u32, u32);

fn main() {}
