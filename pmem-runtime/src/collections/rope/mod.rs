//! The tree under text and byte strings: runs of bytes that can be edited anywhere.
//!
//! **Problem.** An edit in the middle of a megabyte must not move the half behind it, nor be made where a reader may look. But
//! most texts are names of a few bytes, and those should not cost a node, let alone a tree.
//!
//! **Words.** A *short* rope lies in its owner ([`Short`]). A longer one has a tree. A *leaf* has bytes as items; an *inner* node has
//! children and, as extras, their *ends*: how many bytes lie in a child and in those before it. The head's `mark` is the node's *level*,
//! 0 for a leaf. A node's *width* is the number of its bytes or children. A leaf's bytes are lent as its *view*: `str` for text,
//! `[u8]` for bytes; text is cut between characters only, so that each leaf is text by itself.
//!
//! **Protocol.** An edit that lies in one leaf and leaves it neither too wide nor too narrow is made there, and the ends above it are
//! adjusted; a leaf that became too wide is divided, as in a B-tree. Every other edit divides the tree at both ends of its range
//! and joins what is left, each in the time of a path (Boehm, Atkinson and Plass, "Ropes: an Alternative to Strings", 1995; joining by
//! height: Tarjan, "Data Structures and Network Algorithms", 1983, section 4.2).
//!
//! The engine of the vectors is not used: its sequences take 32 bytes in their owner and keep two leaves beside the tree, which
//! makes a text of a hundred bytes three nodes, and its leaves are two lines, of which text would have a hundred bytes at a time.
//!
//! **Invariants** ([`Rope::check`]).
//! 1. A rope of at most [`SHORT`] bytes is short, a longer one is not.
//! 2. All leaves are at level 0, and children are one level below their parent.
//! 3. Ends ascend, and each is the end before it and the child's length.
//! 4. Leaves have [`LEAF_MIN`] to [`LEAF`] bytes, inner nodes [`FANOUT_MIN`] to [`FANOUT`] children; the root may have fewer, but
//!    not less than two children.
//! 5. `len` is the number of bytes.

mod check;
mod chunks_mut;
mod compare;
mod content;
mod diff;
mod find;
mod join;
mod node;
mod pieces;
mod range;
mod splice;
#[cfg(test)]
mod tests;

use pmem_derive::Persistent;

use self::node::{Node, build, concat, divide};
use crate::commit::Fase;
use crate::persist::{Array, Head, Persistent, Short};

pub(super) use self::chunks_mut::ChunksMut;
pub(super) use self::content::Content;
pub(super) use self::diff::Diff;
pub use self::diff::Splice;
pub(super) use self::pieces::Pieces;
pub(super) use self::range::{resolve, within};

/// Bytes that lie in the owner: what fits beside a tag and a length in 24.
pub(super) const SHORT: usize = 22;
/// Bytes of a leaf, at most: eight lines.
const LEAF: usize = 488;
/// Bytes of a leaf that is not the root, at least.
const LEAF_MIN: usize = LEAF / 4;
/// Children of an inner node, at most: four lines.
const FANOUT: usize = 14;
/// Children of an inner node that is not the root, at least.
const FANOUT_MIN: usize = 3;
/// More levels than a tree can have: each has at least three times the bytes of the one below, the root aside.
const LEVELS: u16 = 42;

/// A run of bytes that the head `H` accepts.
#[derive(Persistent)]
#[repr(u8)]
#[persistent(bound = "H: Head + for<'q> Persistent<At<'q> = H>")]
pub(super) enum Rope<'p, H> {
    Short(Short<H, SHORT>),
    Tree(Tree<'p, H>),
}

/// A rope's tree.
#[derive(Persistent)]
#[repr(C)]
#[persistent(rename = "RopeTree", bound = "H: Head + for<'q> Persistent<At<'q> = H>")]
pub(super) struct Tree<'p, H> {
    root: Node<'p, H>,
    len: u64,
}

