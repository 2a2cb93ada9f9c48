use pmem_runtime::{Fase, functional};

#[functional]
enum List<T> {
    End,
    Link { head: T, tail: List<T> },
}

#[functional]
impl<T> List<T> {
    fn clear(self, tx: &Fase) {
        let _ = self.take(tx);
    }

    fn pop(self, tx: &Fase) -> Option<T> {
        match self.take(tx) {
            ListParts::End => None,
            ListParts::Link { head, .. } => Some(head),
        }
    }
}

fn main() {}
