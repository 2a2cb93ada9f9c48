//! A file without a name until it deserves one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, OFlags, RenameFlags, linkat, renameat_with};
use rustix::io::Errno;

use super::random;

/// Where a draft's bytes are until it is published.
#[derive(Debug)]
pub(super) enum Place {
    /// In a file that no directory names (`O_TMPFILE`): the kernel removes it if the process dies.
    Nameless,
    /// In a file of a random name beside the future one, for file systems without nameless files. A process that dies
    /// leaves it; it is not a pool, and may be removed.
    Beside(PathBuf),
    /// In a device or in memory: there is no name to give.
    Unnamed,
}

impl Place {
    /// A new, empty, writable file in the directory of `path`.
    pub(super) fn make(path: &Path) -> io::Result<(File, Place)> {
        let flags = OFlags::TMPFILE.bits() as i32;
        match OpenOptions::new().read(true).write(true).custom_flags(flags).open(directory(path)) {
            Ok(file) => Ok((file, Place::Nameless)),
            Err(error) if is_without_nameless_files(&error) => Place::make_beside(path),
            Err(error) => Err(error),
        }
    }

    pub(super) fn make_beside(path: &Path) -> io::Result<(File, Place)> {
        let tag = u64::from_le_bytes(random::bytes()?);
        let mut name = OsString::from(".");
        name.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
        name.push(format!(".{tag:016x}.unfinished"));
        let beside = directory(path).join(name);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&beside)?;
        Ok((file, Place::Beside(beside)))
    }

    /// Gives the file its name, durably, unless something has it.
    ///
    /// # Errors
    /// `AlreadyExists` if something has the name; else what the operating system said, and the name is not given.
    pub(super) fn publish(mut self, file: &File, path: &Path) -> io::Result<()> {
        match &self {
            Place::Unnamed => return Ok(()),
            Place::Nameless => link(file, path)?,
            Place::Beside(beside) => rename(beside, path)?,
        }
        // The temporary name is gone: there is nothing left to clean up.
        self = Place::Unnamed;
        drop(self);
        let synced = File::open(directory(path)).and_then(|directory| directory.sync_all());
        if synced.is_err() {
            // Whether the name is durable is not known; a failed creation must leave none.
            let _ = fs::remove_file(path);
        }
        synced
    }
}

/// Makes the name of a file that is opened durable: its maker may have been killed before it had done so.
///
/// # Errors
/// What the operating system said of the sync. A directory that may not be read, or that cannot be synced, is left as it is.
pub(super) fn sync_name(path: &Path) -> io::Result<()> {
    let real = fs::canonicalize(path)?;
    let directory = match File::open(directory(&real)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match directory.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Place::Beside(beside) = self {
            // A name that cannot be removed is litter, not damage.
            let _ = fs::remove_file(beside);
        }
    }
}

fn is_without_nameless_files(error: &io::Error) -> bool {
    // EISDIR: a kernel that does not know the flag opens the directory.
    [Errno::OPNOTSUPP, Errno::ISDIR, Errno::INVAL]
        .iter()
        .any(|known| error.raw_os_error() == Some(known.raw_os_error()))
}

/// Links a nameless file. By its descriptor's name in /proc, as linking by descriptor alone needs a privilege; by the
/// descriptor where /proc is not mounted.
fn link(file: &File, path: &Path) -> io::Result<()> {
    let by_name = format!("/proc/self/fd/{}", file.as_raw_fd());
    match linkat(CWD, by_name.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW) {
        Err(Errno::NOENT) => Ok(linkat(file, "", CWD, path, AtFlags::EMPTY_PATH)?),
        other => Ok(other?),
    }
}

/// Renames without replacing; through a second name where the file system cannot do that.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => {
            fs::hard_link(from, to)?;
            fs::remove_file(from)
        }
        other => Ok(other?),
    }
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
