//! The heap: nodes of every size class made, replaced, shared and freed, in one section and across sections, undone, and
//! until the pool grows. The three properties that MOD's allocator lacked are the room's oracles: the free map is
//! exact, what is reachable is the last committed version, and nothing of an incomplete section is left.

use pmem_runtime::crash::{At, Model, Random};
use pmem_runtime::{Fase, FaseError, Options, P, Persistent, Pool, abort, persist_fase};

/// Payload bytes of each size class: within a line, several lines, most of a block, more than a block.
const SMALL_BYTES: usize = 24;
const MIDDLE_BYTES: usize = 1_000;
const BLOCK_BYTES: usize = 20_000;
const LARGE_BYTES: usize = 70_000;
const SLOTS: usize = 4;
/// Links of the longest chain: more than one block of them.
const CHAIN_MAX: u64 = 700;
/// Room for a version of everything, the version before, and some: it grows, and it fills up.
const LIMIT_BYTES: u64 = 1 << 20;

#[derive(Persistent)]
#[repr(C)]
struct Link<'p> {
    value: u64,
    next: Option<P<'p, Link<'p>>>,
}

type Slots<'p, const BYTES: usize> = [Option<P<'p, [u8; BYTES]>>; SLOTS];

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Heap<'p> {
    small: Slots<'p, SMALL_BYTES>,
    middle: Slots<'p, MIDDLE_BYTES>,
    block: Option<P<'p, [u8; BLOCK_BYTES]>>,
    large: Option<P<'p, [u8; LARGE_BYTES]>>,
    chain: Option<P<'p, Link<'p>>>,
}

/// What fills each slot, and how long the chain is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeapTwin {
    small: [Option<u8>; SLOTS],
    middle: [Option<u8>; SLOTS],
    block: Option<u8>,
    large: Option<u8>,
    chain: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Op {
    Small(usize, u8),
    Middle(usize, u8),
    Block(u8),
    Large(u8),
    /// Changes one byte of a middle node, on a copy, to what all others are.
    Refill(usize, u8),
    /// Gives one slot's node a second owner.
    Share(usize, usize),
    FreeSmall(usize),
    FreeMiddle(usize),
    FreeBlock,
    FreeLarge,
    Chain(u64),
    Unchain,
    /// Makes one of each, and is undone.
    Undone,
}

fn change<'f>(tx: &Fase<'f>, heap: &mut Heap<'f>, op: &Op) -> Result<(), FaseError> {
    match *op {
        Op::Small(slot, fill) => heap.small[slot] = Some(P::new(tx, [fill; SMALL_BYTES])),
        Op::Middle(slot, fill) => heap.middle[slot] = Some(P::new(tx, [fill; MIDDLE_BYTES])),
        Op::Block(fill) => heap.block = Some(P::new(tx, [fill; BLOCK_BYTES])),
        Op::Large(fill) => heap.large = Some(P::new(tx, [fill; LARGE_BYTES])),
        Op::Refill(slot, fill) => {
            let Some(node) = &mut heap.middle[slot] else { abort!("an empty slot") };
            node.make_mut(tx).fill(fill);
        }
        Op::Share(from, to) => heap.middle[to] = tx.share(&heap.middle[from]),
        Op::FreeSmall(slot) => heap.small[slot] = None,
        Op::FreeMiddle(slot) => heap.middle[slot] = None,
        Op::FreeBlock => heap.block = None,
        Op::FreeLarge => heap.large = None,
        Op::Chain(links) => {
            for _ in 0..links {
                let next = heap.chain.take();
                let value = next.as_ref().map_or(1, |link| link.value + 1);
                heap.chain = Some(P::new(tx, Link { value, next }));
            }
        }
        Op::Unchain => heap.chain = None,
        Op::Undone => {
            heap.small[0] = Some(P::new(tx, [1; SMALL_BYTES]));
            heap.middle[0] = Some(P::new(tx, [1; MIDDLE_BYTES]));
            heap.block = None;
            heap.large = Some(P::new(tx, [1; LARGE_BYTES]));
            abort!("as planned");
        }
    }
    Ok(())
}

