//! Whether a trie is what it must be.

use super::node::{Node, Route, STEPS_MAX, WAYS};
use super::trie::Trie;
use crate::collections::Defect;
use crate::persist::Persistent;

/// A node to be checked, and the way to it.
struct Visit<'a, 'p, K, V> {
    node: &'a Node<'p, K, V>,
    /// Which slot of which slot.
    slots: Vec<u32>,
}

impl<K: Persistent, V: Persistent> Trie<'_, K, V> {
    /// Verifies the shape, the counts, that each key lies where its hash leads, and that no key is there twice.
    ///
    /// Complexity: O(n).
    pub(super) fn check(
        &self,
        collection: &'static str,
        hash: impl Fn(&K) -> u64,
        is_same: impl Fn(&K, &K) -> bool,
    ) -> Result<(), Defect> {
        let mut visits: Vec<Visit<'_, '_, K, V>> =
            self.root.iter().map(|node| Visit { node, slots: Vec::new() }).collect();
        while let Some(visit) = visits.pop() {
            let defect = |expected: String, found: String| Defect {
                collection,
                path: visit.slots.iter().map(|slot| *slot as usize).collect(),
                expected,
                found,
            };
            check_shape(&visit, defect)?;
            let Visit { node, slots } = &visit;
            let pairs = node.pairs();
            for (index, pair) in pairs.iter().enumerate() {
                let mut route = Route::new(hash(&pair.key));
                if slots.iter().any(|slot| route.step() != *slot) {
                    let found = format!("entry {index}, whose hash leads elsewhere");
                    return Err(defect("keys whose hash leads here".to_owned(), found));
                }
                if let Some(first) = pairs[..index].iter().position(|other| is_same(&other.key, &pair.key)) {
                    let found = format!("entries {first} and {index} with equal keys");
                    return Err(defect("each key once".to_owned(), found));
                }
            }
            for (slot, node) in node.head().slots().zip(node.children()) {
                let mut below = slots.clone();
                below.push(slot);
                visits.push(Visit { node, slots: below });
            }
        }
        Ok(())
    }
}

/// Checks what does not depend on hashes.
fn check_shape<K: Persistent, V: Persistent>(
    visit: &Visit<'_, '_, K, V>,
    defect: impl Fn(String, String) -> Defect,
) -> Result<(), Defect> {
    let (node, steps) = (visit.node, visit.slots.len() as u32);
    let (bucket, len) = (Node::<K, V>::BUCKET as u64, node.len());
    if node.is_leaf() {
        if len == 0 {
            return Err(defect("a leaf with entries".to_owned(), "none".to_owned()));
        }
        if len > bucket && steps < STEPS_MAX {
            return Err(defect(format!("at most {bucket} entries in a leaf"), len.to_string()));
        }
        return Ok(());
    }
    if steps >= STEPS_MAX {
        return Err(defect("a leaf where the hash is used up".to_owned(), "an inner node".to_owned()));
    }
    if let Some(slot) = node.head().slots().find(|slot| u64::from(*slot) >= WAYS) {
        return Err(defect(format!("slots below {WAYS}"), slot.to_string()));
    }
    if len <= bucket {
        return Err(defect(format!("more than {bucket} entries under an inner node"), len.to_string()));
    }
    let sum: u64 = node.children().iter().map(Node::len).sum();
    if len != sum {
        return Err(defect(format!("a count of the {sum} entries under the node"), len.to_string()));
    }
    Ok(())
}
