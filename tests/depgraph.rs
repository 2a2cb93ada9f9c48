//! The main example answers what a plain program over the same file answers.

#[path = "../examples/depgraph/graph.rs"]
#[expect(dead_code, reason = "the example's report uses more of it")]
mod graph;
#[path = "../examples/depgraph/import.rs"]
mod import;
#[path = "../examples/depgraph/list.rs"]
mod list;
#[path = "../examples/depgraph/questions.rs"]
mod questions;

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use graph::{Archive, ArchivePool, Id, Version};
use import::import;
use list::{List, ListError};

const SUBSET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/debian-packages.tsv");
/// The whole list, packed; tested if it is there.
const WHOLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/debian-packages.tsv.xz");

/// The same graph without a pool.
struct Twin {
    /// Name to version, section, size and dependencies.
    packages: BTreeMap<String, (String, String, u32, Vec<String>)>,
}

impl Twin {
    fn read(list: &List) -> Twin {
        let package = |row: list::Row<'_>| {
            let depends = row.depends.iter().map(|name| (*name).to_owned()).collect();
            let facts = (row.version.to_owned(), row.section.to_owned(), row.installed_kib, depends);
            (row.name.to_owned(), facts)
        };
        Twin { packages: list.rows_from(0).map(|row| package(row.unwrap())).collect() }
    }

    fn depends(&self, name: &str) -> &[String] {
        self.packages.get(name).map_or(&[], |package| &package.3)
    }

    fn distance(&self, from: &str, to: &str) -> Option<usize> {
        let mut waiting = VecDeque::from([(from, 0)]);
        let mut reached = HashSet::from([from]);
        while let Some((name, steps)) = waiting.pop_front() {
            if name == to {
                return Some(steps);
            }
            for next in self.depends(name) {
                if reached.insert(next) {
                    waiting.push_back((next, steps + 1));
                }
            }
        }
        None
    }

    fn closure(&self, from: &str) -> (BTreeSet<String>, u64) {
        let (mut names, mut kib) = (BTreeSet::new(), 0);
        let mut waiting = vec![from.to_owned()];
        while let Some(name) = waiting.pop() {
            if let Some(package) = self.packages.get(&name)
                && names.insert(name)
            {
                kib += u64::from(package.2);
                waiting.extend(package.3.iter().cloned());
            }
        }
        (names, kib)
    }

    fn dependents(&self) -> BTreeMap<&str, u32> {
        let mut counts = BTreeMap::new();
        for name in self.packages.values().flat_map(|package| &package.3) {
            *counts.entry(name.as_str()).or_default() += 1;
        }
        counts
    }
}

fn names(archive: &Archive<'_>, ids: impl IntoIterator<Item = Id>) -> BTreeSet<String> {
    ids.into_iter().map(|id| archive.names.name(id).to_string()).collect()
}

fn assert_same_packages(archive: &Archive<'_>, version: &Version<'_>, twin: &Twin) {
    assert_eq!(version.packages.len(), twin.packages.len());
    for (name, (text, section, kib, depends)) in &twin.packages {
        let id = archive.names.id(name).unwrap();
        let package = &version.packages[&id];
        assert_eq!(package.version, *text.as_str());
        assert_eq!((package.section.word(), package.installed_kib), (section.as_str(), *kib));
        let found: Vec<String> =
            package.depends.iter().map(|id| archive.names.name(*id).to_string()).collect();
        assert_eq!(&found, depends, "{name}");
    }
}

/// Compares every kind of answer with the twin's, for packages spread over the whole list.
fn assert_same_answers(pool: &ArchivePool, twin: &Twin, samples: usize) {
    let archive = pool.snapshot();
    let version = archive.newest().unwrap();
    assert_same_packages(&archive, version, twin);

    let dependents = twin.dependents();
    let top = questions::top(&archive, version);
    let found: BTreeMap<String, u32> =
        top.iter().map(|(id, count)| (archive.names.name(*id).to_string(), *count)).collect();
    assert!(
        found
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
            .eq(dependents.iter().map(|(name, count)| (*name, *count)))
    );
    assert!(top.is_sorted_by(|left, right| left.1 >= right.1));

    let step = twin.packages.len().div_ceil(samples);
    let sampled: Vec<&String> = twin.packages.keys().step_by(step).collect();
    for name in &sampled {
        let id = archive.names.id(name).unwrap();
        let closure = questions::closure(version, id);
        let (expected, kib) = twin.closure(name);
        assert_eq!((names(&archive, closure.ids), closure.installed_kib), (expected, kib), "{name}");
        let needed_by = names(&archive, questions::dependents(version, id));
        assert_eq!(needed_by.len() as u32, dependents.get(name.as_str()).copied().unwrap_or_default());
        assert!(needed_by.iter().all(|other| twin.depends(other).contains(name)));
    }
    for (from, to) in sampled.iter().zip(["libc6", "zlib1g", "dpkg", "perl-base", "libx11-6"].iter().cycle())
    {
        let ids = (archive.names.id(from).unwrap(), archive.names.id(to).unwrap());
        let way = questions::why(pool, ids.0, ids.1).unwrap();
        assert_eq!(way.as_ref().map(|way| way.len() - 1), twin.distance(from, to), "{from} to {to}");
        let way: Vec<String> = way.iter().flatten().map(|id| archive.names.name(*id).to_string()).collect();
        assert!(way.windows(2).all(|pair| twin.depends(&pair[0]).contains(&pair[1])), "{way:?}");
    }
}

