//! Making an array node the section's own, and moving elements between nodes.

use std::mem;
use std::ptr;
use std::sync::atomic::Ordering;

use crate::commit::Fase;
use crate::mutants::{Mutant, planted};
use crate::persist::{Array, Counts, Head, NodeHeader, Persistent, Places};

impl<'p, H, A, B, C> Array<'p, H, A, B, C>
where
    H: Head,
    A: Persistent<At<'p> = A>,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C>,
{
    /// Makes the node the section's own, with room for so many elements in all: at least as many as there are.
    pub(super) fn own(&mut self, tx: &Fase<'p>, room: Counts) {
        // SAFETY: invariant 1 of `Array`.
        let header = unsafe { NodeHeader::at(self.address()) };
        let end = Places::of::<H, A, B, C>(room).end;
        // Relaxed: a count of one cannot grow, since only owners share; a larger one that shrinks costs a copy too many.
        let owners = header.refcount.load(Ordering::Relaxed);
        let is_fresh = owners & NodeHeader::FRESH != 0;
        let is_only = owners & !NodeHeader::FRESH == 1;
        let is_own = is_fresh || planted(Mutant::ArrayEditedInPlace);
        if is_own && is_only && end <= header.len_bytes as usize {
            return;
        }
        // A node that outgrows its lines within a section may go on to do so.
        let end = if is_fresh && is_only { end + end / 4 } else { end };
        let counts = self.counts();
        let copy = Self::allocate(tx, H::EMPTY, end, room);
        if !is_only {
            self.share_into(tx, &copy);
            *self = copy;
            return;
        }
        let places = Places::of::<H, A, B, C>(counts);
        let all = (places, Counts::default());
        // SAFETY: the copy has room; the elements pass to it, since the old node becomes a shell or is freed unread.
        unsafe { copy_kinds(self, all, &copy, all, counts) };
        // SAFETY: the copy is fresh, nobody refers to it, and the elements are there.
        unsafe { copy.write_head(*self.head()) };
        let old = mem::replace(self, copy);
        if is_fresh {
            tx.shadow().free_shell(old.address());
        } else {
            tx.shadow().note_moved(old.address());
        }
        mem::forget(old);
    }

    /// Makes second owners of all that this node owns, in the empty fresh node `copy`, which has room.
    fn share_into(&self, tx: &Fase<'p>, copy: &Self) {
        let places = Places::of::<H, A, B, C>(self.counts());
        let mut shared = Shared { copy, places, done: Counts::default() };
        // SAFETY: the copy has room for as many children as there are, at the same place.
        unsafe { share_kind(tx, self.children(), copy.at(places.children), &mut shared.done.children) };
        // SAFETY: as above, for extras.
        unsafe { share_kind(tx, self.extras(), copy.at(places.extras), &mut shared.done.extras) };
        // SAFETY: as above, for items.
        unsafe { share_kind(tx, self.items(), copy.at(places.items), &mut shared.done.items) };
        mem::forget(shared);
        // SAFETY: the copy is fresh, nobody refers to it, and the elements are there.
        unsafe { copy.write_head(*self.head()) };
    }

    /// Moves extras and items from the places of fewer elements to those of more.
    ///
    /// # Safety
    /// The node is fresh, has `counts` elements at `old`, and room up to the end of `new`, whose places are not before those.
    pub(super) unsafe fn spread(&self, old: Places, new: Places, counts: Counts) {
        // SAFETY: the caller's promise; the kind that moves furthest goes first, so it overwrites what is room or its own.
        unsafe { ptr::copy(self.at::<A>(old.items), self.at(new.items), counts.items) };
        // SAFETY: as above.
        unsafe { ptr::copy(self.at::<C>(old.extras), self.at(new.extras), counts.extras) };
    }

    /// Moves extras and items from the places of more elements to those of fewer, and sets the head.
    ///
    /// # Safety
    /// The node is fresh, borrowed mutably by the caller, and the first `rest` elements of each kind lie at the places of `counts`,
    /// which are not before those of `rest`; all others were moved out. `head` counts `rest`.
    pub(super) unsafe fn close_up(&self, counts: Counts, rest: Counts, head: H) {
        let (old, new) = (Places::of::<H, A, B, C>(counts), Places::of::<H, A, B, C>(rest));
        // SAFETY: the caller's promise; extras go first, to where no items are.
        unsafe { ptr::copy(self.at::<C>(old.extras), self.at(new.extras), rest.extras) };
        // SAFETY: as above.
        unsafe { ptr::copy(self.at::<A>(old.items), self.at(new.items), rest.items) };
        // SAFETY: the elements that `head` counts are there.
        unsafe { self.write_head(head) };
    }

    /// # Safety
    /// The node is fresh, no reference to its payload exists, and the elements that `head` counts are where `Places` says.
    pub(super) unsafe fn write_head(&self, head: H) {
        // SAFETY: the caller's promise.
        unsafe { NodeHeader::payload(self.address()).cast::<H>().write(head) };
    }

    pub(super) fn at<T>(&self, offset: usize) -> *mut T {
        NodeHeader::payload(self.address()).wrapping_add(offset).cast()
    }
}

