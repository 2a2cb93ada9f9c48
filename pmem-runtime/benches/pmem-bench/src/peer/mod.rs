//! The peer, libpmemobj, if the benchmark was built with the feature `pmdk`.

#[cfg(feature = "pmdk")]
mod shim;

use std::path::Path;

use crate::contestant::Contestant;
use crate::workload::Workload;

/// Whether there is a peer.
pub(crate) const IS_BUILT: bool = cfg!(feature = "pmdk");

/// The library whose preloading counts what the peer does, if there is one.
pub(crate) const COUNTER: Option<&str> = option_env!("PEER_COUNTER");

/// The peer under this workload, with a pool in the folder.
#[cfg(feature = "pmdk")]
pub(crate) fn open(workload: &dyn Workload, folder: &Path) -> Option<Box<dyn Contestant>> {
    Some(Box::new(shim::Peer::open(workload, folder)))
}

/// Nobody.
#[cfg(not(feature = "pmdk"))]
pub(crate) fn open(_workload: &dyn Workload, _folder: &Path) -> Option<Box<dyn Contestant>> {
    None
}
