//! How many elements a leaf has, and where in a regular node an index lies.

use std::marker::PhantomData;
use std::mem::{align_of, size_of};

use crate::persist::NodeHeader;

/// Children of an inner node, at most: two lines.
pub(crate) const FANOUT: usize = 13;
/// Children of an inner node that is on neither edge of the tree, at least.
pub(super) const FANOUT_MIN: usize = FANOUT / 2;

/// Lines of a full leaf: as few as waste little, between these.
const LEAF_LINES: (usize, usize) = (3, 4);
/// What a leaf may waste of its lines before it takes more of them, as a fraction.
const WASTE: usize = 4;
/// Elements of a leaf that take no room.
const LEAF_OF_NOTHING: usize = 1 << 14;
/// Levels of a tree, at most: inner nodes half as wide as they may be need 25 for 2^64 leaves.
pub(super) const LEVELS: usize = 32;

/// The numbers that depend on the element's size.
pub(super) struct Shape<T>(PhantomData<T>);

impl<T> Shape<T> {
    /// Elements of a leaf, at most.
    pub(super) const LEAF: usize = Self::leaf();
    /// Elements under a full node of each level.
    const FULL: [u64; LEVELS] = Self::capacities();

    const fn leaf() -> usize {
        if size_of::<T>() == 0 {
            return LEAF_OF_NOTHING;
        }
        let head = NodeHeader::SIZE + 8_usize.next_multiple_of(align_of::<T>());
        let mut lines = LEAF_LINES.0;
        while lines < LEAF_LINES.1 && (lines * 64 - head) % size_of::<T>() > lines * 64 / WASTE {
            lines += 1;
        }
        let fit = (lines * 64 - head) / size_of::<T>();
        if fit == 0 { 1 } else { fit }
    }

    const fn capacities() -> [u64; LEVELS] {
        let mut full = [Self::LEAF as u64; LEVELS];
        let mut level = 1;
        while level < LEVELS {
            full[level] = full[level - 1].saturating_mul(FANOUT as u64);
            level += 1;
        }
        full
    }

    /// Elements under a full node of this level.
    pub(super) fn full(level: usize) -> u64 {
        Self::FULL.get(level).copied().unwrap_or(u64::MAX)
    }

    /// The child of a regular node of this level in which index `at` lies, and the index there.
    ///
    /// The divisors of the usual levels are constants, so that these divisions are multiplications.
    #[inline]
    pub(super) fn find(level: usize, at: u64) -> (usize, u64) {
        macro_rules! by {
            ($below:expr) => {{
                const { assert!(Self::FULL[$below] > 0) };
                let full = const { Self::FULL[$below] };
                ((at / full) as usize, at % full)
            }};
        }
        match level {
            1 => by!(0),
            2 => by!(1),
            3 => by!(2),
            4 => by!(3),
            5 => by!(4),
            6 => by!(5),
            7 => by!(6),
            8 => by!(7),
            9 => by!(8),
            _ => {
                let full = Self::full(level.saturating_sub(1));
                ((at / full) as usize, at % full)
            }
        }
    }
}

/// The sizes of a node's children: how many elements lie under each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    sizes: [u64; FANOUT + 1],
    len: usize,
}

impl Sizes {
    pub(super) const EMPTY: Sizes = Sizes { sizes: [0; FANOUT + 1], len: 0 };

    pub(super) fn of(sizes: impl IntoIterator<Item = u64>) -> Self {
        let mut all = Self::EMPTY;
        sizes.into_iter().for_each(|size| all.insert(all.len, size));
        all
    }

    pub(super) fn insert(&mut self, at: usize, size: u64) {
        self.sizes.copy_within(at..self.len, at + 1);
        self.sizes[at] = size;
        self.len += 1;
    }

    pub(super) fn remove(&mut self, at: usize) -> u64 {
        let size = self.sizes[at];
        self.sizes.copy_within(at + 1..self.len, at);
        self.len -= 1;
        size
    }

    pub(super) fn split_off(&mut self, at: usize) -> Self {
        let right = Self::of(self.as_slice()[at..].iter().copied());
        self.len = at;
        right
    }

    pub(super) fn as_slice(&self) -> &[u64] {
        &self.sizes[..self.len]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.sizes[..self.len]
    }

    pub(super) fn total(&self) -> u64 {
        self.as_slice().iter().sum()
    }

    /// The sums up to and including each child.
    pub(super) fn sums(&self) -> Self {
        let mut sums = *self;
        let mut sum = 0;
        for size in sums.as_mut_slice() {
            sum += *size;
            *size = sum;
        }
        sums
    }
}
