//! The elements, each once, for writing.

use std::slice;

use super::{Node, Sequence};
use crate::commit::Fase;
use crate::persist::Persistent;

/// Access to the elements in order, from both ends. A leaf is copied when its first element is asked for.
pub(crate) struct IterMut<'a, 'p, T> {
    tx: &'a Fase<'p>,
    /// Nodes not yet entered, in order: what lies between the two leaves.
    between: Vec<slice::IterMut<'a, Node<'p, T>>>,
    first: slice::IterMut<'a, T>,
    last: slice::IterMut<'a, T>,
    rest: usize,
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Access to all elements.
    pub(crate) fn iter_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> IterMut<'a, 'p, T> {
        let rest = self.len();
        let ends = [&mut self.front, &mut self.tree, &mut self.back];
        let between = ends.into_iter().map(|end| end.as_mut_slice().iter_mut()).collect();
        IterMut { tx, between, first: [].iter_mut(), last: [].iter_mut(), rest }
    }
}

impl<'a, 'p, T> IterMut<'a, 'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// The first leaf between the two.
    fn enter_first(&mut self) -> Option<slice::IterMut<'a, T>> {
        // Kept from last to first would serve this end; the list is as long as the tree is high, so either order does.
        loop {
            let Some(node) = self.between.first_mut()?.next() else {
                drop(self.between.remove(0));
                continue;
            };
            if node.level() == 0 {
                return Some(node.items_mut(self.tx).iter_mut());
            }
            node.require_children();
            self.between.insert(0, node.children_mut(self.tx).iter_mut());
        }
    }

    fn enter_last(&mut self) -> Option<slice::IterMut<'a, T>> {
        loop {
            let Some(node) = self.between.last_mut()?.next_back() else {
                self.between.pop();
                continue;
            };
            if node.level() == 0 {
                return Some(node.items_mut(self.tx).iter_mut());
            }
            node.require_children();
            self.between.push(node.children_mut(self.tx).iter_mut());
        }
    }
}

impl<'a, 'p, T> Iterator for IterMut<'a, 'p, T>
where
    T: Persistent<At<'p> = T>,
{
    type Item = &'a mut T;

    fn next(&mut self) -> Option<&'a mut T> {
        let item = loop {
            if let Some(item) = self.first.next() {
                break item;
            }
            match self.enter_first() {
                Some(leaf) => self.first = leaf,
                None => break self.last.next()?,
            }
        };
        self.rest -= 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest, Some(self.rest))
    }
}

impl<'p, T> DoubleEndedIterator for IterMut<'_, 'p, T>
where
    T: Persistent<At<'p> = T>,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        let item = loop {
            if let Some(item) = self.last.next_back() {
                break item;
            }
            match self.enter_last() {
                Some(leaf) => self.last = leaf,
                None => break self.first.next_back()?,
            }
        };
        self.rest -= 1;
        Some(item)
    }
}
