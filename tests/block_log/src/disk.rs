//! A file system of one file, which is a disk: what is written to it and when it is flushed goes into the log.
//!
//! The file is opened for direct I/O, so the kernel keeps nothing back: a write that it has been told is done is in the log. A flush
//! of the loop device arrives as an fsync. Holes are refused, so that nothing changes the disk but writes. One thread serves all
//! requests: the log's order is the order in which they were answered.

use std::ffi::OsStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fuser::{
    BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo,
    LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request,
    TimeOrNow, WriteFlags,
};

use crate::log::{Event, SharedLog};

/// The name of the one file.
pub(crate) const DISK: &str = "disk";
const DISK_INODE: u64 = 2;
/// How long the kernel may believe what it was told of the file: nothing but its bytes changes.
const TTL: Duration = Duration::from_secs(3600);

pub(crate) struct Disk {
    pub(crate) bytes: Mutex<Vec<u8>>,
    pub(crate) log: Arc<SharedLog>,
}

impl Disk {
    fn attributes(&self, inode: INodeNo) -> FileAttr {
        let is_disk = inode.0 == DISK_INODE;
        let len = self.bytes.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
        FileAttr {
            ino: inode,
            size: if is_disk { len } else { 0 },
            blocks: if is_disk { len / 512 } else { 0 },
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: if is_disk { FileType::RegularFile } else { FileType::Directory },
            perm: if is_disk { 0o600 } else { 0o700 },
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        }
    }
}

impl Filesystem for Disk {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        if parent == INodeNo::ROOT && name == DISK {
            reply.entry(&TTL, &self.attributes(INodeNo(DISK_INODE)), Generation(0));
        } else {
            reply.error(Errno::ENOENT);
        }
    }

    fn getattr(&self, _: &Request, inode: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&TTL, &self.attributes(inode));
    }

    fn setattr(
        &self,
        _: &Request,
        inode: INodeNo,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        reply.attr(&TTL, &self.attributes(inode));
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO);
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let start = (offset as usize).min(bytes.len());
        let end = (start + size as usize).min(bytes.len());
        reply.data(&bytes[start..end]);
    }

    fn write(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let offset = offset as usize;
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = bytes.get_mut(offset..offset + data.len()) else {
            return reply.error(Errno::ENOSPC);
        };
        place.copy_from_slice(data);
        self.log.lock().events.push(Event::Write { offset, data: data.to_vec() });
        reply.written(data.len() as u32);
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        // Somebody closed the file; that makes nothing durable.
        reply.ok();
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.log.lock().events.push(Event::Flush);
        reply.ok();
    }

    fn fallocate(&self, _: &Request, _: INodeNo, _: FileHandle, _: u64, _: u64, _: i32, reply: ReplyEmpty) {
        reply.error(Errno::EOPNOTSUPP);
    }
}
