//! Code of the user's that the runtime runs: it may do what it likes, and the runtime's promises hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use pmem_runtime::hw::sim::{Chooser, SimMedium};
use pmem_runtime::{Durability, FaseFault, Options, P, Persistent, Pool, persist_fase};

static DEFAULTS: AtomicU64 = AtomicU64::new(0);

/// Not the same twice, as a clock's reading is not.
#[derive(Persistent, Debug)]
#[repr(C)]
struct Started {
    at: u64,
}

impl Default for Started {
    fn default() -> Self {
        Started { at: DEFAULTS.fetch_add(1, Ordering::Relaxed) }
    }
}

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Service {
    served: u64,
    #[persistent(volatile)]
    started: Started,
}

type ServicePool = Pool<Service>;

fn small() -> Options<Service> {
    ServicePool::options().size_bytes(ServicePool::MIN_BYTES).reserve_bytes(64 << 20).threads(1).seed(5)
}

/// If this failed, an acknowledged section would be lost because a volatile field's default is not what it was when the
/// section's checksums were computed: in another process, or in the program's next version.
#[test]
fn defaults_of_volatile_fields_have_no_part_in_checksums() {
    let sim = Arc::new(SimMedium::new());
    let pool = small().simulate_with(&sim, |_| Service::default()).unwrap();
    let before = DEFAULTS.load(Ordering::Relaxed);
    persist_fase!(pool, |_tx, service| {
        service.served += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(DEFAULTS.load(Ordering::Relaxed), before, "a commit runs no code of the user's");
    let image = sim.crash_image(sim.event_count(), Chooser::None);
    drop(pool);
    let sim = Arc::new(SimMedium::from_image(image));
    let pool = small().verify_checksums(true).open_simulated(&sim).unwrap();
    assert_eq!(pool.snapshot().served, 1, "{:?}", pool.recovery());
    pool.check().unwrap();
}

/// A tag in one word, and in the next what may be anything, or not.
#[derive(Persistent, Debug)]
#[repr(C, u64)]
enum Cached {
    Number(u64),
    Truth(bool),
}

impl Default for Cached {
    fn default() -> Self {
        Cached::Truth(true)
    }
}

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Cache {
    #[persistent(volatile)]
    cached: Cached,
    lasting: u64,
}

/// If this failed, a crash while volatile fields are reset would leave half of one, and the pool would be refused as damaged.
#[test]
fn a_volatile_field_that_is_torn_between_two_values_is_reset() {
    let options = || {
        let options = Pool::<Cache>::options().size_bytes(Pool::<Cache>::MIN_BYTES);
        options.reserve_bytes(64 << 20).threads(1).seed(6).verify_checksums(true)
    };
    let sim = Arc::new(SimMedium::new());
    let pool = options().simulate_with(&sim, |_| Cache::default()).unwrap();
    persist_fase!(pool, |_tx, cache| {
        *cache = Cache { cached: Cached::Number(5), lasting: 1 };
        Ok(())
    })
    .unwrap();
    let image = sim.crash_image(sim.event_count(), Chooser::None);
    drop(pool);
    let sim = Arc::new(SimMedium::from_image(image));
    drop(options().open_simulated(&sim).unwrap());
    let mut torn = 0;
    for point in 0..=sim.event_count() {
        for seed in 0..8 {
            let crashed = Arc::new(SimMedium::from_image(sim.crash_image(point, Chooser::Seeded(seed))));
            let pool = options()
                .open_simulated(&crashed)
                .unwrap_or_else(|error| panic!("event {point}, seed {seed}: {error}"));
            let cache = pool.snapshot();
            assert!(matches!(*cache, Cache { cached: Cached::Truth(true), lasting: 1 }), "{:?}", *cache);
            torn += 1;
        }
    }
    assert!(torn > 50, "{torn} states");
}

/// A type that no `Service` leads to.
#[derive(Persistent)]
#[repr(C)]
struct Stranger {
    _number: u64,
}

/// If this failed, an acknowledged section would be lost because it left a node whose type recovery does not know.
#[test]
fn a_forgotten_node_of_a_type_that_the_root_does_not_lead_to_harms_nothing() {
    let sim = Arc::new(SimMedium::new());
    let pool = small().simulate_with(&sim, |_| Service::default()).unwrap();
    persist_fase!(pool, |tx, service| {
        std::mem::forget(P::new(tx, Stranger { _number: 7 }));
        service.served += 1;
        Ok(())
    })
    .unwrap();
    let image = sim.crash_image(sim.event_count(), Chooser::None);
    drop(pool);
    let sim = Arc::new(SimMedium::from_image(image));
    let pool = small().open_simulated(&sim).unwrap();
    assert_eq!(pool.snapshot().served, 1, "{:?}", pool.recovery());
    assert_eq!(pool.check().unwrap().unreachable_lines, 0);
}

#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Log<'p> {
    last: Option<P<'p, Entry<'p>>>,
    failures: u64,
}

#[derive(Persistent, Debug)]
#[repr(C)]
struct Entry<'p> {
    text: [u8; 4096],
    earlier: Option<P<'p, Entry<'p>>>,
}

type LogPool = Pool<Log<'static>>;

fn note_a_failure(pool: &LogPool) {
    persist_fase!(pool, |_tx, log| {
        log.failures += 1;
        Ok(())
    })
    .unwrap();
}

thread_local! {
    static POOL: std::cell::OnceCell<&'static LogPool> = const { std::cell::OnceCell::new() };
}

