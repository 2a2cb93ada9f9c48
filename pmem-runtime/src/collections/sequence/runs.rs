//! What two sequences have in common by owning the same nodes.

use super::shape::LEVELS;
use super::{Node, Place, Sequence};
use crate::persist::Persistent;

/// The nodes that begin with one element, by level, and how many elements lie under each.
struct Starts<'a, 'p, T> {
    nodes: [Option<(&'a Node<'p, T>, u64)>; LEVELS],
    height: usize,
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent,
{
    /// How many elements from `at` on lie in one node that both have there: equal without looking. 0 if there is no such node.
    ///
    /// Complexity: O(log n).
    pub(crate) fn same_run(&self, other: &Self, at: usize) -> usize {
        let (own, others) = (self.starts(at), other.starts(at));
        let common = own.height.min(others.height);
        (0..common)
            .rev()
            .find_map(|level| {
                let (own, others) = (own.nodes[level]?, others.nodes[level]?);
                Node::ptr_eq(own.0, others.0).then_some(own.1.min(others.1) as usize)
            })
            .unwrap_or(0)
    }

    fn starts(&self, at: usize) -> Starts<'_, 'p, T> {
        let mut starts = Starts { nodes: [None; LEVELS], height: 0 };
        match self.place(at) {
            Place::Front(0) => starts.add(self.front.as_ref()),
            Place::Back(0) => starts.add(self.back.as_ref()),
            Place::Front(_) | Place::Back(_) => {}
            Place::Tree(at) => starts.descend(self.tree.as_ref(), at, self.tree_len),
        }
        starts
    }
}

impl<'a, 'p, T> Starts<'a, 'p, T>
where
    T: Persistent,
{
    fn add(&mut self, leaf: Option<&'a Node<'p, T>>) {
        if let Some(leaf) = leaf {
            self.put(0, leaf, leaf.width() as u64);
        }
    }

    fn put(&mut self, level: usize, node: &'a Node<'p, T>, size: u64) {
        if let Some(place) = self.nodes.get_mut(level) {
            *place = Some((node, size));
            self.height = self.height.max(level + 1);
        }
    }

    fn descend(&mut self, tree: Option<&'a Node<'p, T>>, mut at: u64, mut total: u64) {
        let mut next = tree;
        while let Some(node) = next {
            if at == 0 {
                self.put(node.level(), node, total);
            }
            if node.children().is_empty() {
                return;
            }
            let (child, rest) = node.find(at);
            total = node.sizes(total).as_slice().get(child).copied().unwrap_or(0);
            next = node.child(child);
            at = rest;
        }
    }
}
