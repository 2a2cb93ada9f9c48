//! Owners in every order that safe code has: moved, swapped, taken, shared, forgotten, dropped in another thread, lost in
//! a panic, while old versions are read.

mod support;

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pmem_runtime::{Durability, Fase, FaseError, P, Persistent, Pool, Snapshot, abort};
use support::Random;

const SLOTS: usize = 6;

#[derive(Persistent, Debug)]
#[repr(C)]
struct Node<'p> {
    flag: u8,
    value: u64,
    kids: [Slot<'p>; 2],
}

type Slot<'p> = Option<P<'p, Node<'p>>>;

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Root<'p> {
    slots: [Slot<'p>; SLOTS],
}

/// What a slot must show.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    value: u64,
    kids: [Option<Box<Plain>>; 2],
}

type Slots = [Option<Box<Plain>>; SLOTS];

fn plain(slot: &Slot<'_>) -> Option<Box<Plain>> {
    slot.as_ref()
        .map(|node| Box::new(Plain { value: node.value, kids: [plain(&node.kids[0]), plain(&node.kids[1])] }))
}

fn shown(root: &Root<'_>) -> Slots {
    std::array::from_fn(|index| plain(&root.slots[index]))
}

/// A slot at a random depth, in both.
fn descend<'a, 'f>(
    tx: &Fase<'f>,
    random: &mut Random,
    mut slot: &'a mut Slot<'f>,
    mut model: &'a mut Option<Box<Plain>>,
) -> (&'a mut Slot<'f>, &'a mut Option<Box<Plain>>) {
    while slot.is_some() && !random.one_in(3) {
        let side = random.below(2) as usize;
        slot = &mut slot.as_mut().unwrap().make_mut(tx).kids[side];
        model = &mut model.as_mut().unwrap().kids[side];
    }
    (slot, model)
}

fn size(model: &Option<Box<Plain>>) -> usize {
    model.as_ref().map_or(0, |plain| 1 + size(&plain.kids[0]) + size(&plain.kids[1]))
}

