//! A red-black tree, with Okasaki's insertion and Kahrs' deletion.
//!
//! A side of a node is an `Ordering`, as comparing keys gives it. What is done on one side is done mirrored on the other.

use std::cmp::Ordering::{self, Equal, Greater, Less};

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

/// The left and the right one, as the near and the far one of a side; and back.
fn mirror<T>(side: Ordering, left: T, right: T) -> (T, T) {
    if side == Greater { (right, left) } else { (left, right) }
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
        let TreeParts::Node { color, left, entry, right } = self.take(tx) else {
            return Tree::node(tx, Red, Tree::leaf(), new, Tree::leaf());
        };
        let side = new.0.cmp(&entry.0);
        if side == Equal {
            return Tree::node(tx, color, left, new, right);
        }
        let (near, far) = mirror(side, left, right);
        Self::balanced(tx, color, side, near.put(tx, new), entry, far)
    }

    fn color(&self) -> Option<Color> {
        if let TreeView::Node { color, .. } = self.view() { Some(*color) } else { None }
    }

    fn split(self, tx: &Fase, side: Ordering) -> (Self, (K, V), Self) {
        let TreeParts::Node { left, entry, right, .. } = self.take(tx) else { panic!("a leaf has no parts") };
        let (near, far) = mirror(side, left, right);
        (near, entry, far)
    }

    /// A node. Two reds that meet on the near side of a black one become a red node with black ones below (Okasaki).
    fn balanced(tx: &Fase, color: Color, side: Ordering, near: Self, z: (K, V), far: Self) -> Self {
        let (outer, inner) = match near.view() {
            TreeView::Node { color: Red, left, right, .. } => mirror(side, left.color(), right.color()),
            _ => (None, None),
        };
        if color == Red || ![outer, inner].contains(&Some(Red)) {
            let (left, right) = mirror(side, near, far);
            return Tree::node(tx, color, left, z, right);
        }
        let (a, x, b) = near.split(tx, side);
        let (low, y, c) = if outer == Some(Red) {
            (a.with_color(tx, Black), x, b)
        } else {
            let (b, y, c) = b.split(tx, side);
            (Self::balanced(tx, Black, side, a, x, b), y, c)
        };
        Self::balanced(tx, Red, side, low, y, Self::balanced(tx, Black, side, c, z, far))
    }

    /// Without the key, which is there. What was black has then one black too few on each path (Kahrs).
    fn delete(self, tx: &Fase, key: &K) -> Self {
        let (left, x, right) = self.split(tx, Less);
        let side = key.cmp(&x.0);
        if side == Equal {
            return Self::join(tx, Less, left, right);
        }
        let (near, far) = mirror(side, left, right);
        Self::mend(tx, near.color(), side, near.delete(tx, key), x, far)
    }

    /// A node of which the near side was of that color; if black, it has one black too few.
    fn mend(tx: &Fase, was: Option<Color>, side: Ordering, near: Self, x: (K, V), far: Self) -> Self {
        match (was, near.color(), far.color()) {
            (Some(Red), _, _) => Self::balanced(tx, Red, side, near, x, far),
            (_, Some(Red), _) => Self::balanced(tx, Red, side, near.with_color(tx, Black), x, far),
            (_, _, Some(Red)) => {
                let (inner, z, d) = far.split(tx, side);
                let (b, y, c) = inner.split(tx, side);
                let far = Self::balanced(tx, Black, side.reverse(), d.with_color(tx, Red), z, c);
                Self::balanced(tx, Red, side, Self::balanced(tx, Black, side, near, x, b), y, far)
            }
            _ => Self::balanced(tx, Black, side.reverse(), far.with_color(tx, Red), x, near),
        }
    }

    /// The two that a deleted key stood between.
    fn join(tx: &Fase, side: Ordering, near: Self, far: Self) -> Self {
        match (near.color(), far.color()) {
            (_, None) => near,
            (None, _) | (Some(Red), Some(Black)) => Self::join(tx, side.reverse(), far, near),
            (Some(Black), Some(Red)) => {
                let (b, y, c) = far.split(tx, side);
                Self::balanced(tx, Red, side, Self::join(tx, side, near, b), y, c)
            }
            (Some(color), _) => {
                let ((a, x, b), (c, z, d)) = (near.split(tx, side), far.split(tx, side));
                let middle = Self::join(tx, side, b, c);
                if middle.color() == Some(Red) {
                    let (b, y, c) = middle.split(tx, side);
                    let near = Self::balanced(tx, color, side, a, x, b);
                    return Self::balanced(tx, Red, side, near, y, Self::balanced(tx, color, side, c, z, d));
                }
                let far = Self::balanced(tx, color, side, middle, z, d);
                Self::mend(tx, Some(color), side, a, x, far)
            }
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Tree<'_, u64, u64>>::options().create(folder.path().join("red_black.pool"))?;
    persist_fase!(pool, |tx, root| {
        let tree = (0..1000).fold(Tree::leaf(), |tree, key| tree.insert(tx, key, key * key));
        *root = (0..1000).step_by(3).fold(tree, |tree, key| tree.remove(tx, &key));
        Ok(())
    })?;
    let now = pool.snapshot();
    assert!((0..1000).all(|key| now.get(&key).copied() == (key % 3 != 0).then_some(key * key)));
    println!("a thousand keys in, a third out, in one section: {} nodes", pool.check()?.nodes);
    Ok(())
}
