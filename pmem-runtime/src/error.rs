//! What can go wrong when a pool is created, opened or grown: each error with its facts, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a superblock's bytes were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SlotFault {
    /// The first eight bytes are not a pool's.
    #[error("no magic, found the bytes {found:02x?}")]
    NoMagic {
        /// The bytes in its place.
        found: [u8; 8],
    },
    /// Written by a machine of the other byte order.
    #[error("written with the other byte order")]
    ForeignEndianness,
    /// The mark of the byte order is neither order's.
    #[error("byte-order mark {found:#010x} is of no byte order")]
    WrongMark {
        /// The mark as read.
        found: u32,
    },
    /// The checksum holds, but the format is another version's.
    #[error("format version {found}")]
    WrongVersion {
        /// The version as read.
        found: u32,
    },
    /// The bytes changed since they were written, or were written in part.
    #[error("checksum {found:#018x} recorded, {expected:#018x} computed")]
    WrongChecksum {
        /// What the bytes give.
        expected: u64,
        /// What is recorded.
        found: u64,
    },
}

/// What a number of the superblock may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The least.
    pub at_least: u64,
    /// The most.
    pub at_most: u64,
    /// What it must be a multiple of.
    pub multiple_of: u64,
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.at_least, self.at_most)?;
        if self.multiple_of > 1 {
            write!(f, " in multiples of {}", self.multiple_of)?;
        }
        Ok(())
    }
}

