//! What changed between two versions of a rope.
//!
//! Nodes that both trees have are looked for from the top, level by level, wherever they begin: an insertion moves all that is behind
//! it, and the nodes there are shared all the same. What is under a shared node is not visited. Of the shared nodes those are
//! kept that come in the same order in both and have the most bytes together (the heaviest increasing subsequence: Fredman, "On
//! computing the length of longest increasing subsequences", 1975, with weights); between them the bytes are compared.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use super::node::Node;
use super::{Content, Rope};

/// One difference between two versions of a text or of bytes: what replaces what.
///
/// Neither range begins or ends with what the other has there, too; one of the two may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splice {
    /// Where the bytes that are replaced lie in the older version.
    pub old: Range<usize>,
    /// Where the bytes that replace them lie in the newer version.
    pub new: Range<usize>,
}

/// Bytes that lie in one node of both versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    old: u64,
    new: u64,
    len: u64,
}

/// The differences between two ropes, in order.
pub(in crate::collections) struct Diff<'a, 'p, H> {
    old: &'a Rope<'p, H>,
    new: &'a Rope<'p, H>,
    /// What both share from `old_at` and `new_at` on, the last first.
    shared: Vec<Shared>,
    old_at: usize,
    new_at: usize,
}

impl<'p, H: Content> Rope<'p, H> {
    /// What must change in this rope to make it `newer`.
    ///
    /// Complexity: O(c log n), where c is the number of leaves and bytes that are not shared.
    pub(in crate::collections) fn diff<'a>(&'a self, newer: &'a Self) -> Diff<'a, 'p, H> {
        let mut shared = shared(self, newer, &mut |_| ());
        shared.reverse();
        Diff { old: self, new: newer, shared, old_at: 0, new_at: 0 }
    }

    /// How many bytes are the same in two ranges, from their beginnings on.
    fn common_start(&self, own: Range<usize>, other: &Self, others: Range<usize>) -> usize {
        let len = own.len().min(others.len());
        let mut same = 0;
        while same < len {
            let Some((left_start, left)) = self.piece_at(own.start + same) else { break };
            let Some((right_start, right)) = other.piece_at(others.start + same) else { break };
            let left = &left.as_ref()[own.start + same - left_start..];
            let right = &right.as_ref()[others.start + same - right_start..];
            let count = left.len().min(right.len()).min(len - same);
            let pairs = left[..count].iter().zip(&right[..count]);
            let equal = pairs.take_while(|(left, right)| left == right).count();
            same += equal;
            if equal < count {
                break;
            }
        }
        same
    }

    /// How many bytes are the same in two ranges, from their ends on.
    fn common_end(&self, own: Range<usize>, other: &Self, others: Range<usize>) -> usize {
        let len = own.len().min(others.len());
        let mut same = 0;
        while same < len {
            let Some((left_start, left)) = self.piece_at(own.end - same - 1) else { break };
            let Some((right_start, right)) = other.piece_at(others.end - same - 1) else { break };
            let left = &left.as_ref()[..own.end - same - left_start];
            let right = &right.as_ref()[..others.end - same - right_start];
            let count = left.len().min(right.len()).min(len - same);
            let pairs = left.iter().rev().zip(right.iter().rev()).take(count);
            let equal = pairs.take_while(|(left, right)| left == right).count();
            same += equal;
            if equal < count {
                break;
            }
        }
        same
    }
}

impl<H: Content> Diff<'_, '_, H> {
    /// What is different in two ranges that begin and end where both may be divided.
    fn trim(&self, old: Range<usize>, new: Range<usize>) -> Option<Splice> {
        let mut before = self.old.common_start(old.clone(), self.new, new.clone());
        // Half a character may be the same. The bytes before being the same, both can be divided there or neither.
        while before > 0 && !self.old.is_cut(old.start + before) {
            before -= 1;
        }
        let (old, new) = (old.start + before..old.end, new.start + before..new.end);
        let mut behind = self.old.common_end(old.clone(), self.new, new.clone());
        while behind > 0 && !self.old.is_cut(old.end - behind) {
            behind -= 1;
        }
        let splice = Splice { old: old.start..old.end - behind, new: new.start..new.end - behind };
        (!splice.old.is_empty() || !splice.new.is_empty()).then_some(splice)
    }
}

impl<H: Content> Iterator for Diff<'_, '_, H> {
    type Item = Splice;

    fn next(&mut self) -> Option<Splice> {
        loop {
            let (old_end, new_end) = (self.old.len(), self.new.len());
            if self.old_at == old_end && self.new_at == new_end {
                return None;
            }
            let (old_to, new_to, same) = match self.shared.pop() {
                Some(shared) => (shared.old as usize, shared.new as usize, shared.len as usize),
                None => (old_end, new_end, 0),
            };
            let (old, new) = (self.old_at..old_to, self.new_at..new_to);
            (self.old_at, self.new_at) = (old_to + same, new_to + same);
            if let Some(splice) = self.trim(old, new) {
                return Some(splice);
            }
        }
    }
}

