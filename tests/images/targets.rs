//! What is attacked. A new target is a [`Subject`] and one line here.

use std::path::Path;

use super::attempt::{Verdict, attempt};
use super::bases::{Base, bases};
use super::collections::{
    BytesShelf, MapShelf, OrdMapShelf, OrdSetShelf, PriorityQueueShelf, QueueShelf, SetShelf, StackShelf,
    TextShelf, VectorShelf,
};
use super::roots::{Chains, Functional, Shop, Store};
use super::shelves::Shelved;
use super::subject::Subject;

/// One root type.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) bases: fn() -> Vec<Base>,
    /// Opens and uses the file; the number says how.
    pub(crate) attempt: fn(&Path, u64) -> Verdict,
}

impl Target {
    const fn new<S: Subject>(name: &'static str) -> Self {
        Target { name, bases: bases::<S>, attempt: attempt::<S> }
    }
}

/// All targets.
pub(crate) const TARGETS: &[Target] = &[
    Target::new::<Shelved<MapShelf>>("map"),
    Target::new::<Shelved<SetShelf>>("set"),
    Target::new::<Shelved<OrdMapShelf>>("ord_map"),
    Target::new::<Shelved<OrdSetShelf>>("ord_set"),
    Target::new::<Shelved<VectorShelf>>("vector"),
    Target::new::<Shelved<QueueShelf>>("queue"),
    Target::new::<Shelved<StackShelf>>("stack"),
    Target::new::<Shelved<PriorityQueueShelf>>("priority_queue"),
    Target::new::<Shelved<TextShelf>>("text"),
    Target::new::<Shelved<BytesShelf>>("bytes"),
    Target::new::<Shop<'static>>("shop"),
    Target::new::<Functional>("functional"),
    Target::new::<Chains>("chains"),
    Target::new::<Store<'static>>("store"),
];
