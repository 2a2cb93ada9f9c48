//! Device-DAX character devices: persistent memory without a file system. They cannot be read, written or grown, only
//! mapped; their length and the unit of their mappings are known to sysfs alone.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use rustix::fs::{major, minor};

use crate::hw::FileKind;

/// What kind of file it is; as an error, what else it is.
///
/// # Errors
/// What the operating system said.
pub(super) fn kind_of(file: &File) -> io::Result<Result<FileKind, &'static str>> {
    let metadata = file.metadata()?;
    let file_type = metadata.file_type();
    if file_type.is_file() {
        return Ok(Ok(FileKind::Regular));
    }
    if file_type.is_char_device() {
        let device = metadata.rdev();
        let folder = format!("/sys/dev/char/{}:{}", major(device), minor(device));
        return Ok(dax_device(Path::new(&folder)).ok_or("character device without DAX"));
    }
    Ok(Err(match file_type {
        kind if kind.is_dir() => "directory",
        kind if kind.is_fifo() => "pipe",
        kind if kind.is_socket() => "socket",
        kind if kind.is_block_device() => "block device",
        _ => "special file",
    }))
}

/// The device described by a folder of sysfs, if it is a DAX device.
fn dax_device(folder: &Path) -> Option<FileKind> {
    let subsystem = fs::canonicalize(folder.join("subsystem")).ok()?;
    if subsystem.file_name()? != "dax" {
        return None;
    }
    let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    let (size_bytes, align_bytes) = (number("size")?, number("align")?);
    // Two to some power between the smallest and the largest page, else the numbers are not what they are taken for.
    let is_sane = align_bytes.is_power_of_two() && (1 << 12..=1 << 30).contains(&align_bytes);
    is_sane.then_some(FileKind::Device { size_bytes, align_bytes })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{FileKind, dax_device};

    /// If this failed, any character device could be taken for persistent memory, or its mapping be refused.
    #[test]
    fn only_devices_of_the_dax_subsystem_are_pools_with_size_and_alignment_from_sysfs() {
        let sysfs = tempfile::tempdir().unwrap();
        let folder = sysfs.path().join("252:0");
        fs::create_dir_all(&folder).unwrap();
        for subsystem in ["dax", "mem"] {
            fs::create_dir_all(sysfs.path().join(subsystem)).unwrap();
        }
        fs::write(folder.join("size"), "4292870144\n").unwrap();
        fs::write(folder.join("align"), "2097152\n").unwrap();
        assert_eq!(dax_device(&folder), None, "no subsystem");
        symlink(sysfs.path().join("mem"), folder.join("subsystem")).unwrap();
        assert_eq!(dax_device(&folder), None, "another subsystem");
        fs::remove_file(folder.join("subsystem")).unwrap();
        symlink(sysfs.path().join("dax"), folder.join("subsystem")).unwrap();
        let expected = FileKind::Device { size_bytes: 4_292_870_144, align_bytes: 2_097_152 };
        assert_eq!(dax_device(&folder), Some(expected));
        fs::write(folder.join("align"), "3\n").unwrap();
        assert_eq!(dax_device(&folder), None, "an alignment that is none");
    }
}
