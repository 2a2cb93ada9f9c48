//! Opening what a crash left, and saying what it holds.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{At, Model, Plan};
use crate::hw::sim::SimMedium;
use crate::store::{Options, Pool};

/// Addresses that a simulated pool may grow into: more than tests store.
const RESERVE_BYTES: u64 = 64 << 20;

/// An opened pool that was found exact, and its twin.
pub(super) struct Opened<M: Model> {
    pub(super) sim: Arc<SimMedium>,
    pub(super) pool: Pool<M::Root>,
    pub(super) found: M,
}

/// Why a state is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// There is no pool.
    NotOpened(String),
    /// There is one, and it is not as it must be.
    Broken(String),
}

impl Wrong {
    pub(super) fn into_text(self) -> String {
        match self {
            Wrong::NotOpened(text) | Wrong::Broken(text) => text,
        }
    }
}

/// The options of a plan's pools.
pub(super) fn options<M: Model>(plan: &Plan) -> Options<M::Root> {
    let options = Pool::<M::Root>::options()
        .size_bytes(Pool::<M::Root>::MIN_BYTES)
        .reserve_bytes(RESERVE_BYTES)
        .threads(1)
        .verify_checksums(true)
        .seed(plan.pool_seed())
        .durability(plan.durability);
    M::options(options)
}

/// Opens an image and judges everything but its value.
pub(super) fn open<M: Model>(plan: &Plan, image: Vec<u8>) -> Result<Opened<M>, Wrong> {
    let sim = Arc::new(SimMedium::from_image(image).without_flusher().with_pace(super::record::pace(1)));
    let opened = catch_unwind(AssertUnwindSafe(|| options::<M>(plan).open_simulated(&sim)));
    let pool = match opened {
        Ok(Ok(pool)) => pool,
        Ok(Err(error)) => return Err(Wrong::NotOpened(format!("the pool does not open: {error}"))),
        Err(payload) => return Err(Wrong::Broken(format!("opening it panics: {}", words(&*payload)))),
    };
    exact(&pool).map_err(Wrong::Broken)?;
    let found = observe::<M>(&pool.snapshot()).map_err(Wrong::Broken)?;
    Ok(Opened { sim, pool, found })
}

/// What the root reaches is what is allocated, and counts are in-degrees.
fn exact<R: crate::persist::Persistent>(pool: &Pool<R>) -> Result<(), String> {
    let report = pool.check().map_err(|error| format!("the recovered pool is damaged: {error}"))?;
    if (report.unreachable_lines, report.unallocated_lines, report.refcounts_off) != (0, 0, 0) {
        return Err(format!("the recovered pool is not exact: {report:?}"));
    }
    Ok(())
}

/// The twin of a root, or what the observation panics with.
pub(super) fn observe<M: Model>(root: &At<'static, M>) -> Result<M, String> {
    catch_unwind(AssertUnwindSafe(|| M::observe(root)))
        .map_err(|payload| format!("observing it panics: {}", words(&*payload)))
}

/// What a panic says.
pub(super) fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".to_owned())
}
