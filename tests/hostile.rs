//! Pools from an enemy: every checksum is right, and something is wrong (law 8).

#[path = "hostile/cycles.rs"]
#[macro_use]
mod cycles;
#[path = "hostile/forge.rs"]
mod forge;
#[path = "hostile/misfits.rs"]
mod misfits;
#[path = "hostile/mutate.rs"]
mod mutate;
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use forge::{
    BITMAP_LEN_BYTES, BITMAP_OFFSET, Forge, HEAP_OFFSET, LEN_BYTES, RING_BYTES, RING_COUNT, RINGS_OFFSET,
    ROOT, WATERMARK,
};
use mutate::{Specimen, mutate, seal};
use pmem_runtime::{
    Durability, FaseFault, MarkError, OpenFault, P, Persistent, Pool, ReplayError, persist_fase,
};
use support::Random;
use support::model::{Model, Op};
use support::world::WorldPool;
use tempfile::TempDir;

/// How long an opening may take that has little to do: it takes a fraction of a second where nothing else runs.
const PATIENCE: Duration = Duration::from_secs(10);

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
    let OpenFault::Damaged { error, .. } = fault else { panic!("{fault}") };
    assert!(matches!(*error, MarkError::OwnedRoot { found: 1, offset } if offset == root), "{error}");
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
        let OpenFault::Replay { error: ReplayError::ExcessiveTicket { ticket: found, limit, .. }, .. } =
            fault
        else {
            panic!("watermark {ticket}: {fault:?}")
        };
        assert_eq!((found, limit), (ticket, LIMIT));
        let mut shelf = Shelf::new();
        let (root, _) = shelf.forge.checkpoint();
        shelf.forge.put_record(0, ticket, root, &[(root / 64, 1)]);
        let fault = shelf.open().unwrap_err();
        assert!(
            matches!(fault, OpenFault::Replay { error: ReplayError::ExcessiveTicket { ticket: found, .. }, .. } if found == ticket),
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

/// If this failed, a file of 8 MiB would keep the program that opens it busy for ten seconds, one of 1 GiB for half an hour: each
/// line of a ring would be read as the beginning of a record that is half a megabyte long.
#[test]
fn a_ring_of_beginnings_is_read_in_linear_time() {
    const LONG_RING_BYTES: usize = 8 << 20;
    let mut shelf = Shelf::new();
    let forge = &mut shelf.forge;
    let root_node = forge.bytes[forge.checkpoint().0 as usize..][..64].to_vec();
    let rings = forge.field(RINGS_OFFSET) as usize;
    let heap = (rings + LONG_RING_BYTES).next_multiple_of(32 << 10);
    let len_bytes = heap + (64 << 10);
    forge.bytes.truncate(rings);
    forge.bytes.resize(len_bytes, 0);
    forge.put_field(RING_COUNT, &1_u32.to_le_bytes());
    for (field, value) in [(RING_BYTES, LONG_RING_BYTES), (HEAP_OFFSET, heap), (LEN_BYTES, len_bytes)] {
        forge.put_field(field, &value.to_le_bytes());
    }
    for field in [BITMAP_OFFSET, BITMAP_LEN_BYTES] {
        forge.put_field(field, &[0; 8]);
    }
    // The root alone: its pointer is gone.
    forge.put(heap, &root_node);
    forge.put_word(heap + 24, 0);
    forge.seal_node(heap);
    forge.put_checkpoint(ROOT, heap as u64);
    assert_eq!(shelf.open().unwrap().check().unwrap().nodes, 1, "the forgery itself is a pool");

    shelf.forge.bytes = fs::read(&shelf.path).unwrap();
    for line in (rings..heap).step_by(64) {
        shelf.forge.put(line, &[0xa7, 1, 1, 0, 0xff, 0xff, 0xff, 0xff]);
    }
    let begun = Instant::now();
    let fault = shelf.open().unwrap_err();
    assert!(matches!(fault, OpenFault::Replay { error: ReplayError::DamagedRing { .. }, .. }), "{fault:?}");
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

/// If this failed, records could name the same lines over and over, and recovery would hash them as often: hours for a
/// pool of some hundred megabytes.
#[test]
fn lines_are_named_once_by_the_records_that_must_prove_themselves() {
    const RING_LINES: usize = 256;
    let mut shelf = Shelf::new();
    let (root, watermark) = shelf.forge.checkpoint();
    let heap_lines = (shelf.forge.field(LEN_BYTES) - shelf.forge.field(HEAP_OFFSET)) / 64;
    let runs = vec![(root / 64, 1); heap_lines as usize / 2 + 1];
    shelf.forge.put_record(0, watermark + 1, root, &runs);
    shelf.forge.put_record(RING_LINES, watermark + 2, root, &runs);
    let pool = shelf.open().unwrap();
    let recovery = pool.recovery();
    assert_eq!((recovery.records_replayed, recovery.records_rejected), (1, 1), "{recovery}");
}

/// If this failed, a record could prove itself by lines outside the pool, of which there are none to look at, and recovery
/// would write back what lies there.
#[test]
fn an_empty_run_proves_nothing() {
    let mut shelf = Shelf::new();
    let (root, watermark) = shelf.forge.checkpoint();
    for first_line in [0, root / 64, (1 << 40) - 1] {
        shelf.forge.put_record(0, watermark + 1, root, &[(root / 64, 1), (first_line, 0)]);
        let recovery = shelf.open().unwrap().recovery().clone();
        assert_eq!((recovery.records_replayed, recovery.records_rejected), (0, 1), "{recovery}");
    }
}

/// If this failed, a record that needs no proof could name lines outside the pool, and recovery would write them back: the
/// instruction faults where nothing is mapped.
#[test]
fn a_fenced_record_with_runs_is_none() {
    const FENCED: u8 = 2;
    let mut shelf = Shelf::new();
    let (root, watermark) = shelf.forge.checkpoint();
    for runs in [vec![], vec![((1 << 40) - 1, (1 << 24) - 1)], vec![(root / 64, 1)]] {
        let at = shelf.forge.put_record(0, watermark + 1, root, &runs);
        shelf.forge.put(at + 1, &[FENCED]);
        shelf.forge.seal_record(at, false);
        let recovery = shelf.open().unwrap().recovery().clone();
        assert_eq!(
            (recovery.records_replayed == 1, recovery.records_rejected),
            (runs.is_empty(), 0),
            "{recovery}"
        );
    }
}

/// If this failed, a record could hide those behind its beginning: their tickets would be given out again, and once its lines
/// were reused they would be taken for later sections.
#[test]
fn a_record_that_spans_another_is_refused() {
    let mut shelf = Shelf::new();
    let (root, watermark) = shelf.forge.checkpoint();
    let at = shelf.forge.put_record(0, watermark + 1, root, &[(root / 64, 1); 60]);
    // Within the first one, in place of runs.
    let inner = shelf.forge.put_record(3, watermark + 2, root, &[(root / 64, 1)]) as u64;
    shelf.forge.seal_record(at, false);
    let fault = shelf.open().unwrap_err();
    let OpenFault::Replay { error: ReplayError::OverlappingRecords { offset }, .. } = fault else {
        panic!("{fault:?}")
    };
    assert_eq!(offset, inner);
}

/// A root with padding, and a field that means nothing after a restart.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Padded {
    tag: u8,
    wide: u64,
    #[persistent(volatile)]
    visits: u32,
}

/// If this failed, opening a pool would make a checksum wrong that was right: whoever sets volatile fields would zero the padding
/// beside them, in the file.
#[test]
fn padding_is_left_as_it_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("padded.pool");
    let options = || Pool::<Padded>::options().force_dax(true).verify_checksums(true);
    options().create(&path).unwrap().close().unwrap();
    let mut forge = Forge { bytes: fs::read(&path).unwrap() };
    let root = forge.checkpoint().0 as usize;
    // Behind the tag; and the volatile field, which checksums take for zero.
    forge.put(root + 16 + 3, &[1]);
    forge.seal_node(root);
    forge.put(root + 16 + 16, &[5]);
    fs::write(&path, &forge.bytes).unwrap();
    let pool = options().open_read_only(&path).unwrap();
    assert_eq!(pool.snapshot().visits, 0);
    pool.check().unwrap();
    drop(pool);
    let pool = options().open(&path).unwrap();
    assert_eq!(pool.snapshot().visits, 0);
    pool.check().unwrap();
}

