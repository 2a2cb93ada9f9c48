//! Nothing is durable: pools in plain memory, and private views of pools opened for reading.

use std::io;

use super::{Medium, Survives};

/// The medium.
#[derive(Debug)]
pub(crate) struct Volatile;

impl Medium for Volatile {
    fn durability(&self) -> Survives {
        Survives::Nothing
    }

    fn name(&self) -> &'static str {
        "volatile"
    }

    unsafe fn write_back(&self, _from: *const u8, _len_bytes: usize) {}

    fn fence(&self) -> io::Result<()> {
        Ok(())
    }

    fn allocate(&self, _old_len_bytes: u64, _new_len_bytes: u64) -> io::Result<()> {
        Ok(())
    }
}
