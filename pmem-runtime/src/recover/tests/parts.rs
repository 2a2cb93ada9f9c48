//! The smaller parts: registry, starts, injector, texts.

use std::mem::MaybeUninit;
use std::time::Duration;

use super::*;
use crate::persist::{Brand, Niche, P, Persistent, Sharer};
use crate::recover::injector::{Injector, Taken};
use crate::recover::{LastClose, Moved, Phase, Progress, Recovery, Starts};

#[test]
fn a_type_behind_a_pointer_is_unknown() {
    // If this fails, a node that is dropped through its header alone has no type, and its children leak.
    let registry = Registry::new(&TREE).unwrap();
    let known: Vec<u32> = registry.iter().map(|each| each.id.0).collect();
    assert_eq!(known, [2, 3, 4]);
    assert!(std::ptr::eq(registry.get(BYTES.id).unwrap(), &BYTES));
    assert!(registry.get(LIST.id).is_none());
}

/// A list by its `Persistent` implementation.
struct Chain<'p> {
    next: P<'p, Chain<'p>>,
    _brand: Brand<'p>,
}

// SAFETY: one pointer, and every function passes it on.
unsafe impl<'p> Persistent for Chain<'p> {
    type At<'q> = Chain<'q>;
    const NAME: &'static str = "Chain";
    const NAME_HASH: u64 = 99;
    const LAYOUT_HASH: u64 = 77;
    const HAS_POINTERS: bool = true;
    const HAS_PADDING: bool = false;
    const NICHE: Option<Niche> = None;
    const WITNESS: MaybeUninit<Self> = MaybeUninit::new(Chain {
        // SAFETY: a witness is a valid value; nobody follows it.
        next: unsafe { P::<Chain<'p>>::WITNESS.assume_init() },
        _brand: std::marker::PhantomData,
    });

    fn schema() -> &'static Schema {
        (LIST.schema)()
    }

    fn targets(types: &mut Vec<&'static NodeType>) {
        <P<'p, Chain<'p>> as Persistent>::targets(types);
    }

    unsafe fn validate(at: *const u8, visit: &mut Visit<'_>) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        unsafe { P::<Chain<'p>>::validate(at, visit) }
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        self.next.trace(tracer);
    }

    unsafe fn share(&self, sharer: &Sharer<'_>) -> Self {
        // SAFETY: the caller's promise.
        let next = unsafe { Persistent::share(&self.next, sharer) };
        Chain { next, _brand: std::marker::PhantomData }
    }

    unsafe fn store(this: *const Self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { P::store(this.cast::<P<'p, Chain<'p>>>(), to) }
    }

    unsafe fn scrub(_at: *mut u8) {}
}

#[test]
fn a_recursive_type_is_collected_for_ever() {
    // If this fails, a pool of the simplest list cannot be opened.
    let registry = Registry::new(<Chain<'_> as crate::persist::Node>::TYPE).unwrap();
    assert_eq!(registry.iter().count(), 1);
    assert_eq!(registry.root().id, TypeId32::from_layout(77));
}

#[test]
fn two_types_share_an_identity() {
    // If this fails, a node may be read, and freed, as if it were of the other type.
    static IMPOSTOR: NodeType = NodeType { id: BYTES_ID, schema: schema!("Impostor"), ..LEAF };
    static SAME: NodeType = NodeType { id: BYTES_ID, len_step_bytes: 1, schema: schema!("Bytes"), ..LEAF };
    const BYTES_ID: TypeId32 = TypeId32(3);
    static TORN: NodeType =
        NodeType { id: TypeId32(9), targets: |types| types.extend([&BYTES, &IMPOSTOR]), ..LEAF };
    static WHOLE: NodeType =
        NodeType { id: TypeId32(9), targets: |types| types.extend([&BYTES, &SAME]), ..LEAF };
    let error = Registry::new(&TORN).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("Impostor") && text.contains("Bytes") && text.contains("00000003"), "{text}");
    Registry::new(&WHOLE).expect("one type at two addresses is one type");
}

#[test]
fn starts_are_found_at_other_places() {
    // If this fails, relocation and inspection look at bytes that are no node.
    for first in [0_u64, 1, 63, 64, 100] {
        let starts = Starts::new((first * 64, (first + 200) * 64));
        let lines = [0_u64, 1, 62, 63, 64, 65, 127, 128, 199].map(|line| (first + line) * 64);
        assert!(lines.iter().all(|offset| starts.insert(*offset)));
        assert!(!lines.iter().any(|offset| starts.insert(*offset)));
        assert!(starts.iter().eq(lines));
        assert!(
            starts.contains(lines[3]) && !starts.contains(lines[1] + 64) && !starts.contains(lines[3] + 8)
        );
        assert_eq!(starts.preceding(lines[2] - 1), Some(lines[1]));
        assert_eq!(starts.preceding(lines[8] - 64), Some(lines[7]));
        assert_eq!(starts.preceding(lines[4]), Some(lines[4]));
    }
    let empty = Starts::new((64, 6400));
    assert_eq!((empty.preceding(6000), empty.iter().next()), (None, None));
}

#[test]
fn idle_workers_wait_for_ever() {
    // If this fails, recovery hangs when its work is done, or ends before.
    let injector = Injector::new(3, vec![1_u64 << 16]);
    let done = AtomicU64::new(0);
    let work = || {
        let mut stack = Vec::new();
        loop {
            while let Some(size) = stack.pop() {
                done.fetch_add(1, Ordering::Relaxed);
                if size > 1 {
                    stack.push(size / 2);
                    injector.give(vec![size / 2]);
                }
            }
            match injector.take(Duration::from_micros(50)) {
                Taken::Batch(batch) => stack = batch,
                Taken::Nothing => {}
                Taken::Over => return,
            }
        }
    };
    // The third worker never comes: the other two must not wait for it.
    injector.leave();
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    assert!(injector.is_over());
    assert_eq!(done.load(Ordering::Relaxed), (1 << 17) - 1);
}

#[test]
fn a_report_is_unreadable() {
    // If this fails, the log of a recovery does not say what happened.
    let report = Recovery {
        last_close: LastClose::Crash,
        records_replayed: 3,
        records_rejected: 1,
        watermark: 88,
        nodes: 1,
        live_bytes: 64,
        refcounts_corrected: 2,
        moved: Some(Moved { from: 0x1000, to: 0x2000 }),
        phases: vec![(Phase::Replay, Duration::from_millis(2)), (Phase::Mark, Duration::from_millis(5))],
    };
    assert_eq!(
        report.to_string(),
        "The pool was not closed. 3 records replayed and 1 rejected, up to ticket 88. 1 node alive, 64 bytes; \
         2 refcounts corrected. It moved from address 0x1000 to 0x2000. This took 7.0ms: replaying 2.0ms, marking 5.0ms."
    );
    assert_eq!(
        Recovery { last_close: LastClose::Clean, ..Recovery::default() }.to_string(),
        "The pool was closed cleanly. 0 records replayed and 0 rejected, up to ticket 0. 0 nodes alive, 0 bytes; \
         0 refcounts corrected. This took 0.0ns."
    );
    assert_eq!(Progress::new(Phase::Mark, 9, 8).to_string(), "marking: 8 of 8");
}
