//! What must hold of every persistent type's treatment of bytes, whatever the type.

use std::fmt::Debug;
use std::mem::ManuallyDrop;

use pmem_runtime::Persistent;
use pmem_runtime::persist::{Fault, Sharer, Space, Tracer, Visit};

/// Room for one value, aligned as a node's payload is.
#[derive(Clone)]
pub(crate) struct Buffer {
    words: Vec<u128>,
    len_bytes: usize,
}

impl Buffer {
    pub(crate) fn filled<T>(byte: u8) -> Self {
        let len_bytes = size_of::<T>();
        Buffer { words: vec![u128::from_ne([byte; 16]); len_bytes.div_ceil(16) + 1], len_bytes }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the words are initialised, and are at least that many bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len_bytes) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the words are initialised, and are at least that many bytes.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len_bytes) }
    }

    pub(crate) fn at(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    pub(crate) fn at_mut(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }

    /// The value in it.
    ///
    /// # Safety
    /// There is one: `validate` has said so.
    pub(crate) unsafe fn value<T>(&self) -> &T {
        // SAFETY: the caller's promise.
        unsafe { &*self.at().cast() }
    }
}

trait Repeated {
    fn from_ne(bytes: [u8; 16]) -> Self;
}

impl Repeated for u128 {
    fn from_ne(bytes: [u8; 16]) -> Self {
        // All bytes are the same, so their order is no matter.
        u128::from_le_bytes(bytes)
    }
}

/// A pool in which every 64th address below 2^40 is a node's.
pub(crate) const SPACE: Space = Space { bases: [0, 0], heap: (64, 1 << 40) };

/// Pointers in the bytes, or what is wrong with them.
pub(crate) fn validate<T: Persistent>(buffer: &Buffer) -> Result<Vec<u64>, Fault> {
    let mut edges = Vec::new();
    // SAFETY: the buffer is initialised, aligned and large enough.
    unsafe { T::validate(buffer.at(), &mut Visit::new(&SPACE, &mut edges)) }?;
    Ok(edges.iter().map(|edge| edge.target).collect())
}

pub(crate) fn trace<T: Persistent>(value: &T) -> Vec<u64> {
    let mut found = Vec::new();
    value.trace(&mut Tracer::new(&mut found));
    found.iter().map(|pointer| pointer.0).collect()
}

pub(crate) fn store_into<T: Persistent>(value: &T, mut buffer: Buffer) -> Buffer {
    // SAFETY: a valid value and a buffer for it; no one drops either.
    unsafe { T::store(value, buffer.at_mut()) };
    buffer
}

/// The laws on these values; among them must be one with padding if the type may have it.
pub(crate) fn check<T: Persistent>(values: Vec<T>) {
    let mut has_padding = false;
    for value in values {
        let value = ManuallyDrop::new(value);
        has_padding |= check_one(&*value);
    }
    assert_eq!(has_padding, T::HAS_PADDING, "HAS_PADDING of {}", T::NAME);
}

/// The laws, and that the stored value equals the one that was stored.
pub(crate) fn check_equal<T: Persistent + PartialEq + Debug>(values: Vec<T>) {
    for value in &values {
        let stored = store_into(value, Buffer::filled::<T>(0));
        // SAFETY: just stored.
        let again: &T = unsafe { stored.value() };
        assert_eq!(value, again, "what was stored is another value");
    }
    check(values);
}

/// Whether the value has padding.
fn check_one<T: Persistent>(value: &T) -> bool {
    let stored = store_into(value, Buffer::filled::<T>(0));
    let over_ones = store_into(value, Buffer::filled::<T>(0xff));

    // Bytes that `store` leaves alone are padding; dirt there is what a compiler may leave, and must go.
    let is_padding: Vec<bool> = stored.bytes().iter().zip(over_ones.bytes()).map(|(a, b)| a != b).collect();
    let mut dirty = stored.clone();
    for (byte, is_padding) in dirty.bytes_mut().iter_mut().zip(&is_padding) {
        *byte = if *is_padding { 0xaa } else { *byte };
    }
    if T::HAS_PADDING {
        // SAFETY: padding does not change the value.
        unsafe { T::scrub(dirty.at_mut()) };
    }
    assert_eq!(dirty.bytes(), stored.bytes(), "scrub of {} is not store", T::NAME);

    let mut moved = Buffer::filled::<T>(0xaa);
    // SAFETY: the copy is never dropped.
    let copy = ManuallyDrop::new(unsafe { std::ptr::read(value) });
    // SAFETY: room for one value.
    unsafe { moved.at_mut().cast::<ManuallyDrop<T>>().write(copy) };
    // SAFETY: just written.
    unsafe { T::scrub(moved.at_mut()) };
    assert_eq!(moved.bytes(), stored.bytes(), "a scrubbed value of {} is not the stored one", T::NAME);

    let edges = validate::<T>(&stored).expect("a stored value is valid");
    assert_eq!(edges, trace(value), "validate and trace of {} differ", T::NAME);
    assert!(T::HAS_POINTERS || edges.is_empty());

    let shared = std::cell::RefCell::new(Vec::new());
    let retain = |address| shared.borrow_mut().push(address);
    // SAFETY: the second owner is never dropped.
    let second = ManuallyDrop::new(unsafe { value.share(&Sharer::new(&retain)) });
    assert_eq!(*shared.borrow(), edges, "share and trace of {} differ", T::NAME);
    let second = store_into(&*second, Buffer::filled::<T>(0));
    assert_eq!(second.bytes(), stored.bytes(), "a second owner of {} is another value", T::NAME);

    is_padding.contains(&true)
}
