//! Up to `N` bytes in their owner, judged like the items of an array node: short texts cost no node.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::array::{Head, Utf8};
use super::{
    Fault, Field, Kind, Niche, NodeType, Persistent, Schema, Sharer, Tracer, Visit, combine, hash_str,
};

/// Up to `N` bytes that the head `H` accepts.
///
/// # Invariants
/// 1. `len` is at most `N`.
/// 2. `H` accepts the first `len` bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Short<H, const N: usize> {
    len: u8,
    bytes: [u8; N],
    judged: PhantomData<H>,
}

impl<H: Head, const N: usize> Short<H, N> {
    /// No bytes.
    pub(crate) const EMPTY: Self = {
        assert!(N <= u8::MAX as usize, "one byte counts the bytes");
        Short { len: 0, bytes: [0; N], judged: PhantomData }
    };

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The bytes after those in `from..to` were replaced by `new`; none if they are more than `N`.
    ///
    /// # Panics
    /// If the range is not one of the bytes', or the head does not allow the new ones there.
    pub(crate) fn splice(&self, from: usize, to: usize, new: &[u8]) -> Option<Self> {
        let old = self.bytes();
        assert!(from <= to && to <= old.len(), "{from}..{to} is no range of {} bytes", old.len());
        assert!(H::allows(old, from, to, new), "bytes {from}..{to} cannot be replaced by these");
        let len = old.len() - (to - from) + new.len();
        if len > N {
            return None;
        }
        // What is behind the end stays zero, so that no forgotten secret is written.
        let mut bytes = [0; N];
        bytes[..from].copy_from_slice(&old[..from]);
        bytes[from..from + new.len()].copy_from_slice(new);
        bytes[from + new.len()..len].copy_from_slice(&old[to..]);
        Some(Short { len: len as u8, bytes, judged: PhantomData })
    }
}

impl<const N: usize> Short<Utf8, N> {
    /// The bytes as text, without judging them again.
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: invariant 2, and what this head accepts is UTF-8.
        unsafe { std::str::from_utf8_unchecked(self.bytes()) }
    }
}

impl<const N: usize> Short<super::Lens, N> {
    /// Access to the bytes. None can be added or removed through it.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..usize::from(self.len)]
    }
}

// SAFETY: `1 + N` bytes without padding or pointers, any of which are initialised; `validate` judges both invariants. `At` is the
// type itself.
unsafe impl<H: Head, const N: usize> Persistent for Short<H, N> {
    type At<'p> = Short<H, N>;

    const NAME: &'static str = "Short";
    const NAME_HASH: u64 = combine(combine(hash_str("Short"), N as u64), H::NAME_HASH);
    const LAYOUT_HASH: u64 = combine(combine(hash_str("Short"), N as u64), H::LAYOUT_HASH);
    const HAS_POINTERS: bool = false;
    const HAS_PADDING: bool = false;
    const NICHE: Option<Niche> = None;
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new(Self::EMPTY);

    fn schema() -> &'static Schema {
        const {
            &Schema {
                name: "Short",
                arguments: &[H::schema],
                size_bytes: 1 + N,
                align_bytes: 1,
                kind: Kind::Struct(&[
                    Field { name: "len", offset_bytes: 0, is_volatile: false, schema: u8::schema },
                    Field { name: "bytes", offset_bytes: 1, is_volatile: false, schema: <[u8; N]>::schema },
                ]),
            }
        }
    }

    fn targets(_types: &mut Vec<&'static NodeType>) {}

    unsafe fn validate(at: *const u8, _visit: &mut Visit<'_>) -> Result<(), Fault> {
        // SAFETY: the caller's promise; any bytes are a valid array of bytes.
        let found = unsafe { std::slice::from_raw_parts(at, 1 + N) };
        let fault = |expected| Fault { at: at.addr() as u64, expected, found: u64::from(found[0]) };
        let bytes = found[1..].get(..usize::from(found[0]));
        let bytes = bytes.ok_or(fault("a length of at most what fits its owner"))?;
        H::EMPTY.judge(bytes).map_err(fault)
    }

    fn trace(&self, _tracer: &mut Tracer<'_>) {}

    unsafe fn share(&self, _sharer: &Sharer<'_>) -> Self {
        *self
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { this.cast::<u8>().copy_to_nonoverlapping(to, 1 + N) }
    }

    unsafe fn scrub(_at: *mut u8) {}
}

#[cfg(test)]
mod tests {
    use super::{Fault, Head, Persistent, Short, Utf8, Visit};
    use crate::persist::{Lens, Space};

    fn judge<H: Head>(image: &[u8; 5]) -> Result<(), Fault> {
        let space = Space { bases: [0; 2], heap: (0, 0) };
        let mut edges = Vec::new();
        // SAFETY: five initialised bytes, which is the size, that nobody writes.
        unsafe { Short::<H, 4>::validate(image.as_ptr(), &mut Visit::new(&space, &mut edges)) }
    }

    /// If this failed, a file could hold a `str` that is not one.
    #[test]
    fn what_a_file_claims_is_judged() {
        assert!(judge::<Utf8>(b"\x03a\xC3\xA9\xFF").is_ok(), "what is behind the end is nobody's");
        assert!(judge::<Lens>(b"\x04\xFF\xFF\xFF\xFF").is_ok());
        assert_eq!(judge::<Utf8>(b"\x02a\xC3\xA9\0").unwrap_err().expected, "UTF-8 text");
        for image in [b"\x05abcd", b"\xFFabcd"] {
            let fault = judge::<Utf8>(image).unwrap_err();
            assert_eq!(
                (fault.expected, fault.found),
                ("a length of at most what fits its owner", image[0].into())
            );
            assert!(judge::<Lens>(image).is_err());
        }
    }

    /// If this failed, what was taken out of a text would still be written to the pool.
    #[test]
    fn what_is_behind_the_end_is_zero() {
        let secret = Short::<Utf8, 4>::EMPTY.splice(0, 0, b"abcd").unwrap();
        let left = secret.splice(1, 3, b"").unwrap();
        assert_eq!((left.as_str(), left.bytes), ("ad", *b"ad\0\0"));
        assert!(left.splice(1, 1, b"xyz").is_none(), "that is too much");
    }

    /// If this failed, a text could be cut inside a character.
    #[test]
    #[should_panic(expected = "cannot be replaced")]
    fn no_character_is_cut() {
        let _ = Short::<Utf8, 4>::EMPTY.splice(0, 0, "é".as_bytes()).unwrap().splice(1, 2, b"");
    }
}
