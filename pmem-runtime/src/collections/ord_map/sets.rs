//! Maps as sets of keys: union, intersection, difference, and what a predicate keeps.
//!
//! One tree is walked, the other is split at the entries met (Blelloch, Ferizovic and Sun 2016, section 3): with m entries in the
//! smaller and n in the larger tree O(m log(n/m + 1)) comparisons. Where both have the same subtree it is decided as a whole.

use super::join::{Parts, Tree, concat, glue, split};
use super::node::Node;
use super::path::Path;
use crate::commit::Fase;
use crate::persist::Persistent;

fn split_by_key<'p, K, V>(tx: &Fase<'p>, tree: Tree<'p, K, V>, key: &K) -> Parts<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    let Some(root) = tree else { return (None, None, None) };
    let path = Path::to(&root, key);
    split(tx, root, &path)
}

/// Whether all keys of `left` are below all of `right`.
fn is_before<'p, K, V>(left: &Node<'p, K, V>, right: &Node<'p, K, V>) -> bool
where
    K: Persistent + Ord,
    V: Persistent,
{
    Path::to_last(left).pair(left).key < Path::to_first(right).pair(right).key
}

/// All keys of either; where both have one, the entry is that of `first`.
pub(super) fn union<'p, K, V>(tx: &Fase<'p>, first: Tree<'p, K, V>, second: Tree<'p, K, V>) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (first, second) => return first.or(second),
    };
    if Node::ptr_eq(&first, &second) {
        return Some(first);
    }
    if is_before(&first, &second) {
        return concat(tx, Some(first), Some(second));
    }
    if is_before(&second, &first) {
        return concat(tx, Some(second), Some(first));
    }
    let (pairs, children) = second.take(tx);
    let mut children = children.into_iter();
    let (mut done, mut between, mut rest) = (None, None, Some(first));
    for pair in pairs {
        let (left, found, right) = split_by_key(tx, rest, &pair.key);
        let part = union(tx, left, children.next());
        done = glue(tx, done, between, part);
        between = Some(found.unwrap_or(pair));
        rest = right;
    }
    let part = union(tx, rest, children.next());
    glue(tx, done, between, part)
}

/// The keys of exactly one of them.
pub(super) fn symmetric_difference<'p, K, V>(
    tx: &Fase<'p>,
    first: Tree<'p, K, V>,
    second: Tree<'p, K, V>,
) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (first, second) => return first.or(second),
    };
    if Node::ptr_eq(&first, &second) {
        return None;
    }
    let (pairs, children) = second.take(tx);
    let mut children = children.into_iter();
    let (mut done, mut between, mut rest) = (None, None, Some(first));
    for pair in pairs {
        let (left, found, right) = split_by_key(tx, rest, &pair.key);
        let part = symmetric_difference(tx, left, children.next());
        done = glue(tx, done, between, part);
        between = found.is_none().then_some(pair);
        rest = right;
    }
    let part = symmetric_difference(tx, rest, children.next());
    glue(tx, done, between, part)
}

/// The entries of `first` whose keys `second` has.
pub(super) fn intersection<'p, K, V>(
    tx: &Fase<'p>,
    first: Tree<'p, K, V>,
    second: Option<&Node<'p, K, V>>,
) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    let (first, second) = (first?, second?);
    if Node::ptr_eq(&first, second) {
        return Some(first);
    }
    let (mut done, mut between, mut rest) = (None, None, Some(first));
    for (index, pair) in second.pairs().iter().enumerate() {
        let (left, found, right) = split_by_key(tx, rest, &pair.key);
        let part = intersection(tx, left, second.child(index));
        done = glue(tx, done, between, part);
        between = found;
        rest = right;
    }
    let part = intersection(tx, rest, second.child(second.pairs().len()));
    glue(tx, done, between, part)
}

/// The entries of `first` whose keys `second` does not have.
pub(super) fn difference<'p, K, V>(
    tx: &Fase<'p>,
    first: Tree<'p, K, V>,
    second: Option<&Node<'p, K, V>>,
) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K> + Ord,
    V: Persistent<At<'p> = V>,
{
    let (Some(root), Some(second)) = (&first, second) else { return first };
    if Node::ptr_eq(root, second) {
        return None;
    }
    let (mut done, mut rest) = (None, first);
    for (index, pair) in second.pairs().iter().enumerate() {
        let (left, _, right) = split_by_key(tx, rest, &pair.key);
        let part = difference(tx, left, second.child(index));
        done = concat(tx, done, part);
        rest = right;
    }
    let part = difference(tx, rest, second.child(second.pairs().len()));
    concat(tx, done, part)
}

/// What is left of a tree without the entries of these ranks, which are sorted. `first` is the rank of the tree's first entry.
///
/// Complexity: O(n) for many of them, O(height) for each of a few: subtrees that keep all are not looked at.
pub(super) fn without<'p, K, V>(
    tx: &Fase<'p>,
    root: Node<'p, K, V>,
    first: usize,
    ranks: &[usize],
) -> Tree<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let from = ranks.partition_point(|rank| *rank < first);
    let to = ranks.partition_point(|rank| *rank < first + root.size());
    let ranks = &ranks[from..to];
    if ranks.is_empty() {
        return Some(root);
    }
    if ranks.len() == root.size() {
        return None;
    }
    if root.level() == 0 {
        let mut leaf = root;
        for rank in ranks.iter().rev() {
            leaf.remove_pair(tx, rank - first);
        }
        leaf.fit(tx);
        return Some(leaf);
    }
    let (pairs, children) = root.take(tx);
    let mut pairs = pairs.into_iter();
    let (mut done, mut between, mut rank) = (None, None, first);
    for child in children {
        let size = child.size();
        let part = without(tx, child, rank, ranks);
        done = glue(tx, done, between, part);
        rank += size;
        between = pairs.next().filter(|_| ranks.binary_search(&rank).is_err());
        rank += 1;
    }
    done
}
