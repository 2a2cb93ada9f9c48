//! A rope: bytes in chunks, kept in a balanced tree. Replacing, cutting and joining take O(log n), whatever the length.

use pmem_runtime::{Fase, Pool, functional, persist_fase};

/// Bytes of a leaf.
const CHUNK_BYTES: usize = 40;

/// The heights of the two that are joined differ by at most one, as in an AVL tree.
#[functional]
#[derive(Debug, Default)]
pub(crate) enum Rope {
    #[default]
    Empty,
    Leaf(u8, [u8; CHUNK_BYTES]),
    Join {
        height: u32,
        len: u64,
        left: Rope,
        right: Rope,
    },
}

#[functional]
impl Rope {
    pub(crate) fn of(tx: &Fase, text: &[u8]) -> Self {
        text.chunks(CHUNK_BYTES).fold(Rope::empty(), |rope, chunk| {
            let mut bytes = [0; CHUNK_BYTES];
            bytes[..chunk.len()].copy_from_slice(chunk);
            rope.append(tx, Rope::leaf(tx, chunk.len() as u8, bytes))
        })
    }

    pub(crate) fn len(&self) -> u64 {
        match self.view() {
            RopeView::Empty => 0,
            RopeView::Leaf(used, _) => u64::from(*used),
            RopeView::Join { len, .. } => *len,
        }
    }

    fn height(&self) -> u32 {
        if let RopeView::Join { height, .. } = self.view() { *height } else { 0 }
    }

    fn halves(self, tx: &Fase) -> (Self, Self) {
        let RopeParts::Join { left, right, .. } = self.take(tx) else { panic!("only a join has halves") };
        (left, right)
    }

    /// Joins what is about as high. Else takes the higher one apart, and an inner half of it that would stay too high.
    pub(crate) fn append(self, tx: &Fase, other: Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other } else { self };
        }
        if self.height() > other.height() + 1 {
            let (a, c) = self.halves(tx);
            let (b, c) = if c.height() > a.height() { c.halves(tx) } else { (Rope::empty(), c) };
            return a.append(tx, b).append(tx, c.append(tx, other));
        }
        if other.height() > self.height() + 1 {
            let (b, c) = other.halves(tx);
            return self.append(tx, b).append(tx, c);
        }
        Rope::join(tx, self.height().max(other.height()) + 1, self.len() + other.len(), self, other)
    }

    pub(crate) fn split(self, tx: &Fase, at: u64) -> (Self, Self) {
        match self.take(tx) {
            RopeParts::Empty => (Rope::empty(), Rope::empty()),
            RopeParts::Leaf(used, bytes) => {
                let (left, right) = bytes[..used.into()].split_at(at as usize);
                (Self::of(tx, left), Self::of(tx, right))
            }
            RopeParts::Join { left, right, .. } if at < left.len() => {
                let (left, middle) = left.split(tx, at);
                (left, middle.append(tx, right))
            }
            RopeParts::Join { left, right, .. } => {
                let (middle, right) = right.split(tx, at - left.len());
                (left.append(tx, middle), right)
            }
        }
    }

    pub(crate) fn replace_range(self, tx: &Fase, range: std::ops::Range<u64>, text: &[u8]) -> Self {
        let (rest, right) = self.split(tx, range.end);
        rest.split(tx, range.start).0.append(tx, Self::of(tx, text)).append(tx, right)
    }

    pub(crate) fn copy_to(&self, text: &mut Vec<u8>) {
        match self.view() {
            RopeView::Empty => {}
            RopeView::Leaf(used, bytes) => text.extend(&bytes[..usize::from(*used)]),
            RopeView::Join { left, right, .. } => [left, right].iter().for_each(|half| half.copy_to(text)),
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = b"to be or not to be, that is the question. ".repeat(1000);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("rope.pool");
    let pool = Pool::<Rope<'_>>::options().create_with(path, |tx| Rope::of(tx, &text))?;
    let nodes = pool.counters().nodes;
    persist_fase!(pool, |tx, rope| {
        *rope = std::mem::take(rope).replace_range(tx, 100..20_000, b"(here) ");
        Ok(())
    })?;
    let mut edited = Vec::new();
    pool.snapshot().copy_to(&mut edited);
    assert!(edited == [&text[..100], b"(here) ", &text[20_000..]].concat());
    println!("half of {} bytes cut out: {} new nodes", text.len(), pool.counters().nodes - nodes);
    Ok(())
}
