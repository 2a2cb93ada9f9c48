//! A persistent treap: an ordered map whose writers copy the path they change.
//!
//! Priorities are hashes of the keys, so a set of keys has one shape, whatever the order of its insertions.

use pmem_runtime::{Fase, P, Persistent};

use super::mix;

/// One key.
#[derive(Persistent, Debug)]
#[repr(C)]
pub(crate) struct Branch<'p> {
    pub(crate) left: Option<P<'p, Branch<'p>>>,
    pub(crate) right: Option<P<'p, Branch<'p>>>,
    pub(crate) key: u64,
    pub(crate) value: u64,
}

/// An ordered map.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
pub(crate) struct Tree<'p> {
    pub(crate) top: Option<P<'p, Branch<'p>>>,
}

type Subtree<'p> = Option<P<'p, Branch<'p>>>;

fn is_above(left: u64, right: u64) -> bool {
    mix(left) > mix(right)
}

impl<'f> Tree<'f> {
    pub(crate) fn get(&self, key: u64) -> Option<u64> {
        let mut next = &self.top;
        while let Some(branch) = next {
            if branch.key == key {
                return Some(branch.value);
            }
            next = if key < branch.key { &branch.left } else { &branch.right };
        }
        None
    }

    pub(crate) fn insert(&mut self, tx: &Fase<'f>, key: u64, value: u64) {
        let mut slot = &mut self.top;
        while slot.as_ref().is_some_and(|branch| branch.key == key || is_above(branch.key, key)) {
            let branch = slot.as_mut().expect("tested above").make_mut(tx);
            if branch.key == key {
                branch.value = value;
                return;
            }
            slot = if key < branch.key { &mut branch.left } else { &mut branch.right };
        }
        let (left, right) = split(tx, slot.take(), key);
        *slot = Some(P::new(tx, Branch { left, right, key, value }));
    }

    pub(crate) fn remove(&mut self, tx: &Fase<'f>, key: u64) -> Option<u64> {
        let found = self.get(key)?;
        let mut slot = &mut self.top;
        while slot.as_ref().is_some_and(|branch| branch.key != key) {
            let branch = slot.as_mut().expect("tested above").make_mut(tx);
            slot = if key < branch.key { &mut branch.left } else { &mut branch.right };
        }
        let Branch { left, right, .. } = slot.take().expect("the key is there").take(tx);
        *slot = merge(tx, left, right);
        Some(found)
    }

    /// Calls `visit` with every key and value, in order.
    pub(crate) fn each(&self, mut visit: impl FnMut(u64, u64)) {
        fn walk(top: &Subtree<'_>, visit: &mut impl FnMut(u64, u64)) {
            let Some(branch) = top else { return };
            walk(&branch.left, visit);
            visit(branch.key, branch.value);
            walk(&branch.right, visit);
        }
        walk(&self.top, &mut visit);
    }
}

/// The keys below and above `key`, which is not in the tree.
fn split<'f>(tx: &Fase<'f>, top: Subtree<'f>, key: u64) -> (Subtree<'f>, Subtree<'f>) {
    let Some(node) = top else { return (None, None) };
    let mut branch = node.take(tx);
    if branch.key < key {
        let (below, above) = split(tx, branch.right.take(), key);
        branch.right = below;
        (Some(P::new(tx, branch)), above)
    } else {
        let (below, above) = split(tx, branch.left.take(), key);
        branch.left = above;
        (below, Some(P::new(tx, branch)))
    }
}

/// One tree of two, where every key of `left` is below every key of `right`.
fn merge<'f>(tx: &Fase<'f>, left: Subtree<'f>, right: Subtree<'f>) -> Subtree<'f> {
    let (mut below, mut above) = match (left, right) {
        (None, other) | (other, None) => return other,
        (Some(below), Some(above)) => (below, above),
    };
    if is_above(below.key, above.key) {
        let branch = below.make_mut(tx);
        branch.right = merge(tx, branch.right.take(), Some(above));
        Some(below)
    } else {
        let branch = above.make_mut(tx);
        branch.left = merge(tx, Some(below), branch.left.take());
        Some(above)
    }
}
