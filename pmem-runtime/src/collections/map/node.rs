//! The trie's node, and the route that a hash prescribes through it.

use std::mem::{align_of, size_of};
use std::ops::Range;

use pmem_derive::Persistent;

use crate::commit::Fase;
use crate::persist::{Array, Counts, Head, Persistent, Slots};

/// How many ways a node has. A head and five children fill a line exactly: no other number of ways tells more hashes apart
/// per line of a copied path (`log2(5)` = 2.3 bits; four ways 2, eight and sixteen ways 1.5 and 1.3, thirty-two ways 1).
pub(super) const WAYS: u64 = 5;

/// Steps after which a hash says nothing more: different hashes have parted by then.
pub(super) const STEPS_MAX: u32 = {
    let (mut steps, mut parts) = (0, 1_u128);
    while parts < 1 << 64 {
        parts *= WAYS as u128;
        steps += 1;
    }
    steps
};

/// All slots of a node, in order.
pub(super) const SLOTS: Range<u32> = 0..WAYS as u32;

/// Slots of a node that has all its children, as nearly all inner nodes have.
const ALL_SLOTS: u16 = (1 << WAYS) - 1;

/// Payload bytes of three lines: what a leaf fills at most, if more than one entry fits.
const LEAF_BYTES: usize = 176;
/// Entries of a leaf at most, however small they are: a leaf is searched from its first entry to its last.
const LEAF_ENTRIES: usize = 16;

/// A key with its value.
#[derive(Persistent, Debug)]
#[repr(C)]
#[persistent(rename = "MapEntry")]
pub(super) struct Pair<K, V> {
    pub(super) key: K,
    pub(super) value: V,
}

/// An owning pointer to a node.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "MapNode")]
pub(super) struct Node<'p, K, V>(Parts<'p, K, V>);

/// Entries or children, behind a head that says which.
type Parts<'p, K, V> = Array<'p, Slots, Pair<K, V>, Node<'p, K, V>>;

/// Which way a hash goes, from some node on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// The part of the hash that has not been used, as a fraction of 2^64: multiplied by the number of ways, its integer part
    /// is the slot and the rest goes on.
    rest: u64,
    steps: u32,
}

impl Route {
    /// The route of a hash from the root on.
    #[inline]
    pub(super) fn new(hash: u64) -> Self {
        Route { rest: hash, steps: 0 }
    }

    /// The route of a hash from a node on that lies so many steps below the root.
    #[inline]
    pub(super) fn below(hash: u64, steps: u32) -> Self {
        Route { rest: hash.wrapping_mul(WAYS.wrapping_pow(steps)), steps }
    }

    /// The slot to take, of the node here. `None` if the hash is used up: without this a walk down a damaged trie, of which a node
    /// is below itself, would not end.
    #[inline]
    pub(super) fn try_step(&mut self) -> Option<u32> {
        if self.steps >= STEPS_MAX {
            return None;
        }
        let product = u128::from(self.rest) * u128::from(WAYS);
        self.rest = product as u64;
        self.steps += 1;
        Some((product >> 64) as u32)
    }

    /// As [`Route::try_step`], for a change.
    ///
    /// # Panics
    /// If the hash is used up: the pool is damaged.
    #[inline]
    pub(super) fn step(&mut self) -> u32 {
        self.try_step().expect("a trie is no deeper than a hash is long, or the pool is damaged")
    }

    /// How many nodes lie above.
    #[inline]
    pub(super) fn steps(self) -> u32 {
        self.steps
    }
}

impl Slots {
    /// Whether the node holds entries.
    #[inline]
    pub(super) fn is_leaf(self) -> bool {
        self.children() == 0
    }

    /// Which child lies in this slot.
    #[inline]
    pub(super) fn child_at(self, slot: u32) -> Option<usize> {
        // Where all children are there, the child's place does not depend on the head, and need not wait for it.
        if self.children() == ALL_SLOTS {
            return Some(slot as usize);
        }
        (self.children() >> slot & 1 != 0).then(|| self.children_before(slot))
    }

    /// How many children lie in the slots before this one.
    #[inline]
    pub(super) fn children_before(self, slot: u32) -> usize {
        (self.children() & ((1 << slot) - 1)).count_ones() as usize
    }

    /// The slots that hold a child, in order.
    pub(super) fn slots(self) -> impl Iterator<Item = u32> {
        (0..u16::BITS).filter(move |slot| self.children() >> slot & 1 != 0)
    }
}

