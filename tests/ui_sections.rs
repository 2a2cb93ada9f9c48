//! What the borrow checker must refuse around sections and snapshots, and the words in which it refuses.
//!
//! One folder a topic, about ten lines a case. After a deliberate change of a message:
//! `TRYBUILD=overwrite cargo test --test ui_sections`, and read every message as a stranger would.

/// If this failed, a safe program could write an old version, take a node out of its section, mix pools or sections, or
/// hold a reference to memory that is reused (law 7).
#[test]
fn no_safe_program_breaks_a_section() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/escape/*.rs");
    cases.compile_fail("tests/ui/mix/*.rs");
    cases.compile_fail("tests/ui/snapshot/*.rs");
    cases.compile_fail("tests/ui/mutation/*.rs");
    cases.compile_fail("tests/ui/threads/*.rs");
    cases.compile_fail("tests/ui/allocation/*.rs");
    cases.pass("tests/ui/allowed/*.rs");
}