impl<H: Head> Rope<'_, H> {
    /// No bytes.
    pub(super) const EMPTY: Self = Rope::Short(Short::EMPTY);
}

impl<'p, H: Content> Rope<'p, H> {
    /// Bytes. Complexity: O(1).
    pub(super) fn len(&self) -> usize {
        match self {
            Rope::Short(short) => short.bytes().len(),
            Rope::Tree(tree) => tree.len as usize,
        }
    }

    /// Whether both are the same nodes; short ones have none.
    pub(super) fn ptr_eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Rope::Tree(left), Rope::Tree(right)) => Array::ptr_eq(&left.root.0, &right.root.0),
            _ => false,
        }
    }

    /// All bytes, if they are in one piece.
    pub(super) fn as_view(&self) -> Option<&H::View> {
        match self {
            Rope::Short(short) => Some(H::short(short)),
            Rope::Tree(tree) if tree.root.level() == 0 => Some(H::leaf(&tree.root.0)),
            Rope::Tree(_) => None,
        }
    }

    /// The piece in which the byte at `at` lies, and where the piece begins. `None` if there is no such byte, though it be counted:
    /// the rope is damaged.
    fn piece_at(&self, at: usize) -> Option<(usize, &H::View)> {
        match self {
            Rope::Short(short) => (at < short.bytes().len()).then(|| (0, H::short(short))),
            Rope::Tree(tree) => {
                let (start, leaf) = tree.root.leaf_at(at as u64)?;
                Some((start as usize, H::leaf(&leaf.0)))
            }
        }
    }

    /// The byte at `at`. Complexity: O(log n).
    pub(super) fn byte(&self, at: usize) -> Option<&u8> {
        if at >= self.len() {
            return None;
        }
        let (start, piece) = self.piece_at(at)?;
        piece.as_ref().get(at - start)
    }

    /// Whether the rope may be divided at `at`. Where a damaged one has no byte there is nothing to be kept together.
    pub(super) fn is_cut(&self, at: usize) -> bool {
        if at >= self.len() {
            return at == self.len();
        }
        self.piece_at(at).is_none_or(|(start, piece)| H::floor(piece.as_ref(), at - start) == at - start)
    }

    /// The pieces of the bytes in `from..to`, between which the rope may be divided.
    ///
    /// # Panics
    /// If the range is not one of the bytes'.
    pub(super) fn pieces(&self, from: usize, to: usize) -> Pieces<'_, 'p, H> {
        assert!(from <= to && to <= self.len(), "{from}..{to} is no range of {} bytes", self.len());
        Pieces::new(self, from, to)
    }

    /// The bytes in `from..to` in pieces, wherever that divides them.
    fn runs(&self, from: usize, to: usize) -> impl Iterator<Item = &[u8]> {
        let mut at = from;
        std::iter::from_fn(move || {
            if at >= to {
                return None;
            }
            let (start, piece) = self.piece_at(at)?;
            let end = piece.as_ref().len().min(to - start);
            let run = &piece.as_ref()[at - start..end];
            at = start + end;
            Some(run)
        })
    }
}

impl<'p, H: Content> Rope<'p, H> {
    /// Copies of these bytes.
    pub(super) fn of(tx: &Fase<'p>, bytes: &[u8]) -> Self {
        let mut rope = Self::EMPTY;
        rope.splice(tx, 0, 0, bytes);
        rope
    }

    /// A rope with this tree.
    fn from_tree(root: Option<Node<'p, H>>) -> Self {
        let Some(root) = root else { return Self::EMPTY };
        let len = root.len();
        let rope = Rope::Tree(Tree { root, len });
        if len as usize > SHORT { rope } else { rope.shortened(0, 0, &[]).unwrap_or(rope) }
    }

    /// What is left if `from..to` is replaced by `new`, if that is short.
    fn shortened(&self, from: usize, to: usize, new: &[u8]) -> Option<Self> {
        let len = self.len();
        if len - (to - from) + new.len() > SHORT {
            return None;
        }
        let mut short = Short::EMPTY;
        let before = self.pieces(0, from).map(AsRef::as_ref);
        let behind = self.pieces(to, len).map(AsRef::as_ref);
        for part in before.chain([new]).chain(behind) {
            let end = short.bytes().len();
            short = short.splice(end, end, part)?;
        }
        Some(Rope::Short(short))
    }

