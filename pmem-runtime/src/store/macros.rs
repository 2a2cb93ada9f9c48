//! The two macros of a section: `persist_fase!` and `abort!`.

/// Runs a failure-atomic section: all of the block happens, durably, or nothing does.
///
/// ```text
/// persist_fase!(pool, |tx, root| { ... Ok(value) })
/// persist_fase!(pool, durability = Buffered, |tx, root| { ... })
/// persist_fase!(pool, once, |tx, root| { ... })
/// persist_fase!(pool, |tx, root| -> Result<Value, MyError> { ... })
/// ```
///
/// `tx: &Fase` permits allocation, `root: &mut Root` is a private shadow of the newest version. The block is the body of
/// a closure that returns a `Result`: `Ok(value)` commits, `?`, [`abort!`](crate::abort) and a panic undo everything.
/// Without a return type the error is [`FaseError`](crate::FaseError), into which every type that implements `Error`
/// converts. A return type needs an error type with `From<FaseFault>`; `anyhow::Result<_>` is one.
///
/// # Captured variables
/// A section may be run again when it conflicts with another, so its block is a closure of kind `Fn`: it cannot change
/// captured variables or move out of them. `count += 1` for a `count` outside is the compiler's error E0594 ("cannot
/// assign to `count`, as it is a captured variable in a `Fn` closure"). Return the value from the block, or write `once`,
/// before `durability` if that is there: the block runs at most once then, and may do both.
///
/// ```
/// # let pool = pmem_runtime::Pool::<u64>::options().volatile()?;
/// let mut count = 0;
/// pmem_runtime::persist_fase!(pool, once, |_tx, root| {
///     count += 1;
///     *root += 1;
///     Ok(())
/// })?;
/// assert_eq!((count, *pool.snapshot()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Durability
/// After `durability =` stands the name of a variant. For a value of [`Durability`](crate::Durability) call
/// [`Pool::fase`](crate::Pool::fase), or open the pool [with it](crate::Options::durability).
///
/// # Errors
/// The block's own error, or why the runtime could not commit.
///
/// # Examples
/// ```
/// use pmem_runtime::{Persistent, Pool, persist_fase};
///
/// #[derive(Persistent, Default)]
/// #[repr(C)]
/// struct Counter { value: u64 }
///
/// let pool = Pool::<Counter>::options().volatile()?;
/// let before = persist_fase!(pool, |_tx, counter| {
///     counter.value += 1;
///     Ok(counter.value - 1)
/// })?;
/// assert_eq!((before, pool.snapshot().value), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! persist_fase {
    ($pool:expr, once, $(durability = $durability:ident,)? |$tx:pat_param, $root:pat_param| -> $output:ty $body:block) => {
        $pool.fase_once($crate::__durability!($pool $(, $durability)?), |$tx, $root| -> $output { $body })
    };
    ($pool:expr, once, $(durability = $durability:ident,)? |$tx:pat_param, $root:pat_param| $body:block) => {
        $pool.fase_once(
            $crate::__durability!($pool $(, $durability)?),
            |$tx, $root| -> ::core::result::Result<_, $crate::FaseError> { $body },
        )
    };
    ($pool:expr, $(durability = $durability:ident,)? |$tx:pat_param, $root:pat_param| -> $output:ty $body:block) => {
        $pool.fase($crate::__durability!($pool $(, $durability)?), |$tx, $root| -> $output { $body })
    };
    ($pool:expr, $(durability = $durability:ident,)? |$tx:pat_param, $root:pat_param| $body:block) => {
        $pool.fase(
            $crate::__durability!($pool $(, $durability)?),
            |$tx, $root| -> ::core::result::Result<_, $crate::FaseError> { $body },
        )
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "expected `persist_fase!(pool, |tx, root| { .. })`, with `once,` and then `durability = Immediate,` or \
             `durability = Buffered,` before the block if need be, and a block in braces"
        )
    };
}

/// The durability asked for, else the pool's own.
#[doc(hidden)]
#[macro_export]
macro_rules! __durability {
    ($pool:expr) => {
        $pool.default_durability()
    };
    ($pool:expr, $durability:ident) => {
        $crate::Durability::$durability
    };
}

/// Ends a section's body: nothing of the section happens.
///
/// `abort!(error)` returns the error, converted like `?` does; `abort!("text {}", argument)` returns a
/// [`FaseError`](crate::FaseError) with a message, so it stands where that is the error: in a block without a return type,
/// and in functions that return it.
///
/// # Examples
/// ```
/// use pmem_runtime::{Persistent, Pool, abort, persist_fase};
///
/// #[derive(Persistent, Default)]
/// #[repr(C)]
/// struct Counter { value: u64 }
///
/// let pool = Pool::<Counter>::options().volatile()?;
/// let result = persist_fase!(pool, |_tx, counter| {
///     counter.value += 1;
///     if counter.value < 10 {
///         abort!("{} is too small", counter.value);
///     }
///     Ok(())
/// });
/// assert_eq!(result.unwrap_err().to_string(), "1 is too small");
/// assert_eq!(pool.snapshot().value, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! abort {
    ($text:literal $($arguments:tt)*) => {
        return ::core::result::Result::Err(::core::convert::From::from($crate::FaseError::message(
            ::std::format!($text $($arguments)*),
        )))
    };
    ($error:expr) => {
        return ::core::result::Result::Err(::core::convert::From::from($error))
    };
}
