//! Trees made, divided and joined.

use super::node::Node;
use super::{Content, FANOUT, FANOUT_MIN, LEAF, LEAF_MIN};
use crate::commit::Fase;

/// A tree of copies of these bytes; none of none. Complexity: O(bytes).
pub(super) fn build<'p, H: Content>(tx: &Fase<'p>, bytes: &[u8]) -> Option<Node<'p, H>> {
    let mut level = 0;
    let mut nodes = leaves(tx, bytes);
    while nodes.len() > 1 {
        level += 1;
        let mut below = nodes.into_iter();
        nodes = Vec::with_capacity(below.len().div_ceil(FANOUT));
        while below.len() > 0 {
            // The last node is left enough.
            let rest = below.len();
            let width = if rest > FANOUT { FANOUT.min(rest - FANOUT_MIN) } else { rest };
            nodes.push(Node::inner(tx, level, below.by_ref().take(width)));
        }
    }
    nodes.pop()
}

fn leaves<'p, H: Content>(tx: &Fase<'p>, bytes: &[u8]) -> Vec<Node<'p, H>> {
    let mut leaves = Vec::with_capacity(bytes.len().div_ceil(LEAF));
    let mut rest = bytes;
    while rest.len() > LEAF {
        // The last leaf is left enough.
        let cut = H::floor(rest, LEAF.min(rest.len() - LEAF_MIN));
        leaves.push(Node::leaf(tx, &rest[..cut]));
        rest = &rest[cut..];
    }
    if !rest.is_empty() {
        leaves.push(Node::leaf(tx, rest));
    }
    leaves
}

/// Divides a tree before the byte at `at`. Complexity: O(log n).
pub(super) fn divide<'p, H: Content>(
    tx: &Fase<'p>,
    tree: Option<Node<'p, H>>,
    at: u64,
) -> (Option<Node<'p, H>>, Option<Node<'p, H>>) {
    let Some(mut left) = tree else { return (None, None) };
    if at == 0 {
        return (None, Some(left));
    }
    if at >= left.len() {
        return (Some(left), None);
    }
    if left.level() == 0 {
        let right = left.split_at(tx, at as usize);
        return (Some(left), Some(right));
    }
    let index = left.index_of(at);
    let rest = at - left.start(index);
    let _ = left.require_child(index);
    let right = left.split_at(tx, index + 1);
    let middle = left.remove(tx, index);
    let (before, behind) = divide(tx, Some(middle), rest);
    let (left, right) = (collapse(tx, left), collapse(tx, right));
    (concat(tx, left, before), concat(tx, behind, right))
}

/// An inner node as a tree: not one with a single child.
fn collapse<'p, H: Content>(tx: &Fase<'p>, mut node: Node<'p, H>) -> Option<Node<'p, H>> {
    match node.width() {
        0 => None,
        1 => Some(node.remove(tx, 0)),
        _ => Some(node),
    }
}

/// The tree of all bytes of two. Complexity: O(difference of their heights).
pub(super) fn concat<'p, H: Content>(
    tx: &Fase<'p>,
    left: Option<Node<'p, H>>,
    right: Option<Node<'p, H>>,
) -> Option<Node<'p, H>> {
    let (left, right) = match (left, right) {
        (Some(left), Some(right)) => (left, right),
        (left, right) => return left.or(right),
    };
    let (first, second) = join(tx, left, right);
    let Some(second) = second else { return Some(first) };
    let level = first.level() + 1;
    Some(Node::inner(tx, level, [first, second]))
}

/// One or two nodes with all bytes of two trees, as high as the higher one. If there are two, both are wide enough.
fn join<'p, H: Content>(
    tx: &Fase<'p>,
    mut left: Node<'p, H>,
    mut right: Node<'p, H>,
) -> (Node<'p, H>, Option<Node<'p, H>>) {
    if left.level() == right.level() {
        return pair(tx, left, right);
    }
    if left.level() > right.level() {
        let last = left.width() - 1;
        let _ = left.require_child(last);
        let below = left.remove(tx, last);
        let (first, second) = join(tx, below, right);
        let none = left.insert(tx, last, first);
        assert!(none.is_none(), "a child was taken out before");
        let overflow = second.and_then(|second| left.insert(tx, last + 1, second));
        return (left, overflow);
    }
    let _ = right.require_child(0);
    let below = right.remove(tx, 0);
    let (first, second) = join(tx, left, below);
    if let Some(second) = second {
        let none = right.insert(tx, 0, second);
        assert!(none.is_none(), "a child was taken out before");
    }
    let overflow = right.insert(tx, 0, first);
    (right, overflow)
}

/// Two nodes of one level, made one if they fit into it, and else wide enough each.
fn pair<'p, H: Content>(
    tx: &Fase<'p>,
    mut left: Node<'p, H>,
    mut right: Node<'p, H>,
) -> (Node<'p, H>, Option<Node<'p, H>>) {
    let (min, max) = Node::<H>::widths(left.level());
    let (first, second) = (left.width(), right.width());
    if first + second <= max {
        left.append(tx, right);
        return (left, None);
    }
    if first < min {
        let rest = right.split_at(tx, right.cut(min - first + H::SLACK));
        left.append(tx, right);
        return (left, Some(rest));
    }
    if second < min {
        let mut moved = left.split_at(tx, left.cut(first - (min - second)));
        moved.append(tx, right);
        return (left, Some(moved));
    }
    (left, Some(right))
}

impl<H: Content> Node<'_, H> {
    /// The last place at or before `at` where the node may be divided.
    fn cut(&self, at: usize) -> usize {
        if self.level() == 0 { H::floor(self.0.items(), at) } else { at }
    }
}
