//! A node of the tree: its bytes, and the surgery on one node and its children.

use equivalent::Comparable;
use pmem_derive::Persistent;

use crate::commit::Fase;
use crate::persist::{Array, Counts, Persistent, Places, Ranked};

/// Lines that a full leaf takes, and a full inner node: measured, see the room's table.
const LEAF_LINES: usize = 4;
const INNER_LINES: usize = 3;
/// However small the entries are, a node has no more: two full nodes and an entry between them fit the head's counts.
const MAX_ITEMS: usize = 120;
/// However large the entries are, a node may have so many.
const MIN_MAX_ITEMS: usize = 3;

/// An entry of the map.
#[derive(Persistent, Debug)]
#[repr(C)]
#[persistent(rename = "OrdPair")]
pub(super) struct Pair<K, V> {
    pub(super) key: K,
    pub(super) value: V,
}

impl<K, V> Pair<K, V> {
    pub(super) fn as_refs(&self) -> (&K, &V) {
        (&self.key, &self.value)
    }

    pub(super) fn as_mut(&mut self) -> (&K, &mut V) {
        (&self.key, &mut self.value)
    }
}

/// An owning pointer to a node of the tree.
#[derive(Persistent)]
#[repr(transparent)]
#[persistent(rename = "OrdNode")]
pub(super) struct Node<'p, K, V>(Body<'p, K, V>);

type Body<'p, K, V> = Array<'p, Ranked, Pair<K, V>, Node<'p, K, V>>;

/// The most items of a node that fills so many lines.
const fn capacity<K, V>(lines: usize, is_leaf: bool) -> usize {
    let payload = lines * 64 - 16;
    let mut items = MIN_MAX_ITEMS;
    loop {
        let more = Counts { items: items + 1, children: if is_leaf { 0 } else { items + 2 }, extras: 0 };
        let end = Places::of::<Ranked, Pair<K, V>, Node<'_, K, V>, ()>(more).end;
        if items == MAX_ITEMS || end > payload {
            return items;
        }
        items += 1;
    }
}

impl<'p, K, V> Node<'p, K, V> {
    /// The most items that a leaf has.
    pub(super) const MAX_LEAF: usize = capacity::<K, V>(LEAF_LINES, true);
    /// The most items that an inner node has.
    pub(super) const MAX_INNER: usize = capacity::<K, V>(INNER_LINES, false);

    /// Whether both are the same node: equal without looking.
    pub(super) fn ptr_eq(left: &Self, right: &Self) -> bool {
        Array::ptr_eq(&left.0, &right.0)
    }
}

impl<K: Persistent, V: Persistent> Node<'_, K, V> {
    /// How far the leaves are below.
    pub(super) fn level(&self) -> u8 {
        self.0.head().level()
    }

    /// Entries in the whole subtree.
    pub(super) fn size(&self) -> usize {
        self.0.head().size()
    }

    pub(super) fn pairs(&self) -> &[Pair<K, V>] {
        self.0.items()
    }

    pub(super) fn children(&self) -> &[Self] {
        self.0.children()
    }

    /// The child at `at`, if there is one that is nearer to the leaves than this node, and not empty. Each node of a damaged tree may
    /// be whole, and one of them below itself, or at every second place of a deep tree of nothing: without this a walk would not
    /// end.
    pub(super) fn child(&self, at: usize) -> Option<&Self> {
        self.children().get(at).filter(|child| child.is_below(self.level()))
    }

    fn is_below(&self, level: u8) -> bool {
        self.level() < level && !self.pairs().is_empty()
    }

    fn require_below(&self, level: u8) {
        assert!(
            self.is_below(level),
            "children have entries, and are below their parent: the pool is damaged"
        );
    }

    /// Panics if a child is none that [`Node::child`] gives.
    pub(super) fn require_children(&self) {
        self.children().iter().for_each(|child| child.require_below(self.level()));
    }

    fn counts(&self) -> Counts {
        self.0.counts()
    }

    /// The most items that this node may have.
    pub(super) fn max(&self) -> usize {
        if self.level() == 0 { Self::MAX_LEAF } else { Self::MAX_INNER }
    }

    /// The fewest items that this node may have if it is not the root: a third, so that where keys arrive in order the node
    /// left behind can be two thirds full.
    pub(super) fn min(&self) -> usize {
        self.max() / 3
    }

    /// Where the key is among the items, or before which it belongs.
    pub(super) fn search<Q>(&self, key: &Q) -> Result<usize, usize>
    where
        Q: ?Sized + Comparable<K>,
    {
        self.pairs().binary_search_by(|pair| key.compare(&pair.key).reverse())
    }
}

