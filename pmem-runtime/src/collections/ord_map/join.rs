//! Joining two trees with an entry between them, and splitting a tree at a path, in time proportional to the height (Blelloch,
//! Ferizovic and Sun, "Just Join for Parallel Ordered Sets", SPAA 2016, for nodes of many items). What is not on the way is
//! shared, not copied.

use super::edit::{grow, insert, pop_last, remove_from};
use super::node::{Node, Pair};
use super::path::Path;
use crate::commit::Fase;
use crate::persist::Persistent;

/// A tree, or none if it is empty.
pub(super) type Tree<'p, K, V> = Option<Node<'p, K, V>>;

/// One tree of all that is in `left`, then `pair`, then all that is in `right`.
///
/// Complexity: O(difference of the heights), or O(height) if one is empty.
pub(super) fn join<'p, K, V>(
    tx: &Fase<'p>,
    left: Tree<'p, K, V>,
    pair: Pair<K, V>,
    right: Tree<'p, K, V>,
) -> Node<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    match (left, right) {
        (None, None) => Node::single(tx, pair),
        (Some(mut left), None) => {
            let mut path = Path::to_end(&left);
            insert(tx, &mut left, &mut path, pair);
            left
        }
        (None, Some(mut right)) => {
            let mut path = Path::to_start(&right);
            insert(tx, &mut right, &mut path, pair);
            right
        }
        (Some(mut left), Some(right)) if left.level() > right.level() => {
            if let Some((pair, rest)) = hang_last(tx, &mut left, pair, right) {
                grow(tx, &mut left, pair, rest);
            }
            left
        }
        (Some(left), Some(mut right)) if left.level() < right.level() => {
            if let Some((pair, rest)) = hang_first(tx, &mut right, left, pair) {
                grow(tx, &mut right, pair, rest);
            }
            right
        }
        (Some(left), Some(right)) => {
            let mut node = Node::over(tx, left, pair, right);
            node.rebalance(tx, 0);
            if node.children().len() == 2 {
                node.rebalance(tx, 1);
            }
            node.into_root(tx).expect("an entry was put in")
        }
    }
}

/// Hangs `right`, a lower tree, behind the last entry of `node`. What comes back is split off.
fn hang_last<'p, K, V>(
    tx: &Fase<'p>,
    node: &mut Node<'p, K, V>,
    pair: Pair<K, V>,
    right: Node<'p, K, V>,
) -> Option<(Pair<K, V>, Node<'p, K, V>)>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let size = node.size() + 1 + right.size();
    let (items, children) = (node.pairs().len(), node.children().len());
    let split = if node.level() == right.level() + 1 {
        Some((pair, right))
    } else {
        hang_last(tx, node.child_mut(tx, children - 1), pair, right)
    };
    if let Some((pair, right)) = split {
        node.insert_both(tx, (items, pair), (children, right));
        node.rebalance(tx, children);
    }
    node.resize(tx, size);
    node.split_if_over(tx, items).map(|(_, pair, rest)| (pair, rest))
}

/// Hangs `left`, a lower tree, before the first entry of `node`. What comes back is split off.
fn hang_first<'p, K, V>(
    tx: &Fase<'p>,
    node: &mut Node<'p, K, V>,
    left: Node<'p, K, V>,
    pair: Pair<K, V>,
) -> Option<(Pair<K, V>, Node<'p, K, V>)>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let size = node.size() + 1 + left.size();
    if node.level() == left.level() + 1 {
        node.insert_both(tx, (0, pair), (0, left));
        node.rebalance(tx, 0);
    } else if let Some((pair, rest)) = hang_first(tx, node.child_mut(tx, 0), left, pair) {
        node.insert_both(tx, (0, pair), (1, rest));
    }
    node.resize(tx, size);
    node.split_if_over(tx, 0).map(|(_, pair, rest)| (pair, rest))
}

/// One tree of all that is in `left`, then all that is in `right`.
///
/// Complexity: O(height).
pub(super) fn concat<'p, K, V>(tx: &Fase<'p>, left: Tree<'p, K, V>, right: Tree<'p, K, V>) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    match (left, right) {
        (None, tree) | (tree, None) => tree,
        (Some(mut left), Some(right)) if left.level() <= right.level() => {
            let pair = pop_last(tx, &mut left);
            let left = left.into_root(tx);
            Some(join(tx, left, pair, Some(right)))
        }
        (left, Some(right)) => {
            let path = Path::to_first(&right);
            let mut right = Some(right);
            let pair = remove_from(tx, &mut right, &path).expect("a tree has an entry");
            Some(join(tx, left, pair, right))
        }
    }
}

/// [`join`], or [`concat`](fn@concat) if there is no entry between.
pub(super) fn glue<'p, K, V>(
    tx: &Fase<'p>,
    left: Tree<'p, K, V>,
    between: Option<Pair<K, V>>,
    right: Tree<'p, K, V>,
) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    match between {
        Some(pair) => Some(join(tx, left, pair, right)),
        None => concat(tx, left, right),
    }
}

/// What is before the end of a path, the entry there, and what is behind it.
pub(super) type Parts<'p, K, V> = (Tree<'p, K, V>, Option<Pair<K, V>>, Tree<'p, K, V>);

/// Splits a tree at the entry or gap that `path` leads to.
///
/// Complexity: O(height).
pub(super) fn split<'p, K, V>(tx: &Fase<'p>, root: Node<'p, K, V>, path: &Path) -> Parts<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    split_below(tx, root, path.steps(), path.is_found)
}

fn split_below<'p, K, V>(
    tx: &Fase<'p>,
    mut node: Node<'p, K, V>,
    steps: &[u8],
    is_found: bool,
) -> Parts<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let step = usize::from(steps[0]);
    let is_leaf = node.level() == 0;
    let mut rest = node.cut(tx, step, if is_leaf { 0 } else { step + 1 });
    if steps.len() == 1 {
        let found = is_found.then(|| rest.remove_pair(tx, 0));
        return (whole(tx, node), found, whole(tx, rest));
    }
    let child = node.remove_child(tx, step);
    let (mut left, found, mut right) = split_below(tx, child, &steps[1..], is_found);
    if let Some(last) = step.checked_sub(1) {
        let pair = node.remove_pair(tx, last);
        let before = whole(tx, node);
        left = Some(join(tx, before, pair, left));
    }
    if !rest.pairs().is_empty() {
        let pair = rest.remove_pair(tx, 0);
        let behind = whole(tx, rest);
        right = Some(join(tx, right, pair, behind));
    }
    (left, found, right)
}

/// A node that was cut, as a tree of its own.
fn whole<'p, K, V>(tx: &Fase<'p>, node: Node<'p, K, V>) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let is_child = node.pairs().is_empty();
    let mut node = node.into_root(tx)?;
    if !is_child {
        node.fit(tx);
    }
    Some(node)
}
