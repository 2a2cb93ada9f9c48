//! A node of the tree: reading, making, and the moves between neighbours.

use pmem_derive::Persistent;

use super::{Content, FANOUT, FANOUT_MIN, LEAF, LEAF_MIN, LEVELS};
use crate::commit::Fase;
use crate::persist::{Array, Counts, Head, Lens, Persistent};

pub(super) use super::join::{build, concat, divide};

/// An owning pointer to a leaf or an inner node.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "RopeNode", bound = "H: Head + for<'q> Persistent<At<'q> = H>")]
pub(in crate::collections) struct Node<'p, H>(pub(super) Inner<'p, H>);

/// What a change says that finds a child where none belongs.
const DAMAGED: &str = "children are one level below their parent: the pool is damaged";

type Inner<'p, H> = Array<'p, H, u8, Node<'p, H>, u64>;

impl<'p, H: Content> Node<'p, H> {
    /// How far the leaves are.
    pub(super) fn level(&self) -> u16 {
        self.0.head().lens().mark
    }

    pub(super) fn children(&self) -> &[Self] {
        self.0.children()
    }

    pub(super) fn ends(&self) -> &[u64] {
        self.0.extras()
    }

    /// Bytes of a leaf, children of an inner node.
    pub(super) fn width(&self) -> usize {
        let counts = self.0.counts();
        if self.level() == 0 { counts.items } else { counts.children }
    }

    /// The least and the greatest width of nodes of this level that are not the root.
    pub(super) fn widths(level: u16) -> (usize, usize) {
        if level == 0 { (LEAF_MIN, LEAF) } else { (FANOUT_MIN, FANOUT) }
    }

    /// Bytes under the node.
    pub(super) fn len(&self) -> u64 {
        if self.level() == 0 { self.width() as u64 } else { self.ends().last().copied().unwrap_or(0) }
    }

    /// Where the child begins.
    pub(super) fn start(&self, child: usize) -> u64 {
        child.checked_sub(1).and_then(|before| self.ends().get(before)).copied().unwrap_or(0)
    }

    /// The child at `index`, for reading. `None` also if it is not one level below: each node of a damaged tree may be whole, and
    /// one of them below itself, or so many below each other that a recursion overflows the stack. So every descent ends.
    pub(super) fn child(&self, index: usize) -> Option<&Self> {
        self.children().get(index).filter(|child| child.is_below(self.level()))
    }

    /// The child at `index`, for a change.
    ///
    /// # Panics
    /// If there is none that is one level below: the pool is damaged.
    pub(super) fn require_child(&self, index: usize) -> &Self {
        self.child(index).expect(DAMAGED)
    }

    fn is_below(&self, level: u16) -> bool {
        level.checked_sub(1) == Some(self.level()) && level < LEVELS
    }

    /// Panics if this is no child of a node of that level.
    pub(super) fn require_below(&self, level: u16) {
        assert!(self.is_below(level), "{DAMAGED}");
    }

    /// The child in which the byte at `at` lies.
    pub(super) fn index_of(&self, at: u64) -> usize {
        // Not a search: over so few ends it would be slower than to look at all of them.
        self.ends().iter().map(|end| usize::from(*end <= at)).sum()
    }

    /// The leaf in which the byte at `at` lies, and where the leaf begins. `None` if there is no such byte, or in a damaged tree.
    pub(super) fn leaf_at(&self, at: u64) -> Option<(u64, &Self)> {
        let (mut node, mut rest) = (self, at);
        while node.level() > 0 {
            let index = node.index_of(rest);
            rest = rest.checked_sub(node.start(index))?;
            node = node.child(index)?;
        }
        (rest < node.len()).then_some((at - rest, node))
    }

    fn head(&self, counts: Counts) -> H {
        H::of(self.0.head().lens().with(counts))
    }

    /// A leaf with copies of these bytes.
    pub(super) fn leaf(tx: &Fase<'p>, bytes: &[u8]) -> Self {
        let counts = Counts { items: bytes.len(), ..Counts::default() };
        let mut leaf = Node(Array::with_room(tx, H::EMPTY, counts));
        let head = leaf.head(counts);
        leaf.0.splice_items(tx, 0, 0, bytes, head);
        leaf
    }

    /// An inner node without children.
    fn empty(tx: &Fase<'p>, level: u16) -> Self {
        let head = H::of(Lens { mark: level, ..Lens::default() });
        let room = Counts { items: 0, children: FANOUT, extras: FANOUT };
        Node(Array::with_room(tx, head, room))
    }

