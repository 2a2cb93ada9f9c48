use pmem_runtime::{Fase, functional};

#[functional]
enum List<T> {
    End,
    Link { head: T, tail: List<T> },
}

#[functional]
impl<T> List<T> {
    fn push(self, tx: &Fase, head: T) -> Self {
        List::link(tx, head, self)
    }
}

fn both<'p>(tx: &Fase<'p>, old: List<'p, u64>) -> (List<'p, u64>, List<'p, u64>) {
    let new = old.push(tx, 1);
    (old, new)
}

fn main() {}
