//! What a crash leaves of the stores that nothing guarantees.

use std::collections::BTreeMap;

/// A crash state, spelled out: what [`Replay::choices`](super::Replay::choices) makes of a [`Chooser`].
///
/// It means something only together with the replay, at the event, that it was made at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The units that are not at their newest state, by their first chunk, with the number of the state that they are at;
    /// zero is the guaranteed one.
    pub kept: BTreeMap<u64, usize>,
    /// Whether an unfinished growth has taken place.
    pub keeps_growth: bool,
}

impl Choices {
    pub(super) fn with(&self, unit: u64, kept: usize) -> Self {
        let mut choices = self.clone();
        choices.kept.insert(unit, kept);
        choices
    }
}

/// Decides for each unit of the model (by default a chunk) which of its possible states a crash leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// Only what is guaranteed: the least that a crash can leave.
    None,
    /// Everything stored: the most.
    All,
    /// For each unit any of its states, the same for the same seed.
    Seeded(u64),
    /// Everything but the unguaranteed stores to the line of this index.
    AllButLine(u64),
    /// Nothing but the unguaranteed stores to the line of this index.
    OnlyLine(u64),
}

impl Chooser {
    /// Picks from `0..=newest` for the chunk: 0 is the guaranteed value, `newest` the latest one.
    pub(super) fn pick(self, chunk: u64, newest: usize) -> usize {
        let line = chunk / (crate::hw::LINE_BYTES / super::CHUNK_BYTES) as u64;
        let takes_all = match self {
            Chooser::None => false,
            Chooser::All => true,
            Chooser::AllButLine(left_out) => line != left_out,
            Chooser::OnlyLine(only) => line == only,
            Chooser::Seeded(seed) => return pick_by_seed(seed, chunk, newest),
        };
        if takes_all { newest } else { 0 }
    }

    /// Whether an unfinished growth has taken place.
    pub(super) fn keeps_growth(self) -> bool {
        match self {
            Chooser::None | Chooser::OnlyLine(_) => false,
            Chooser::All | Chooser::AllButLine(_) => true,
            Chooser::Seeded(seed) => mix(seed) & 1 == 1,
        }
    }
}

/// A third of the seeds leave most chunks at the guaranteed value, a third at the latest: few losses among many stores,
/// and few stores among many losses, find other mistakes than an even mixture does.
fn pick_by_seed(seed: u64, chunk: u64, newest: usize) -> usize {
    let random = mix(seed ^ mix(chunk));
    let follows_majority = random & 0x7 != 0;
    match mix(seed) % 3 {
        0 if follows_majority => 0,
        1 if follows_majority => newest,
        _ => ((random >> 8) % (newest as u64 + 1)) as usize,
    }
}

/// SplitMix64's finaliser.
pub(super) fn mix(seed: u64) -> u64 {
    let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