    /// An inner node over these children, no more than it may have.
    pub(super) fn inner(tx: &Fase<'p>, level: u16, children: impl IntoIterator<Item = Self>) -> Self {
        let mut node = Self::empty(tx, level);
        for (at, child) in children.into_iter().enumerate() {
            assert!(node.insert(tx, at, child).is_none(), "so many children fit into a node");
        }
        node
    }

    /// Replaces bytes of a leaf that has room for the new ones.
    pub(super) fn splice_items(&mut self, tx: &Fase<'p>, from: usize, to: usize, new: &[u8]) {
        let counts = self.0.counts();
        let head = self.head(Counts { items: counts.items - (to - from) + new.len(), ..counts });
        self.0.splice_items(tx, from, to, new, head);
    }

    /// Adjusts the ends from the child at `from` on.
    pub(super) fn shift(&mut self, tx: &Fase<'p>, from: usize, more: u64, fewer: u64) {
        self.0.edit(tx).extras[from..].iter_mut().for_each(|end| *end = *end + more - fewer);
    }

    /// Puts a child before the one at `at`. What then are too many are returned as the node's right neighbour.
    pub(super) fn insert(&mut self, tx: &Fase<'p>, at: usize, child: Self) -> Option<Self> {
        let width = self.width();
        if width < FANOUT {
            self.insert_with_room(tx, at, child);
            return None;
        }
        // At an end more will follow there: the other node is left as full as may be.
        let cut = match at {
            0 => FANOUT_MIN - 1,
            _ if at == width => width + 1 - FANOUT_MIN,
            _ => width / 2,
        };
        let mut right = self.split_at(tx, cut);
        if at <= cut {
            self.insert_with_room(tx, at, child);
        } else {
            right.insert_with_room(tx, at - cut, child);
        }
        Some(right)
    }

    fn insert_with_room(&mut self, tx: &Fase<'p>, at: usize, child: Self) {
        let (counts, len) = (self.0.counts(), child.len());
        let start = self.start(at);
        let mut ends = [0; FANOUT];
        ends[..at].copy_from_slice(&self.ends()[..at]);
        ends[at] = start + len;
        for (end, old) in ends[at + 1..].iter_mut().zip(&self.ends()[at..]) {
            *end = old + len;
        }
        self.0.reserve(tx, Counts { children: 1, extras: 1, items: 0 });
        let counts = Counts { children: counts.children + 1, ..counts };
        self.0.insert_child(tx, at, child, self.head(counts));
        let counts = Counts { extras: counts.extras + 1, ..counts };
        self.0.set_extras(tx, &ends[..counts.extras], self.head(counts));
    }

    /// Takes the child at `at` out.
    pub(super) fn remove(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        let counts = self.0.counts();
        let len = self.ends()[at] - self.start(at);
        let behind = self.ends()[at + 1..].iter().map(|end| end - len);
        let ends: Vec<u64> = self.ends()[..at].iter().copied().chain(behind).collect();
        let counts = Counts { children: counts.children - 1, ..counts };
        let child = self.0.remove_child(tx, at, self.head(counts));
        let counts = Counts { extras: ends.len(), ..counts };
        self.0.set_extras(tx, &ends, self.head(counts));
        child
    }

    /// Moves what is from `at` on into a new right neighbour. Either may be left without anything.
    pub(super) fn split_at(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        let counts = self.0.counts();
        let left = if self.level() == 0 {
            Counts { items: at, ..Counts::default() }
        } else {
            Counts { items: 0, children: at, extras: at }
        };
        let start = if self.level() == 0 { 0 } else { self.start(at) };
        let heads = (self.head(left), self.head(counts.minus(left)));
        let mut right = Node(self.0.split_off(tx, left, heads.0, heads.1));
        if start > 0 {
            right.shift(tx, 0, 0, start);
        }
        right
    }

    /// Moves everything of a right neighbour into this node.
    pub(super) fn append(&mut self, tx: &Fase<'p>, other: Self) {
        let (width, len) = (self.width(), self.len());
        let head = self.head(self.0.counts().plus(other.0.counts()));
        let is_inner = self.level() > 0;
        self.0.append(tx, other.0, head);
        if is_inner {
            self.shift(tx, width, len, 0);
        }
    }
}

impl<'p> Node<'p, Lens> {
    /// Access to the byte at `at`.
    pub(super) fn byte_mut(&mut self, tx: &Fase<'p>, mut at: u64) -> &mut u8 {
        let mut node = self;
        while node.level() > 0 {
            let index = node.index_of(at);
            at -= node.start(index);
            let level = node.level();
            node = &mut node.0.edit(tx).children[index];
            node.require_below(level);
        }
        &mut node.0.edit(tx).items[at as usize]
    }
}
