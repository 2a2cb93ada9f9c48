//! A red-black tree, with Okasaki's insertion and Kahrs' deletion.
//!
//! In MOD all of this was the user's: counts in nodes, copies of the path, flushes, the fence, the swap. Here: nothing of it.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::BTreeMap;

use Color::{Black, Red};
use pmem_runtime::{Fase, Persistent, Pool, functional, persist_fase};

#[derive(Persistent, Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Color {
    Red,
    Black,
}

#[functional]
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Tree<K, V> {
    #[default]
    Leaf,
    Node {
        color: Color,
        left: Tree<K, V>,
        entry: (K, V),
        right: Tree<K, V>,
    },
}

#[functional]
impl<K: Ord, V> Tree<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let TreeView::Node { left, entry: (at, value), right, .. } = self.view() else { return None };
        match key.cmp(at) {
            Less => left.get(key),
            Equal => Some(value),
            Greater => right.get(key),
        }
    }

    pub(crate) fn insert(self, tx: &Fase, key: K, value: V) -> Self {
        self.put(tx, (key, value)).with_color(tx, Black)
    }

    pub(crate) fn remove(self, tx: &Fase, key: &K) -> Self {
        if self.get(key).is_some() { self.delete(tx, key).with_color(tx, Black) } else { self }
    }

    fn put(self, tx: &Fase, new: (K, V)) -> Self {
        let TreeParts::Node { color, left: a, entry: x, right: b } = self.take(tx) else {
            return Tree::node(tx, Red, Tree::leaf(), new, Tree::leaf());
        };
        let (a, x, b) = match new.0.cmp(&x.0) {
            Less => (a.put(tx, new), x, b),
            Equal => (a, new, b),
            Greater => (a, x, b.put(tx, new)),
        };
        if color == Red { Tree::node(tx, Red, a, x, b) } else { Self::balance(tx, a, x, b) }
    }

    /// Whether it is red, and whether its children are.
    fn reds(&self) -> [bool; 3] {
        let TreeView::Node { color, left, right, .. } = self.view() else { return [false; 3] };
        let is_red = |tree: &Self| matches!(tree.view(), TreeView::Node { color: Red, .. });
        [*color == Red, is_red(left), is_red(right)]
    }

    fn split(self, tx: &Fase) -> (Self, (K, V), Self) {
        let TreeParts::Node { left, entry, right, .. } = self.take(tx) else { panic!("a leaf has no parts") };
        (left, entry, right)
    }

    /// A red node with two black ones below.
    fn fan(tx: &Fase, [a, b, c, d]: [Self; 4], [x, y, z]: [(K, V); 3]) -> Self {
        Tree::node(tx, Red, Tree::node(tx, Black, a, x, b), y, Tree::node(tx, Black, c, z, d))
    }

    /// A black node, unless red ones meet in it.
    fn balance(tx: &Fase, left: Self, entry: (K, V), right: Self) -> Self {
        match (left.reds(), right.reds()) {
            ([true, ..], [true, ..]) => {
                Tree::node(tx, Red, left.with_color(tx, Black), entry, right.with_color(tx, Black))
            }
            ([true, true, _], _) => {
                let (low, y, c) = left.split(tx);
                let (a, x, b) = low.split(tx);
                Self::fan(tx, [a, b, c, right], [x, y, entry])
            }
            ([true, _, true], _) => {
                let (a, x, high) = left.split(tx);
                let (b, y, c) = high.split(tx);
                Self::fan(tx, [a, b, c, right], [x, y, entry])
            }
            (_, [true, _, true]) => {
                let (b, y, high) = right.split(tx);
                let (c, z, d) = high.split(tx);
                Self::fan(tx, [left, b, c, d], [entry, y, z])
            }
            (_, [true, true, _]) => {
                let (low, z, d) = right.split(tx);
                let (b, y, c) = low.split(tx);
                Self::fan(tx, [left, b, c, d], [entry, y, z])
            }
            _ => Tree::node(tx, Black, left, entry, right),
        }
    }

    /// Without the key, which is there. The result of a black node has one black too few on each path.
    fn delete(self, tx: &Fase, key: &K) -> Self {
        let (a, x, b) = self.split(tx);
        let is_black = |tree: &Self| matches!(tree.view(), TreeView::Node { color: Black, .. });
        match key.cmp(&x.0) {
            Less if is_black(&a) => Self::mend_left(tx, a.delete(tx, key), x, b),
            Less => Tree::node(tx, Red, a.delete(tx, key), x, b),
            Equal => a.join(tx, b),
            Greater if is_black(&b) => Self::mend_right(tx, a, x, b.delete(tx, key)),
            Greater => Tree::node(tx, Red, a, x, b.delete(tx, key)),
        }
    }

    /// The left side has one black too few.
    fn mend_left(tx: &Fase, a: Self, x: (K, V), b: Self) -> Self {
        match (a.reds()[0], b.reds()[0]) {
            (true, _) => Tree::node(tx, Red, a.with_color(tx, Black), x, b),
            (_, false) => Self::balance(tx, a, x, b.with_color(tx, Red)),
            (_, true) => {
                let (low, z, d) = b.split(tx);
                let (b, y, c) = low.split(tx);
                let high = Self::balance(tx, c, z, d.with_color(tx, Red));
                Tree::node(tx, Red, Tree::node(tx, Black, a, x, b), y, high)
            }
        }
    }

    /// The right side has one black too few.
    fn mend_right(tx: &Fase, a: Self, x: (K, V), b: Self) -> Self {
        match (a.reds()[0], b.reds()[0]) {
            (_, true) => Tree::node(tx, Red, a, x, b.with_color(tx, Black)),
            (false, _) => Self::balance(tx, a.with_color(tx, Red), x, b),
            (true, _) => {
                let (d, v, high) = a.split(tx);
                let (e, w, f) = high.split(tx);
                let low = Self::balance(tx, d.with_color(tx, Red), v, e);
                Tree::node(tx, Red, low, w, Tree::node(tx, Black, f, x, b))
            }
        }
    }

    /// One tree of the two that a deleted key stood between.
    fn join(self, tx: &Fase, other: Self) -> Self {
        if self.is_leaf() || other.is_leaf() {
            return if self.is_leaf() { other } else { self };
        }
        match (self.reds()[0], other.reds()[0]) {
            (false, true) => {
                let (b, y, c) = other.split(tx);
                Tree::node(tx, Red, self.join(tx, b), y, c)
            }
            (true, false) => {
                let (a, x, b) = self.split(tx);
                Tree::node(tx, Red, a, x, b.join(tx, other))
            }
            (is_red, _) => {
                let color = if is_red { Red } else { Black };
                let ((a, x, b), (c, z, d)) = (self.split(tx), other.split(tx));
                let middle = b.join(tx, c);
                if middle.reds()[0] {
                    let (b, y, c) = middle.split(tx);
                    return Tree::node(
                        tx,
                        Red,
                        Tree::node(tx, color, a, x, b),
                        y,
                        Tree::node(tx, color, c, z, d),
                    );
                }
                let high = Tree::node(tx, color, middle, z, d);
                if is_red { Tree::node(tx, Red, a, x, high) } else { Self::mend_left(tx, a, x, high) }
            }
        }
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Root<'p> {
    pub(crate) tree: Tree<'p, u64, u64>,
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Root<'_>>::options().create(folder.path().join("red_black.pool"))?;
    let keys = || (0..1000).map(|number| number * 7919 % 1000);
    persist_fase!(pool, |tx, root| {
        let tree = keys().fold(Tree::leaf(), |tree, key| tree.insert(tx, key, key * key));
        root.tree = keys().filter(|key| key % 3 == 0).fold(tree, |tree, key| tree.remove(tx, &key));
        Ok(())
    })?;
    let twin: BTreeMap<u64, u64> = keys().filter(|key| key % 3 != 0).map(|key| (key, key * key)).collect();
    let now = pool.snapshot();
    assert!(keys().all(|key| now.tree.get(&key) == twin.get(&key)));
    let nodes = pool.check()?.nodes;
    println!("a thousand keys in, a third out, in one section: {} keys, {nodes} nodes", twin.len());
    println!(
        "one fence for all of it: {} fences in {} sections",
        pool.counters().fences,
        pool.counters().fases
    );
    Ok(())
}
