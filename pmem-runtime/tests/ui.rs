//! Programs that must not compile, and the words in which they are refused.
//!
//! After a change that is meant to change the words: `TRYBUILD=overwrite cargo test -p pmem-runtime --test ui`, then
//! read each difference as someone who has never seen the library.

#[test]
fn a_refused_program_is_told_why_and_what_to_do() {
    // If wrong: something that a pool cannot keep compiles, or is refused in words that help no one.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
