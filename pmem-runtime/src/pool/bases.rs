//! At which addresses a pool may be mapped.

use twox_hash::XxHash3_64;

use super::format::{BASE_ALIGN, HIGHEST_BASE, LOWEST_BASE};

/// How many places are tried: far more than the pools that a process has open.
const ATTEMPTS: u64 = 64;

/// Places for a pool of this identity, the favourite first: the same in every process, others for other pools, so that
/// pools seldom want each other's.
pub(super) fn candidates(uuid: [u8; 16]) -> impl Iterator<Item = u64> {
    const PLACES: u64 = (HIGHEST_BASE - LOWEST_BASE) / BASE_ALIGN;
    (0..ATTEMPTS).map(move |attempt| {
        let place = XxHash3_64::oneshot_with_seed(attempt, &uuid) % PLACES;
        LOWEST_BASE + place * BASE_ALIGN
    })
}

/// Whether the ranges of this length at both bases have an address in common.
pub(super) fn overlap(left: u64, right: u64, reserve_bytes: u64) -> bool {
    left.abs_diff(right) < reserve_bytes
}