impl<H: Content> FusedIterator for Diff<'_, '_, H> {}

impl<H> Clone for Diff<'_, '_, H> {
    fn clone(&self) -> Self {
        Diff { shared: self.shared.clone(), ..*self }
    }
}

impl<H: Content> fmt::Debug for Diff<'_, '_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Nodes of one level, and where each begins.
type Row<'a, 'p, H> = Vec<(&'a Node<'p, H>, u64)>;

/// What two ropes have in common, in order. `visit` sees each node that is looked at.
pub(super) fn shared<'a, 'p, H: Content>(
    old: &'a Rope<'p, H>,
    new: &'a Rope<'p, H>,
    visit: &mut impl FnMut(&'a Node<'p, H>),
) -> Vec<Shared> {
    let (Rope::Tree(old), Rope::Tree(new)) = (old, new) else { return Vec::new() };
    let shift = old.len.wrapping_sub(new.len);
    let mut found = Vec::new();
    let (mut old_row, mut new_row) = (Row::new(), Row::new());
    for level in (0..=old.root.level().max(new.root.level())).rev() {
        for (row, root) in [(&mut old_row, &old.root), (&mut new_row, &new.root)] {
            if root.level() == level {
                row.push((root, 0));
            }
        }
        old_row.iter().chain(&new_row).for_each(|(node, _)| visit(node));
        take_shared(&mut old_row, &mut new_row, shift, &mut found);
        if level > 0 {
            (old_row, new_row) = (below(&old_row), below(&new_row));
        }
    }
    found.sort_unstable_by_key(|shared| shared.new);
    heaviest_ascent(&found)
}

/// Moves the nodes that are in both rows out of them. `shift` is by how much the old rope is longer.
///
/// A node that is there several times (a text appended to itself) is paired with where it begins as far from the beginning or from
/// the end, as before and behind a single change; and otherwise in order.
fn take_shared<H: Content>(
    old: &mut Row<'_, '_, H>,
    new: &mut Row<'_, '_, H>,
    shift: u64,
    found: &mut Vec<Shared>,
) {
    let place = |(node, start): &(&Node<'_, H>, u64)| (node.0.address(), *start);
    let mut there: HashSet<(u64, u64)> = old.iter().map(place).collect();
    let mut pair = |node: &Node<'_, H>, old, new| found.push(Shared { old, new, len: node.len() });
    new.retain(|(node, start)| {
        let places = [*start, start.wrapping_add(shift)];
        let partner = places.into_iter().find(|partner| there.remove(&(node.0.address(), *partner)));
        partner.inspect(|partner| pair(node, *partner, *start)).is_none()
    });
    old.retain(|at| there.contains(&place(at)));
    let mut starts: HashMap<u64, VecDeque<u64>> = HashMap::with_capacity(old.len());
    for (address, start) in old.iter().map(place) {
        starts.entry(address).or_default().push_back(start);
    }
    new.retain(|(node, start)| {
        let Some(partner) = starts.get_mut(&node.0.address()).and_then(VecDeque::pop_front) else {
            return true;
        };
        there.remove(&(node.0.address(), partner));
        pair(node, partner, *start);
        false
    });
    old.retain(|at| there.contains(&place(at)));
}

/// The children of a row's nodes.
fn below<'a, 'p, H: Content>(row: &Row<'a, 'p, H>) -> Row<'a, 'p, H> {
    let children = |(node, start): &(&'a Node<'p, H>, u64)| {
        let (node, start) = (*node, *start);
        (0..node.width())
            .filter_map(move |index| Some((node.child(index)?, start.wrapping_add(node.start(index)))))
    };
    row.iter().flat_map(children).collect()
}

/// Of what is shared, in the new rope's order, those with the most bytes that are in the old rope's order as well.
fn heaviest_ascent(all: &[Shared]) -> Vec<Shared> {
    // By where an ascent ends in the old rope: its bytes, and its last member. Who ends further on has more bytes.
    let mut ascents: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    let mut before = Vec::with_capacity(all.len());
    for (index, shared) in all.iter().enumerate() {
        let longest = ascents.range(..shared.old).next_back().map(|(_, ascent)| *ascent);
        let bytes = longest.map_or(0, |(bytes, _)| bytes) + shared.len;
        before.push(longest.map(|(_, last)| last));
        while let Some((&end, &(fewer, _))) = ascents.range(shared.old..).next()
            && fewer <= bytes
        {
            ascents.remove(&end);
        }
        ascents.insert(shared.old, (bytes, index));
    }
    let last = ascents.last_key_value().map(|(_, (_, last))| *last);
    let mut kept: Vec<Shared> =
        std::iter::successors(last, |index| before[*index]).map(|index| all[index]).collect();
    kept.reverse();
    kept
}
