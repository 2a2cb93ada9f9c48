//! What the hardware alone takes: so many lines stored side by side, written back, and one fence.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::ptr::NonNull;
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::measure::clock::Started;
use crate::measure::statistics::Spread;
use crate::ours::fresh_path;

/// More than the caches near a core hold, as a pool is.
const REGION_BYTES: usize = 64 << 20;
const LINE_BYTES: usize = 64;
/// Lines that are written for one number.
const LINES_TIMED: usize = 20_000;
/// Numbers of which the median is taken.
const REPEATS: usize = 9;

/// A mapped file of which nothing is wanted but its lines.
///
/// # Invariants
/// 1. `REGION_BYTES` bytes from `start` are mapped for writing until it is dropped, and nobody else knows them.
pub(crate) struct Bare {
    start: NonNull<u8>,
    next_line: RefCell<usize>,
    known: RefCell<BTreeMap<usize, Spread>>,
}

impl Bare {
    /// A file in the folder, mapped and touched.
    pub(crate) fn new(folder: &Path) -> io::Result<Bare> {
        let path = fresh_path(folder, "bare");
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        fs::remove_file(&path)?;
        file.set_len(REGION_BYTES as u64)?;
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::POPULATE);
        // SAFETY: the kernel chooses free addresses, so no memory in use is touched.
        let start = unsafe { mmap(std::ptr::null_mut(), REGION_BYTES, protection, flags, &file, 0) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Bare { start, next_line: RefCell::new(0), known: RefCell::new(BTreeMap::new()) })
    }

    /// Nanoseconds of a section of so many lines.
    pub(crate) fn section(&self, lines: usize) -> Spread {
        if let Some(known) = self.known.borrow().get(&lines) {
            return *known;
        }
        let sections = (LINES_TIMED / lines.max(1)).max(1);
        let repeat = |_| {
            let started = Started::now();
            (0..sections).for_each(|_| self.write(lines));
            started.elapsed_ns() / sections as f64
        };
        let spread = Spread::of(&(0..REPEATS).map(repeat).collect::<Vec<f64>>());
        self.known.borrow_mut().insert(lines, spread);
        spread
    }

    fn write(&self, lines: usize) {
        let mut next = self.next_line.borrow_mut();
        for line in *next..*next + lines {
            // The index stays within the region, and lines start at multiples of their length from a page's start.
            let line = self.start.as_ptr().wrapping_add(line * LINE_BYTES % REGION_BYTES);
            for word in 0..LINE_BYTES / 8 {
                // SAFETY: invariant 1; volatile, since nobody reads it.
                unsafe { line.cast::<u64>().wrapping_add(word).write_volatile(word as u64) };
            }
            write_back(line);
        }
        *next = (*next + lines) % (REGION_BYTES / LINE_BYTES);
        fence();
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // SAFETY: invariant 1, and this is the last use. A mapping that cannot be removed goes with the process.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), REGION_BYTES) };
    }
}

/// Starts a line on its way, by the best instruction of the processor, as a pool does.
#[cfg(target_arch = "x86_64")]
fn write_back(line: *const u8) {
    static HAS_CLWB: LazyLock<bool> = LazyLock::new(|| {
        const LEAF_EXTENDED_FEATURES: u32 = 7;
        const CLWB: u32 = 1 << 24;
        let highest = std::arch::x86_64::__cpuid(0).eax;
        let features = std::arch::x86_64::__cpuid_count(LEAF_EXTENDED_FEATURES, 0).ebx;
        highest >= LEAF_EXTENDED_FEATURES && features & CLWB != 0
    });
    // Ordered behind the stores to the line by the processor, and by the compiler since the blocks clobber memory.
    if *HAS_CLWB {
        // SAFETY: the line is mapped; the instruction changes nothing that the program can see.
        unsafe { std::arch::asm!("clwb [{}]", in(reg) line, options(nostack, preserves_flags)) };
    } else {
        // SAFETY: as above; processors without it are older than persistent memory.
        unsafe { std::arch::asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "x86_64")]
fn fence() {
    // SFENCE: orders the write-backs above before what follows.
    // SAFETY: every x86-64 processor has SSE.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

/// Cleans the line to the point of persistence, or as far as this processor knows.
#[cfg(target_arch = "aarch64")]
fn write_back(line: *const u8) {
    // SAFETY: the line is mapped; the instruction changes nothing that the program can see.
    unsafe { std::arch::asm!("dc cvac, {}", in(reg) line, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
fn fence() {
    // SAFETY: a barrier changes nothing that the program can see.
    unsafe { std::arch::asm!("dsb sy", options(nostack, preserves_flags)) };
}
