//! Sections and their commit.
pub(crate) fn release(_address: u64) {}