fn import_whole(pool: &ArchivePool, list: &List, label: &str) {
    import(pool, list, label, 500, &mut |_| {}).unwrap();
}

/// If this failed, the main example would tell its users wrong things about their own packages.
#[test]
fn the_graph_in_the_pool_answers_as_one_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("depgraph.pool");
    let list = List::read(SUBSET.as_ref()).unwrap();
    let twin = Twin::read(&list);
    {
        let pool = ArchivePool::options().open_or_create(&path).unwrap();
        import_whole(&pool, &list, "bookworm");
        assert_same_answers(&pool, &twin, 60);
    }
    let pool = ArchivePool::options().open(&path).unwrap();
    assert_same_answers(&pool, &twin, 20);
    assert_eq!(pool.check().unwrap().unallocated_lines, 0);
}

/// If this failed, the example would work on its sample and not on a distribution.
#[test]
fn the_whole_distribution_answers_as_one_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = unpacked(folder.path()) else {
        println!("skipped: {WHOLE} is not there, or xz is not");
        return;
    };
    let list = List::read(&path).unwrap();
    let pool = ArchivePool::options().open_or_create(folder.path().join("depgraph.pool")).unwrap();
    import_whole(&pool, &list, "bookworm");
    assert_same_answers(&pool, &Twin::read(&list), 12);
}

fn unpacked(folder: &Path) -> Option<PathBuf> {
    fs::metadata(WHOLE).ok()?;
    let output = Command::new("xz").args(["-dc", WHOLE]).output().ok()?;
    let path = folder.join("whole.tsv");
    fs::write(&path, output.stdout).unwrap();
    output.status.success().then_some(path)
}

/// If this failed, an import that was stopped would begin anew, skip rows, or leave a version that is half of two lists.
#[test]
fn an_interrupted_import_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("depgraph.pool");
    let list = List::read(SUBSET.as_ref()).unwrap();
    for stop_after in [1, 700, 3_000] {
        let pool = ArchivePool::options().open_or_create(&path).unwrap();
        // A panic from the callback stops the import between two sections, as a kill does at any instruction.
        let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            import(&pool, &list, "bookworm", 100, &mut |rows| assert!(rows < stop_after))
        }));
        assert!(stopped.is_err());
        assert!(pool.snapshot().newest().is_none(), "half a version is not one");
    }
    let pool = ArchivePool::options().open(&path).unwrap();
    let imported = import(&pool, &list, "bookworm", 100, &mut |_| {}).unwrap();
    assert_eq!(imported.resumed_at, 3_000);
    assert_same_packages(&pool.snapshot(), pool.snapshot().newest().unwrap(), &Twin::read(&list));
    assert_eq!(pool.snapshot().versions.len(), 1);
}

/// If this failed, a second version would cost a whole graph, or `diff` would miss something.
#[test]
fn versions_share_what_they_do_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let pool = ArchivePool::options().open_or_create(folder.path().join("depgraph.pool")).unwrap();
    let list = List::read(SUBSET.as_ref()).unwrap();
    import_whole(&pool, &list, "old");
    let one_version = pool.live_bytes();

    let text = fs::read_to_string(SUBSET).unwrap();
    let edited: String = text
        .lines()
        .filter(|line| !line.starts_with("git\t"))
        .map(|line| line.replace("libc6\t2", "libc6\t3") + "\n")
        .chain(["a-new-package\t1.0\tmisc\toptional\t1\tlibc6\n".to_owned()])
        .collect();
    let path = folder.path().join("edited.tsv");
    fs::write(&path, edited).unwrap();
    import_whole(&pool, &List::read(&path).unwrap(), "new");

    let archive = pool.snapshot();
    let changes = questions::changes(archive.labelled("old").unwrap(), archive.labelled("new").unwrap());
    let named = |ids: &[Id]| names(&archive, ids.iter().copied()).into_iter().collect::<Vec<_>>();
    assert_eq!(named(&changes.added), ["a-new-package"]);
    assert_eq!(named(&changes.removed), ["git"]);
    assert_eq!(named(&changes.changed), ["libc6"]);
    assert_same_packages(&archive, archive.labelled("old").unwrap(), &Twin::read(&list));
    drop(archive);
    pool.sync().unwrap();
    let more = pool.live_bytes() - one_version;
    assert!(more < one_version / 10, "a version with three changes takes {more} bytes beside {one_version}");
}

/// If this failed, a typing error in a list would be a panic, or a package with nonsense in it.
#[test]
fn a_bad_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.tsv");
    let header = "package\tversion\tsection\tpriority\tinstalled_kib\tdepends\n";
    for (text, line, found) in [
        ("nonsense\n", 1, "nonsense"),
        (&format!("{header}a\t1\tlibs\toptional\tmany\t\n"), 2, "many"),
        (&format!("{header}a\t1\tlibs\toptional\t1\t\nb\t1\n"), 3, "b\t1"),
        ("", 1, ""),
    ] {
        fs::write(&path, text).unwrap();
        match List::read(&path) {
            Err(ListError::Line { line: at, found: what, .. }) => {
                assert_eq!((at, what.as_str()), (line, found))
            }
            other => panic!("{text:?}: {:?}", other.map(|list| list.len())),
        }
    }
    assert!(matches!(List::read(folder.path()), Err(ListError::Unreadable { .. })));
}
