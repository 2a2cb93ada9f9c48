//! Protocol bugs that can be planted, to learn whether anything notices them.
//!
//! A test that never failed proves nothing. So each line that upholds a law can be broken on purpose, one at a time, in a
//! build that never ships: under `--cfg pmem_mutants` the variable `PMEM_MUTANT` names the bug that this process has.
//! `crash-campaign --mutants` makes that build, and tells which kind of test kills which mutant. In every other build
//! `planted` is the constant `false`: the optimiser removes the places that ask, and no environment changes anything.

macro_rules! mutants {
    ($($(#[doc = $what:literal])+ $name:ident, law $law:literal;)*) => {
        /// A planted bug: what is wrong, and which law of `docs/design.md` is broken by it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mutant { $($(#[doc = $what])+ $name,)* }

        impl Mutant {
            /// All of them, in the order of the protocol.
            pub const ALL: &[Mutant] = &[$(Mutant::$name),*];

            /// What `PMEM_MUTANT` calls it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Mutant::$name => stringify!($name),)* }
            }

            /// What is wrong.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self { $(Mutant::$name => concat!($($what),+).trim(),)* }
            }

            /// The law that it breaks.
            #[must_use]
            pub fn law(self) -> u32 {
                match self { $(Mutant::$name => $law,)* }
            }
        }
    };
}

mutants! {
    // Write-backs and fences of a commit.

    /// The last line of each run is not written back.
    EdgeLineNotFlushed, law 2;
    /// The last line of a run longer than a block is not written back.
    LargeTailNotFlushed, law 2;
    /// Of two nodes side by side, the second one's first line is in no run.
    MergedRunDropsLine, law 2;
    /// The record is written back before it is stored.
    FlushBeforeStore, law 2;
    /// The record is not written back.
    RecordNotFlushed, law 2;
    /// Commits and group flushes do not fence.
    NoFence, law 2;
    /// Another thread fences, whose fence completes none of this one's write-backs.
    ForeignFence, law 2;
    /// A section fences twice.
    ExtraFence, law 3;
    /// A section writes its nodes back twice.
    LinesWrittenBackTwice, law 3;

    // What a record vouches for.

    /// Every record vouches for its nodes by being there, and nothing is fenced before it.
    RecordWithoutProof, law 2;
    /// The record of a section too large to hash is not preceded by a fence.
    LargeSectionOneFence, law 2;
    /// The hash over the nodes leaves out where they lie.
    HashWithoutAddresses, law 2;
    /// The hash over the nodes leaves out what they hold.
    HashWithoutContents, law 2;
    /// The root's node is in no run and no hash.
    RootNotHashed, law 2;
    /// A record claims that what is visible was durable.
    ClaimVisible, law 2;
    /// A section's version is linked, and called durable, before its fence.
    StampBeforeDurable, law 2;

    // Buffered sections.

    /// An Immediate section does not write back those that wait, and calls them durable.
    WaitingNotFlushed, law 2;
    /// A group flush does not fence.
    GroupFlushUnfenced, law 2;
    /// A Buffered section moves the durable horizon at once.
    BufferedShownDurable, law 2;
    /// A snapshot reads at the visible horizon.
    SnapshotAhead, law 2;

    // A failed sync.

    /// A fence that failed is tried again.
    RetryFailedFence, law 2;
    /// The pool goes on after a fence that failed.
    PoolNotPoisoned, law 2;

    // Reuse.

    /// A retired node's lines are free as soon as its section is over.
    ReuseAtOnce, law 4;
    /// Lines are free again at the durable horizon, not at the watermark.
    ReuseBeforeCheckpoint, law 4;
    /// Shares of reclamation after the one that follows a checkpoint go up to the durable horizon, not to the watermark.
    SharesBeforeCheckpoint, law 4;
    /// Reclamation does not look at the pins.
    ReuseUnderPin, law 4;
    /// A node with one owner left is freed.
    FreedWhileReferenced, law 4;
    /// A second owner is not counted.
    ShareNotCounted, law 4;
    /// Lines of the ring are used again before the watermark has passed their records.
    RingOverwrittenEarly, law 4;

    // Checkpoints.

    /// A checkpoint is not fenced before what it settles is reused.
    CheckpointUnfenced, law 4;
    /// A checkpoint names the newest version, whose record and nodes are not durable yet.
    WatermarkFirst, law 2;
    /// A checkpoint overwrites the newest one.
    SameCheckpointSlot, law 2;
    /// A torn checkpoint is believed.
    TornCheckpointAccepted, law 2;

    // Committed nodes.

    /// A committed node with one owner is edited in place.
    CommittedEditedInPlace, law 1;
    /// A committed array node with one owner is edited in place.
    ArrayEditedInPlace, law 1;
    /// Padding and room are not zeroed.
    ScrubOmitted, law 9;

    // Sections that are undone, and what is dropped.

    /// A node whose contents were moved out is never freed.
    MovedNotNoted, law 5;
    /// The nodes of an undone section are not freed.
    AbortLeaksNodes, law 6;
    /// The counts that an undone section raised stay high.
    AbortKeepsCounts, law 6;

    // Which version recovery finds.

    /// A torn record is believed.
    TornRecordAccepted, law 2;
    /// A node's own checksum is believed without computing it.
    TornNodeAccepted, law 2;
    /// A record is believed without looking at its nodes.
    NodesUnproved, law 2;
    /// A record is believed because a later one follows.
    FollowerVouches, law 2;
    /// The watermark that recovery goes on from does not pass the records that it rejected.
    RejectedNotPassed, law 5;
    /// A record that was durable and is gone is passed over in silence.
    MissingRecordServed, law 2;

    // What recovery writes.

    /// What was read is not made durable before it is acted upon.
    FoundNotMadeDurable, law 2;
    /// Records that were replayed are not settled by a checkpoint.
    RecoveryWithoutCheckpoint, law 5;
    /// The checkpoint of recovery overwrites the newest one.
    NewestSlotOverwritten, law 5;
    /// Counts are left as the crash left them.
    CountsNotRebuilt, law 5;
    /// A node with several owners is counted as having one.
    SharedChildCountedOnce, law 5;
    /// The mark of a clean close stays while the pool is open.
    CleanMarkLeft, law 5;
    /// Volatile fields keep what the crash left.
    VolatileKept, law 8;

    // Relocation.

    /// Pointers are rewritten without saying so first.
    RelocationUnannounced, law 5;
    /// The new base is recorded before the rewritten pointers are durable.
    RelocationUnfenced, law 5;
    /// Nodes that an interrupted relocation had rewritten are not written back.
    RelocatedNotWrittenBack, law 5;

    // Closing, creation, growth, superblocks.

    /// A clean close leaves Buffered sections where they are.
    CloseUnsynced, law 2;
    /// A clean close does not write back the counts and the bitmap that it vouches for.
    CloseUnflushed, law 5;
    /// A new pool's superblocks have their magic before its contents are durable.
    MagicFirst, law 2;
    /// The length is recorded before there is space.
    LengthBeforeSpace, law 2;
    /// The new length is used before it is durable.
    GrowthNotDurable, law 2;
    /// An update of the superblock overwrites the newest one.
    SameSuperblockSlot, law 2;
    /// A torn superblock is believed.
    TornSuperblockAccepted, law 8;

    // What opening judges.

    /// A node is read as the type that its owner expects, whatever its header says.
    NodeTypeIgnored, law 8;
    /// Checksums are not compared.
    NodeChecksumIgnored, law 8;
    /// Two nodes may share a line.
    OverlapIgnored, law 8;
}

