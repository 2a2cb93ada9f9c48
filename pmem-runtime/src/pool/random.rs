//! Random bytes: identities and hash seeds.

use std::io;

use rustix::rand::{GetRandomFlags, getrandom};

/// So many random bytes.
///
/// # Errors
/// What the kernel said; it does not fail once the system has started.
pub(super) fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut out = [0; N];
    let mut filled = 0;
    while filled < N {
        filled += rustix::io::retry_on_intr(|| getrandom(&mut out[filled..], GetRandomFlags::empty()))?;
    }
    Ok(out)
}
