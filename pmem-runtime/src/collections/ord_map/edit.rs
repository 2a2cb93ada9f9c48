//! Insertion and removal along a path. Nothing is compared in here: the path was found before.

use super::node::{Node, Pair};
use super::path::Path;
use crate::commit::Fase;
use crate::persist::Persistent;

/// What a node that was split leaves to its parent: where it was cut, what was there, and what was behind.
type Split<'p, K, V> = (usize, Pair<K, V>, Node<'p, K, V>);

/// Inserts an entry into the gap that `path` leads to, which afterwards leads to the entry.
///
/// Complexity: O(log n).
pub(super) fn insert<'p, K, V>(tx: &Fase<'p>, root: &mut Node<'p, K, V>, path: &mut Path, pair: Pair<K, V>)
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    if let Some((at, pair, right)) = insert_below(tx, root, path, 0, pair) {
        let step = usize::from(path.steps()[0]);
        let (place, step) = side(at, step, path.steps().len() == 1);
        if let Some(step) = step {
            path.set(0, step);
        }
        path.put_under(place);
        if step.is_none() {
            path.end_at(0);
        }
        grow(tx, root, pair, right);
    }
    path.is_found = true;
}

/// Puts a root on top of one that was split.
pub(super) fn grow<'p, K, V>(
    tx: &Fase<'p>,
    root: &mut Node<'p, K, V>,
    pair: Pair<K, V>,
    right: Node<'p, K, V>,
) where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let top = Node::with_room(tx, root.level() + 1, 1);
    let left = std::mem::replace(root, top);
    root.insert_child(tx, 0, left);
    root.insert_child(tx, 1, right);
    root.insert_pair(tx, 0, pair);
}

/// Where the thing at `step` of a node is once the node was cut at `at`: in which of the two, and at which of its steps; no step
/// if it is what came out between them.
fn side(at: usize, step: usize, is_entry: bool) -> (usize, Option<usize>) {
    match step {
        step if step < at || (step == at && !is_entry) => (0, Some(step)),
        step if step == at => (0, None),
        step => (1, Some(step - at - 1)),
    }
}

fn insert_below<'p, K, V>(
    tx: &Fase<'p>,
    node: &mut Node<'p, K, V>,
    path: &mut Path,
    depth: usize,
    pair: Pair<K, V>,
) -> Option<Split<'p, K, V>>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let step = usize::from(path.steps()[depth]);
    if depth + 1 == path.steps().len() {
        node.insert_pair(tx, step, pair);
        return node.split_if_over(tx, step);
    }
    let size = node.size() + 1;
    let child = &mut node.edit(tx).1[step];
    let split = insert_below(tx, child, path, depth + 1, pair);
    let Some((at, pair, right)) = split else {
        node.resize(tx, size);
        return None;
    };
    let below = usize::from(path.steps()[depth + 1]);
    let (place, below) = side(at, below, depth + 2 == path.steps().len());
    match below {
        Some(below) => {
            path.set(depth + 1, below);
            path.set(depth, step + place);
        }
        None => path.end_at(depth),
    }
    node.insert_both(tx, (step, pair), (step + 1, right));
    node.resize(tx, size);
    node.split_if_over(tx, step)
}

/// Takes out the entry that `steps` lead to. The node may have too few items then.
///
/// Complexity: O(log n).
pub(super) fn remove<'p, K, V>(tx: &Fase<'p>, node: &mut Node<'p, K, V>, steps: &[u8]) -> Pair<K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let step = usize::from(steps[0]);
    let is_here = steps.len() == 1;
    if is_here && node.level() == 0 {
        return node.remove_pair(tx, step);
    }
    let size = node.size() - 1;
    let (pairs, children) = node.edit(tx);
    let pair = if is_here {
        // Its place is taken by the one before it, which is in a leaf.
        let before = pop_last(tx, &mut children[step]);
        std::mem::replace(&mut pairs[step], before)
    } else {
        remove(tx, &mut children[step], &steps[1..])
    };
    node.resize(tx, size);
    node.rebalance(tx, step);
    pair
}

/// Takes out the last entry of a tree that has one. The node may have too few items then.
pub(super) fn pop_last<'p, K, V>(tx: &Fase<'p>, node: &mut Node<'p, K, V>) -> Pair<K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let path = Path::to_last(node);
    remove(tx, node, path.steps())
}

/// Takes the entry out of a whole tree.
pub(super) fn remove_from<'p, K, V>(
    tx: &Fase<'p>,
    root: &mut Option<Node<'p, K, V>>,
    path: &Path,
) -> Option<Pair<K, V>>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    let mut node = root.take()?;
    let pair = remove(tx, &mut node, path.steps());
    *root = node.into_root(tx);
    Some(pair)
}
