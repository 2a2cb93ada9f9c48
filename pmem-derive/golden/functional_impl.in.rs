#[functional]
impl<K: Ord, V> Tree<K, V> {
    /// Puts a key in.
    pub fn insert(self, tx: &Fase, key: K, value: V) -> Self {
        match self.take(tx) {
            TreeParts::Leaf => Tree::node(tx, Tree::leaf(), key, value, Tree::leaf()),
            parts => parts.build(tx),
        }
    }

    fn reversed<F>(&self, tx: &Fase, (each, _): (F, ())) -> Option<(Tree<K, V>, u64)> {
        None
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        0
    }
}
#[functional]
fn cleared(self, section: &Fase<'p>) -> Self {
    Self::leaf()
}