/// Pools to be mutated: killed, killed with Buffered sections that nobody had flushed, closed.
fn specimens(path: &Path) -> Vec<Specimen> {
    let pool = WorldPool::options().size_bytes(WorldPool::MIN_BYTES).reserve_bytes(8 << 20);
    let pool = pool.force_dax(true).seed(3).create(path).unwrap();
    let mut random = Random::new(3);
    let mut model = Model::default();
    let mut run = |pool: &WorldPool, durability, sections| {
        for _ in 0..sections {
            let ops: Vec<Op> = (0..=random.below(4)).map(|_| Op::random(&mut random, 30, &model)).collect();
            pool.fase(durability, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok::<_, FaseFault>(())
            })
            .unwrap();
            model = model.after(&ops);
        }
    };
    let take = |pool: &WorldPool, name| {
        let nodes = pool.nodes().unwrap();
        let nodes = nodes.iter().map(|node| (node.offset as usize, node.len_bytes as usize)).collect();
        Specimen { name, forge: Forge { bytes: fs::read(path).unwrap() }, nodes }
    };
    run(&pool, Durability::Immediate, 60);
    let killed = take(&pool, "killed");
    run(&pool, Durability::Buffered, 20);
    let buffered = take(&pool, "buffered");
    let mut closed = take(&pool, "closed");
    pool.close().unwrap();
    closed.forge.bytes = fs::read(path).unwrap();
    vec![killed, buffered, closed]
}

