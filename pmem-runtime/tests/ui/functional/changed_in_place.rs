use pmem_runtime::{Fase, functional};

#[functional]
enum List<T> {
    End,
    Link { head: T, tail: List<T> },
}

#[functional]
impl<T> List<T> {
    fn push(&mut self, tx: &Fase, head: T) {
        *self = List::link(tx, head, self.share(tx));
    }

    fn push_all(tx: &Fase, list: &mut List<T>) {
        list.make_mut(tx);
    }
}

fn main() {}
