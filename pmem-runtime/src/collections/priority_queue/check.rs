//! The invariants of a priority queue, verified.

use super::{Node, PriorityQueue};
use crate::collections::Defect;
use crate::persist::Persistent;

impl<T: Persistent + Ord> PriorityQueue<'_, T> {
    /// Verifies the queue's invariants: the order of the elements, the ranks, and the number of elements.
    ///
    /// Complexity: O(n). Left subtrees may be deep, so it does not recurse.
    ///
    /// # Errors
    /// The first invariant that does not hold. The path tells the buffer (1) from the heap (0), and how many nodes are above.
    ///
    /// ```
    /// # use pmem_runtime::{Pool, collections::PriorityQueue, persist_fase};
    /// # let pool = Pool::<PriorityQueue<u64>>::options().volatile()?;
    /// # persist_fase!(pool, |tx, queue| {
    /// queue.extend(tx, [1, 5, 3]);
    /// queue.check()?;
    /// # Ok(()) })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), Defect> {
        if self.buffer.as_ref().is_some_and(|buffer| !buffer.children().is_empty()) {
            return defect(vec![1], "a buffer without subtrees", "a subtree");
        }
        let mut count = 0;
        for (part, heap) in [&self.heap, &self.buffer].into_iter().enumerate() {
            let mut nodes: Vec<_> = heap.iter().map(|node| (node, 0)).collect();
            while let Some((node, depth)) = nodes.pop() {
                check_node(node, vec![part, depth])?;
                count += node.items().len();
                if count > self.len() {
                    // Also where a damaged heap has no end.
                    return defect(vec![part, depth], format!("{} elements in all", self.len), count);
                }
                nodes.extend(node.children().iter().map(|child| (child, depth + 1)));
            }
        }
        if count == self.len() {
            return Ok(());
        }
        defect(Vec::new(), format!("{} elements", self.len), count)
    }
}

fn check_node<T: Persistent + Ord>(node: &Node<'_, T>, path: Vec<usize>) -> Result<(), Defect> {
    let (items, children) = (node.items(), node.children());
    if !(1..=Node::<T>::MAX).contains(&items.len()) {
        return defect(path, format!("1 to {} elements", Node::<T>::MAX), items.len());
    }
    if !items.is_sorted() {
        return defect(path, "elements that ascend", "some that do not");
    }
    if children.iter().any(|child| child.items().last() > items.first()) {
        return defect(path, "no greater element below", "one");
    }
    let ranks: Vec<usize> = children.iter().map(Node::rank).collect();
    match ranks[..] {
        [] | [_] if node.rank() == 1 => Ok(()),
        [left, right] if left >= right && node.rank() == right + 1 => Ok(()),
        _ => defect(path, "a leftist tree's ranks", format!("{} over {ranks:?}", node.rank())),
    }
}

fn defect(path: Vec<usize>, expected: impl Into<String>, found: impl ToString) -> Result<(), Defect> {
    let expected = expected.into();
    Err(Defect { collection: "PriorityQueue", path, expected, found: found.to_string() })
}
