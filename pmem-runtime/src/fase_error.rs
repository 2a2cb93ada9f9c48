//! Errors of sections: why the runtime could not run or commit one, and what its body returned.

use std::error::Error;
use std::fmt;

/// Why the runtime could not run or commit a section. Nothing of the section happened, unless the variant says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaseFault {
    /// The section's nodes, or the room that it asked for, do not fit.
    ///
    /// When a node does not fit, the section's body unwinds. Catching that with `catch_unwind` in the body does not rescue the
    /// section: it returns this error whatever its body returns. [`Fase::reserve`](crate::Fase::reserve) asks beforehand.
    #[error(
        "out of space: {needed_bytes} more bytes do not fit in a pool of {pool_bytes} bytes that may grow to \
         {limit_bytes}, with {longest_free_bytes} bytes free in one place{}; delete data, drop old snapshots, raise `limit_bytes`, or free disk space",
        disk.as_ref().map_or(String::new(), |disk| format!(" (the disk says: {disk})"))
    )]
    OutOfSpace {
        /// Bytes that could not be had.
        needed_bytes: u64,
        /// The pool's length.
        pool_bytes: u64,
        /// The length up to which the pool may grow.
        limit_bytes: u64,
        /// The longest run of free bytes.
        longest_free_bytes: u64,
        /// What the operating system said when the pool was to grow.
        disk: Option<String>,
    },
    /// A section of the same pool runs on this thread already.
    #[error(
        "a section of this pool is already running on this thread; do the work in that section, or after it \
         (sections do not nest)"
    )]
    Nested,
    /// The pool was opened for reading.
    #[error("the pool was opened read-only; open it with `open` to change it")]
    ReadOnly,
    /// A sync of this pool has failed. Whether the section in which it failed is durable is not known; nothing after it
    /// has happened.
    #[error(
        "the pool is poisoned: a sync failed with \"{reason}\", so what is durable is unknown and nothing more is \
         written; close it and open it again, recovery decides by what the medium really holds"
    )]
    Poisoned {
        /// What the operating system said.
        reason: String,
    },
    /// The runtime itself panicked in an earlier section.
    #[error(
        "an earlier section ended in a panic of the runtime itself (please report it); close and reopen the pool"
    )]
    RuntimePanicked,
}

/// Why a section did not commit. No trace of it is left.
///
/// Converts from any error, so that `?` works in a section's body, and into `Box<dyn Error>`, so that it works around it.
/// Like `anyhow::Error` it does not implement `Error` itself: the two conversions exclude that. Where an `Error` is wanted,
/// convert it first: `Box::<dyn Error + Send + Sync>::from(error)`, which `anyhow::Error::from_boxed` takes, and which
/// can be the source in an error type of your own.
pub struct FaseError {
    kind: Kind,
}

enum Kind {
    Aborted(Box<dyn Error + Send + Sync>),
    Fault(FaseFault),
}

impl FaseError {
    /// An abort with a message: what `abort!("...")` returns.
    #[must_use]
    pub fn message(text: String) -> Self {
        FaseError { kind: Kind::Aborted(text.into()) }
    }

    /// The error with which the body aborted the section, if it did.
    #[must_use]
    pub fn aborted(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        match &self.kind {
            Kind::Aborted(error) => Some(&**error),
            Kind::Fault(_) => None,
        }
    }

    /// The runtime's reason, if the body did not abort the section.
    #[must_use]
    pub fn fault(&self) -> Option<&FaseFault> {
        match &self.kind {
            Kind::Aborted(_) => None,
            Kind::Fault(fault) => Some(fault),
        }
    }

    /// The body's error itself, if it is an `E`.
    ///
    /// # Errors
    /// `self`, if it is not.
    pub fn downcast<E: Error + 'static>(self) -> Result<E, Self> {
        match self.kind {
            Kind::Aborted(error) => match error.downcast() {
                Ok(error) => Ok(*error),
                Err(error) => Err(FaseError { kind: Kind::Aborted(error) }),
            },
            fault @ Kind::Fault(_) => Err(FaseError { kind: fault }),
        }
    }

    /// The error as one that implements `Error`: for `anyhow`, for a `source` field, for `?` elsewhere.
    #[must_use]
    pub fn into_boxed(self) -> Box<dyn Error + Send + Sync> {
        self.into()
    }

    /// The body's error, if it is an `E`.
    #[must_use]
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.aborted().and_then(|error| error.downcast_ref())
    }
}

impl<E> From<E> for FaseError
where
    E: Error + Send + Sync + 'static,
{
    fn from(error: E) -> Self {
        let boxed: Box<dyn Error + Send + Sync> = Box::new(error);
        match boxed.downcast::<FaseFault>() {
            Ok(fault) => FaseError { kind: Kind::Fault(*fault) },
            Err(error) => FaseError { kind: Kind::Aborted(error) },
        }
    }
}

impl From<FaseError> for Box<dyn Error + Send + Sync> {
    fn from(error: FaseError) -> Self {
        match error.kind {
            Kind::Aborted(error) => error,
            Kind::Fault(fault) => Box::new(fault),
        }
    }
}

impl From<FaseError> for Box<dyn Error> {
    fn from(error: FaseError) -> Self {
        Box::<dyn Error + Send + Sync>::from(error)
    }
}

impl fmt::Display for FaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Aborted(error) => error.fmt(f),
            Kind::Fault(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Debug for FaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Aborted(error) => f.debug_tuple("Aborted").field(error).finish(),
            Kind::Fault(fault) => f.debug_tuple("Fault").field(fault).finish(),
        }
    }
}
