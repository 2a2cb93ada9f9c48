//! Pools before they are damaged: made on the simulated medium without a flusher, so that their bytes are the same each time.

use std::sync::Arc;

use pmem_runtime::hw::sim::{Chooser, SimMedium};
use pmem_runtime::{Durability, FaseFault, Pool};

use super::forge::Forge;
use super::mutate::Specimen;
use super::subject::Subject;
use super::support::Random;

/// A pool's bytes, and where its nodes are.
pub(crate) type Base = Specimen;

const SEED: u64 = 7;
const RESERVE_BYTES: u64 = 8 << 20;
const SECTIONS: u64 = 40;

/// Crashed halfway, crashed, crashed with Buffered sections that nobody had flushed, closed.
pub(crate) fn bases<S: Subject>() -> Vec<Base> {
    let medium = Arc::new(SimMedium::new().without_flusher());
    let options = Pool::<S::Root>::options().size_bytes(Pool::<S::Root>::MIN_BYTES);
    let options = options.reserve_bytes(RESERVE_BYTES).threads(1).seed(SEED);
    let pool = options.simulate_with(&medium, |tx| S::create(tx)).expect("a simulated pool is created");
    let mut random = Random::new(SEED);
    let mut run = |durability| {
        for _ in 0..SECTIONS {
            let seed = random.next();
            let change = pool.fase(durability, |tx, root| {
                S::change(tx, root, &mut Random::new(seed));
                Ok::<_, FaseFault>(())
            });
            change.expect("sections of a sound pool succeed");
        }
        let nodes = pool.nodes().expect("the pool is sound");
        nodes.iter().map(|node| (node.offset as usize, node.len_bytes as usize)).collect::<Vec<_>>()
    };
    let image = |events| Forge { bytes: medium.crash_image(events, Chooser::All) };
    let first = run(Durability::Immediate);
    let halfway = Base { name: "halfway", forge: image(medium.event_count()), nodes: first };
    let second = run(Durability::Immediate);
    let crashed = Base { name: "crashed", forge: image(medium.event_count()), nodes: second };
    let third = run(Durability::Buffered);
    let buffered = Base { name: "buffered", forge: image(medium.event_count()), nodes: third.clone() };
    pool.close().expect("a sound pool can be closed");
    let closed = Base { name: "closed", forge: image(medium.event_count()), nodes: third };
    vec![halfway, crashed, buffered, closed]
}