    fn into_tree(self, tx: &Fase<'p>) -> Option<Node<'p, H>> {
        match self {
            Rope::Short(short) => build(tx, short.bytes()),
            Rope::Tree(tree) => Some(tree.root),
        }
    }

    /// Replaces the bytes in `from..to`. In time O(log n + bytes put in), and writes the lines of a path.
    ///
    /// # Panics
    /// If the range is not one of the bytes', or they cannot be divided there.
    pub(super) fn splice(&mut self, tx: &Fase<'p>, from: usize, to: usize, new: &[u8]) {
        let len = self.len();
        assert!(from <= to && to <= len, "{from}..{to} is no range of {len} bytes");
        if let Some(shortened) = self.shortened(from, to, new) {
            *self = shortened;
            return;
        }
        match self {
            Rope::Short(short) => {
                let old = short.bytes();
                let all = [&old[..from], new, &old[to..]].concat();
                *self = Self::from_tree(build(tx, &all));
            }
            Rope::Tree(tree) => {
                let new = if from == len { tree.fill_up(tx, new) } else { new };
                let from = if from == len { tree.len as usize } else { from };
                let to = to.max(from);
                if tree.splice_in_leaf(tx, from as u64, to as u64, new) {
                    return;
                }
                let root = std::mem::replace(self, Self::EMPTY).into_tree(tx);
                let (left, rest) = divide(tx, root, from as u64);
                let (_, right) = divide(tx, rest, (to - from) as u64);
                let middle = build(tx, new);
                let left = concat(tx, left, middle);
                *self = Self::from_tree(concat(tx, left, right));
            }
        }
    }

    /// Moves the bytes from `at` on into a rope of their own. Complexity: O(log n).
    ///
    /// # Panics
    /// If there are fewer, or they cannot be divided there.
    pub(super) fn split_off(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        assert!(at <= self.len(), "{at} is behind the {} bytes", self.len());
        let all = std::mem::replace(self, Self::EMPTY);
        if let Rope::Short(short) = all {
            let cut = |from, to| short.splice(from, to, &[]).map(Rope::Short).expect("a part is no longer");
            *self = cut(at, short.bytes().len());
            return cut(0, at);
        }
        let (left, right) = divide(tx, all.into_tree(tx), at as u64);
        *self = Self::from_tree(left);
        Self::from_tree(right)
    }

    /// Moves the bytes of another rope behind these. Complexity: O(log n), and no byte is copied but at the seam.
    pub(super) fn append(&mut self, tx: &Fase<'p>, other: Self) {
        match other {
            Rope::Short(short) => self.splice(tx, self.len(), self.len(), short.bytes()),
            Rope::Tree(tree) => {
                let left = std::mem::replace(self, Self::EMPTY).into_tree(tx);
                *self = Self::from_tree(concat(tx, left, Some(tree.root)));
            }
        }
    }

    /// A second owner of the bytes in `from..to`. Complexity: O(log n).
    pub(super) fn slice(&self, tx: &Fase<'p>, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.len(), "{from}..{to} is no range of {} bytes", self.len());
        let mut all = tx.share(self);
        drop(all.split_off(tx, to));
        all.split_off(tx, from)
    }
}

impl<'p> Rope<'p, crate::persist::Lens> {
    /// Access to the byte at `at`. Complexity: O(log n).
    pub(super) fn byte_mut(&mut self, tx: &Fase<'p>, at: usize) -> Option<&mut u8> {
        if at >= self.len() {
            return None;
        }
        match self {
            Rope::Short(short) => short.bytes_mut().get_mut(at),
            Rope::Tree(tree) => Some(tree.root.byte_mut(tx, at as u64)),
        }
    }
}
