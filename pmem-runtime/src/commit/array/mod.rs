//! What a section can do with array nodes.
//!
//! Every method that changes a node first makes it the section's own ([`Array::own`]): in place if the section made it,
//! nobody else owns it and it has room; else a copy takes its place, as with [`P::make_mut`](crate::P::make_mut). So a
//! section copies each node that it touches once, and then edits it in place until it outgrows its lines.
//!
//! # Invariants
//! 1. A fresh array node is valid (invariant 1 of `persist::array`) whenever the section can allocate, return or unwind: its
//!    head says how many elements there are, and is set after elements were added and before they are taken.
//! 2. Single bytes become items of a node only if its head allows it there, and no `&mut` to them is lent if the head would
//!    have to be asked again (invariant 4 of `persist::array`).
//! 3. No user code runs in here. What can unwind is allocation, and counting an owner too many.

mod own;
#[cfg(test)]
mod tests;

use std::num::NonZeroU64;
use std::ptr;

use own::{copy_kinds, move_out};

use super::Fase;
use crate::heap::Stream;
use crate::persist::{Array, Counts, Head, NodeHeader, Persistent, Places, single_bytes};

/// Access to the elements of a fresh array node. None can be added or removed through it.
#[derive(Debug)]
pub(crate) struct Elements<'a, A, B, C> {
    pub(crate) items: &'a mut [A],
    pub(crate) children: &'a mut [B],
    pub(crate) extras: &'a mut [C],
}

/// The two kinds of elements that come and go one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Items,
    Children,
}

