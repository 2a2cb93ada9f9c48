//! Roots of several parts: collections in collections, a functional tree, chains of plain nodes, objects larger than a block.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::mem::take;

use pmem_runtime::{Bytes, Fase, Map, OrdMap, P, Persistent, Text, Vector, functional};

use super::subject::{CHAIN_MAX, Subject, show};
use super::support::Random;
use super::support::model::{Drawing, Op, Padding};
use super::support::world::{World, values};

/// Collections in collections, and a field that means nothing after a restart.
#[derive(Persistent, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct Shop<'p> {
    shelves: Map<'p, Text<'p>, Vector<'p, Bytes<'p>>>,
    prices: OrdMap<'p, u64, Option<Text<'p>>>,
    kind: Kind<'p>,
    #[persistent(volatile)]
    visits: u64,
    is_open: bool,
}

#[derive(Persistent, Debug, Default, PartialEq)]
#[repr(C, u8)]
enum Kind<'p> {
    #[default]
    Closed,
    Street(char),
    Branch {
        of: Option<P<'p, Vector<'p, u16>>>,
        since: u32,
    },
}

impl Subject for Shop<'static> {
    type Root = Shop<'static>;

    fn create<'f>(_tx: &Fase<'f>) -> Shop<'f> {
        Shop::default()
    }

    fn change<'f>(tx: &Fase<'f>, shop: &mut Shop<'f>, random: &mut Random) {
        let key = random.below(12);
        let name = "shelf ".repeat(1 + key as usize % 3) + &key.to_string();
        shop.is_open = random.one_in(2);
        match random.below(7) {
            0 | 1 => {
                let goods = Bytes::of(tx, &vec![key as u8; 3 * key as usize]);
                let shelf = shop.shelves.entry(tx, Text::of(tx, &name)).or_default();
                shelf.push(tx, goods);
            }
            2 => {
                shop.prices.insert(tx, key, random.one_in(2).then(|| Text::of(tx, &name)));
            }
            3 => _ = shop.prices.remove(tx, &key),
            4 => _ = shop.shelves.remove(tx, name.as_str()),
            5 => shop.kind = Kind::Street(['a', 'ß', '𝄞'][key as usize % 3]),
            _ => {
                let of = Vector::from_iter(tx, (0..key as u16).rev());
                shop.kind = Kind::Branch { of: Some(P::new(tx, of)), since: key as u32 };
            }
        }
    }

    fn read(shop: &Shop<'static>) -> bool {
        black_box(shop.visits);
        let mut is_sound = shop.shelves.check().is_ok() && shop.prices.check().is_ok();
        for (name, shelf) in &shop.shelves {
            black_box((name.len(), shelf.len(), shop.shelves.get(name).is_some()));
            is_sound &= name.check().is_ok() && shelf.check().is_ok();
            is_sound &= shelf.iter().all(|goods| goods.check().is_ok());
        }
        is_sound &= shop.prices.values().flatten().all(|name| name.check().is_ok());
        if let Kind::Branch { of: Some(of), .. } = &shop.kind {
            is_sound &= of.check().is_ok();
        }
        show(&shop.shelves);
        show(&shop.prices);
        black_box(format!("{shop:?}").len());
        Self::compare(shop, shop);
        is_sound
    }

    fn compare(left: &Shop<'static>, right: &Shop<'static>) {
        black_box(left == right);
    }
}

/// A functional tree that grows at its root.
#[functional]
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Twig<T> {
    #[default]
    End,
    Fork {
        left: Twig<T>,
        value: T,
        right: Twig<T>,
    },
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Trees<'p> {
    now: Twig<'p, u64>,
    before: Twig<'p, u64>,
}

/// The functional tree.
pub(crate) struct Functional;

impl Subject for Functional {
    type Root = Trees<'static>;