/// Why a pool could not be opened. The file is as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Nothing has this name.
    #[error("{path}: no such file; check the path, or create the pool")]
    NotFound {
        /// The name.
        path: PathBuf,
    },
    /// The operating system refuses access.
    #[error("{path}: permission denied; change the file's mode, or open it read-only if reading is allowed")]
    PermissionDenied {
        /// The pool.
        path: PathBuf,
    },
    /// The name is a directory's.
    #[error("{path}: is a directory, expected a pool's file; name a file in it")]
    IsDirectory {
        /// The name.
        path: PathBuf,
    },
    /// The name is neither a regular file's nor a device-DAX device's.
    #[error("{path}: is a {found}, expected a regular file or a /dev/dax device")]
    WrongFileType {
        /// The name.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// Opened for writing on a file system that cannot be written.
    #[error("{path}: the file system is read-only; open the pool read-only, or remount it for writing")]
    ReadOnlyFileSystem {
        /// The pool.
        path: PathBuf,
    },
    /// Another process, or another handle of this process, has it open.
    #[error(
        "{path}: is open elsewhere; close it there first (readers exclude a writer, a writer excludes all)"
    )]
    Locked {
        /// The pool.
        path: PathBuf,
    },
    /// Opened for writing, it has holes (a copy that left out zeros), and the disk has not enough room for them.
    #[error("{path}: has holes, and no space for its {needed} bytes; free some, or open the pool read-only")]
    NoSpace {
        /// The pool.
        path: PathBuf,
        /// Its length.
        needed: u64,
    },
    /// The bytes are something else's.
    #[error(
        "{path}: not a pool: expected its magic at offset 0, found {found:02x?} ({len_bytes} bytes in all)"
    )]
    NotAPool {
        /// The file.
        path: PathBuf,
        /// Its first bytes; fewer than eight if it is shorter.
        found: Vec<u8>,
        /// Its length.
        len_bytes: u64,
    },
    /// A device on which a pool was never created to the end.
    #[error("{path}: no pool: its creation was never finished; create it again")]
    UnfinishedCreation {
        /// The device.
        path: PathBuf,
    },
    /// Written by a machine of the other byte order.
    #[error("{path}: written by a big-endian machine; open it there, pools are not converted")]
    ForeignEndianness {
        /// The pool.
        path: PathBuf,
    },
    /// Written by another version of this library.
    #[error(
        "{path}: format version {found} at offset 12, this library reads version {supported}; use the library that wrote it"
    )]
    WrongVersion {
        /// The pool.
        path: PathBuf,
        /// The pool's version.
        found: u32,
        /// The version that this library reads.
        supported: u32,
    },
    /// Neither copy of the superblock can be trusted.
    #[error(
        "{path}: both superblocks are damaged: at offset 0: {first}; at offset 4096: {second}; restore a backup"
    )]
    CorruptSuperblock {
        /// The pool.
        path: PathBuf,
        /// What is wrong with the one at offset 0.
        first: SlotFault,
        /// What is wrong with the one at offset 4096.
        second: SlotFault,
    },
    /// The file is shorter than the pool.
    #[error(
        "{path}: truncated: the pool has {recorded} bytes, the file {found}; restore the file from a whole copy"
    )]
    Truncated {
        /// The pool's length.
        recorded: u64,
        /// The file's length.
        found: u64,
        /// The pool.
        path: PathBuf,
    },
    /// The file goes on behind the pool's end with bytes that no interrupted growth leaves.
    #[error(
        "{path}: the pool has {recorded} bytes, the file {found}, and what follows is not zero; cut it off if it is not needed"
    )]
    LargerThanRecorded {
        /// The pool's length.
        recorded: u64,
        /// The file's length.
        found: u64,
        /// The pool.
        path: PathBuf,
    },
    /// The superblock is whole but says what cannot be.
    #[error("{path}: superblock field `{field}` is {found}, expected {limits}; restore a backup")]
    WrongGeometry {
        /// The pool.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// Its value.
        found: u64,
        /// What it may be.
        limits: Limits,
    },
    /// The pool holds values of another type.
    #[error(
        "{path}: holds another type than the program's; open it with the types that made it, or choose another file:\n  {}",
        difference.join("\n  ")
    )]
    WrongRootType {
        /// The pool.
        path: PathBuf,
        /// Field by field, what differs.
        difference: Vec<String>,
    },
    /// The stored description of the types is damaged.
    #[error("{path}: the schema at offset {offset:#x} is damaged: {reason}; restore a backup")]
    DamagedSchema {
        /// The pool.
        path: PathBuf,
        /// Where it is.
        offset: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No place for the mapping.
    #[error("{path}: no free range of {reserve_bytes} bytes of addresses: {reason}")]
    AddressSpace {
        /// The pool.
        path: PathBuf,
        /// How much the pool reserves.
        reserve_bytes: u64,
        /// Which attempts failed.
        reason: &'static str,
    },
    /// Anything else the operating system said.
    #[error("{path}: {what} failed: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The pool.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Why a pool could not be created. No file remains.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// Something has this name already.
    #[error("{path}: exists already; open it, or choose another name")]
    AlreadyExists {
        /// The name.
        path: PathBuf,
    },
    /// The directory does not exist.
    #[error("{path}: its directory does not exist; create the directory first")]
    NotFound {
        /// The name.
        path: PathBuf,
    },
    /// The operating system refuses access.
    #[error("{path}: permission denied to create a file here; change the directory's mode or choose another")]
    PermissionDenied {
        /// The name.
        path: PathBuf,
    },
    /// The file system cannot be written.
    #[error("{path}: the file system is read-only; remount it for writing or choose another place")]
    ReadOnlyFileSystem {
        /// The name.
        path: PathBuf,
    },
    /// The device is in use.
    #[error("{path}: the device is open elsewhere; close it there first")]
    Locked {
        /// The device.
        path: PathBuf,
    },
    /// The disk has not enough room.
    #[error("{path}: no space for {needed} bytes; free some, or make the pool smaller")]
    NoSpace {
        /// The name.
        path: PathBuf,
        /// How many bytes were asked for.
        needed: u64,
    },
    /// Too small to hold a heap.
    #[error("{path}: {asked} bytes are too few for a pool; the least is {minimum}")]
    TooSmall {
        /// The name.
        path: PathBuf,
        /// How many bytes were asked for.
        asked: u64,
        /// How many would do.
        minimum: u64,
    },
    /// An option has a value that it cannot have.
    #[error("{path}: option `{option}` is {found}, expected {limits}")]
    WrongOption {
        /// The name.
        path: PathBuf,
        /// The option.
        option: &'static str,
        /// Its value.
        found: u64,
        /// What it may be.
        limits: Limits,
    },
    /// No place for the mapping.
    #[error("{path}: no free range of {reserve_bytes} bytes of addresses; reserve less")]
    AddressSpace {
        /// The name.
        path: PathBuf,
        /// How much was to be reserved.
        reserve_bytes: u64,
    },
    /// Anything else the operating system said.
    #[error("{path}: {what} failed: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The name.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Why a pool could not be made longer. Its length is as before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum GrowError {
    /// The disk has not enough room.
    #[error("{path}: no space to grow to {needed} bytes; free some")]
    NoSpace {
        /// The pool.
        path: PathBuf,
        /// The length asked for.
        needed: u64,
    },
    /// The pool's addresses are used up.
    #[error(
        "{path}: cannot grow to {asked} bytes: {reserved} were reserved at creation; copy it into a pool that reserves more"
    )]
    BeyondReservation {
        /// The pool.
        path: PathBuf,
        /// The length asked for.
        asked: u64,
        /// The longest it can be.
        reserved: u64,
    },
    /// A device has the size it has.
    #[error("{path}: a device cannot grow")]
    FixedSize {
        /// The device.
        path: PathBuf,
    },
    /// The pool was opened for reading.
    #[error("{path}: opened read-only; open it for writing to let it grow")]
    ReadOnly {
        /// The pool.
        path: PathBuf,
    },
    /// Anything else the operating system said.
    #[error("{path}: {what} failed: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The pool.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}