impl<'p, H, A, B, C> Array<'p, H, A, B, C>
where
    H: Head,
    A: Persistent<At<'p> = A>,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C>,
{
    /// A node without elements, and with room for so many. `head` counts none.
    ///
    /// # Panics
    /// If `head` counts elements.
    #[cfg_attr(feature = "crash-test", track_caller)]
    pub(crate) fn with_room(tx: &Fase<'p>, head: H, room: Counts) -> Self {
        assert_eq!(head.counts(), Counts::default(), "a new node has no elements");
        let end = Places::of::<H, A, B, C>(room).end;
        Self::allocate(tx, head, end, room)
    }

    #[cfg_attr(feature = "crash-test", track_caller)]
    fn allocate(tx: &Fase<'p>, head: H, end: usize, room: Counts) -> Self {
        let has_pointers = A::HAS_POINTERS || (B::HAS_POINTERS && room.children > 0) || C::HAS_POINTERS;
        let stream = if has_pointers { Stream::Inner } else { Stream::Leaf };
        let len_bytes = Places::whole_lines(end);
        // Nothing is zeroed now: the commit zeroes what the elements leave.
        let address = tx.shadow().allocate_in(stream, Self::TYPE, len_bytes, len_bytes);
        // SAFETY: the payload is at least as long as a head, and aligned to 16.
        unsafe { NodeHeader::payload(address).cast::<H>().write(head) };
        let address = NonZeroU64::new(address).expect("a pool is never mapped at zero");
        // SAFETY: a fresh node, valid since its head counts no elements, with one count, which this pointer takes over.
        unsafe { Array::from_address(address) }
    }

    /// Access for writing, in place or to a copy that takes the node's place. What others see of the old node does not change.
    /// Items that the head judges are not lent: there is no telling what would become of them.
    ///
    /// Complexity: O(node) the first time in a section.
    pub(crate) fn edit(&mut self, tx: &Fase<'p>) -> Elements<'_, A, B, C> {
        let counts = self.counts();
        self.own(tx, counts);
        let places = Places::of::<H, A, B, C>(counts);
        let lent = if H::JUDGES_ITEMS { 0 } else { counts.items };
        // SAFETY: the node is fresh and has this one owner, borrowed mutably: no other reference to the payload exists; so many
        // elements of each kind lie at these disjoint places (invariant 1).
        let items = unsafe { std::slice::from_raw_parts_mut(self.at(places.items), lent) };
        // SAFETY: as above.
        let children = unsafe { std::slice::from_raw_parts_mut(self.at(places.children), counts.children) };
        // SAFETY: as above.
        let extras = unsafe { std::slice::from_raw_parts_mut(self.at(places.extras), counts.extras) };
        Elements { items, children, extras }
    }

    /// Changes what the head says besides its counts.
    ///
    /// # Panics
    /// If `head` counts other elements than there are.
    pub(crate) fn set_head(&mut self, tx: &Fase<'p>, head: H) {
        assert_eq!(head.counts(), self.counts(), "a head counts the elements that there are");
        self.own(tx, head.counts());
        // SAFETY: the node is fresh and borrowed mutably; invariant 1 goes on to hold, as the counts are the same.
        unsafe { self.write_head(head) };
    }

    /// Makes sure that so many elements can be added without the node being moved again in this section.
    pub(crate) fn reserve(&mut self, tx: &Fase<'p>, more: Counts) {
        let counts = self.counts();
        self.own(tx, counts.plus(more));
    }

    /// Puts an item before the one at `at`. `head` counts it.
    ///
    /// Complexity: O(node).
    ///
    /// # Panics
    /// If `at` is behind the end, or `head` counts other elements than there are then.
    pub(crate) fn insert_item(&mut self, tx: &Fase<'p>, at: usize, item: A, head: H) {
        self.require(at, at, std::slice::from_ref(&item));
        // SAFETY: items are of type `A`.
        unsafe { self.insert(tx, Of::Items, at, item, head) };
    }

    /// Puts a child before the one at `at`, as [`Array::insert_item`].
    pub(crate) fn insert_child(&mut self, tx: &Fase<'p>, at: usize, child: B, head: H) {
        // SAFETY: children are of type `B`.
        unsafe { self.insert(tx, Of::Children, at, child, head) };
    }

    /// Takes the item at `at` out. `head` counts it no more.
    ///
    /// Complexity: O(node).
    ///
    /// # Panics
    /// If there is none, or `head` counts other elements than there are then.
    pub(crate) fn remove_item(&mut self, tx: &Fase<'p>, at: usize, head: H) -> A {
        self.require(at, at + 1, &[]);
        // SAFETY: items are of type `A`.
        unsafe { self.remove(tx, Of::Items, at, head) }
    }

    /// Takes the child at `at` out, as [`Array::remove_item`].
    pub(crate) fn remove_child(&mut self, tx: &Fase<'p>, at: usize, head: H) -> B {
        // SAFETY: children are of type `B`.
        unsafe { self.remove(tx, Of::Children, at, head) }
    }

    /// Moves the elements from these places on into a new node. `left` counts those that stay, `right` those that go.
    ///
    /// Complexity: O(node).
    ///
    /// # Panics
    /// If there are not that many, or if the heads count others.
    pub(crate) fn split_off(&mut self, tx: &Fase<'p>, at: Counts, left: H, right: H) -> Self {
        let counts = self.counts();
        let rest = counts.minus(at);
        assert_eq!(left.counts(), at, "the left head counts what stays");
        assert_eq!(right.counts(), rest, "the right head counts what goes");
        self.require(at.items, counts.items, &[]);
        self.own(tx, counts);
        let end = Places::of::<H, A, B, C>(rest).end;
        let new = Self::allocate(tx, H::EMPTY, end, rest);
        let (from, to) = (Places::of::<H, A, B, C>(counts), Places::of::<H, A, B, C>(rest));
        // SAFETY: `at` elements from the start of each kind on there are `rest` more, and the new node has room for them.
        unsafe { copy_kinds(self, (from, at), &new, (to, Counts::default()), rest) };
        // SAFETY: the elements were moved out bit by bit; `left` counts the others. They lie where the old counts placed them,
        // so they are moved to where their new counts do.
        unsafe { self.close_up(counts, at, left) };
        // SAFETY: the new node is fresh, nobody refers to it, and the elements that `right` counts are there.
        unsafe { new.write_head(right) };
        new
    }

    /// Moves all elements of `other` behind this node's own, each kind behind its kind. `head` counts them all.
    ///
    /// Complexity: O(both nodes).
    ///
    /// # Panics
    /// If `head` counts other elements than there are then.
    pub(crate) fn append(&mut self, tx: &Fase<'p>, mut other: Self, head: H) {
        let (counts, more) = (self.counts(), other.counts());
        let total = counts.plus(more);
        assert_eq!(head.counts(), total, "the head counts the elements of both");
        other.own(tx, more);
        self.own(tx, total);
        let (old, new) = (Places::of::<H, A, B, C>(counts), Places::of::<H, A, B, C>(total));
        // SAFETY: the node has room for `total`; the places only grow.
        unsafe { self.spread(old, new, counts) };
        let from = Places::of::<H, A, B, C>(more);
        // SAFETY: both are fresh and apart; the other has `more` elements, and this one room for them behind its own.
        unsafe { copy_kinds(&other, (from, Counts::default()), self, (new, counts), more) };
        // SAFETY: the elements are there, and the other node gives them up in the next line, before anything can unwind.
        unsafe { self.write_head(head) };
        // SAFETY: a fresh node whose elements were moved out. What is left of it owns nothing.
        unsafe { other.write_head(H::EMPTY) };
    }

    /// Moves everything out.
    ///
    /// Complexity: O(node).
    pub(crate) fn take(mut self, tx: &Fase<'p>) -> (H, Vec<A>, Vec<B>, Vec<C>) {
        let (head, counts) = (*self.head(), self.counts());
        self.own(tx, counts);
        let places = Places::of::<H, A, B, C>(counts);
        let mut items = Vec::with_capacity(counts.items);
        let mut children = Vec::with_capacity(counts.children);
        let mut extras = Vec::with_capacity(counts.extras);
        // SAFETY: so many elements lie there (invariant 1), and the vectors have room. The node gives them up below; nothing
        // unwinds before.
        unsafe { move_out(self.at(places.items), counts.items, &mut items) };
        // SAFETY: as above.
        unsafe { move_out(self.at(places.children), counts.children, &mut children) };
        // SAFETY: as above.
        unsafe { move_out(self.at(places.extras), counts.extras, &mut extras) };
        // SAFETY: a fresh node whose elements were moved out.
        unsafe { self.write_head(H::EMPTY) };
        (head, items, children, extras)
    }

    /// Panics if the head does not allow that these items are replaced by `new`.
    fn require(&self, from: usize, to: usize, new: &[A]) {
        if H::JUDGES_ITEMS {
            let is_allowed = H::allows(single_bytes(self.items()), from, to, single_bytes(new));
            assert!(is_allowed, "items {from}..{to} of this node cannot be replaced by these");
        }
    }

    /// A second owner of the same node.
    pub(crate) fn share(&self, tx: &Fase<'p>) -> Self {
        tx.share(self)
    }

    /// # Safety
    /// `E` is the type of that kind of elements.
    unsafe fn insert<E>(&mut self, tx: &Fase<'p>, of: Of, at: usize, element: E, head: H) {
        let counts = self.counts();
        let total = counts.plus(one(of));
        assert!(at <= number(counts, of), "index {at} is behind the {} elements", number(counts, of));
        assert_eq!(head.counts(), total, "the head counts the new element");
        self.own(tx, total);
        let (old, new) = (Places::of::<H, A, B, C>(counts), Places::of::<H, A, B, C>(total));
        // SAFETY: the node has room for `total`; the places only grow.
        unsafe { self.spread(old, new, counts) };
        let gap = self.at::<E>(place(new, of)).wrapping_add(at);
        // SAFETY: the elements from `at` on, of which this kind has room for one more.
        unsafe { ptr::copy(gap, gap.wrapping_add(1), number(counts, of) - at) };
        // SAFETY: within the node, and nobody's.
        unsafe { gap.write(element) };
        // SAFETY: the elements that the head counts are there; nothing has unwound since they began to move.
        unsafe { self.write_head(head) };
    }

    /// # Safety
    /// `E` is the type of that kind of elements.
    unsafe fn remove<E>(&mut self, tx: &Fase<'p>, of: Of, at: usize, head: H) -> E {
        let counts = self.counts();
        assert!(at < number(counts, of), "index {at} is not one of the {} elements", number(counts, of));
        let rest = counts.minus(one(of));
        assert_eq!(head.counts(), rest, "the head counts the element no more");
        self.own(tx, counts);
        let places = Places::of::<H, A, B, C>(counts);
        let found = self.at::<E>(place(places, of)).wrapping_add(at);
        // SAFETY: a valid element, read once: it is overwritten or lies behind the last one from here on.
        let element = unsafe { found.read() };
        // SAFETY: the elements behind it.
        unsafe { ptr::copy(found.wrapping_add(1), found, number(rest, of) - at) };
        // SAFETY: the first `rest` elements of each kind are there, placed by the old counts.
        unsafe { self.close_up(counts, rest, head) };
        element
    }
}

impl<'p, H, A, B, C> Array<'p, H, A, B, C>
where
    H: Head,
    A: Persistent<At<'p> = A> + Copy,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C>,
{
    /// Replaces the items in `from..to` by copies of `new`. `head` counts what is there then.
    ///
    /// Complexity: O(node).
    ///
    /// # Panics
    /// If the range is not one of the items', the head does not allow the new ones there, or `head` counts other elements than
    /// there are then.
    pub(crate) fn splice_items(&mut self, tx: &Fase<'p>, from: usize, to: usize, new: &[A], head: H) {
        let counts = self.counts();
        assert!(from <= to && to <= counts.items, "{from}..{to} is no range of {} items", counts.items);
        let total = Counts { items: counts.items - (to - from) + new.len(), ..counts };
        assert_eq!(head.counts(), total, "the head counts the new items");
        self.require(from, to, new);
        self.own(tx, if total.items > counts.items { total } else { counts });
        // The items lie last, so their place does not depend on their number.
        let items = self.at::<A>(Places::of::<H, A, B, C>(counts).items);
        let rest = items.wrapping_add(to);
        // SAFETY: the items behind the range, within the node's room.
        unsafe { ptr::copy(rest, items.wrapping_add(from + new.len()), counts.items - to) };
        // SAFETY: within the room, and `new` is apart: a reference to this node's own items cannot live beside `&mut self`.
        unsafe { ptr::copy_nonoverlapping(new.as_ptr(), items.wrapping_add(from), new.len()) };
        // SAFETY: the items that the head counts are there.
        unsafe { self.write_head(head) };
    }
}

impl<'p, H, A, B, C> Array<'p, H, A, B, C>
where
    H: Head,
    A: Persistent<At<'p> = A>,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C> + Copy,
{
    /// Replaces all extras by copies of `new`. `head` counts them.
    ///
    /// Complexity: O(node).
    ///
    /// # Panics
    /// If `head` counts other elements than there are then.
    pub(crate) fn set_extras(&mut self, tx: &Fase<'p>, new: &[C], head: H) {
        let counts = self.counts();
        let total = Counts { extras: new.len(), ..counts };
        assert_eq!(head.counts(), total, "the head counts the new extras");
        self.own(tx, if total.extras > counts.extras { total } else { counts });
        let (old, places) = (Places::of::<H, A, B, C>(counts), Places::of::<H, A, B, C>(total));
        // SAFETY: the items, within the node's room; extras are plain values, and all are overwritten.
        unsafe { ptr::copy(self.at::<A>(old.items), self.at(places.items), counts.items) };
        // SAFETY: within the room, between children and items; `new` is apart, as with `splice_items`.
        unsafe { ptr::copy_nonoverlapping(new.as_ptr(), self.at(places.extras), new.len()) };
        // SAFETY: the elements that the head counts are there.
        unsafe { self.write_head(head) };
    }
}

fn place(places: Places, of: Of) -> usize {
    match of {
        Of::Items => places.items,
        Of::Children => places.children,
    }
}

fn number(counts: Counts, of: Of) -> usize {
    match of {
        Of::Items => counts.items,
        Of::Children => counts.children,
    }
}

fn one(of: Of) -> Counts {
    let mut counts = Counts::default();
    match of {
        Of::Items => counts.items = 1,
        Of::Children => counts.children = 1,
    }
    counts
}
