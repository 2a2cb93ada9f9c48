//! What the sources must look like, whoever changes them: floors, unsafe, lengths, and documents that tell the truth.

#[path = "structure/source.rs"]
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use source::{Source, rust_files};

/// The rooms of `pmem-runtime/src`, from the ground up. A room imports from floors below its own, and from itself.
const FLOORS: &[&[&str]] = &[
    &["error", "fase_error", "functional", "mutants", "sync"],
    &["hw"],
    &["persist"],
    &["pool"],
    &["heap"],
    &["section"],
    &["commit"],
    &["private"],
    &["recover"],
    &["store"],
    &["collections"],
    &["crash"],
];

/// Lines of a file that can still be read in one go.
const LINES_MAX: usize = 500;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"))
}

fn floor_of(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// If this failed, a room would know what is above it, and neither could be read, tested or changed alone.
#[test]
fn imports_point_down_the_floors() {
    let mut complaints = Vec::new();
    let base = root().join("pmem-runtime/src");
    for file in rust_files(&base) {
        let source = Source::read(&base, &file);
        let Some(room) = source.room() else { continue };
        let Some(own) = floor_of(room) else {
            complaints.push(format!(
                "{}: the room `{room}` has no floor; give it one in tests/structure.rs",
                source.name()
            ));
            continue;
        };
        for (line, target) in source.imports(|name| floor_of(name).is_some()) {
            let is_below = floor_of(&target).is_some_and(|floor| floor < own);
            if target != room && !is_below {
                complaints.push(format!(
                    "{}:{line}: `{room}` imports from `{target}`, which is not below it; move what it needs down",
                    source.name()
                ));
            }
        }
    }
    report(&complaints);
}

/// If this failed, the floors would be a wish about rooms that are not there.
#[test]
fn every_floor_is_a_room() {
    let base = root().join("pmem-runtime/src");
    for room in FLOORS.iter().copied().flatten() {
        let is_there =
            base.join(room).join("mod.rs").exists() || base.join(room).with_extension("rs").exists();
        assert!(
            is_there,
            "tests/structure.rs gives a floor to `{room}`, which pmem-runtime/src does not have"
        );
    }
}

/// If this failed, somebody would have to hold more in their head than fits.
#[test]
fn no_file_is_too_long_to_read() {
    let mut complaints = Vec::new();
    for folder in ["pmem-runtime", "pmem-derive", "examples", "tests"] {
        // What the derive emits is as long as the type makes it.
        let written = rust_files(&root().join(folder))
            .into_iter()
            .filter(|file| !file.to_string_lossy().ends_with(".out.rs"));
        for file in written {
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            if lines > LINES_MAX {
                let name = file.strip_prefix(root()).unwrap().display();
                complaints
                    .push(format!("{name}: {lines} lines, at most {LINES_MAX}; it is more than one noun"));
            }
        }
    }
    report(&complaints);
}

/// If this failed, `unsafe` would be found where nobody looks for it (law 10).
#[test]
fn unsafe_lives_in_the_rooms_listed_for_it() {
    let listed = rooms_listed_for_unsafe();
    let mut used = BTreeSet::new();
    let mut complaints = Vec::new();
    for folder in ["pmem-runtime/src", "pmem-derive/src", "examples"] {
        let base = root().join(folder);
        for file in rust_files(&base) {
            let source = Source::read(&base, &file);
            let place = format!("{folder}/{}", source.room().unwrap_or("lib"));
            if let Some(line) = source.first_unsafe() {
                if !listed.contains(&place) {
                    complaints.push(format!(
                        "{folder}/{}:{line}: docs/unsafe.md does not list `{place}`",
                        source.name()
                    ));
                }
                used.insert(place);
            }
        }
    }
    for place in listed.difference(&used) {
        complaints.push(format!("docs/unsafe.md lists `{place}`, which has no unsafe code"));
    }
    report(&complaints);
}

/// The first column of the table under "Rooms" in docs/unsafe.md.
fn rooms_listed_for_unsafe() -> BTreeSet<String> {
    let text = read("docs/unsafe.md");
    let rooms = text.split("\n## Rooms\n").nth(1).expect("docs/unsafe.md has a chapter `Rooms`");
    let rows =
        rooms.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('`').nth(1)).map(str::to_owned).collect()
}

/// If this failed, a reader of the documents would be sent to a file that is not there.
#[test]
fn links_in_documents_lead_somewhere() {
    let mut complaints = Vec::new();
    for document in documents() {
        let text = read(&document);
        let folder = Path::new(&document).parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if !link.contains("://") && !path.is_empty() && !root().join(folder).join(path).exists() {
                complaints.push(format!("{document}: the link to `{link}` leads nowhere"));
            }
        }
    }
    report(&complaints);
}

fn documents() -> Vec<String> {
    let docs = fs::read_dir(root().join("docs")).unwrap().flatten();
    let docs = docs.map(|entry| format!("docs/{}", entry.file_name().to_string_lossy()));
    ["README.md".to_owned(), "CHANGELOG.md".to_owned()]
        .into_iter()
        .chain(docs.filter(|name| name.ends_with(".md")))
        .collect()
}

/// If this failed, a law would be said to be tested by a test that does not exist.
#[test]
fn tests_named_in_the_design_exist() {
    let text = read("docs/design.md");
    let laws = text.split("\n## Laws\n").nth(1).expect("docs/design.md has a chapter `Laws`");
    let laws = laws.split("\n## ").next().unwrap_or_default();
    let mut sources = String::new();
    for folder in ["pmem-runtime", "pmem-derive", "tests"] {
        for file in rust_files(&root().join(folder)) {
            sources.push_str(&fs::read_to_string(file).unwrap());
        }
    }
    let quoted: Vec<&str> = laws.split('`').skip(1).step_by(2).collect();
    let named: Vec<&str> = quoted.into_iter().filter(|name| name.contains('_')).collect();
    assert!(named.len() >= 10, "every law names a test");
    let mut complaints = Vec::new();
    for name in named {
        if !sources.contains(&format!("fn {name}(")) {
            complaints.push(format!("docs/design.md names the test `{name}`, which does not exist"));
        }
    }
    report(&complaints);
}

/// If this failed, the program in the README might not compile.
#[test]
fn the_program_in_the_readme_is_an_example() {
    let example = read("examples/first.rs");
    let program = example.split_once("\n\n").expect("the example's first line is its description").1;
    assert!(
        read("README.md").contains(&format!("```rust\n{program}```")),
        "the README's program differs from examples/first.rs; copy the file's text, without its first line, into it"
    );
}

/// If this failed, the worked example of the guide might not compile, or not be tested.
#[test]
fn the_worked_example_of_the_crash_testing_guide_is_a_test() {
    let test = read("tests/crash_bank.rs");
    let program = test.split_once("\n\n").expect("the test's first line is its description").1;
    assert!(
        read("docs/crash_testing.md").contains(&format!("```rust\n{program}```")),
        "the guide's program differs from tests/crash_bank.rs; copy the file's text, without its first line, into it"
    );
}
