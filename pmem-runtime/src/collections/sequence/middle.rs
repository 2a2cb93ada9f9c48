//! Elements inserted and removed anywhere.

use std::ops::Range;

use super::edit::End;
use super::ends::take_item;
use super::{Node, Place, Sequence, width};
use crate::commit::Fase;
use crate::persist::Persistent;

impl<'p, T> Sequence<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    /// Puts an element before the one at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `index` is behind the end.
    pub(crate) fn insert(&mut self, tx: &Fase<'p>, index: usize, item: T) {
        let len = self.len();
        assert!(index <= len, "index {index} is behind the {len} elements");
        if index == len {
            return self.push_back(tx, item, 0);
        }
        if index == 0 {
            return self.push_front(tx, item);
        }
        match self.place_with_room(tx, index, 1) {
            Place::Front(at) => self.front.as_mut().expect(super::PLACED).insert_item(tx, at, item),
            Place::Back(at) => self.back.as_mut().expect(super::PLACED).insert_item(tx, at, item),
            Place::Tree(at) => self.grow(tx, at, 1, |leaf, at| {
                if leaf.width() < Self::LEAF {
                    leaf.insert_item(tx, at, item);
                    return None;
                }
                let right = divide_around(tx, leaf, at, item);
                let size = right.width() as u64;
                Some((right, size))
            }),
        }
    }

    /// Where to insert so many elements at `index`, which is inside: a leaf outside the tree that has no room moves into it.
    fn place_with_room(&mut self, tx: &Fase<'p>, index: usize, more: usize) -> Place {
        let front = width(&self.front);
        if index <= front && front > 0 {
            if front + more <= Self::LEAF {
                return Place::Front(index);
            }
            self.flush(tx, End::First);
        }
        match self.place(index) {
            Place::Back(_) if width(&self.back) + more > Self::LEAF => {
                self.flush(tx, End::Last);
                self.place(index)
            }
            place => place,
        }
    }

    /// Lets `grow` put `more` elements into the leaf of the tree at `at`, and takes in the neighbour it returns.
    fn grow(
        &mut self,
        tx: &Fase<'p>,
        at: u64,
        more: u64,
        grow: impl FnOnce(&mut Node<'p, T>, usize) -> Option<(Node<'p, T>, u64)>,
    ) {
        let tree = self.tree.as_mut().expect(super::PLACED);
        let right = tree.insert(tx, self.tree_len, (at, more), grow);
        self.tree_len += more;
        if let Some(right) = right {
            let left = (self.tree.take().expect("it was inserted into"), self.tree_len - right.1);
            self.plant(tx, vec![left, right]);
        }
    }

    /// Takes the element at `index` out.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn remove(&mut self, tx: &Fase<'p>, index: usize) -> T {
        let len = self.len();
        assert!(index < len, "index {index} is not one of the {len} elements");
        match self.place(index) {
            Place::Front(at) => take_item(&mut self.front, tx, at),
            Place::Back(at) => take_item(&mut self.back, tx, at),
            Place::Tree(at) => self.shrink(tx, at, 1, |leaf, at| leaf.remove_item(tx, at)),
        }
    }

    /// Lets `shrink` take `fewer` elements from one leaf of the tree.
    fn shrink<R>(
        &mut self,
        tx: &Fase<'p>,
        at: u64,
        fewer: u64,
        shrink: impl FnOnce(&mut Node<'p, T>, usize) -> R,
    ) -> R {
        let tree = self.tree.as_mut().expect(super::PLACED);
        let taken = tree.remove(tx, self.tree_len, (at, fewer), shrink);
        self.tree_len -= fewer;
        if self.tree_len == 0 {
            self.tree = None;
        }
        self.lower(tx);
        taken
    }

    /// Puts all elements of `other` before the one at `index`.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If `index` is behind the end.
    pub(crate) fn insert_all(&mut self, tx: &Fase<'p>, index: usize, other: Self) {
        let after = self.split_off(tx, index);
        self.append(tx, other);
        self.append(tx, after);
    }

    /// Takes the elements of the range out.
    ///
    /// Complexity: O(log n).
    ///
    /// # Panics
    /// If the range is not one of the elements'.
    pub(crate) fn remove_range(&mut self, tx: &Fase<'p>, range: Range<usize>) -> Self {
        let Range { start, end } = range;
        let len = self.len();
        assert!(start <= end && end <= len, "{range:?} is no range of {len} elements");
        let after = self.split_off(tx, end);
        let taken = self.split_off(tx, start);
        self.append(tx, after);
        taken
    }
}

/// Inserts into a full leaf, half of which goes to the right neighbour that is returned.
fn divide_around<'p, T>(tx: &Fase<'p>, leaf: &mut Node<'p, T>, at: usize, item: T) -> Node<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    let half = leaf.width().div_ceil(2);
    if at > half || (at == half && half == leaf.width()) {
        let mut right = if half == leaf.width() { Node::leaf(tx, 1) } else { leaf.split_items(tx, half) };
        right.insert_item(tx, at - half, item);
        return right;
    }
    let right = leaf.split_items(tx, if at == 0 && half == leaf.width() { 0 } else { half });
    leaf.insert_item(tx, at, item);
    right
}

impl<'p, T> Sequence<'p, T>
where
    T: Persistent<At<'p> = T> + Copy,
{
    /// Adds copies of these elements behind the last.
    ///
    /// Complexity: O(m + log n).
    pub(crate) fn extend_from_slice(&mut self, tx: &Fase<'p>, items: &[T]) {
        let mut rest = items;
        while !rest.is_empty() {
            let back = width(&self.back);
            let room = Self::LEAF - back.min(Self::LEAF);
            let fit = rest.len().min(room);
            if fit == 0 {
                self.flush(tx, End::Last);
                continue;
            }
            let (now, later) = rest.split_at(fit);
            match &mut self.back {
                Some(leaf) => leaf.splice_items(tx, back, back, now),
                None => self.back = Some(Node::leaf_of(tx, now)),
            }
            rest = later;
        }
    }

    /// Puts copies of these elements before the one at `index`.
    ///
    /// Complexity: O(m + log n).
    ///
    /// # Panics
    /// If `index` is behind the end.
    pub(crate) fn insert_slice(&mut self, tx: &Fase<'p>, index: usize, items: &[T]) {
        let len = self.len();
        assert!(index <= len, "index {index} is behind the {len} elements");
        if index == len {
            return self.extend_from_slice(tx, items);
        }
        // Two leaves hold what one and so many hold.
        if items.is_empty() || items.len() > Self::LEAF {
            let mut other = Self::new();
            other.extend_from_slice(tx, items);
            return self.insert_all(tx, index, other);
        }
        match self.place_with_room(tx, index, items.len()) {
            Place::Front(at) => {
                self.front.as_mut().expect(super::PLACED).splice_items(tx, at, at, items);
            }
            Place::Back(at) => self.back.as_mut().expect(super::PLACED).splice_items(tx, at, at, items),
            Place::Tree(at) => self.grow(tx, at, items.len() as u64, |leaf, at| {
                if leaf.width() + items.len() <= Self::LEAF {
                    leaf.splice_items(tx, at, at, items);
                    return None;
                }
                let mut all = leaf.items().to_vec();
                all.splice(at..at, items.iter().copied());
                let (left, right) = all.split_at(all.len().div_ceil(2));
                leaf.splice_items(tx, 0, leaf.width(), left);
                Some((Node::leaf_of(tx, right), right.len() as u64))
            }),
        }
    }
}