fn change<'f>(tx: &Fase<'f>, random: &mut Random, root: &mut Root<'f>, model: &mut Slots) {
    let (from, to) = (random.below(SLOTS as u64) as usize, random.below(SLOTS as u64) as usize);
    match random.below(12) {
        0 => {
            let value = random.next();
            let (slot, plain) = descend(tx, random, &mut root.slots[from], &mut model[from]);
            let other = random.below(2) as usize;
            let mut kids = [None, None];
            kids[other] = slot.take();
            *slot = Some(P::new(tx, Node { flag: 1, value, kids }));
            let mut kids = [None, None];
            kids[other] = plain.take();
            *plain = Some(Box::new(Plain { value, kids }));
        }
        1 => {
            let shared = tx.share(&root.slots[from]);
            let copy = model[from].clone();
            if size(&copy) < 60 {
                let (slot, plain) = descend(tx, random, &mut root.slots[to], &mut model[to]);
                *slot = shared;
                *plain = copy;
            }
        }
        2 => {
            root.slots.swap(from, to);
            model.swap(from, to);
        }
        3 => {
            let (slot, plain) = descend(tx, random, &mut root.slots[from], &mut model[from]);
            if let Some(node) = slot.take() {
                let Node { flag, value, kids: [left, right] } = node.take(tx);
                assert_eq!(flag, 1);
                let Plain { value: expected, kids: [plain_left, plain_right] } = *plain.take().unwrap();
                assert_eq!(value, expected);
                *slot = right;
                *plain = plain_right;
                root.slots[to] = left;
                model[to] = plain_left;
            }
        }
        4 => {
            let (slot, plain) = descend(tx, random, &mut root.slots[from], &mut model[from]);
            *slot = None;
            *plain = None;
        }
        5 => {
            let (slot, plain) = descend(tx, random, &mut root.slots[from], &mut model[from]);
            if random.one_in(20) {
                mem::forget(slot.take());
            } else {
                let gone = slot.take();
                if random.one_in(50) {
                    std::thread::scope(|scope| scope.spawn(move || drop(gone)).join()).unwrap();
                }
            }
            *plain = None;
        }
        6 => {
            if let Some(node) = &mut root.slots[from] {
                let node = node.make_mut(tx);
                node.kids.swap(0, 1);
                model[from].as_mut().unwrap().kids.swap(0, 1);
            }
        }
        7 => {
            // Two owners in one hand: taken apart in both orders.
            if let Some(first) = root.slots[from].take() {
                let second = first.share(tx);
                let (one, two) = if random.one_in(2) {
                    (first.take(tx), second.take(tx))
                } else {
                    let two = second.take(tx);
                    (first.take(tx), two)
                };
                assert_eq!(one.value, two.value);
                root.slots[from] = Some(P::new(tx, one));
                drop(two);
            }
        }
        8 => {
            // Lost half-way, and caught.
            let value = random.next();
            let shared = tx.share(&root.slots[from]);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                let mut lost = P::new(tx, Node { flag: 1, value, kids: [shared, None] });
                lost.make_mut(tx).kids[1] = Some(P::new(tx, Node { flag: 1, value, kids: [None, None] }));
                std::panic::resume_unwind(Box::new(lost.value));
            }));
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&value));
        }
        9 => {
            if let Some(node) = &mut root.slots[from] {
                let fresh = Node { flag: 1, value: 5, kids: [None, None] };
                let old = mem::replace(node.make_mut(tx), fresh);
                let plain = model[from].as_mut().unwrap();
                let old_plain = mem::replace(&mut **plain, Plain { value: 5, kids: [None, None] });
                if size(&plain.kids[0]) < 60 {
                    node.make_mut(tx).kids[0] = Some(P::new(tx, old));
                    plain.kids[0] = Some(Box::new(old_plain));
                }
            }
        }
        10 => {
            if let Some(mut node) = root.slots[from].take() {
                let copy = node.share(tx);
                node.make_mut(tx).value += 1;
                assert_eq!(copy.value + 1, node.value);
                root.slots[from] = Some(if random.one_in(2) {
                    copy
                } else {
                    model[from].as_mut().unwrap().value += 1;
                    node
                });
            }
        }
        _ => {
            for slot in &mut root.slots {
                if let Some(node) = slot
                    && random.one_in(2)
                {
                    node.make_mut(tx).flag = 1;
                }
            }
        }
    }
}

/// Twenty thousand sections of such changes beside the same changes of plain values, with snapshots held.
///
/// If this failed, some order of moves, shares and drops would give a node two owners of one count, or none.
#[test]
fn no_order_of_moves_and_drops_breaks_a_count() {
    let mut random = Random::for_test("no_order_of_moves_and_drops_breaks_a_count", 1);
    let options = Pool::<Root<'static>>::options().size_bytes(512 << 10).limit_bytes(1 << 20);
    let pool = options.volatile().unwrap();
    let mut model: Slots = Default::default();
    let mut held: Vec<(Snapshot<'_, Root<'static>>, Slots)> = Vec::new();
    for section in 0..20_000 {
        let durability = if random.one_in(3) { Durability::Buffered } else { Durability::Immediate };
        let mut next = model.clone();
        let aborts = random.one_in(6);
        let result = pool.fase_once(durability, |tx, root| -> Result<(), FaseError> {
            for _ in 0..=random.below(6) {
                change(tx, &mut random, root, &mut next);
            }
            assert_eq!(shown(root), next, "section {section}");
            if aborts {
                abort!("as planned");
            }
            Ok(())
        });
        match result {
            Ok(()) => model = next,
            Err(error) if error.fault().is_some() => held.clear(),
            Err(_) => {}
        }
        if random.one_in(50) {
            held.push((pool.latest(), model.clone()));
        }
        if held.len() > 8 {
            held.swap_remove(random.below(9) as usize);
        }
        if random.one_in(20) {
            assert_eq!(shown(&pool.latest()), model);
            for (snapshot, was) in &held {
                assert_eq!(shown(snapshot), *was, "section {section}");
            }
            assert_eq!(pool.check().unwrap().unallocated_lines, 0);
        }
    }
    let counters = pool.counters();
    assert!(counters.reclaimed > 10_000, "old nodes were to be used again: {counters:?}");
}
