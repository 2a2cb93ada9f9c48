//! Comparing two tries, skipping what they share.

use std::fmt;
use std::iter::FusedIterator;

use super::iter::Pairs;
use super::node::{Node, Pair, SLOTS};
use super::trie::Trie;
use crate::collections::MapChange;
use crate::persist::Persistent;

/// What is still to be compared.
enum Task<'a, 'p, K, V> {
    Compare(&'a Node<'p, K, V>, &'a Node<'p, K, V>),
    Added(&'a Node<'p, K, V>),
    Removed(&'a Node<'p, K, V>),
}

/// Over what distinguishes two maps, made by [`Map::diff`](super::Map::diff).
pub struct Diff<'a, 'p, K, V> {
    /// What is still to do, each with its number of steps.
    tasks: Vec<(Task<'a, 'p, K, V>, u32)>,
    found: Vec<MapChange<'a, K, V>>,
}

impl<'a, 'p, K, V> Diff<'a, 'p, K, V>
where
    K: Persistent + Eq,
    V: Persistent + PartialEq,
{
    /// Compares two tries whose hashes are the same.
    pub(super) fn new(left: &'a Trie<'p, K, V>, right: &'a Trie<'p, K, V>) -> Self {
        let mut diff = Diff { tasks: Vec::new(), found: Vec::new() };
        diff.plan(left.root.as_ref(), right.root.as_ref(), 0);
        diff
    }

    /// What somebody else found.
    pub(super) fn of(found: Vec<MapChange<'a, K, V>>) -> Self {
        Diff { tasks: Vec::new(), found }
    }

    fn plan(&mut self, left: Option<&'a Node<'p, K, V>>, right: Option<&'a Node<'p, K, V>>, steps: u32) {
        match (left, right) {
            (Some(left), Some(right)) if Node::ptr_eq(left, right) => {}
            (Some(left), Some(right)) => self.tasks.push((Task::Compare(left, right), steps)),
            (Some(left), None) => self.tasks.push((Task::Removed(left), steps)),
            (None, Some(right)) => self.tasks.push((Task::Added(right), steps)),
            (None, None) => {}
        }
    }

    fn work(&mut self, task: Task<'a, 'p, K, V>, steps: u32) {
        match task {
            Task::Compare(left, right) if left.is_leaf() || right.is_leaf() => self.compare(left, right),
            Task::Compare(left, right) => {
                let (Some(left_steps), Some(right_steps)) = (left.enter(steps), right.enter(steps)) else {
                    return;
                };
                let steps = left_steps.max(right_steps);
                SLOTS.rev().for_each(|slot| self.plan(left.child(slot), right.child(slot), steps));
            }
            Task::Added(node) if node.is_leaf() => self.found.extend(node.pairs().iter().rev().map(added)),
            Task::Removed(node) if node.is_leaf() => {
                self.found.extend(node.pairs().iter().rev().map(removed))
            }
            Task::Added(node) => self.plan_all(node, steps, Task::Added),
            Task::Removed(node) => self.plan_all(node, steps, Task::Removed),
        }
    }

    fn plan_all(
        &mut self,
        node: &'a Node<'p, K, V>,
        steps: u32,
        task: fn(&'a Node<'p, K, V>) -> Task<'a, 'p, K, V>,
    ) {
        let Some(steps) = node.enter(steps) else { return };
        self.tasks.extend(node.children().iter().rev().map(|child| (task(child), steps)));
    }

    /// Compares two nodes of which at least one is a leaf.
    ///
    /// Complexity: the entries of one times those of the other, which are few in the leaf unless their hashes are all equal.
    fn compare(&mut self, left: &'a Node<'p, K, V>, right: &'a Node<'p, K, V>) {
        let (left, right) = (Pairs::new(Some(left)), Pairs::new(Some(right)));
        for new in right.clone().rev() {
            if !left.clone().any(|old| old.key == new.key) {
                self.found.push(added(new));
            }
        }
        for old in left.rev() {
            match right.clone().find(|new| new.key == old.key) {
                None => self.found.push(removed(old)),
                Some(new) if new.value != old.value => {
                    self.found.push(MapChange::Changed { key: &new.key, old: &old.value, new: &new.value });
                }
                Some(_) => {}
            }
        }
    }
}

fn added<K, V>(pair: &Pair<K, V>) -> MapChange<'_, K, V> {
    MapChange::Added { key: &pair.key, value: &pair.value }
}

fn removed<K, V>(pair: &Pair<K, V>) -> MapChange<'_, K, V> {
    MapChange::Removed { key: &pair.key, value: &pair.value }
}

impl<'a, K, V> Iterator for Diff<'a, '_, K, V>
where
    K: Persistent + Eq,
    V: Persistent + PartialEq,
{
    type Item = MapChange<'a, K, V>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(change) = self.found.pop() {
                return Some(change);
            }
            let (task, steps) = self.tasks.pop()?;
            self.work(task, steps);
        }
    }
}

impl<K, V> FusedIterator for Diff<'_, '_, K, V>
where
    K: Persistent + Eq,
    V: Persistent + PartialEq,
{
}

impl<K, V> fmt::Debug for Diff<'_, '_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diff").finish_non_exhaustive()
    }
}

/// What to make of a node that both tries have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Its entries are equal to themselves.
    Skip,
    /// Its values may differ from themselves, as a NaN does.
    Compare,
}

/// Whether two tries whose hashes are the same have equal entries. They have the same shape then.
pub(super) fn equal<'p, K, V>(left: &Trie<'p, K, V>, right: &Trie<'p, K, V>, shared: Shared) -> bool
where
    K: Persistent + Eq,
    V: Persistent + PartialEq,
{
    let (Some(left), Some(right)) = (&left.root, &right.root) else {
        return left.root.is_none() && right.root.is_none();
    };
    let mut tasks = vec![(left, right, 0)];
    while let Some((left, right, steps)) = tasks.pop() {
        if shared == Shared::Skip && Node::ptr_eq(left, right) {
            continue;
        }
        if left.head() != right.head() {
            return false;
        }
        let has_equal = |pair: &Pair<K, V>| {
            let other = right.pairs().iter().find(|other| other.key == pair.key);
            other.is_some_and(|other| other.value == pair.value)
        };
        if !left.pairs().iter().all(has_equal) {
            return false;
        }
        if !left.is_leaf() {
            let Some(steps) = left.enter(steps) else { return false };
            let children = left.children().iter().zip(right.children());
            tasks.extend(children.map(|(left, right)| (left, right, steps)));
        }
    }
    true
}
