//! The leaves' bytes, lent for writing. A node becomes the section's own when it is reached.

use std::slice;

use super::Rope;
use super::node::Node;
use crate::commit::Fase;
use crate::persist::Lens;

/// The pieces of a rope of bytes, for writing.
pub(in crate::collections) struct ChunksMut<'a, 'p> {
    tx: &'a Fase<'p>,
    /// A short rope's bytes.
    short: Option<&'a mut [u8]>,
    /// What is left of each node of the path, the root's own place first.
    path: Vec<slice::IterMut<'a, Node<'p, Lens>>>,
}

impl<'p> Rope<'p, Lens> {
    /// All bytes in pieces, for writing. In time O(1) each, and writes the nodes that are reached.
    pub(in crate::collections) fn chunks_mut<'a>(&'a mut self, tx: &'a Fase<'p>) -> ChunksMut<'a, 'p> {
        match self {
            Rope::Short(short) => {
                let bytes = short.bytes_mut();
                ChunksMut { tx, short: (!bytes.is_empty()).then_some(bytes), path: Vec::new() }
            }
            Rope::Tree(tree) => {
                let root = slice::from_mut(&mut tree.root).iter_mut();
                ChunksMut { tx, short: None, path: vec![root] }
            }
        }
    }
}

impl<'a> Iterator for ChunksMut<'a, '_> {
    type Item = &'a mut [u8];

    fn next(&mut self) -> Option<&'a mut [u8]> {
        if let Some(short) = self.short.take() {
            return Some(short);
        }
        loop {
            let Some(node) = self.path.last_mut()?.next() else {
                self.path.pop();
                continue;
            };
            let level = node.level();
            let parts = node.0.edit(self.tx);
            if level == 0 {
                return Some(parts.items);
            }
            parts.children.iter().for_each(|child| child.require_below(level));
            self.path.push(parts.children.iter_mut());
        }
    }
}