impl<K: Persistent, V: Persistent> Node<'_, K, V> {
    /// Entries of a leaf at most, unless their hashes are equal. A subtree with more is split, one with as many is a leaf.
    pub(super) const BUCKET: usize = {
        let first = size_of::<Slots>().next_multiple_of(align_of::<Pair<K, V>>());
        let size = size_of::<Pair<K, V>>();
        let fit = match (LEAF_BYTES - first).checked_div(size) {
            Some(fit) => fit,
            None => LEAF_ENTRIES,
        };
        if fit < 1 {
            1
        } else if fit > LEAF_ENTRIES {
            LEAF_ENTRIES
        } else {
            fit
        }
    };

    pub(super) fn head(&self) -> Slots {
        *self.0.head()
    }

    /// Whether the node holds entries.
    pub(super) fn is_leaf(&self) -> bool {
        self.head().is_leaf()
    }

    /// How many entries lie in it or under it.
    pub(super) fn len(&self) -> u64 {
        self.head().len()
    }

    /// The entries of a leaf; none else.
    pub(super) fn pairs(&self) -> &[Pair<K, V>] {
        self.0.items()
    }

    /// The children of an inner node; none else.
    pub(super) fn children(&self) -> &[Self] {
        self.0.children()
    }

    /// The number of steps to the children of an inner node at so many. Whoever reads all entries asks before it goes on to them, and
    /// does not if there are no more, or if the children have not as many entries as the node counts, and each at least one: in a
    /// damaged trie one child may lie in many slots of many nodes, and only by this does a walk end with the entries that the root
    /// counts.
    #[inline]
    pub(super) fn enter(&self, steps: u32) -> Option<u32> {
        let lens = || self.children().iter().map(Node::len);
        let is_whole = lens().sum::<u64>() == self.len() && lens().all(|len| len > 0);
        (is_whole && steps < STEPS_MAX).then_some(steps + 1)
    }

    /// As [`Node::enter`], for a change.
    ///
    /// # Panics
    /// If the node cannot be entered: the pool is damaged.
    #[inline]
    pub(super) fn require_enter(&self, steps: u32) -> u32 {
        self.enter(steps).expect("a trie has the entries that it counts, or the pool is damaged")
    }

    /// The child in this slot.
    pub(super) fn child(&self, slot: u32) -> Option<&Self> {
        let index = self.head().child_at(slot)?;
        self.children().get(index)
    }

    /// Whether both are the same node, so that everything under them is the same.
    pub(super) fn ptr_eq(left: &Self, right: &Self) -> bool {
        Array::ptr_eq(&left.0, &right.0)
    }
}

impl<'p, K, V> Node<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// A leaf with these entries.
    pub(super) fn leaf(
        tx: &Fase<'p>,
        pairs: impl IntoIterator<Item = Pair<K, V>, IntoIter: ExactSizeIterator>,
    ) -> Self {
        let pairs = pairs.into_iter();
        let mut leaf = Self::empty_leaf(tx, pairs.len());
        pairs.for_each(|pair| leaf.push(tx, pair));
        leaf
    }

    /// A leaf without entries and with room for so many, which is none before it has one.
    pub(super) fn empty_leaf(tx: &Fase<'p>, room: usize) -> Self {
        Node(Array::with_room(tx, Slots::EMPTY, Counts { items: room, ..Counts::default() }))
    }

    /// A node without children, which is none before it has two entries under it.
    pub(super) fn fork(tx: &Fase<'p>) -> Self {
        let room = Counts { children: WAYS as usize, ..Counts::default() };
        Node(Array::with_room(tx, Slots::EMPTY, room))
    }

    /// Adds an entry to a leaf, behind the others.
    pub(super) fn push(&mut self, tx: &Fase<'p>, pair: Pair<K, V>) {
        let count = self.0.counts().items;
        self.0.insert_item(tx, count, pair, Slots::of_items(count + 1));
    }

    /// Takes an entry out of a leaf.
    pub(super) fn remove(&mut self, tx: &Fase<'p>, index: usize) -> Pair<K, V> {
        let count = self.0.counts().items;
        self.0.remove_item(tx, index, Slots::of_items(count - 1))
    }

    /// Puts a child, and the entries under it, into an empty slot of an inner node.
    pub(super) fn adopt(&mut self, tx: &Fase<'p>, slot: u32, child: Self) {
        let head = self.head();
        let grown = Slots::of_children(head.children() | 1 << slot, head.len() + child.len());
        self.0.insert_child(tx, head.children_before(slot), child, grown);
    }

    /// Takes a child, and the entries under it, out of an inner node.
    pub(super) fn disown(&mut self, tx: &Fase<'p>, slot: u32) -> Self {
        let head = self.head();
        let index = head.child_at(slot).expect("a route leads through children that there are");
        let shrunk =
            Slots::of_children(head.children() & !(1 << slot), head.len() - self.children()[index].len());
        self.0.remove_child(tx, index, shrunk)
    }

    /// Counts the entries under an inner node anew.
    pub(super) fn set_len(&mut self, tx: &Fase<'p>, len: u64) {
        let children = self.head().children();
        self.0.set_head(tx, Slots::of_children(children, len));
    }

    /// The entries for writing.
    pub(super) fn pairs_mut(&mut self, tx: &Fase<'p>) -> &mut [Pair<K, V>] {
        self.0.edit(tx).items
    }

    /// The children for writing: what lies under them must be as many entries as before, or be counted by the caller.
    pub(super) fn children_mut(&mut self, tx: &Fase<'p>) -> &mut [Self] {
        self.0.edit(tx).children
    }

    /// Children and entries for writing; one of the two is empty.
    pub(super) fn parts_mut(&mut self, tx: &Fase<'p>) -> (&mut [Self], &mut [Pair<K, V>]) {
        let parts = self.0.edit(tx);
        (parts.children, parts.items)
    }

    /// Moves everything out: children or entries.
    pub(super) fn take(self, tx: &Fase<'p>) -> (Vec<Self>, Vec<Pair<K, V>>) {
        let (_, pairs, children, _) = self.0.take(tx);
        (children, pairs)
    }

    /// A second owner of the same node.
    pub(super) fn share(&self, tx: &Fase<'p>) -> Self {
        Node(self.0.share(tx))
    }
}
