use pmem_runtime::{P, Persistent};

#[derive(Persistent)]
struct Account<'p> {
    #[persistent(rname = "number")]
    id: &'p u64,
    next: P<'static, u64>,
}

fn store<T: Persistent>(_: T) {}

fn use_it(account: Account<'_>) {
    store(account);
}

fn main() {}
