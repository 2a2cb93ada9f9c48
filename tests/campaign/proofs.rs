//! Which tests of the suite fail with which mutant: that a law's test can fail is shown, not believed.

/// A test that must fail while the mutant is planted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    pub(crate) mutant: &'static str,
    /// `lib` for the unit tests of `pmem-runtime`, else one of `tests/`.
    pub(crate) binary: &'static str,
    pub(crate) test: &'static str,
}

const fn proof(mutant: &'static str, binary: &'static str, test: &'static str) -> Proof {
    Proof { mutant, binary, test }
}

/// All of them, in the order of `pmem_runtime::mutants::Mutant`.
pub(crate) const PROOFS: &[Proof] = &[
    proof("EdgeLineNotFlushed", "crash", "random_sections_of_all_kinds"),
    proof("ExtraFence", "counters", "an_immediate_section_of_any_shape_has_one_fence"),
    proof("LinesWrittenBackTwice", "counters", "write_backs_equal_the_unique_dirty_lines"),
    proof("LargeSectionOneFence", "crash", "scattered_sections_with_two_fences"),
    proof("HashWithoutAddresses", "lib", "the_hash_of_nodes_tells_place_type_length_contents_and_order"),
    proof("HashWithoutContents", "lib", "the_hash_of_nodes_tells_place_type_length_contents_and_order"),
    proof("StampBeforeDurable", "crash", "a_failing_fence_poisons_the_pool_and_reopening_recovers"),
    proof("WaitingNotFlushed", "crash", "buffered_sections_and_syncs"),
    proof("SnapshotAhead", "sections", "a_snapshot_shows_nothing_undurable_and_latest_does"),
    proof("SharesBeforeCheckpoint", "lib", "nothing_retired_above_the_watermark_leaves_the_queue"),
    proof("ReuseUnderPin", "sections", "snapshots_are_stable_while_a_writer_commits"),
    proof("RingOverwrittenEarly", "lib", "lines_of_live_records_are_never_handed_out"),
    proof("CheckpointUnfenced", "crash", "checkpoints_reuse_of_lines_and_laps_of_the_ring"),
    proof("TornCheckpointAccepted", "lib", "a_torn_slot_is_no_slot"),
    proof("CommittedEditedInPlace", "committed_bytes", "ten_thousand_sections_store_to_no_committed_node"),
    proof("ScrubOmitted", "lib", "padding_that_a_section_dirtied_in_place_is_zero_when_it_has_committed"),
    proof("MovedNotNoted", "lib", "array_nodes_hold_what_sections_put_there"),
    proof(
        "AbortLeaksNodes",
        "committed_bytes",
        "a_pool_with_undone_sections_is_the_same_file_as_one_without",
    ),
    proof("AbortKeepsCounts", "lib", "counts_of_undone_sections_are_written_back_at_close"),
    proof("TornRecordAccepted", "lib", "a_damaged_or_foreign_record_is_no_record"),
    proof("RejectedNotPassed", "crash", "buffered_sections_and_syncs"),
    proof("MissingRecordServed", "crash", "a_lost_record_below_a_claim_is_an_error"),
    proof("FoundNotMadeDurable", "process_death", "a_section_found_in_caches_is_made_durable"),
    proof("RecoveryWithoutCheckpoint", "process_death", "a_section_found_in_caches_is_made_durable"),
    proof("CountsNotRebuilt", "crash", "close_and_reopen"),
    proof("SharedChildCountedOnce", "lib", "marking_is_reachability_and_in_degree"),
    proof("CleanMarkLeft", "reopen", "a_copy_of_an_open_pool_is_not_a_clean_close"),
    proof("VolatileKept", "reopen", "volatile_fields_are_reset_at_open"),
    proof("RelocatedNotWrittenBack", "lib", "a_pointer_found_rewritten_is_not_written_back"),
    proof("CloseUnsynced", "reopen", "a_closed_pool_reopens_with_and_without_marking"),
    proof("CloseUnflushed", "crash", "a_trusted_clean_close_is_whole_on_the_medium"),
    proof("MagicFirst", "lib", "a_crash_during_creation_leaves_no_magic_or_a_whole_pool"),
    proof("LengthBeforeSpace", "lib", "a_crash_during_growth_never_records_more_than_is_there"),
    proof("GrowthNotDurable", "lib", "a_crash_during_growth_never_records_more_than_is_there"),
    proof("SameSuperblockSlot", "lib", "a_crash_during_a_superblock_update_leaves_the_old_or_the_new_one"),
    proof(
        "TornSuperblockAccepted",
        "lib",
        "a_crash_during_a_superblock_update_leaves_the_old_or_the_new_one",
    ),
    proof("NodeTypeIgnored", "lib", "a_wrong_type_is_read_as_the_right_one"),
    proof("NodeChecksumIgnored", "reopen", "a_flipped_payload_byte_is_noticed_when_checksums_are_verified"),
    proof("OverlapIgnored", "lib", "two_nodes_share_a_line"),
];
