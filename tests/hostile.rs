//! Pools from an enemy: every checksum is right, and something is wrong (law 8).

#[path = "hostile/forge.rs"]
mod forge;
mod support;

use std::fs;
use std::path::PathBuf;

use forge::{Forge, WATERMARK};
use pmem_runtime::{MarkError, OpenFault, P, Persistent, Pool, ReplayError, persist_fase};
use tempfile::TempDir;

/// A list whose root is its first element: the root's type leads to itself.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Element<'p> {
    value: u64,
    next: Option<P<'p, Element<'p>>>,
}

type ElementPool = Pool<Element<'static>>;

/// A file that a closed pool left, and its bytes.
struct Shelf {
    path: PathBuf,
    forge: Forge,
    _folder: TempDir,
}

impl Shelf {
    /// A pool of some elements.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hostile.pool");
        let options = ElementPool::options().size_bytes(ElementPool::MIN_BYTES).reserve_bytes(1 << 30);
        let pool = options.force_dax(true).seed(7).create(&path).unwrap();
        for value in 0..20 {
            persist_fase!(pool, |tx, root| {
                let next = root.next.take();
                root.next = Some(P::new(tx, Element { value, next }));
                Ok(())
            })
            .unwrap();
        }
        pool.close().unwrap();
        let forge = Forge { bytes: fs::read(&path).unwrap() };
        Shelf { path, forge, _folder: folder }
    }

    /// Opens the forged bytes both ways, and requires that it makes no difference.
    fn open(&self) -> Result<ElementPool, OpenFault> {
        fs::write(&self.path, &self.forge.bytes).unwrap();
        let for_reading = ElementPool::options().open_read_only(&self.path).err();
        let opened = ElementPool::options().force_dax(true).open(&self.path);
        assert_eq!(
            for_reading.map(|fault| fault.to_string()),
            opened.as_ref().err().map(ToString::to_string)
        );
        opened
    }
}

/// If this failed, the first section would free the root's node under the pointer of another node, which then leads to
/// whatever comes to lie there.
#[test]
fn a_root_that_a_node_owns_is_refused() {
    let mut shelf = Shelf::new();
    let (root, _) = shelf.forge.checkpoint();
    let own_address = shelf.forge.field(forge::BASE) + root;
    shelf.forge.put_word(root as usize + 24, own_address);
    shelf.forge.seal_node(root as usize);
    let fault = shelf.open().unwrap_err();
    assert!(
        matches!(fault, OpenFault::Damaged(MarkError::OwnedRoot { found: 1, offset }) if offset == root),
        "{fault:?}"
    );
}

/// If this failed, tickets would run out: the clock would start again at zero, and a pin at the last one, which is how a
/// slot without a pin looks, would keep nothing from being reused.
#[test]
fn a_ticket_near_the_end_is_refused() {
    const LIMIT: u64 = 1 << 63;
    for ticket in [LIMIT + 1, u64::MAX - 1, u64::MAX] {
        let mut shelf = Shelf::new();
        shelf.forge.put_checkpoint(WATERMARK, ticket);
        let fault = shelf.open().unwrap_err();
        let OpenFault::Replay(ReplayError::ExcessiveTicket { ticket: found, limit, .. }) = fault else {
            panic!("watermark {ticket}: {fault:?}")
        };
        assert_eq!((found, limit), (ticket, LIMIT));
        let mut shelf = Shelf::new();
        let (root, _) = shelf.forge.checkpoint();
        shelf.forge.put_record(0, ticket, root, &[(root / 64, 1)]);
        let fault = shelf.open().unwrap_err();
        assert!(
            matches!(fault, OpenFault::Replay(ReplayError::ExcessiveTicket { ticket: found, .. }) if found == ticket),
            "record {ticket}: {fault:?}"
        );
    }
    // The largest that is accepted leaves room for sections.
    let mut shelf = Shelf::new();
    shelf.forge.put_checkpoint(WATERMARK, LIMIT);
    let pool = shelf.open().unwrap();
    persist_fase!(pool, |_tx, root| {
        root.value = 5;
        Ok(())
    })
    .unwrap();
    assert_eq!((pool.snapshot().value, pool.snapshot().version()), (5, LIMIT + 1));
}
