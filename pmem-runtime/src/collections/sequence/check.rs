//! The engine's invariants, verified.

use super::edit::is_regular;
use super::shape::{LEVELS, Sizes};
use super::{Node, Sequence};
use crate::collections::Defect;
use crate::persist::Persistent;

impl<'p, T> Sequence<'p, T>
where
    T: Persistent,
{
    /// Verifies the room's invariants 1 to 4. `collection` names the structure in defects.
    ///
    /// Complexity: O(n / leaf).
    ///
    /// # Errors
    /// The first defect. Its path begins with 0 for the front, 1 for the tree and 2 for the back.
    pub(crate) fn check(&self, collection: &'static str) -> Result<(), Defect> {
        let mut check = Check { collection, path: Vec::new(), rest: u64::MAX };
        for (index, end) in [(0, &self.front), (2, &self.back)] {
            let Some(leaf) = end else { continue };
            check.path.push(index);
            let level = leaf.level();
            check.that(level == 0, "a leaf outside the tree", || format!("a node of level {level}"))?;
            check.node(leaf, 0, (true, true))?;
            check.path.pop();
        }
        check.path.push(1);
        check.rest = self.tree_len;
        let size = match &self.tree {
            Some(tree) => {
                check.root(tree)?;
                check.node(tree, tree.level(), (true, true))?
            }
            None => 0,
        };
        check.that(size == self.tree_len, "as many elements as are counted", || {
            format!("{size}, not {}", self.tree_len)
        })
    }
}

struct Check {
    collection: &'static str,
    path: Vec<usize>,
    /// How many elements may come. A damaged tree may have one child at many places, and no end that anyone would wait for.
    rest: u64,
}

impl Check {
    fn that(&self, holds: bool, expected: &str, found: impl FnOnce() -> String) -> Result<(), Defect> {
        if holds {
            return Ok(());
        }
        Err(Defect {
            collection: self.collection,
            path: self.path.clone(),
            expected: expected.to_owned(),
            found: found(),
        })
    }

    fn root<'p, T>(&self, root: &Node<'p, T>) -> Result<(), Defect>
    where
        T: Persistent,
    {
        let level = root.level();
        self.that(level < LEVELS, "a height that a sequence can have", || level.to_string())?;
        let is_needed = match root.children() {
            [] => true,
            [_] => false,
            [left, right] => left.width() + right.width() > Node::<'p, T>::width_max(left.level()),
            _ => true,
        };
        self.that(is_needed, "a root whose children do not fit into one", || {
            format!("{} children", root.width())
        })
    }

    /// Verifies a node and all below it; returns how many elements there are. Recurses over the height.
    fn node<'p, T>(
        &mut self,
        node: &Node<'p, T>,
        level: usize,
        (is_first, is_last): (bool, bool),
    ) -> Result<u64, Defect>
    where
        T: Persistent,
    {
        self.that(node.level() == level, "a node of its parent's level but one", || {
            format!("level {} where {level} belongs", node.level())
        })?;
        let (width, max) = (node.width(), Node::<'p, T>::width_max(level));
        self.that((1..=max).contains(&width), "a node that is neither empty nor too wide", || {
            format!("{width} where {max} is the limit")
        })?;
        let is_inner_edge = !is_first && !is_last;
        self.that(!(is_inner_edge && node.is_narrow()), "a node that is wide enough", || {
            format!("{width} away from the tree's edges")
        })?;
        let (items, children) = (node.items().len(), node.children().len());
        if level == 0 {
            self.that(children == 0 && node.sums().is_empty(), "a leaf with items only", || {
                format!("{children} children")
            })?;
            let rest = self.rest.checked_sub(items as u64);
            self.that(rest.is_some(), "no more elements than are counted", || format!("{items} more"))?;
            self.rest = rest.unwrap_or(0);
            return Ok(items as u64);
        }
        self.that(items == 0, "an inner node without items", || format!("{items} items"))?;
        let mut sizes = Sizes::EMPTY;
        for (index, child) in node.children().iter().enumerate() {
            self.path.push(index);
            let edges = (is_first && index == 0, is_last && index + 1 == children);
            sizes.insert(index, self.node(child, level - 1, edges)?);
            self.path.pop();
        }
        let regular = is_regular::<T>(level, &sizes);
        let sums = node.sums();
        let is_right = if regular { sums.is_empty() } else { sums == sizes.sums().as_slice() };
        self.that(is_right, "sums of the children's sizes, where they are not full", || format!("{sums:?}"))?;
        Ok(sizes.total())
    }
}