    fn create<'f>(_tx: &Fase<'f>) -> Trees<'f> {
        Trees::default()
    }

    fn change<'f>(tx: &Fase<'f>, trees: &mut Trees<'f>, random: &mut Random) {
        let value = random.below(100);
        match random.below(6) {
            0..=2 => trees.now = Twig::fork(tx, take(&mut trees.now), value, Twig::end()),
            3 => {
                let leaf = Twig::fork(tx, Twig::end(), value, Twig::end());
                trees.now = Twig::fork(tx, leaf, value, take(&mut trees.now));
            }
            4 => trees.before = tx.share(&trees.now),
            _ => {
                if let TwigParts::Fork { left, right, .. } = take(&mut trees.now).take(tx) {
                    trees.now = if random.one_in(2) { left } else { right };
                }
            }
        }
    }

    fn read(trees: &Trees<'static>) -> bool {
        for tree in [&trees.now, &trees.before] {
            let mut waiting = vec![tree];
            let mut sum = 0;
            for _ in 0..CHAIN_MAX {
                let Some(next) = waiting.pop() else { break };
                let TwigView::Fork { left, value, right } = next.view() else { continue };
                sum ^= value;
                waiting.extend([left, right]);
            }
            black_box(sum);
            black_box(format!("{tree:?}").len());
        }
        Functional::compare(trees, trees);
        true
    }

    fn compare(left: &Trees<'static>, right: &Trees<'static>) {
        black_box((left.now == right.now, left.now.cmp(&right.before)));
        // Hashing visits every node, and a forged tree may have no end.
        let mut hasher = DefaultHasher::new();
        if let TwigView::Fork { value, .. } = left.now.view() {
            value.hash(&mut hasher);
        }
        black_box(hasher.finish());
    }
}

/// The world of the system tests.
pub(crate) struct Chains;

impl Subject for Chains {
    type Root = World<'static>;

    fn create<'f>(_tx: &Fase<'f>) -> World<'f> {
        World::default()
    }

    fn change<'f>(tx: &Fase<'f>, world: &mut World<'f>, random: &mut Random) {
        let place = random.below(3) as usize;
        let value = random.below(100);
        // No operation that follows a chain.
        let op = match random.below(12) {
            0..=2 => Op::Push(value),
            3 => Op::Pop,
            4 => Op::Keep(place),
            5 => Op::Swap(place),
            6 => Op::Forget(place),
            7 => Op::Draw(Drawing::Line(value as u16, value)),
            8 => Op::Double,
            9 => Op::Halve,
            10 => Op::Pad(Padding {
                tag: value as u8,
                wide: value,
                pair: (1, 2),
                maybe: Some(3),
                either: Ok(4),
                links: Vec::new(),
            }),
            _ => Op::Grow(value),
        };
        // The sum of a stranger's ticks may be the last number there is.
        world.ticks = 0;
        world.apply(tx, &op);
    }

    fn read(world: &World<'static>) -> bool {
        black_box(values(&world.list).take(CHAIN_MAX).fold(0, |sum, each| sum ^ each));
        if let Some(padded) = &world.padded {
            black_box((padded.tag, padded.pair, padded.maybe, padded.is_even));
            _ = black_box(padded.either);
            black_box(values(&padded.links).take(CHAIN_MAX).count());
        }
        true
    }

    fn compare(left: &World<'static>, right: &World<'static>) {
        black_box(left.ticks == right.ticks);
    }
}

/// Longer than a block.
const BLOB_BYTES: usize = 70_000;

type Blob<'p> = P<'p, [u8; BLOB_BYTES]>;

/// Objects larger than a block, and a pool that grows.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Store<'p> {
    blobs: [Option<Blob<'p>>; 2],
    pages: Vector<'p, [u32; 300]>,
    bytes: Bytes<'p>,
}

impl Subject for Store<'static> {
    type Root = Store<'static>;

    fn create<'f>(_tx: &Fase<'f>) -> Store<'f> {
        Store::default()
    }

    fn change<'f>(tx: &Fase<'f>, store: &mut Store<'f>, random: &mut Random) {
        let fill = random.next() as u8;
        match random.below(8) {
            0 => store.blobs[0] = Some(P::new(tx, [fill; BLOB_BYTES])),
            1 => {
                if let Some(blob) = &mut store.blobs[0] {
                    blob.make_mut(tx)[usize::from(fill)] = fill;
                }
            }
            2 => store.blobs[1] = tx.share(&store.blobs[0]),
            3 | 4 => store.pages.push(tx, [fill.into(); 300]),
            5 => _ = store.pages.pop(tx),
            _ => store.bytes.extend_from_slice(tx, &vec![fill; 10 * usize::from(fill)]),
        }
    }

    fn read(store: &Store<'static>) -> bool {
        let blobs = store.blobs.iter().flatten();
        black_box(blobs.map(|blob| blob.iter().fold(0, |sum, each| sum ^ each)).max());
        black_box(store.pages.iter().flatten().fold(0, |sum, each| sum ^ each));
        black_box(store.bytes.to_vec().len());
        show(&store.bytes);
        store.pages.check().is_ok() && store.bytes.check().is_ok()
    }

    fn compare(left: &Store<'static>, right: &Store<'static>) {
        black_box((left.pages == right.pages, left.bytes == right.bytes));
    }
}