/// Changes of a world that follow no chain of pointers: a chain that an enemy made may have no end.
fn use_up(pool: &WorldPool, random: &mut Random) {
    for _ in 0..6 {
        let ops =
            [Op::Push(1), Op::Pop, Op::Keep(0), Op::Swap(1), Op::Forget(2), Op::Double, Op::Halve, Op::Clear];
        let picked: Vec<&Op> = (0..4).map(|_| &ops[random.below(ops.len() as u64) as usize]).collect();
        let result = pool.fase(Durability::Immediate, |tx, world| {
            // The sum of ticks of a stranger may be the last number there is.
            world.ticks = 0;
            picked.iter().for_each(|op| world.apply(tx, op));
            Ok(())
        });
        assert!(matches!(result, Ok(()) | Err(FaseFault::OutOfSpace { .. })), "{result:?}");
    }
}

/// If this failed, some file would crash, hang or mislead the program that opens it, or be spoilt by its use.
#[test]
fn mutated_pools_are_refused_or_can_be_used_and_opened_again() {
    const IMAGES: u64 = 2000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mutated.pool");
    let specimens = specimens(&path);
    let mut random = Random::for_test("mutated_pools_are_refused_or_can_be_used_and_opened_again", 1);
    let (mut refused, mut opened) = (0, 0);
    for image in 0..IMAGES {
        let specimen = &specimens[random.below(3) as usize];
        let other = &specimens[random.below(3) as usize].forge;
        let mut forge = mutate(&mut random, specimen, other);
        if random.one_in(4) {
            seal(&mut forge);
        }
        fs::write(&path, &forge.bytes).unwrap();
        let verify = random.one_in(2);
        let options =
            || WorldPool::options().verify_checksums(verify).threads(1).limit_bytes(1 << 20).force_dax(true);
        let for_reading = options().open_read_only(&path).map(|pool| pool.check().map(|report| report.nodes));
        assert!(fs::read(&path).unwrap() == forge.bytes, "image {image}: reading changed the file");
        let pool = match (options().open(&path), for_reading) {
            (Ok(pool), Ok(_)) => pool,
            (Err(_), Err(_)) => {
                assert!(fs::read(&path).unwrap() == forge.bytes, "image {image}: a refusal changed the file");
                refused += 1;
                continue;
            }
            (for_writing, for_reading) => {
                panic!("image {image} ({}): {for_writing:?}, for reading {for_reading:?}", specimen.name)
            }
        };
        opened += 1;
        use_up(&pool, &mut random);
        // Sums may be wrong that nobody compared; the graph is not.
        let report = pool.check();
        assert!(!verify || report.is_ok(), "image {image} ({}): {report:?}", specimen.name);
        assert!(report.is_ok_and(|report| report.unallocated_lines == 0) || !verify);
        drop(pool);
        let again = WorldPool::options().force_dax(true).threads(1).open(&path);
        assert!(again.is_ok(), "image {image} ({}): after use {again:?}", specimen.name);
    }
    println!("{refused} refused, {opened} opened");
    assert!(
        refused > 400 && opened > 400,
        "the mutations are too one-sided: {refused} refused, {opened} opened"
    );
}
