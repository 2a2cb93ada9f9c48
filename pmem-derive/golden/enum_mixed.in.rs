#[repr(C, u8)]
enum Tree<'p, K> {
    Leaf,
    Node { left: P<'p, Tree<'p, K>>, key: K, right: P<'p, Tree<'p, K>> },
    Pair(K, u8),
}
