//! Every collection by itself, with the changes of the crash campaign.

use std::hint::black_box;
use std::marker::PhantomData;

use pmem_runtime::{
    Bytes, Fase, Map, OrdMap, OrdSet, Persistent, PriorityQueue, Queue, Set, Stack, Text, Vector,
};

use super::collections::Shelf;
use super::subject::{At, Subject, show};
use super::support::Random;

/// Keys and positions: as in the crash campaign, few.
const KEYS: u64 = 40;

/// Reads all of a collection.
pub(crate) trait ReadWhole {
    /// Whether the collection's check found no defect.
    fn read_whole(&self) -> bool;
    fn compare(&self, other: &Self);
}

/// The subject made of a collection.
pub(crate) struct Shelved<S>(PhantomData<S>);

impl<S: Shelf> Subject for Shelved<S>
where
    <S::Root as Persistent>::At<'static>: ReadWhole,
{
    type Root = S::Root;

    fn create<'f>(_tx: &Fase<'f>) -> At<'f, Self> {
        S::empty()
    }

    fn change<'f>(tx: &Fase<'f>, root: &mut At<'f, Self>, random: &mut Random) {
        for _ in 0..=random.below(4) {
            let key = random.below(KEYS);
            if random.one_in(3) { S::take(tx, root, key) } else { S::put(tx, root, key) }
        }
    }

    fn read(root: &At<'static, Self>) -> bool {
        root.read_whole()
    }

    fn compare(left: &At<'static, Self>, right: &At<'static, Self>) {
        left.compare(right);
    }
}

/// Implements [`ReadWhole`]: what all collections can do, and what this one can besides.
macro_rules! read_whole {
    ($collection:ty, |$read:ident| $reads:expr) => {
        impl ReadWhole for $collection {
            fn read_whole(&self) -> bool {
                let $read = self;
                black_box((self.len(), self.is_empty()));
                $reads;
                show(self);
                black_box(*self == *self);
                self.check().is_ok()
            }

            fn compare(&self, other: &Self) {
                black_box(self == other);
            }
        }
    };
}

read_whole!(Map<'static, u64, u64>, |map| {
    black_box(map.iter().map(|(key, value)| key ^ value).fold(0, |sum, each| sum ^ each));
    black_box((map.keys().count(), map.values().count()));
    (0..KEYS).for_each(|key| _ = black_box((map.get(&key), map.contains_key(&key))));
});

read_whole!(Set<'static, u64>, |set| {
    black_box(set.iter().fold(0, |sum, each| sum ^ each));
    (0..KEYS).for_each(|key| _ = black_box((set.get(&key), set.contains(&key))));
});

read_whole!(OrdMap<'static, u64, u64>, |map| {
    black_box(map.iter().map(|(key, value)| key ^ value).fold(0, |sum, each| sum ^ each));
    black_box(map.iter().rev().count());
    black_box((map.first_key_value(), map.last_key_value(), map.range(10..30).count()));
    (0..KEYS).for_each(|key| _ = black_box((map.get(&key), map.get_gt(&key), map.get_le(&key))));
});

read_whole!(OrdSet<'static, u64>, |set| {
    black_box(set.iter().fold(0, |sum, each| sum ^ each));
    black_box((set.first(), set.last(), set.range(10..30).rev().count()));
    (0..KEYS).for_each(|key| _ = black_box((set.contains(&key), set.get_lt(&key), set.get_ge(&key))));
});

read_whole!(Vector<'static, u64>, |vector| {
    black_box(vector.iter().fold(0, |sum, each| sum ^ each));
    black_box((vector.iter().rev().count(), vector.chunks().count(), vector.first(), vector.last()));
    let len = vector.len();
    (0..KEYS as usize).for_each(|at| _ = black_box((vector.get(at), vector.get(len.wrapping_sub(at)))));
    black_box(vector.contains(&7));
});

read_whole!(Queue<'static, u64>, |queue| {
    black_box(queue.iter().fold(0, |sum, each| sum ^ each));
    black_box((queue.front(), queue.back(), queue.contains(&7)));
});

read_whole!(Stack<'static, u64>, |stack| {
    black_box(stack.iter().fold(0, |sum, each| sum ^ each));
    black_box((stack.top(), stack.contains(&7)));
    black_box(stack.peek());
});

read_whole!(Text<'static>, |text| {
    black_box((text.to_string().len(), text.chars().count(), text.lines().count(), text.find("ß")));
    let len = text.len();
    (0..KEYS as usize).for_each(|at| _ = black_box(text.is_char_boundary(len.wrapping_sub(at))));
});

read_whole!(Bytes<'static>, |bytes| {
    black_box((bytes.to_vec().len(), bytes.iter().fold(0, |sum, each| sum ^ each)));
    black_box((bytes.first(), bytes.last(), bytes.find(b"\x01\x02")));
    (0..KEYS as usize).for_each(|at| _ = black_box(bytes.get(at)));
});

impl ReadWhole for PriorityQueue<'static, u64> {
    fn read_whole(&self) -> bool {
        black_box((self.len(), self.is_empty(), self.peek()));
        black_box(self.iter().fold(0, |sum, each| sum ^ each));
        black_box(self.iter_sorted().count());
        show(self);
        self.check().is_ok()
    }

    fn compare(&self, other: &Self) {
        black_box(self.iter().eq(other.iter()));
    }
}
