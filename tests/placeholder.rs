//! Replaced by the real tests.
#[test]
fn workspace_builds() {}
