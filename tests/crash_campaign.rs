//! The campaign as a command: what it prints, and that its numbers are not empty.

use std::process::{Command, Output};

fn campaign(arguments: &[&str]) -> (Output, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_crash-campaign")).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, text)
}

fn number(line: &str, key: &str) -> u64 {
    let value = line.split_whitespace().find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no number {key} in {line:?}"))
}

/// If this failed, the command that the documents name would find something, or try next to nothing and say it did.
#[test]
fn a_small_campaign_over_every_target_ends_without_a_failure() {
    let (output, text) = campaign(&["--states", "700", "--seed", "3"]);
    assert!(output.status.success(), "{text}");
    let last = text.lines().last().unwrap();
    assert_eq!(number(last, "failures"), 0, "{text}");
    assert!(number(last, "states") >= 700 && number(last, "points") >= 500, "{last}");
    for target in ["bank", "world", "heap"] {
        let line = text.lines().find(|line| line.starts_with(target)).unwrap_or_else(|| panic!("{text}"));
        assert!(number(line, "states") > 50, "{line}");
    }
}

/// If this failed, a target misspelt would be a campaign over nothing, with no failures.
#[test]
fn what_is_not_understood_is_refused() {
    for wrong in [&["--only", "nothing"][..], &["--states", "many"], &["--seed"], &["--fast"]] {
        let (output, text) = campaign(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {text}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("Try --help"), "{wrong:?}");
    }
}
