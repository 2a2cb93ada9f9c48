//! Why a pool could not be created or opened.

use crate::error::{CreateError, OpenError};
use crate::fase_error::FaseFault;
use crate::persist::RegistryError;
use crate::recover::{MarkError, ReplayError};

/// Why a pool could not be opened. The file is as it was, unless the variant says otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenFault {
    /// The file is not a pool that this program can open.
    #[error(transparent)]
    File(#[from] OpenError),
    /// The program's own types cannot be told apart in a pool.
    #[error(transparent)]
    Types(#[from] RegistryError),
    /// The medium does not hold a version.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A live node is damaged, or the progress callback gave up.
    #[error(transparent)]
    Damaged(#[from] MarkError),
    /// The medium failed while the repaired pool was written. What is on it is unknown; opening it again decides.
    #[error(transparent)]
    Medium(#[from] FaseFault),
    /// There was no pool, and none could be created.
    #[error(transparent)]
    Create(#[from] CreateFault),
}

/// Why a pool could not be created. There is no file.
#[derive(Debug, thiserror::Error)]
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
