//! Whether bytes are a pool, and whose.

use std::path::Path;

use twox_hash::XxHash3_64;

use super::file::Slot;
use super::format::{SUPERBLOCK_BYTES, Superblock, VERSION};
use super::source::Source;
use crate::error::{OpenError, SlotFault};

/// A pool found good so far: geometry within limits, lengths in agreement, schema whole.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) superblock: Superblock,
    pub(super) slot: Slot,
    pub(super) schema_text: String,
}

/// Judges everything that is read before mapping.
///
/// # Errors
/// See [`OpenError`].
pub(super) fn judge(source: &Source<'_>, path: &Path) -> Result<Judged, OpenError> {
    let first = decode(source, path, Slot::A)?;
    let second = decode(source, path, Slot::B)?;
    let (superblock, slot) = choose(first, second).map_err(|faults| refuse(source, path, faults))?;
    superblock.check_found().map_err(|fault| OpenError::WrongGeometry {
        path: path.to_path_buf(),
        field: fault.field,
        found: fault.found,
        limits: fault.limits,
    })?;
    compare_lengths(source, path, &superblock)?;
    let schema_text = read_schema(source, path, &superblock)?;
    Ok(Judged { superblock, slot, schema_text })
}

type Decoded = Result<Superblock, SlotFault>;

fn decode(source: &Source<'_>, path: &Path, slot: Slot) -> Result<Decoded, OpenError> {
    let mut bytes = [0; SUPERBLOCK_BYTES];
    source
        .read(slot.offset(), &mut bytes)
        .map_err(|error| io_error(path, "reading the superblocks", error))?;
    Ok(Superblock::decode(&bytes))
}

/// The newest valid one; both reasons if there is none. A superblock of another version that is whole outranks an older
/// one of ours: the pool has been taken over by that version.
fn choose(first: Decoded, second: Decoded) -> Result<(Superblock, Slot), (SlotFault, SlotFault)> {
    match (first, second) {
        (Ok(_), Err(foreign @ SlotFault::WrongVersion { .. }))
        | (Err(foreign @ SlotFault::WrongVersion { .. }), Ok(_)) => Err((foreign, foreign)),
        (Ok(first), Ok(second)) if second.sequence > first.sequence => Ok((second, Slot::B)),
        (Ok(first), _) => Ok((first, Slot::A)),
        (Err(_), Ok(second)) => Ok((second, Slot::B)),
        (Err(first), Err(second)) => Err((first, second)),
    }
}

fn refuse(source: &Source<'_>, path: &Path, (first, second): (SlotFault, SlotFault)) -> OpenError {
    let path = path.to_path_buf();
    for fault in [first, second] {
        match fault {
            SlotFault::WrongVersion { found } => {
                return OpenError::WrongVersion { path, found, supported: VERSION };
            }
            SlotFault::ForeignEndianness => return OpenError::ForeignEndianness { path },
            _ => {}
        }
    }
    let (SlotFault::NoMagic { found }, SlotFault::NoMagic { found: found_in_second }) = (first, second)
    else {
        return OpenError::CorruptSuperblock { path, first, second };
    };
    let is_named_by_publishing = matches!(source, Source::File { .. });
    if !is_named_by_publishing && found == [0; 8] && found_in_second == [0; 8] {
        return OpenError::UnfinishedCreation { path };
    }
    let len_bytes = source.len_bytes();
    let shown = usize::try_from(len_bytes).unwrap_or(found.len()).min(found.len());
    OpenError::NotAPool { path, found: found[..shown].to_vec(), len_bytes }
}

/// Invariant 2 of the room: a shorter file has lost something; a longer one is what a growth leaves that was interrupted
/// before its length was recorded, and that holds zeros.
fn compare_lengths(source: &Source<'_>, path: &Path, superblock: &Superblock) -> Result<(), OpenError> {
    let path = || path.to_path_buf();
    let (recorded, found) = (superblock.len_bytes, source.len_bytes());
    if found < recorded {
        return Err(OpenError::Truncated { path: path(), recorded, found });
    }
    if let Source::Device { .. } = source {
        // The whole reservation is mapped, and a device is not mapped beyond its end.
        let recorded = superblock.reserve_bytes;
        return if found < recorded {
            Err(OpenError::Truncated { path: path(), recorded, found })
        } else {
            Ok(())
        };
    }
    if found == recorded {
        return Ok(());
    }
    let is_zero = found <= superblock.reserve_bytes
        && source
            .is_zero_from(recorded)
            .map_err(|error| io_error(&path(), "reading behind the pool's end", error))?;
    if is_zero { Ok(()) } else { Err(OpenError::LargerThanRecorded { path: path(), recorded, found }) }
}

fn read_schema(source: &Source<'_>, path: &Path, superblock: &Superblock) -> Result<String, OpenError> {
    let offset = superblock.schema_offset;
    let damaged = |reason| OpenError::DamagedSchema { path: path.to_path_buf(), offset, reason };
    // At most MAX_SCHEMA_BYTES, and within the file: checked before.
    let mut bytes = vec![0; superblock.schema_len_bytes as usize];
    source.read(offset, &mut bytes).map_err(|error| io_error(path, "reading the schema", error))?;
    if XxHash3_64::oneshot(&bytes) != superblock.schema_fingerprint {
        return Err(damaged("its fingerprint is not the superblock's"));
    }
    String::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8"))
}

pub(super) fn io_error(path: &Path, what: &'static str, source: std::io::Error) -> OpenError {
    OpenError::Io { what, path: path.to_path_buf(), source }
}