impl<'p, K, V> Node<'p, K, V>
where
    K: Persistent<At<'p> = K>,
    V: Persistent<At<'p> = V>,
{
    /// A node without items at this level, with room for so many and their children.
    pub(super) fn with_room(tx: &Fase<'p>, level: u8, items: usize) -> Self {
        let children = if level == 0 { 0 } else { items + 1 };
        let head = Ranked::new(Counts::default(), level, 0);
        Node(Array::with_room(tx, head, Counts { items, children, extras: 0 }))
    }

    /// A leaf with one entry.
    pub(super) fn single(tx: &Fase<'p>, pair: Pair<K, V>) -> Self {
        let mut leaf = Self::with_room(tx, 0, 1);
        leaf.insert_pair(tx, 0, pair);
        leaf
    }

    /// A node over these two.
    pub(super) fn over(tx: &Fase<'p>, left: Self, pair: Pair<K, V>, right: Self) -> Self {
        let mut node = Self::with_room(tx, left.level() + 1, 1);
        node.insert_child(tx, 0, left);
        node.insert_child(tx, 1, right);
        node.insert_pair(tx, 0, pair);
        node
    }

    /// A second owner.
    pub(super) fn share(&self, tx: &Fase<'p>) -> Self {
        Node(self.0.share(tx))
    }

    /// Access for writing. The subtree's size is the caller's to keep right: [`Node::resize`].
    pub(super) fn edit(&mut self, tx: &Fase<'p>) -> (&mut [Pair<K, V>], &mut [Self]) {
        let elements = self.0.edit(tx);
        (elements.items, elements.children)
    }

    /// As [`Node::edit`], for one child.
    ///
    /// # Panics
    /// If there is none that [`Node::child`] gives.
    pub(super) fn child_mut(&mut self, tx: &Fase<'p>, at: usize) -> &mut Self {
        let level = self.level();
        let child = &mut self.edit(tx).1[at];
        child.require_below(level);
        child
    }

    fn head(&self, items: usize, children: usize, size: usize) -> Ranked {
        Ranked::new(Counts { items, children, extras: 0 }, self.level(), size)
    }

    /// Sets what the node says of the subtree's size.
    pub(super) fn resize(&mut self, tx: &Fase<'p>, size: usize) {
        let counts = self.counts();
        self.0.set_head(tx, self.head(counts.items, counts.children, size));
    }

    pub(super) fn insert_pair(&mut self, tx: &Fase<'p>, at: usize, pair: Pair<K, V>) {
        let counts = self.counts();
        let head = self.head(counts.items + 1, counts.children, self.size() + 1);
        self.0.insert_item(tx, at, pair, head);
    }

    pub(super) fn insert_child(&mut self, tx: &Fase<'p>, at: usize, child: Self) {
        let counts = self.counts();
        let head = self.head(counts.items, counts.children + 1, self.size() + child.size());
        self.0.insert_child(tx, at, child, head);
    }

    pub(super) fn remove_pair(&mut self, tx: &Fase<'p>, at: usize) -> Pair<K, V> {
        let counts = self.counts();
        let head = self.head(counts.items - 1, counts.children, self.size() - 1);
        self.0.remove_item(tx, at, head)
    }

    pub(super) fn remove_child(&mut self, tx: &Fase<'p>, at: usize) -> Self {
        let counts = self.counts();
        let head = self.head(counts.items, counts.children - 1, self.size() - self.children()[at].size());
        self.0.remove_child(tx, at, head)
    }

    /// Puts an entry at `at` and a child at `child_at`.
    pub(super) fn insert_both(
        &mut self,
        tx: &Fase<'p>,
        (at, pair): (usize, Pair<K, V>),
        (child_at, child): (usize, Self),
    ) {
        self.0.reserve(tx, Counts { items: 1, children: 1, extras: 0 });
        self.insert_child(tx, child_at, child);
        self.insert_pair(tx, at, pair);
    }

    /// Cuts the node in two: it keeps the items before `items` and the children before `children`, the result has the others.
    /// Either may be no proper node.
    pub(super) fn cut(&mut self, tx: &Fase<'p>, items: usize, children: usize) -> Self {
        let (counts, size) = (self.counts(), self.size());
        let below: usize = self.children()[..children].iter().map(Node::size).sum();
        let left = self.head(items, children, items + below);
        let right = self.head(counts.items - items, counts.children - children, size - items - below);
        Node(self.0.split_off(tx, Counts { items, children, extras: 0 }, left, right))
    }

    /// Moves the node to as few lines as its elements need.
    pub(super) fn fit(&mut self, tx: &Fase<'p>) {
        let head = *self.0.head();
        let empty = Ranked::new(Counts::default(), head.level(), 0);
        let fitting = Array::with_room(tx, empty, self.counts());
        let old = std::mem::replace(&mut self.0, fitting);
        self.0.append(tx, old, head);
    }

    /// Moves everything out.
    pub(super) fn take(self, tx: &Fase<'p>) -> (Vec<Pair<K, V>>, Vec<Self>) {
        let level = self.level();
        let (_, pairs, children, _) = self.0.take(tx);
        children.iter().for_each(|child| child.require_below(level));
        (pairs, children)
    }

    /// Splits off the items behind the one at `at`, which comes out by itself.
    pub(super) fn split_at(&mut self, tx: &Fase<'p>, at: usize) -> (Pair<K, V>, Self) {
        let children = if self.counts().children == 0 { 0 } else { at + 1 };
        let mut right = self.cut(tx, at, children);
        let middle = right.remove_pair(tx, 0);
        self.fit(tx);
        (middle, right)
    }

    /// Splits the node if it has an item too many: the one at `new`, just put in. Where keys arrive in order, the part that
    /// no key will come to any more keeps as much as it may.
    pub(super) fn split_if_over(&mut self, tx: &Fase<'p>, new: usize) -> Option<(usize, Pair<K, V>, Self)> {
        let items = self.counts().items;
        if items <= self.max() {
            return None;
        }
        let at = match new {
            0 => self.min(),
            new if new + 1 == items => items - 1 - self.min(),
            _ => items / 2,
        };
        let (pair, right) = self.split_at(tx, at);
        Some((at, pair, right))
    }

    /// Sees to it that the child at `index` has enough items, unless it is the only one.
    pub(super) fn rebalance(&mut self, tx: &Fase<'p>, index: usize) {
        let children = self.children();
        if children.len() < 2 || children[index].pairs().len() >= children[index].min() {
            return;
        }
        let items = |index: usize| children.get(index).map_or(0, |child| child.pairs().len());
        let left = index.checked_sub(1);
        // With the emptier neighbour a merge is likelier, and that leaves less to write.
        let first = match left {
            Some(left) if index + 1 == children.len() || items(left) <= items(index + 1) => left,
            _ => index,
        };
        let pair = self.remove_pair(tx, first);
        let right = self.remove_child(tx, first + 1);
        let size = self.size() + right.size() + 1;
        let (_, children) = self.edit(tx);
        let left = &mut children[first];
        left.absorb(tx, pair, right);
        let split = (left.counts().items > left.max()).then(|| left.split_at(tx, left.counts().items / 2));
        self.resize(tx, size);
        if let Some((pair, right)) = split {
            let size = self.size();
            self.insert_both(tx, (first, pair), (first + 1, right));
            self.resize(tx, size);
        }
    }

    /// Moves an entry and all of `other`, a node of this level, behind the node's own.
    fn absorb(&mut self, tx: &Fase<'p>, pair: Pair<K, V>, other: Self) {
        let (mine, more) = (self.counts(), other.counts());
        let items = mine.items + 1 + more.items;
        let head = self.head(items, mine.children + more.children, self.size() + 1 + other.size());
        self.0.reserve(tx, Counts { items: 1 + more.items, ..more });
        self.insert_pair(tx, mine.items, pair);
        self.0.append(tx, other.0, head);
    }

    /// What the node is worth as a root: nothing, if it is empty; its child, if it has only that.
    pub(super) fn into_root(mut self, tx: &Fase<'p>) -> Option<Self> {
        let counts = self.counts();
        match (counts.items, counts.children) {
            (0, 0) => None,
            (0, _) => Some(self.remove_child(tx, 0)),
            _ => Some(self),
        }
    }
}

const _: () = assert!(2 * MAX_ITEMS + 2 <= u8::MAX as usize);
