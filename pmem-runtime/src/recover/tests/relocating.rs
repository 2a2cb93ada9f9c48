//! What recovery writes: relocation, interrupted everywhere, and volatile fields.

use std::io;
use std::sync::Mutex;

use super::*;
use crate::hw::{Medium, Survives};
use crate::recover::relocate::Relocated;
use crate::recover::{Starts, relocate, reset_volatile};

/// A medium that keeps a list of what was stored, and which lines were written back.
#[derive(Debug, Default)]
struct Recorder {
    stores: Mutex<Vec<(usize, Vec<u8>)>>,
    write_backs: Mutex<Vec<(usize, usize)>>,
}

impl Medium for Recorder {
    fn durability(&self) -> Survives {
        Survives::Nothing
    }

    fn name(&self) -> &'static str {
        "recorder"
    }

    unsafe fn store(&self, to: *mut u8, bytes: &[u8]) {
        self.stores.lock().unwrap().push((to.addr(), bytes.to_vec()));
        // SAFETY: the caller's promise.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
    }

    unsafe fn store_word(&self, to: *mut u64, value: u64) {
        assert!(to.is_aligned(), "a torn word");
        // SAFETY: the caller's promise.
        unsafe { self.store(to.cast(), &value.to_le_bytes()) }
    }

    unsafe fn write_back(&self, from: *const u8, len_bytes: usize) {
        self.write_backs.lock().unwrap().push((from.addr(), len_bytes));
    }

    fn fence(&self) -> io::Result<()> {
        Ok(())
    }

    fn allocate(&self, _: u64, _: u64) -> io::Result<()> {
        Ok(())
    }
}

/// A pool of trees with text and gauges, some of them shared.
fn forest(trees: usize) -> (Pool, u64) {
    let mut pool = Pool::new();
    let nodes: Vec<u64> = (0..trees).map(|_| pool.tree()).collect();
    for (index, tree) in nodes.iter().enumerate().skip(1) {
        pool.point(nodes[(index - 1) / 2], (index - 1) % 2, *tree);
        let (bytes, gauge) = (pool.node(&BYTES, &vec![1; 5 * index]), pool.node(&GAUGE, &[2; 16]));
        pool.point(*tree, 2, bytes);
        pool.point(*tree, 3, gauge);
        pool.point(nodes[0], 3, gauge);
    }
    (pool, nodes[0])
}

const MOVING: How = How { threads: 1, checksums: Checksums::Trust, bases: [BASE, OTHER_BASE] };
const MOVED: How = How { bases: [OTHER_BASE; 2], ..ALONE };

/// Relocates to `OTHER_BASE`.
fn run(pool: &mut Pool, starts: &Starts, medium: &Recorder) -> Relocated {
    let registry = Registry::new(&TREE).unwrap();
    // SAFETY: the pool is borrowed mutably, and the starts are its own.
    unsafe { relocate(&pool.image(MOVING.bases), &registry, starts, medium, OTHER_BASE) }.unwrap()
}

#[test]
fn a_moved_pool_is_another_graph() {
    // If this fails, a pool whose address was taken at open is lost.
    let (mut pool, root) = forest(30);
    let before = mark(&mut pool, root, &TREE, ALONE).unwrap();
    let medium = Recorder::default();
    let done = run(&mut pool, &before.starts, &medium);
    assert_eq!(done, Relocated { pointers: 29 * 3 + 1, checksums: 30 });
    let after = mark(&mut pool, root, &TREE, MOVED).expect("good at the new base, checksums too");
    assert_eq!((after.nodes, after.bytes), (before.nodes, before.bytes));
    assert_eq!(after.refcount_fixes, before.refcount_fixes);
    assert!(after.starts.iter().eq(before.starts.iter()));
    mark(&mut pool, root, &TREE, ALONE).expect_err("no pointer is left at the old base");

    let again = run(&mut pool, &before.starts, &Recorder::default());
    assert_eq!(again, Relocated::default());
}

