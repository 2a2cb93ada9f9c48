//! A rope: bytes in chunks, kept in a balanced tree. Inserting, cutting and joining take O(log n), whatever the length.

use pmem_runtime::{Fase, Persistent, Pool, functional, persist_fase};

/// Bytes of a leaf.
const CHUNK_BYTES: usize = 40;

#[functional]
#[derive(Debug, Default)]
pub(crate) enum Rope {
    #[default]
    Empty,
    Leaf {
        used: u8,
        bytes: [u8; CHUNK_BYTES],
    },
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
        let leaf = |chunk: &[u8]| {
            let mut bytes = [0; CHUNK_BYTES];
            bytes[..chunk.len()].copy_from_slice(chunk);
            Rope::leaf(tx, chunk.len() as u8, bytes)
        };
        text.chunks(CHUNK_BYTES).fold(Rope::empty(), |rope, chunk| rope.append(tx, leaf(chunk)))
    }

    pub(crate) fn len(&self) -> u64 {
        match self.view() {
            RopeView::Empty => 0,
            RopeView::Leaf { used, .. } => u64::from(*used),
            RopeView::Join { len, .. } => *len,
        }
    }

    fn height(&self) -> u32 {
        if let RopeView::Join { height, .. } = self.view() { *height } else { 0 }
    }

    fn halves(self, tx: &Fase) -> (Self, Self) {
        let RopeParts::Join { left, right, .. } = self.take(tx) else {
            panic!("only what is joined has halves")
        };
        (left, right)
    }

    fn join_of(tx: &Fase, left: Self, right: Self) -> Self {
        Rope::join(tx, left.height().max(right.height()) + 1, left.len() + right.len(), left, right)
    }

    /// A node of two whose heights differ by at most two, balanced as in an AVL tree.
    fn balance(tx: &Fase, left: Self, right: Self) -> Self {
        if left.height() > right.height() + 1 {
            let (a, b) = left.halves(tx);
            if a.height() >= b.height() {
                return Self::join_of(tx, a, Self::join_of(tx, b, right));
            }
            let (b, c) = b.halves(tx);
            return Self::join_of(tx, Self::join_of(tx, a, b), Self::join_of(tx, c, right));
        }
        if right.height() > left.height() + 1 {
            let (b, c) = right.halves(tx);
            if c.height() >= b.height() {
                return Self::join_of(tx, Self::join_of(tx, left, b), c);
            }
            let (a, b) = b.halves(tx);
            return Self::join_of(tx, Self::join_of(tx, left, a), Self::join_of(tx, b, c));
        }
        Self::join_of(tx, left, right)
    }

    pub(crate) fn append(self, tx: &Fase, other: Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other } else { self };
        }
        if self.height() > other.height() + 1 {
            let (left, right) = self.halves(tx);
            return Self::balance(tx, left, right.append(tx, other));
        }
        if other.height() > self.height() + 1 {
            let (left, right) = other.halves(tx);
            return Self::balance(tx, self.append(tx, left), right);
        }
        Self::join_of(tx, self, other)
    }

    pub(crate) fn split(self, tx: &Fase, at: u64) -> (Self, Self) {
        match self.take(tx) {
            RopeParts::Empty => (Rope::empty(), Rope::empty()),
            RopeParts::Leaf { used, bytes } => {
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

    pub(crate) fn insert(self, tx: &Fase, at: u64, text: &[u8]) -> Self {
        let (left, right) = self.split(tx, at);
        left.append(tx, Self::of(tx, text)).append(tx, right)
    }

    pub(crate) fn remove(self, tx: &Fase, range: std::ops::Range<u64>) -> Self {
        let (rest, right) = self.split(tx, range.end);
        rest.split(tx, range.start).0.append(tx, right)
    }

    pub(crate) fn copy_to(&self, text: &mut Vec<u8>) {
        match self.view() {
            RopeView::Empty => {}
            RopeView::Leaf { used, bytes } => text.extend(&bytes[..usize::from(*used)]),
            RopeView::Join { left, right, .. } => {
                [left, right].into_iter().for_each(|half| half.copy_to(text))
            }
        }
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Root<'p> {
    pub(crate) rope: Rope<'p>,
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Root<'_>>::options().create(folder.path().join("rope.pool"))?;
    let mut twin = b"to be or not to be, that is the question. ".repeat(1000);
    persist_fase!(pool, |tx, root| {
        root.rope = Rope::of(tx, &twin);
        Ok(())
    })?;
    let nodes = pool.counters().nodes;
    persist_fase!(pool, |tx, root| {
        root.rope = std::mem::take(&mut root.rope).remove(tx, 100..20_000).insert(tx, 50, b"(here) ");
        Ok(())
    })?;
    twin.drain(100..20_000);
    twin.splice(50..50, *b"(here) ");
    let mut text = Vec::new();
    pool.snapshot().rope.copy_to(&mut text);
    assert!(text == twin);
    println!("half of {} bytes cut out: {} new nodes", text.len() * 2, pool.counters().nodes - nodes);
    Ok(())
}
