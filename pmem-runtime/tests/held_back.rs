//! What a user who keeps a snapshot for too long gets to hear.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pmem_runtime::{P, Persistent, Pool, persist_fase};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[derive(Persistent)]
#[repr(C)]
struct Cell<'p> {
    value: u64,
    rest: Option<P<'p, Cell<'p>>>,
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Root<'p> {
    path: Option<P<'p, Cell<'p>>>,
}

/// Counts warnings and keeps the last `retained_nodes`.
#[derive(Default)]
struct Heard {
    warnings: AtomicU64,
    retained_nodes: AtomicU64,
}

struct Listener(Arc<Heard>);

impl Visit for &Heard {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "retained_nodes" {
            self.retained_nodes.store(value, Ordering::Relaxed);
        }
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn std::fmt::Debug) {}
}

impl Subscriber for Listener {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.0.warnings.fetch_add(1, Ordering::Relaxed);
        event.record(&mut &*self.0);
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

/// If this failed, a forgotten snapshot would fill the disk without a word, or every section would complain of it.
#[test]
fn a_snapshot_that_holds_back_much_memory_is_warned_of_once_per_doubling() {
    const PATH: u64 = 512;
    const SECTIONS: u64 = 2_200;

    let heard = Arc::new(Heard::default());
    tracing::subscriber::with_default(Listener(Arc::clone(&heard)), || {
        let pool = Pool::<Root>::options().volatile().unwrap();
        let rewrite = || {
            persist_fase!(pool, |tx, root| {
                let mut next = &mut root.path;
                while let Some(cell) = next {
                    let cell = cell.make_mut(tx);
                    cell.value += 1;
                    next = &mut cell.rest;
                }
                Ok(())
            })
            .unwrap();
        };
        persist_fase!(pool, |tx, root| {
            for value in 0..PATH {
                let rest = root.path.take();
                root.path = Some(P::new(tx, Cell { value, rest }));
            }
            Ok(())
        })
        .unwrap();

        let snapshot = pool.snapshot();
        (0..SECTIONS).for_each(|_| rewrite());
        assert_eq!(
            snapshot.path.as_ref().map(|cell| cell.value),
            Some(PATH - 1),
            "the snapshot's version is whole"
        );
        drop(snapshot);
        assert_eq!(heard.warnings.load(Ordering::Relaxed), 1, "one warning at 2^20 nodes, the next at 2^21");
        assert!(heard.retained_nodes.load(Ordering::Relaxed) >= 1 << 20);

        let before = pool.counters();
        assert_eq!(before.reclaimed, 1, "nothing but the first, empty root, which the snapshot does not see");
        (0..200).for_each(|_| rewrite());
        let after = pool.counters();
        assert!(after.reclaimed > 100_000, "after its end, memory comes back in shares: {after:?}");
    });
}
