//! The checker of the tree's invariants.

use super::node::Node;
use super::{Content, LEVELS, Rope, SHORT};
use crate::collections::Defect;

impl<H: Content> Rope<'_, H> {
    /// Verifies the invariants of the room. Complexity: O(nodes).
    pub(in crate::collections) fn check(&self, collection: &'static str) -> Result<(), Defect> {
        let Rope::Tree(tree) = self else { return Ok(()) };
        let mut walk = Walk { collection, path: Vec::new(), len: tree.len, seen: 0 };
        if tree.len <= SHORT as u64 {
            return walk.wrong("more bytes than fit the owner", tree.len);
        }
        if tree.root.level() >= LEVELS {
            return walk.wrong(format!("a level below {LEVELS}"), tree.root.level());
        }
        let len = walk.node(&tree.root)?;
        if len != tree.len {
            return walk.wrong(format!("{} bytes", tree.len), len);
        }
        Ok(())
    }
}

struct Walk {
    collection: &'static str,
    path: Vec<usize>,
    /// How many bytes there are to be.
    len: u64,
    /// How many have come. A damaged tree may have one child at many places, and no end that anyone would wait for.
    seen: u64,
}

impl Walk {
    fn wrong<T>(&self, expected: impl ToString, found: impl ToString) -> Result<T, Defect> {
        Err(Defect {
            collection: self.collection,
            path: self.path.clone(),
            expected: expected.to_string(),
            found: found.to_string(),
        })
    }

    /// Verifies a subtree and counts its bytes. Recurses over the height, as levels descend.
    fn node<H: Content>(&mut self, node: &Node<'_, H>) -> Result<u64, Defect> {
        let (level, width, counts) = (node.level(), node.width(), node.0.counts());
        let (min, max) = Node::<H>::widths(level);
        let min = match (self.path.is_empty(), level) {
            (false, _) => min,
            (true, 0) => 1,
            (true, _) => 2,
        };
        if width < min || width > max {
            return self.wrong(format!("a width of {min} to {max} at level {level}"), width);
        }
        if level == 0 {
            if counts.children != 0 || counts.extras != 0 {
                return self.wrong("a leaf without children", counts.children);
            }
            self.seen += width as u64;
            if self.seen > self.len {
                return self.wrong(format!("{} bytes", self.len), format!("{} or more", self.seen));
            }
            return Ok(width as u64);
        }
        if counts.items != 0 || counts.extras != width {
            return self.wrong(format!("an inner node with {width} ends"), counts.extras);
        }
        let mut total = 0;
        for (index, child) in node.children().iter().enumerate() {
            self.path.push(index);
            if child.level() + 1 != level {
                return self.wrong(format!("a node of level {}", level - 1), child.level());
            }
            total += self.node(child)?;
            self.path.pop();
            if node.ends()[index] != total {
                return self.wrong(format!("child {index} to end at {total}"), node.ends()[index]);
            }
        }
        Ok(total)
    }
}