/// Whether this process has the bug.
#[cfg(not(pmem_mutants))]
#[inline(always)]
pub(crate) const fn planted(_: Mutant) -> bool {
    false
}

/// Whether this process has the bug.
///
/// # Panics
/// If `PMEM_MUTANT` names none.
#[cfg(pmem_mutants)]
pub(crate) fn planted(mutant: Mutant) -> bool {
    static CHOSEN: std::sync::OnceLock<Option<Mutant>> = std::sync::OnceLock::new();
    let chosen = CHOSEN.get_or_init(|| {
        let name = std::env::var("PMEM_MUTANT").ok()?;
        let found = Mutant::ALL.iter().copied().find(|mutant| mutant.name() == name);
        Some(found.unwrap_or_else(|| panic!("PMEM_MUTANT: there is no mutant {name}")))
    });
    *chosen == Some(mutant)
}

/// Runs `body` on a thread of its own and waits for it.
pub(crate) fn elsewhere<O: Send>(body: impl FnOnce() -> O + Send) -> O {
    std::thread::scope(|scope| scope.spawn(body).join()).expect("the body does not panic")
}

#[cfg(test)]
mod tests {
    use super::{Mutant, planted};

    /// If this failed, a build that ships would have a bug that the environment switches on.
    #[cfg(not(pmem_mutants))]
    #[test]
    fn no_bug_can_be_planted_in_a_build_that_ships() {
        // At compile time: the environment is not asked.
        const PLANTED: bool = {
            let mut index = 0;
            let mut any = false;
            while index < Mutant::ALL.len() {
                any |= planted(Mutant::ALL[index]);
                index += 1;
            }
            any
        };
        const { assert!(!PLANTED) };
    }

    /// If this failed, a mutant that is killed would not be the one that was asked for.
    #[test]
    fn two_mutants_have_one_name() {
        let mut names: Vec<&str> = Mutant::ALL.iter().map(|mutant| mutant.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Mutant::ALL.len());
        assert!(Mutant::ALL.iter().filter(|mutant| planted(**mutant)).count() <= 1);
    }
}
