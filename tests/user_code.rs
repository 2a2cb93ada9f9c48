//! Code of the user's that the runtime runs: it may do what it likes, and the runtime's promises hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pmem_runtime::hw::sim::{Chooser, SimMedium};
use pmem_runtime::{Options, Persistent, Pool, persist_fase};

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
