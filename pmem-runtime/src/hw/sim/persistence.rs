//! The models: what a crash may leave of stores that nothing guarantees. All are readings of one log.

use std::fmt;
use std::str::FromStr;

use super::CHUNK_BYTES;

/// What a crash may leave of the stores that nothing guarantees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Persistence {
    /// Of every eight bytes any store or none, each on its own: more states than any real medium has, so that what holds
    /// here holds on all.
    #[default]
    Chunk8,
    /// Of every line a prefix of the stores to it: x86 with persistent memory (Raad et al., POPL 2020).
    Px86,
    /// A file on a disk that writes sectors whole: of each a prefix of its stores. A fence is a sync of the whole file,
    /// and needs no write-backs.
    Sector512,
    /// As [`Persistence::Sector512`], in pages of 4096 bytes.
    Page4K,
    /// Caches that survive: everything stored is there. Also what the death of the process leaves.
    Eadr,
}

impl Persistence {
    /// All models, the default first.
    pub const ALL: [Persistence; 5] = [
        Persistence::Chunk8,
        Persistence::Px86,
        Persistence::Sector512,
        Persistence::Page4K,
        Persistence::Eadr,
    ];

    /// What is left whole: this many chunks.
    pub(super) fn unit_chunks(self) -> u64 {
        let unit_bytes = match self {
            Persistence::Chunk8 | Persistence::Eadr => CHUNK_BYTES,
            Persistence::Px86 => crate::hw::LINE_BYTES,
            Persistence::Sector512 => 512,
            Persistence::Page4K => 4096,
        };
        (unit_bytes / CHUNK_BYTES) as u64
    }

    pub(super) fn is_file(self) -> bool {
        matches!(self, Persistence::Sector512 | Persistence::Page4K)
    }

    fn name(self) -> &'static str {
        match self {
            Persistence::Chunk8 => "chunk8",
            Persistence::Px86 => "px86",
            Persistence::Sector512 => "sector512",
            Persistence::Page4K => "page4k",
            Persistence::Eadr => "eadr",
        }
    }
}

impl fmt::Display for Persistence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no persistence model; there are chunk8, px86, sector512, page4k and eadr")]
pub struct UnknownPersistence(String);

impl FromStr for Persistence {
    type Err = UnknownPersistence;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Persistence::ALL.into_iter().find(|model| model.name() == text);
        found.ok_or_else(|| UnknownPersistence(text.to_owned()))
    }
}