/// An error that writes itself down.
#[derive(Debug)]
struct Noted;

impl From<FaseFault> for Noted {
    fn from(fault: FaseFault) -> Self {
        assert!(matches!(fault, FaseFault::OutOfSpace { .. }), "{fault}");
        POOL.with(|pool| note_a_failure(pool.get().unwrap()));
        Noted
    }
}

/// A result that is written down when nobody wants it.
struct Unwanted;

impl Drop for Unwanted {
    fn drop(&mut self) {
        POOL.with(|pool| note_a_failure(pool.get().unwrap()));
    }
}

/// Runs `body` on a thread with a pool of the smallest size, and does not wait for it for ever.
fn within_ten_seconds(body: impl FnOnce(&'static LogPool) + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let worker = thread::spawn(move || {
        let options = LogPool::options().size_bytes(LogPool::MIN_BYTES).limit_bytes(LogPool::MIN_BYTES);
        let pool: &'static LogPool = Box::leak(Box::new(options.volatile().unwrap()));
        POOL.with(|cell| cell.set(pool).unwrap());
        body(pool);
        let _ = done.send(());
    });
    match is_done.recv_timeout(Duration::from_secs(10)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the section waits for itself"),
        _ => worker.join().unwrap(),
    }
}

fn fill<'f>(tx: &pmem_runtime::Fase<'f>, log: &mut Log<'f>) {
    for _ in 0..1000 {
        let earlier = log.last.take();
        log.last = Some(P::new(tx, Entry { text: [1; 4096], earlier }));
    }
}

/// If this failed, a program that logs its failures in the pool would wait for itself for ever.
#[test]
fn the_conversion_of_an_error_may_run_a_section() {
    within_ten_seconds(|pool| {
        let result = pool.fase(Durability::Immediate, |tx, log| -> Result<(), Noted> {
            fill(tx, log);
            Ok(())
        });
        assert!(result.is_err());
        assert_eq!(pool.snapshot().failures, 1);
    });
}

/// If this failed, a value that the body returned in vain could not be dropped.
#[test]
fn dropping_what_a_failed_section_returned_may_run_a_section() {
    within_ten_seconds(|pool| {
        let result = pool.fase(Durability::Immediate, |tx, log| -> Result<Unwanted, FaseFault> {
            let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fill(tx, log)));
            assert!(unwound.is_err(), "the section is out of space");
            Ok(Unwanted)
        });
        assert!(matches!(result, Err(FaseFault::OutOfSpace { .. })));
        assert_eq!(pool.snapshot().failures, 1);
    });
}

/// Types of one name, as two modules of a program may have them.
mod first {
    #[derive(pmem_runtime::Persistent)]
    #[repr(C)]
    pub(crate) struct Leaf {
        pub(crate) _wide: u64,
    }
}

mod second {
    #[derive(pmem_runtime::Persistent)]
    #[repr(C)]
    pub(crate) struct Leaf {
        pub(crate) _halves: [u32; 2],
    }

    #[derive(pmem_runtime::Persistent)]
    #[repr(C)]
    pub(crate) struct Pair<'p> {
        pub(crate) one: Option<pmem_runtime::P<'p, super::first::Leaf>>,
        pub(crate) two: Option<pmem_runtime::P<'p, Leaf>>,
    }
}

mod third {
    #[derive(pmem_runtime::Persistent)]
    #[repr(C)]
    pub(crate) struct Leaf {
        pub(crate) narrow: u16,
    }

    #[derive(pmem_runtime::Persistent)]
    #[repr(C)]
    pub(crate) struct Pair<'p> {
        pub(crate) one: Option<pmem_runtime::P<'p, super::first::Leaf>>,
        pub(crate) two: Option<pmem_runtime::P<'p, Leaf>>,
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Names<'p> {
    second: Option<P<'p, second::Pair<'p>>>,
    third: Option<P<'p, third::Pair<'p>>>,
}

/// If this failed, nodes would be lost because their type is reached only through one that is described like another.
#[test]
fn types_behind_types_of_one_description_are_all_known() {
    let options = || {
        let options = Pool::<Names<'static>>::options().size_bytes(Pool::<Names<'static>>::MIN_BYTES);
        options.reserve_bytes(64 << 20).threads(1).seed(7)
    };
    let sim = Arc::new(SimMedium::new());
    let pool = options().simulate_with(&sim, |_| Names::default()).unwrap();
    persist_fase!(pool, |tx, names| {
        let one = Some(P::new(tx, first::Leaf { _wide: 1 }));
        let two = Some(P::new(tx, second::Leaf { _halves: [2; 2] }));
        names.second = Some(P::new(tx, second::Pair { one, two }));
        let two = Some(P::new(tx, third::Leaf { narrow: 3 }));
        names.third = Some(P::new(tx, third::Pair { one: None, two }));
        Ok(())
    })
    .unwrap();
    let image = sim.crash_image(sim.event_count(), Chooser::None);
    drop(pool);
    let sim = Arc::new(SimMedium::from_image(image));
    let pool = options().verify_checksums(true).open_simulated(&sim).unwrap();
    let narrow = |names: &Names<'_>| Some(names.third.as_ref()?.two.as_ref()?.narrow);
    assert_eq!(narrow(&pool.snapshot()), Some(3), "{:?}", pool.recovery());
    persist_fase!(pool, |_tx, names| {
        *names = Names::default();
        Ok(())
    })
    .unwrap();
    pool.close().unwrap();
}
