//! What is attacked: a root type, with a way to change it and a way to read all of it.

use std::fmt::Debug;
use std::hint::black_box;

use pmem_runtime::{Fase, Persistent};

use super::support::Random;

/// The root as a section or a snapshot sees it.
pub(crate) type At<'p, S> = <<S as Subject>::Root as Persistent>::At<'p>;

/// One root type. Its code trusts what it reads as little as a careful program does: a chain of pointers that an enemy made
/// may have no end, so none is followed without counting.
pub(crate) trait Subject: 'static {
    type Root: Persistent;

    fn create<'f>(tx: &Fase<'f>) -> At<'f, Self>;

    /// One section's changes.
    fn change<'f>(tx: &Fase<'f>, root: &mut At<'f, Self>, random: &mut Random);

    /// Reads everything, in every way there is. Whether the collections' own checks found no defect.
    fn read(root: &At<'static, Self>) -> bool;

    /// Compares two versions.
    fn compare(left: &At<'static, Self>, right: &At<'static, Self>);
}

/// How many nodes of a chain are followed.
pub(crate) const CHAIN_MAX: usize = 100_000;

/// Prints a value, for nobody.
pub(crate) fn show(value: &impl Debug) {
    black_box(format!("{value:?}").len());
}
