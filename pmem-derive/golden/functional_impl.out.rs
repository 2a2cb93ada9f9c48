impl<'p, K: Ord, V> Tree<'p, K, V>
where
    K: ::pmem_runtime::Persistent<At<'p> = K>,
    V: ::pmem_runtime::Persistent<At<'p> = V>,
{
    /// Puts a key in.
    pub fn insert(self, tx: &Fase<'p>, key: K, value: V) -> Self {
        match self.take(tx) {
            TreeParts::Leaf => Tree::node(tx, Tree::leaf(), key, value, Tree::leaf()),
            parts => parts.build(tx),
        }
    }
    ///[`insert`](Self::insert) of a second owner: the old version is kept.
    ///
    /// Puts a key in.
    pub fn insert_shared(&self, tx: &Fase<'p>, key: K, value: V) -> Self {
        Self::insert(self.share(tx), tx, key, value)
    }
    fn reversed<F>(
        &self,
        tx: &Fase<'p>,
        (each, _): (F, ()),
    ) -> Option<(Tree<'p, K, V>, u64)> {
        None
    }
    ///[`reversed`](Self::reversed), after which the old version is given up.
    fn reversed_owned<F>(
        self,
        tx: &Fase<'p>,
        __argument2: (F, ()),
    ) -> Option<(Tree<'p, K, V>, u64)> {
        Self::reversed::<F>(&self, tx, __argument2)
    }
    /// How many keys there are.
    pub fn len(&self) -> usize {
        0
    }
}
fn cleared(self, section: &Fase<'p>) -> Self {
    Self::leaf()
}
///[`cleared`](Self::cleared) of a second owner: the old version is kept.
fn cleared_shared(&self, section: &Fase<'p>) -> Self {
    Self::cleared(self.share(section), section)
}