#[test]
fn a_relocation_cut_short_cannot_be_finished() {
    // If this fails, a crash while a pool moves leaves it at no base at all. A crash keeps any of the stores made.
    let (good, root) = forest(12);
    let mut finished = good.clone();
    let starts = mark(&mut finished, root, &TREE, ALONE).unwrap().starts;
    let medium = Recorder::default();
    let start_address = finished.lines.as_ptr().addr();
    run(&mut finished, &starts, &medium);
    let stores = medium.stores.into_inner().unwrap();
    assert!(stores.len() > 40);
    let crash_after = |made: usize, keeps: &mut dyn FnMut() -> bool| {
        let mut pool = good.clone();
        for (address, bytes) in stores[..made].iter().filter(|_| keeps()) {
            pool.bytes()[address - start_address..][..bytes.len()].copy_from_slice(bytes);
        }
        let found = mark(&mut pool, root, &TREE, MOVING).expect("a half-moved pool can be read");
        assert!(found.starts.iter().eq(starts.iter()));
        run(&mut pool, &found.starts, &Recorder::default());
        assert!(pool == finished, "finished otherwise after {made} stores");
    };
    let mut random = Random(3);
    for made in 0..=stores.len() {
        crash_after(made, &mut || true);
        for _ in 0..20 {
            crash_after(made, &mut || random.below(2) == 0);
        }
    }
}

#[test]
fn a_pointer_found_rewritten_is_not_written_back() {
    // If this fails, a killed relocation's last stores may be read by the next run and yet be lost by the power cut
    // after it, when the new base is already recorded.
    let (mut pool, root) = forest(12);
    let starts = mark(&mut pool, root, &TREE, ALONE).unwrap().starts;
    let (first, second) = (Recorder::default(), Recorder::default());
    run(&mut pool, &starts, &first);
    run(&mut pool, &starts, &second);
    let wanted = first.write_backs.into_inner().unwrap();
    assert_eq!(wanted.len(), 12, "each node with pointers, and no leaf");
    assert_eq!(second.write_backs.into_inner().unwrap(), wanted);
    for (address, bytes) in first.stores.into_inner().unwrap() {
        let within = |(from, len): &(usize, usize)| *from <= address && address + bytes.len() <= from + len;
        assert!(wanted.iter().any(within), "a store was not written back");
    }
}

#[test]
#[should_panic(expected = "a base that marking knows of")]
fn a_third_base_is_accepted() {
    // If this fails, a relocation may write pointers that the run after a crash cannot read.
    let (mut pool, root) = forest(2);
    let starts = mark(&mut pool, root, &TREE, ALONE).unwrap().starts;
    let registry = Registry::new(&TREE).unwrap();
    // SAFETY: the pool is borrowed mutably, and the starts are its own.
    let _ = unsafe { relocate(&pool.image([BASE; 2]), &registry, &starts, &Recorder::default(), OTHER_BASE) };
}

#[test]
fn a_volatile_field_survives() {
    // If this fails, a lock or cache that was in use at the crash is in use for ever.
    let (mut pool, root) = forest(12);
    let marked = mark(&mut pool, root, &TREE, ALONE).unwrap();
    let orphan = pool.node(&GAUGE, &[2; 16]);
    let registry = Registry::new(&TREE).unwrap();
    let medium = Recorder::default();
    // SAFETY: the pool is borrowed mutably, and the starts are its own.
    let reset = |pool: &mut Pool| unsafe {
        reset_volatile(&pool.image([BASE; 2]), &registry, &marked.starts, &medium).unwrap();
    };
    reset(&mut pool);
    let gauges: Vec<u64> = marked.starts.iter().filter(|node| pool.get(*node, 8) == GAUGE.id.0).collect();
    assert_eq!(gauges.len(), 11);
    for gauge in gauges {
        assert_eq!(
            pool.bytes()[gauge as usize + 16..][..16],
            [2, 2, 2, 2, 2, 2, 2, 2, 7, 0, 0, 0, 0, 0, 0, 0]
        );
    }
    assert_eq!(pool.get(orphan, 24), 0x0202_0202, "no one's node was written");
    mark(&mut pool, root, &TREE, ALONE).expect("the checksums do not see it");
    let stores = medium.stores.lock().unwrap().len();
    reset(&mut pool);
    assert_eq!(medium.stores.lock().unwrap().len(), stores, "bytes that do not differ were stored");
}
