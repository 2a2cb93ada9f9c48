//! Trees joined and divided.
//!
//! Joining zips the right edge of one tree to the left edge of the other, from the leaves up: at each level the two nodes at the
//! seam give up their children, and those go into one node, or two that are wide enough (the concatenation of Bagwell and Rompf's
//! RRB trees, 2011, section 3.3, with the widths of a B-tree instead of a search-step bound).

use super::Node;
use super::edit::{End, Sized};
use super::shape::{FANOUT, FANOUT_MIN, Shape};
use crate::commit::Fase;
use crate::persist::Persistent;

/// One or two nodes of one level with all that is in two trees. The level is that of the higher one.
///
/// Complexity: O(log n).
pub(super) fn join<'p, T>(tx: &Fase<'p>, left: Sized<'p, T>, right: Sized<'p, T>) -> Vec<Sized<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    let (left_level, right_level) = (left.0.level(), right.0.level());
    let level = left_level.max(right_level);
    if level == 0 {
        return if left.0.is_narrow() || right.0.is_narrow() {
            balance(tx, left, right)
        } else {
            vec![left, right]
        };
    }
    let apart = |(node, size): Sized<'p, T>| {
        if node.level() == level { node.into_children(tx, size) } else { vec![(node, size)] }
    };
    let (mut children, mut after) = (apart(left), apart(right));
    let (last, first) = (children.pop(), after.remove(0));
    let at = children.len();
    let last = last.expect("an inner node has children");
    children.extend(join(tx, last, first));
    children.append(&mut after);
    widen(tx, &mut children, at);
    pack(tx, level, children)
}

/// Joins what is too narrow around `at` with neighbours.
fn widen<'p, T>(tx: &Fase<'p>, nodes: &mut Vec<Sized<'p, T>>, at: usize)
where
    T: Persistent<At<'p> = T>,
{
    let mut next = at.saturating_sub(1);
    while nodes.len() > 1 && next < nodes.len().min(at + 2) {
        if !nodes[next].0.is_narrow() {
            next += 1;
            continue;
        }
        // One node less, or two that are wide enough: so this ends.
        next = next.saturating_sub(1);
        let (first, second) = (nodes.remove(next), nodes.remove(next));
        let both = balance(tx, first, second);
        nodes.splice(next..next, both);
    }
}

/// These nodes under one of this level, or two.
fn pack<'p, T>(tx: &Fase<'p>, level: usize, mut children: Vec<Sized<'p, T>>) -> Vec<Sized<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    if children.len() <= FANOUT {
        return vec![Node::inner(tx, level, children)];
    }
    // The left one full if it can be: full nodes need no sums.
    let rest = children.split_off(FANOUT.min(children.len() - FANOUT_MIN));
    vec![Node::inner(tx, level, children), Node::inner(tx, level, rest)]
}

/// What is in two neighbours, in one node or in two of about the same width.
pub(super) fn balance<'p, T>(tx: &Fase<'p>, left: Sized<'p, T>, right: Sized<'p, T>) -> Vec<Sized<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    let level = left.0.level();
    if level == 0 {
        let half = (left.0.width() + right.0.width()) / 2;
        return share_out(tx, left.0, right.0, half);
    }
    let mut children = left.0.into_children(tx, left.1);
    children.extend(right.0.into_children(tx, right.1));
    if children.len() <= FANOUT {
        return vec![Node::inner(tx, level, children)];
    }
    let rest = children.split_off(children.len() / 2);
    vec![Node::inner(tx, level, children), Node::inner(tx, level, rest)]
}

/// The elements of two leaves in one, or in two of which the inner one is as full as the other permits.
pub(super) fn fill<'p, T>(
    tx: &Fase<'p>,
    left: Sized<'p, T>,
    right: Sized<'p, T>,
    end: End,
) -> Vec<Sized<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    let total = left.0.width() + right.0.width();
    let full = Shape::<T>::LEAF.min(total);
    let at = match end {
        End::First => total - full,
        End::Last => full,
    };
    share_out(tx, left.0, right.0, at)
}

/// The elements of two leaves in one, if they fit; else the first `at` of them in one and the rest in the other.
fn share_out<'p, T>(
    tx: &Fase<'p>,
    mut left: Node<'p, T>,
    mut right: Node<'p, T>,
    at: usize,
) -> Vec<Sized<'p, T>>
where
    T: Persistent<At<'p> = T>,
{
    let (before, total) = (left.width(), left.width() + right.width());
    if total <= Shape::<T>::LEAF {
        let mut one = Node::leaf(tx, total);
        one.append_items(tx, left);
        one.append_items(tx, right);
        return vec![(one, total as u64)];
    }
    if at < before {
        let mut moved = Node::leaf(tx, total - at);
        moved.append_items(tx, left.split_items(tx, at));
        moved.append_items(tx, right);
        right = moved;
    } else if at > before {
        let rest = right.split_items(tx, at - before);
        let mut longer = Node::leaf(tx, at);
        longer.append_items(tx, left);
        longer.append_items(tx, right);
        (left, right) = (longer, rest);
    }
    vec![(left, at as u64), (right, (total - at) as u64)]
}

/// The parts of a tree with `total` elements before and from `at` on. Both are inside: neither part is empty.
///
/// Complexity: O(log n).
pub(super) fn split<'p, T>(
    tx: &Fase<'p>,
    (mut node, total): Sized<'p, T>,
    at: u64,
) -> (Sized<'p, T>, Sized<'p, T>)
where
    T: Persistent<At<'p> = T>,
{
    let level = node.level();
    if level == 0 {
        let right = node.split_items(tx, at as usize);
        return ((node, at), (right, total - at));
    }
    let (child, rest) = node.find(at);
    let mut left = node.into_children(tx, total);
    let mut right = left.split_off(child);
    if rest > 0 {
        let divided = right.remove(0);
        let (before, after) = split(tx, divided, rest);
        left.push(before);
        right.insert(0, after);
    }
    (Node::inner(tx, level, left), Node::inner(tx, level, right))
}

/// The tree without levels that it does not need.
pub(super) fn lowered<'p, T>(tx: &Fase<'p>, mut tree: Sized<'p, T>) -> Sized<'p, T>
where
    T: Persistent<At<'p> = T>,
{
    loop {
        let (node, size) = tree;
        let is_low = match node.children() {
            [_] => true,
            [left, right] => left.width() + right.width() <= Node::<'p, T>::width_max(left.level()),
            _ => false,
        };
        if !is_low {
            return (node, size);
        }
        let mut children = node.into_children(tx, size).into_iter();
        let left = children.next().expect("it has one or two");
        tree = match children.next() {
            Some(right) => balance(tx, left, right).remove(0),
            None => left,
        };
    }
}