/// The part of a copy that has been shared, given back if sharing the rest unwinds.
struct Shared<'a, 'p, H, A, B, C>
where
    H: Head,
    A: Persistent<At<'p> = A>,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C>,
{
    copy: &'a Array<'p, H, A, B, C>,
    places: Places,
    done: Counts,
}

impl<'p, H, A, B, C> Drop for Shared<'_, 'p, H, A, B, C>
where
    H: Head,
    A: Persistent<At<'p> = A>,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C>,
{
    fn drop(&mut self) {
        let Shared { copy, places, done } = self;
        let children = ptr::slice_from_raw_parts_mut(copy.at::<B>(places.children), done.children);
        // SAFETY: so many were written, and the copy's head does not count them.
        unsafe { children.drop_in_place() };
        let extras = ptr::slice_from_raw_parts_mut(copy.at::<C>(places.extras), done.extras);
        // SAFETY: as above.
        unsafe { extras.drop_in_place() };
        let items = ptr::slice_from_raw_parts_mut(copy.at::<A>(places.items), done.items);
        // SAFETY: as above.
        unsafe { items.drop_in_place() };
    }
}

/// Writes second owners of `elements` to `to`, counting them in `done`.
///
/// # Safety
/// `to` is aligned and valid for writes of so many values, apart from `elements`.
unsafe fn share_kind<'p, T>(tx: &Fase<'p>, elements: &[T], to: *mut T, done: &mut usize)
where
    T: Persistent<At<'p> = T>,
{
    if !T::HAS_POINTERS {
        // SAFETY: the caller's promise; a value without pointers is its own second owner.
        unsafe { ptr::copy_nonoverlapping(elements.as_ptr(), to, elements.len()) };
        *done = elements.len();
        return;
    }
    for (index, element) in elements.iter().enumerate() {
        let owner = tx.share(element);
        // SAFETY: the caller's promise.
        unsafe { to.wrapping_add(index).write(owner) };
        *done += 1;
    }
}

/// Copies `counts` elements of each kind, bit by bit.
///
/// # Safety
/// Each node is placed as said and has so many elements, or room for them, behind the first ones named; the nodes are apart, and
/// the target is fresh. Of the two copies of each element one is forgotten.
pub(super) unsafe fn copy_kinds<'p, H, A, B, C>(
    from: &Array<'p, H, A, B, C>,
    (from_places, from_first): (Places, Counts),
    to: &Array<'p, H, A, B, C>,
    (to_places, to_first): (Places, Counts),
    counts: Counts,
) where
    H: Head,
    A: Persistent<At<'p> = A>,
    B: Persistent<At<'p> = B>,
    C: Persistent<At<'p> = C>,
{
    let source = from.at::<A>(from_places.items).wrapping_add(from_first.items);
    let target = to.at::<A>(to_places.items).wrapping_add(to_first.items);
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(source, target, counts.items) };
    let source = from.at::<B>(from_places.children).wrapping_add(from_first.children);
    let target = to.at::<B>(to_places.children).wrapping_add(to_first.children);
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(source, target, counts.children) };
    let source = from.at::<C>(from_places.extras).wrapping_add(from_first.extras);
    let target = to.at::<C>(to_places.extras).wrapping_add(to_first.extras);
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(source, target, counts.extras) };
}

/// Moves so many values into an empty vector.
///
/// # Safety
/// They lie at `from`, the vector has room for them, and the caller forgets them.
pub(super) unsafe fn move_out<T>(from: *const T, count: usize, to: &mut Vec<T>) {
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(from, to.as_mut_ptr(), count) };
    // SAFETY: so many were just written.
    unsafe { to.set_len(count) };
}