/// The byte that fills a node.
fn fill<const BYTES: usize>(slot: &Option<P<'_, [u8; BYTES]>>) -> Option<u8> {
    let bytes = slot.as_ref()?;
    assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a node holds a mixture of two fills");
    Some(bytes[0])
}

impl Model for HeapTwin {
    type Root = Heap<'static>;
    type Op = Op;

    fn create<'f>(_tx: &'f Fase<'f>) -> Heap<'f> {
        Heap::default()
    }

    fn run(pool: &Pool<Heap<'static>>, op: &Op) -> Result<(), FaseError> {
        persist_fase!(pool, |tx, heap| { change(tx, heap, op) })
    }

    fn apply(&mut self, op: &Op) {
        match *op {
            Op::Small(slot, fill) => self.small[slot] = Some(fill),
            Op::Middle(slot, fill) => self.middle[slot] = Some(fill),
            Op::Block(fill) => self.block = Some(fill),
            Op::Large(fill) => self.large = Some(fill),
            Op::Refill(slot, fill) => self.middle[slot] = self.middle[slot].map(|_| fill),
            Op::Share(from, to) => self.middle[to] = self.middle[from],
            Op::FreeSmall(slot) => self.small[slot] = None,
            Op::FreeMiddle(slot) => self.middle[slot] = None,
            Op::FreeBlock => self.block = None,
            Op::FreeLarge => self.large = None,
            Op::Chain(links) => self.chain += links,
            Op::Unchain => self.chain = 0,
            Op::Undone => {}
        }
    }

    fn observe(root: &At<'_, Self>) -> Self {
        let mut chain = 0;
        let mut next = &root.chain;
        while let Some(link) = next {
            chain += 1;
            next = &link.next;
        }
        HeapTwin {
            small: std::array::from_fn(|slot| fill(&root.small[slot])),
            middle: std::array::from_fn(|slot| fill(&root.middle[slot])),
            block: fill(&root.block),
            large: fill(&root.large),
            chain,
        }
    }

    fn ops() -> Vec<Op> {
        vec![
            Op::Small(0, 1),
            Op::Middle(0, 2),
            Op::Large(3),
            Op::Chain(12),
            Op::Refill(0, 4),
            Op::FreeLarge,
            Op::Undone,
        ]
    }

    fn random(&self, random: &mut Random) -> Op {
        let [slot, other] = [random.below(SLOTS as u64) as usize, random.below(SLOTS as u64) as usize];
        let fill = random.bits() as u8;
        let most = 1 << random.below(8);
        match random.below(40) {
            0..=7 => Op::Small(slot, fill),
            8..=14 => Op::Middle(slot, fill),
            15 => Op::Block(fill),
            16 => Op::Large(fill),
            17..=21 => Op::Refill(slot, fill),
            22..=24 => Op::Share(slot, other),
            25..=28 => Op::FreeSmall(slot),
            29..=31 => Op::FreeMiddle(slot),
            32 => Op::FreeBlock,
            33 => Op::FreeLarge,
            34..=37 if self.chain < CHAIN_MAX => Op::Chain(1 + random.below(most)),
            38 => Op::Undone,
            _ => Op::Unchain,
        }
    }

    fn kind(op: &Op) -> &'static str {
        match op {
            Op::Small(..) | Op::Middle(..) | Op::Block(_) | Op::Large(_) | Op::Chain(_) => "allocation",
            Op::FreeSmall(_) | Op::FreeMiddle(_) | Op::FreeBlock | Op::FreeLarge | Op::Unchain => "free",
            Op::Refill(..) | Op::Share(..) => "update",
            Op::Undone => "undone",
        }
    }

    fn options(options: Options<Heap<'static>>) -> Options<Heap<'static>> {
        options.limit_bytes(LIMIT_BYTES)
    }
}
