//! Ropes compared with each other and with plain bytes. Nodes that both share are not looked at.

use std::cmp::Ordering;
use std::hash::Hasher;

use super::node::Node;
use super::{Content, Rope};
use crate::persist::Array;

/// What two trees have at a place.
enum Here<'a> {
    /// The same node, with so many bytes, which begins there in both.
    Same(u64),
    /// These bytes, from that place on, up to the ends of the leaves.
    Bytes(&'a [u8], &'a [u8]),
}

impl<H: Content> Rope<'_, H> {
    /// The order of the bytes.
    ///
    /// Complexity: O(n); of the parts that both share, O(1) each. In a damaged rope the comparison ends where the bytes do.
    pub(in crate::collections) fn compare(&self, other: &Rope<'_, H>) -> Ordering {
        let (Rope::Tree(left), Rope::Tree(right)) = (self, other) else {
            return match other {
                Rope::Short(short) => self.compare_bytes(short.bytes()),
                Rope::Tree(_) => match self {
                    Rope::Short(short) => other.compare_bytes(short.bytes()).reverse(),
                    Rope::Tree(_) => unreachable!("one of the two is short"),
                },
            };
        };
        let end = left.len.min(right.len);
        let mut at = 0;
        while at < end {
            let begun = at;
            match here(&left.root, &right.root, at) {
                None => break,
                Some(Here::Same(len)) => at = at.saturating_add(len),
                Some(Here::Bytes(left, right)) => {
                    let len = left.len().min(right.len()).min((end - at) as usize);
                    let order = left[..len].cmp(&right[..len]);
                    if order.is_ne() {
                        return order;
                    }
                    at += len as u64;
                }
            }
            // A forged node may say that it is empty, and would be looked at for ever.
            if at == begun {
                break;
            }
        }
        left.len.cmp(&right.len)
    }

    /// Whether the bytes are the same. Complexity: as [`Rope::compare`], O(1) if the lengths differ.
    pub(in crate::collections) fn equals(&self, other: &Rope<'_, H>) -> bool {
        self.len() == other.len() && self.compare(other).is_eq()
    }

    /// The order of the bytes and others.
    pub(in crate::collections) fn compare_bytes(&self, other: &[u8]) -> Ordering {
        let mut rest = other;
        for piece in self.pieces(0, self.len()).map(AsRef::as_ref) {
            let (now, later) = rest.split_at(piece.len().min(rest.len()));
            let order = piece.cmp(now);
            if order.is_ne() {
                return order;
            }
            rest = later;
        }
        if rest.is_empty() { Ordering::Equal } else { Ordering::Less }
    }

    /// Whether these bytes begin at `at`.
    pub(in crate::collections) fn has_at(&self, at: usize, bytes: &[u8]) -> bool {
        if self.len().checked_sub(at).is_none_or(|rest| rest < bytes.len()) {
            return false;
        }
        let mut at = at;
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some((start, piece)) = self.piece_at(at) else { return false };
            let piece = &piece.as_ref()[at - start..];
            let (now, later) = rest.split_at(piece.len().min(rest.len()));
            if !piece.starts_with(now) {
                return false;
            }
            at += now.len();
            rest = later;
        }
        true
    }

    /// Gives all bytes to the hasher, one piece after the other.
    pub(in crate::collections) fn hash_bytes(&self, state: &mut impl Hasher) {
        self.pieces(0, self.len()).for_each(|piece| state.write(piece.as_ref()));
    }
}

/// What two trees have at a place that both have. `None` if they have not: one of them is damaged.
fn here<'a, H: Content>(left: &'a Node<'_, H>, right: &'a Node<'_, H>, at: u64) -> Option<Here<'a>> {
    // Nodes, and how far in them the place is.
    let (mut left, mut left_at) = (left, at);
    let (mut right, mut right_at) = (right, at);
    loop {
        let (high, low) = (left.level(), right.level());
        if high == low {
            let begin_here = left_at == 0 && right_at == 0;
            if begin_here && left.0.address() == right.0.address() {
                return Some(Here::Same(left.len()));
            }
            if high == 0 {
                let rest = |leaf: &'a Array<'_, H, u8, Node<'_, H>, u64>, at| leaf.items().get(at as usize..);
                return Some(Here::Bytes(rest(&left.0, left_at)?, rest(&right.0, right_at)?));
            }
        }
        if high >= low {
            let index = left.index_of(left_at);
            left_at = left_at.checked_sub(left.start(index))?;
            left = left.child(index)?;
        }
        if low >= high {
            let index = right.index_of(right_at);
            right_at = right_at.checked_sub(right.start(index))?;
            right = right.child(index)?;
        }
    }
}
