//! What is attacked. A new target is a [`Model`] and one line here.

use pmem_runtime::crash::{Evidence, Exploration, Failure, Model, Plan};

use super::bank::BankTwin;
use super::collections::{
    BytesShelf, MapShelf, OrdMapShelf, OrdSetShelf, PriorityQueueShelf, QueueShelf, SetShelf, StackShelf,
    TextShelf, Twin, VectorShelf,
};
use super::heap::HeapTwin;
use super::world::WorldTwin;

/// One model to attack.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Its share of the states.
    pub(crate) weight: u64,
    /// Operations in a long run: long enough for checkpoints, reuse and growth.
    pub(crate) run_len: u64,
    pub(crate) explore: fn(&Plan, Exploration) -> Result<Evidence, Failure>,
}

impl Target {
    const fn new<M: Model>(name: &'static str, weight: u64, run_len: u64) -> Self {
        Target { name, weight, run_len, explore: Plan::explore::<M> }
    }
}

/// All targets.
pub(crate) const TARGETS: &[Target] = &[
    Target::new::<BankTwin>("bank", 1, 60),
    Target::new::<WorldTwin>("world", 2, 60),
    Target::new::<HeapTwin>("heap", 2, 120),
    Target::new::<Twin<MapShelf>>("map", 1, 60),
    Target::new::<Twin<SetShelf>>("set", 1, 60),
    Target::new::<Twin<OrdMapShelf>>("ord_map", 1, 60),
    Target::new::<Twin<OrdSetShelf>>("ord_set", 1, 60),
    Target::new::<Twin<VectorShelf>>("vector", 1, 60),
    Target::new::<Twin<QueueShelf>>("queue", 1, 60),
    Target::new::<Twin<StackShelf>>("stack", 1, 60),
    Target::new::<Twin<PriorityQueueShelf>>("priority_queue", 1, 60),
    Target::new::<Twin<TextShelf>>("text", 1, 60),
    Target::new::<Twin<BytesShelf>>("bytes", 1, 60),
];
