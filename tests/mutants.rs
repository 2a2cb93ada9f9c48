//! The mutants' table in `docs/mutants.md` and the laws in `docs/design.md` speak of the mutants that there are.

#[path = "campaign/proofs.rs"]
mod proofs;
#[path = "structure/source.rs"]
#[allow(dead_code, reason = "the test of the structure uses the rest")]
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pmem_runtime::mutants::Mutant;
use proofs::{PROOFS, Proof};
use source::rust_files;

/// Laws that the compiler upholds: no line of the runtime breaks them while it runs.
const LAWS_OF_THE_COMPILER: [u32; 2] = [7, 10];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn proof_of(mutant: Mutant) -> Option<&'static Proof> {
    PROOFS.iter().find(|proof| proof.mutant == mutant.name())
}

/// If this failed, readers would be told of mutants that are not planted, or not of some that are.
#[test]
fn the_documented_table_is_the_list_of_mutants() {
    let document = read("docs/mutants.md");
    let table = document.split("\n## The table\n").nth(1).expect("docs/mutants.md has a chapter `The table`");
    let table = table.split("\n## ").next().unwrap_or_default();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), Mutant::ALL.len(), "docs/mutants.md has a row for each mutant");
    for (row, mutant) in rows.iter().zip(Mutant::ALL) {
        let opening = format!("| `{}` | {} | {} | ", mutant.name(), mutant.what(), mutant.law());
        assert!(row.starts_with(&opening), "docs/mutants.md: {row}\nis to begin {opening}");
        let ending = proof_of(*mutant).map_or("|  |".to_owned(), |proof| format!("| `{}` |", proof.test));
        assert!(row.ends_with(&ending), "docs/mutants.md: {row}\nis to end {ending}");
    }
}

/// If this failed, a mutant would be said to break a law that the design does not connect with it.
#[test]
fn every_law_names_its_mutants() {
    let design = read("docs/design.md");
    let laws = design.split("\n## Laws\n").nth(1).expect("docs/design.md has a chapter `Laws`");
    for law in (1..=10).filter(|law| !LAWS_OF_THE_COMPILER.contains(law)) {
        let row =
            laws.lines().find(|line| line.starts_with(&format!("| {law} |"))).expect("each law has a row");
        let named: BTreeSet<&str> =
            row.split('`').skip(1).step_by(2).filter(|name| !name.contains('_')).collect();
        let mutants = Mutant::ALL.iter().filter(|mutant| mutant.law() == law).map(|mutant| mutant.name());
        let named: BTreeSet<&str> =
            named.into_iter().filter(|name| name.starts_with(char::is_uppercase)).collect();
        assert_eq!(named, mutants.collect(), "docs/design.md, law {law}");
        assert!(!named.is_empty(), "law {law} has no mutant: nothing shows that its test can fail");
    }
}

/// If this failed, the test that a law names would pass although the law is broken.
#[test]
fn of_every_law_a_named_test_is_shown_to_fail() {
    let design = read("docs/design.md");
    let laws = design.split("\n## Laws\n").nth(1).expect("docs/design.md has a chapter `Laws`");
    for law in (1..=10).filter(|law| !LAWS_OF_THE_COMPILER.contains(law)) {
        let row =
            laws.lines().find(|line| line.starts_with(&format!("| {law} |"))).expect("each law has a row");
        let is_shown = |mutant: &&Mutant| {
            proof_of(**mutant).is_some_and(|proof| row.contains(&format!("`{}`", proof.test)))
        };
        let shown = Mutant::ALL.iter().filter(|mutant| mutant.law() == law).find(is_shown);
        assert!(shown.is_some(), "no mutant of law {law} kills a test that docs/design.md names for it");
    }
}

/// If this failed, the campaign would wait for a mutant that nobody plants.
#[test]
fn every_proof_is_of_a_mutant_and_comes_in_its_order() {
    let place = |proof: &Proof| Mutant::ALL.iter().position(|mutant| mutant.name() == proof.mutant);
    let places: Vec<Option<usize>> = PROOFS.iter().map(place).collect();
    assert!(places.iter().all(Option::is_some), "{places:?}");
    assert!(
        places.windows(2).all(|pair| pair[0] < pair[1]),
        "one proof for each mutant, in order: {places:?}"
    );
    let units: String = rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pmem-runtime/src"))
        .into_iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    for Proof { binary, test, .. } in PROOFS {
        let source = if *binary == "lib" { units.clone() } else { read(&format!("tests/{binary}.rs")) };
        assert!(source.contains(&format!("fn {test}(")), "{binary} has no test {test}");
    }
}
