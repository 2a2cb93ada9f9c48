//! A distribution's list of packages: a text file, one package a line, fields separated by tabs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The first line of such a file.
const HEADER: &str = "package\tversion\tsection\tpriority\tinstalled_kib\tdepends";

/// What is wrong with a list.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be read at all.
    #[error("{}: cannot be read: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    /// A line is not what it should be.
    #[error("{}:{line}: expected {expected}, found {found:?}; correct the line, or leave it out", path.display())]
    Line { path: PathBuf, line: usize, expected: &'static str, found: String },
}

/// One package, as its line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'l> {
    pub name: &'l str,
    pub version: &'l str,
    pub section: &'l str,
    pub priority: &'l str,
    pub installed_kib: u32,
    /// Names, in the order of the line, none twice.
    pub depends: Vec<&'l str>,
}

/// A whole file in memory.
pub struct List {
    path: PathBuf,
    text: String,
}

impl List {
    /// Reads the file and judges every line.
    pub fn read(path: &Path) -> Result<List, ListError> {
        let text = fs::read_to_string(path)
            .map_err(|cause| ListError::Unreadable { path: path.to_owned(), cause })?;
        let list = List { path: path.to_owned(), text };
        let first = list.text.lines().next().unwrap_or_default();
        if first != HEADER {
            return Err(list.fault(1, "the names of the six columns", first));
        }
        list.rows_from(0).try_for_each(|row| row.map(drop))?;
        Ok(list)
    }

    /// How many packages.
    pub fn len(&self) -> usize {
        self.text.lines().count() - 1
    }

    /// The text's hash: whether two imports are of one list.
    pub fn fingerprint(&self) -> u64 {
        twox_hash::XxHash3_64::oneshot(self.text.as_bytes())
    }

    /// The packages from this one on.
    pub fn rows_from(&self, index: usize) -> impl Iterator<Item = Result<Row<'_>, ListError>> {
        self.text.lines().enumerate().skip(index + 1).map(|(line, text)| self.parse(line + 1, text))
    }

    fn parse<'l>(&'l self, line: usize, text: &'l str) -> Result<Row<'l>, ListError> {
        let fields: Vec<&str> = text.split('\t').collect();
        let [name, version, section, priority, installed_kib, depends] = fields[..] else {
            return Err(self.fault(line, "six fields separated by tabs", text));
        };
        if name.is_empty() {
            return Err(self.fault(line, "a package's name in the first field", text));
        }
        let Ok(installed_kib) = installed_kib.parse() else {
            return Err(self.fault(line, "a size in KiB in the fifth field", installed_kib));
        };
        let mut names: Vec<&str> = Vec::new();
        for name in depends.split(',').filter(|name| !name.is_empty()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(Row { name, version, section, priority, installed_kib, depends: names })
    }

    fn fault(&self, line: usize, expected: &'static str, found: &str) -> ListError {
        let found = found.chars().take(60).collect();
        ListError::Line { path: self.path.clone(), line, expected, found }
    }
}
