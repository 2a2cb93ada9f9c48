//! The invariants of a tree, verified.

use super::OrdMap;
use super::node::Node;
use crate::collections::Defect;
use crate::persist::Persistent;

impl<K: Persistent + Ord, V: Persistent> OrdMap<'_, K, V> {
    /// Verifies the map's invariants: the order of the keys, the shape of the tree, and its sizes.
    ///
    /// Complexity: O(n).
    ///
    /// # Errors
    /// The first invariant that does not hold, and where.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::OrdMap, persist_fase};
    /// # let pool = Pool::<OrdMap<u64, u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, map| {
    /// map.extend(tx, (0..1000).map(|key| (key, key)));
    /// map.check()?;
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        let Some(root) = &self.root else { return Ok(()) };
        let mut check = Check { path: Vec::new(), before: None };
        check.node(root, root.level())
    }
}

struct Check<'a, K> {
    path: Vec<usize>,
    /// The key before the ones to come.
    before: Option<&'a K>,
}

impl<'a, K: Persistent + Ord> Check<'a, K> {
    fn defect(&self, expected: impl Into<String>, found: impl ToString) -> Defect {
        let (path, expected) = (self.path.clone(), expected.into());
        Defect { collection: "OrdMap", path, expected, found: found.to_string() }
    }

    fn node<V: Persistent>(&mut self, node: &'a Node<'_, K, V>, level: u8) -> Result<(), Defect> {
        let (pairs, children) = (node.pairs(), node.children());
        if node.level() != level {
            return Err(self.defect(format!("level {level}"), node.level()));
        }
        let least = if self.path.is_empty() { 1 } else { node.min().max(1) };
        if !(least..=node.max()).contains(&pairs.len()) {
            return Err(self.defect(format!("{least} to {} items", node.max()), pairs.len()));
        }
        let family = if level == 0 { 0 } else { pairs.len() + 1 };
        if children.len() != family {
            return Err(self.defect(format!("{family} children"), children.len()));
        }
        let size = pairs.len() + children.iter().map(Node::size).sum::<usize>();
        if node.size() != size {
            return Err(self.defect(format!("a size of {size}"), node.size()));
        }
        for (index, pair) in pairs.iter().enumerate() {
            self.child(children, index, level)?;
            if self.before.is_some_and(|before| *before >= pair.key) {
                let found = format!("the key of item {index} not above the one before it");
                return Err(self.defect("keys that ascend", found));
            }
            self.before = Some(&pair.key);
        }
        self.child(children, pairs.len(), level)
    }

    fn child<V: Persistent>(
        &mut self,
        children: &'a [Node<'_, K, V>],
        index: usize,
        level: u8,
    ) -> Result<(), Defect> {
        let Some(child) = children.get(index) else { return Ok(()) };
        self.path.push(index);
        self.node(child, level - 1)?;
        self.path.pop();
        Ok(())
    }
}
