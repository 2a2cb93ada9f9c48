//! The bytes of something that may be a pool, read without mapping it where that is possible.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rustix::fs::{SeekFrom, seek};
use rustix::io::Errno;

use super::Region;

/// How much is compared with zero at once.
const RUN_BYTES: usize = 1 << 16;

/// Where bytes are read from.
#[derive(Debug)]
pub(super) enum Source<'s> {
    /// A regular file of this length.
    File { file: &'s File, len_bytes: u64 },
    /// A device of this length, which can only be mapped; its first bytes are.
    Device { prefix: &'s Region, len_bytes: u64 },
    /// A simulated medium's bytes.
    #[cfg(feature = "crash-test")]
    Image(&'s [u8]),
}

impl Source<'_> {
    /// How long it is.
    pub(super) fn len_bytes(&self) -> u64 {
        match self {
            Source::File { len_bytes, .. } | Source::Device { len_bytes, .. } => *len_bytes,
            #[cfg(feature = "crash-test")]
            Source::Image(bytes) => bytes.len() as u64,
        }
    }

    /// Reads bytes; what lies behind the end reads as zero.
    pub(super) fn read(&self, offset: u64, to: &mut [u8]) -> io::Result<()> {
        let available = self.len_bytes().saturating_sub(offset);
        let len = to.len().min(usize::try_from(available).unwrap_or(usize::MAX));
        let (to, beyond) = to.split_at_mut(len);
        beyond.fill(0);
        match self {
            Source::File { file, .. } => file.read_exact_at(to, offset),
            #[cfg(feature = "crash-test")]
            Source::Image(bytes) => {
                let start = offset as usize;
                to.copy_from_slice(&bytes[start.min(bytes.len())..][..len]);
                Ok(())
            }
            // SAFETY: the device is locked, and this process has no other mapping of it.
            Source::Device { prefix, .. } => unsafe { prefix.read_bytes(offset, to) }
                .map_err(|_| io::Error::new(io::ErrorKind::UnexpectedEof, "the device is too short")),
        }
    }

    /// Whether everything from `from` on is zero. Holes are not read, so a sparse file of any length takes no time.
    pub(super) fn is_zero_from(&self, from: u64) -> io::Result<bool> {
        match self {
            Source::File { file, len_bytes } => file_is_zero(file, from, *len_bytes),
            #[cfg(feature = "crash-test")]
            Source::Image(bytes) => Ok(bytes[from as usize..].iter().all(|byte| *byte == 0)),
            // What lies behind a pool on a device is not the pool's and is never touched.
            Source::Device { .. } => Ok(true),
        }
    }
}

fn file_is_zero(file: &File, from: u64, end: u64) -> io::Result<bool> {
    let mut at = from;
    while at < end {
        let start = match seek(file, SeekFrom::Data(at)) {
            Ok(start) => start,
            Err(Errno::NXIO) => return Ok(true),
            // A file system without holes: everything is data.
            Err(Errno::INVAL | Errno::OPNOTSUPP) => at,
            Err(other) => return Err(other.into()),
        };
        let stop = seek(file, SeekFrom::Hole(start)).unwrap_or(end).min(end);
        if !run_is_zero(file, start, stop)? {
            return Ok(false);
        }
        at = stop.max(start + 1);
    }
    Ok(true)
}

fn run_is_zero(file: &File, from: u64, end: u64) -> io::Result<bool> {
    let mut buffer = vec![0; RUN_BYTES];
    let mut at = from;
    while at < end {
        let len = RUN_BYTES.min(usize::try_from(end - at).unwrap_or(RUN_BYTES));
        file.read_exact_at(&mut buffer[..len], at)?;
        if buffer[..len].iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        at += len as u64;
    }
    Ok(true)
}
