//! Every error that a file can provoke, and every crash of creation and growth.

mod crash;
mod creating;
mod hostile;
mod opening;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{Access, CreateSpec, Draft, OpenSpec, PoolFile};
use crate::error::OpenError;

const SCHEMA: &str = "struct Root size 8 align 8\n  count @0 u64\n";

const READ_WRITE: OpenSpec =
    OpenSpec { access: Access::ReadWrite, force_dax_emulation: false, has_volatile: false };
const READ_ONLY: OpenSpec = OpenSpec { access: Access::ReadOnly, ..READ_WRITE };

fn spec() -> CreateSpec<'static> {
    CreateSpec {
        len_bytes: 256 << 10,
        reserve_bytes: 64 << 20,
        ring_count: None,
        ring_bytes: None,
        schema_text: SCHEMA,
        root_type_id: 7,
        force_dax_emulation: false,
        seed: None,
    }
}

/// A folder with one closed pool in it.
struct Shelf {
    folder: TempDir,
    path: PathBuf,
}

impl Shelf {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pool");
        Draft::create(&path, &spec()).unwrap().publish().unwrap();
        Shelf { folder, path }
    }

    fn edit(&self, edit: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(&self.path).unwrap();
        edit(&mut bytes);
        fs::write(&self.path, bytes).unwrap();
    }

    fn open(&self) -> Result<PoolFile, OpenError> {
        PoolFile::open(&self.path, &READ_WRITE)
    }

    /// Opens in both ways, which must fail alike and leave the file as it is.
    fn open_fails(&self) -> OpenError {
        let before = fs::read(&self.path).unwrap();
        let for_reading = PoolFile::open(&self.path, &READ_ONLY).unwrap_err();
        let error = self.open().unwrap_err();
        assert_eq!(for_reading.to_string(), error.to_string());
        assert!(fs::read(&self.path).unwrap() == before, "a failed open changed the file: {error}");
        error
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A file system mounted for one test.
struct Mount(PathBuf);

impl Mount {
    /// Mounts a tmpfs, or says why the test is skipped.
    fn tmpfs(at: &Path, options: &str) -> Option<Mount> {
        fs::create_dir_all(at).unwrap();
        let status = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output();
        if status.is_ok_and(|output| output.status.success()) {
            return Some(Mount(at.to_path_buf()));
        }
        eprintln!("skipped: this user cannot mount a tmpfs");
        None
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let status = Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap();
        assert!(status.success(), "a mounted tmpfs can be remounted");
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}
