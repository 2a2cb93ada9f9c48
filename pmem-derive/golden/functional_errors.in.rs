#[functional]
#[derive(Clone)]
enum Loop<K: Ord> {
    Again(Box<Loop<K>>),
}
#[functional]
impl Loop {
    fn turn(&mut self, tx: &Fase) -> Self {
        self
    }
}
