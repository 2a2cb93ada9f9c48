//! Why a pool could not be created or opened.

use std::fmt;
use std::path::PathBuf;

use crate::error::{CreateError, OpenError};
use crate::fase_error::FaseFault;
use crate::persist::RegistryError;
use crate::recover::{MarkError, ReplayError};

/// Why a pool could not be opened. The file is as it was, unless the variant says otherwise.
///
/// `Debug` says what `Display` does, since a `main` that returns an error prints the former.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum OpenFault {
    /// The file is not a pool that this program can open.
    #[error(transparent)]
    File(#[from] OpenError),
    /// The program's own types cannot be told apart in a pool.
    #[error(transparent)]
    Types(#[from] RegistryError),
    /// The medium does not hold a version.
    #[error("{}: {error}", path.display())]
    Replay {
        /// The pool.
        path: PathBuf,
        /// What is wrong with its checkpoints or records.
        error: ReplayError,
    },
    /// A live node is damaged, or the progress callback gave up.
    #[error("{}: {error}", path.display())]
    Damaged {
        /// The pool.
        path: PathBuf,
        /// What is wrong, and where.
        error: Box<MarkError>,
    },
    /// The medium failed while the repaired pool was written. What is on it is unknown; opening it again decides.
    #[error(transparent)]
    Medium(#[from] FaseFault),
    /// There was no pool, and none could be created.
    #[error(transparent)]
    Create(#[from] CreateFault),
}

/// Why a pool could not be created. There is no file.
///
/// `Debug` says what `Display` does, since a `main` that returns an error prints the former.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum CreateFault {
    /// The file could not be made.
    #[error(transparent)]
    File(#[from] CreateError),
    /// The program's own types cannot be told apart in a pool.
    #[error(transparent)]
    Types(#[from] RegistryError),
    /// The section that makes the first root failed.
    #[error(transparent)]
    Root(#[from] FaseFault),
}

impl fmt::Debug for OpenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for CreateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
