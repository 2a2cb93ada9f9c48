//! Closing, reopening, copying, moving and damaging pools.

mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pmem_runtime::hw::sim::{Chooser, Replay, SimMedium};
use pmem_runtime::{LastClose, OpenFault, P, Persistent, Pool, persist_fase};
use support::degrees::{assert_exact, assert_sound, degrees_and_counts};
use support::model::{Model, Op};
use support::world::{World, WorldPool};
use support::{Random, child, crash};

/// Runs sections of random operations; returns what the world is then.
fn fill(pool: &WorldPool, random: &mut Random, sections: u64) -> Model {
    let mut model = pool.latest().observe();
    for _ in 0..sections {
        let ops: Vec<Op> = (0..=random.below(10)).map(|_| Op::random(random, 100, &model)).collect();
        persist_fase!(pool, |tx, world| {
            ops.iter().for_each(|op| world.apply(tx, op));
            Ok(())
        })
        .unwrap();
        model = model.after(&ops);
    }
    model
}

fn closed_pool(path: &Path, seed: u64) -> Model {
    let pool = WorldPool::options().size_bytes(WorldPool::MIN_BYTES).force_dax(true).create(path).unwrap();
    let model = fill(&pool, &mut Random::new(seed), 60);
    pool.close().unwrap();
    model
}

/// If this failed, a clean close would lose something, or opening after it would not be what it claims to be.
#[test]
fn a_closed_pool_reopens_with_and_without_marking() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("closed.pool");
    let mut model = closed_pool(&path, 1);
    for round in 0..20 {
        let options = WorldPool::options().force_dax(true);
        let pool = if round % 2 == 0 {
            // SAFETY: nobody but this test writes the file, and only through pools.
            unsafe { options.trust_clean_close() }.open(&path).unwrap()
        } else {
            options.open(&path).unwrap()
        };
        assert_eq!(pool.recovery().last_close, LastClose::Clean, "{}", pool.recovery());
        assert_eq!(
            pool.recovery().nodes == 0,
            round % 2 == 0,
            "a trusted close needs no marking: {}",
            pool.recovery()
        );
        assert_eq!(pool.snapshot().observe(), model);
        assert_exact(&pool);
        model = fill(&pool, &mut Random::new(round), 30);
        assert_sound(&pool);
        pool.close().unwrap();
    }
}

/// If this failed, a crash after a trusted open would be taken for the clean close before it.
#[test]
fn a_copy_of_an_open_pool_is_not_a_clean_close() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("original.pool"), folder.path().join("copy.pool"));
    closed_pool(&path, 2);
    // SAFETY: nobody but this test writes the file, and only through pools.
    let pool = unsafe { WorldPool::options().force_dax(true).trust_clean_close() }.open(&path).unwrap();
    let model = fill(&pool, &mut Random::new(3), 20);
    fs::copy(&path, &copy).unwrap();
    // SAFETY: the copy is as the pool left it.
    let second = unsafe { WorldPool::options().force_dax(true).trust_clean_close() }.open(&copy).unwrap();
    assert_eq!(second.recovery().last_close, LastClose::Crash);
    assert_eq!(second.snapshot().observe(), model);
    assert_exact(&second);
}

/// If this failed, a pool could not be opened beside its own copy, or the copy would point into the original.
#[test]
fn copies_of_an_open_pool_open_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("original.pool");
    let original = WorldPool::options().force_dax(true).create(&path).unwrap();
    let mut random = Random::for_test("copies_of_an_open_pool_open_beside_it", 4);
    let model = fill(&original, &mut random, 200);
    let mut copies = Vec::new();
    for number in 0..3 {
        let copy = folder.path().join(format!("copy{number}.pool"));
        fs::copy(&path, &copy).unwrap();
        let pool = WorldPool::options().force_dax(true).verify_checksums(true).open(&copy).unwrap();
        assert!(pool.recovery().moved.is_some(), "{}", pool.recovery());
        assert_eq!(pool.snapshot().observe(), model);
        assert_exact(&pool);
        copies.push((copy, pool));
    }
    let models: Vec<Model> = copies
        .iter()
        .enumerate()
        .map(|(number, (_, pool))| fill(pool, &mut Random::new(number as u64), 50))
        .collect();
    assert_eq!(original.snapshot().observe(), model, "the original changed with its copies");
    let later = fill(&original, &mut random, 50);
    for ((_, pool), model) in copies.iter().zip(&models) {
        assert_eq!(pool.snapshot().observe(), *model);
        assert_sound(pool);
    }
    assert_sound(&original);
    drop(original);
    for ((copy, pool), model) in copies.into_iter().zip(models) {
        pool.close().unwrap();
        let pool = WorldPool::options().force_dax(true).verify_checksums(true).open(&copy).unwrap();
        assert_eq!(pool.snapshot().observe(), model);
        assert_exact(&pool);
    }
    let original = WorldPool::options().force_dax(true).open(&path).unwrap();
    assert_eq!(original.snapshot().observe(), later);
    assert_exact(&original);
}

/// If this failed, a crash during a relocation would leave pointers of two bases and no one who knows.
#[test]
fn an_interrupted_relocation_is_run_again() {
    let mut random = Random::for_test("an_interrupted_relocation_is_run_again", 5);
    let (sim, original) = crash::create(crash::options());
    let model = fill(&original, &mut random, 12);
    let image = sim.crash_image(sim.event_count(), Chooser::None);

    let moving = Arc::new(SimMedium::from_image(image.clone()));
    let moved = crash::options().open_simulated(&moving).unwrap();
    assert!(moved.recovery().moved.is_some(), "the base is taken: {}", moved.recovery());
    assert_eq!(moved.snapshot().observe(), model);
    let mut replay = Replay::new(image);
    let mut images = Vec::new();
    for event in moving.events() {
        replay.apply(&event);
        let seeded = (0..2).map(|_| Chooser::Seeded(random.next()));
        images.extend(
            [Chooser::None, Chooser::All].into_iter().chain(seeded).map(|chooser| replay.image(chooser)),
        );
    }
    let check = |image: &Vec<u8>, what: &str| {
        let (_, pool) = match crash::open(image.clone()) {
            // A relocation between two bases can only be finished where one of them is free.
            Err(refusal) if what == "both bases taken" => {
                assert!(refusal.contains("both bases of an interrupted relocation are taken"), "{refusal}");
                return;
            }
            opened => opened.unwrap_or_else(|wrong| panic!("{what}: {wrong}")),
        };
        assert_eq!(pool.snapshot().observe(), model, "{what}");
        assert_exact(&pool);
    };
    images.iter().for_each(|image| check(image, "both bases taken"));
    drop(moved);
    images.iter().for_each(|image| check(image, "the old base taken"));
    drop(original);
    images.iter().for_each(|image| check(image, "both bases free"));
    println!("{} states of a relocation", images.len() * 3);
}

/// Has a field that means nothing after a crash.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Session {
    durable: u64,
    #[persistent(volatile)]
    visitors: u64,
}

/// The same, inside a node.
#[derive(Persistent, Debug, Default)]
#[repr(C)]
struct Site<'p> {
    session: Option<P<'p, Session>>,
    #[persistent(volatile)]
    open_since: u64,
    name: u64,
}

type SitePool = Pool<Site<'static>>;

/// If this failed, what belongs to one run of the program would come back in the next.
#[test]
fn volatile_fields_are_reset_at_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.pool");
    let pool = SitePool::options().force_dax(true).create(&path).unwrap();
    persist_fase!(pool, |tx, site| {
        *site =
            Site { session: Some(P::new(tx, Session { durable: 1, visitors: 2 })), open_since: 3, name: 4 };
        Ok(())
    })
    .unwrap();
    assert_eq!(pool.snapshot().open_since, 3);
    for (number, (is_clean, is_trusted)) in
        [(false, false), (true, false), (true, true)].into_iter().enumerate()
    {
        let copy = folder.path().join(format!("copy{number}.pool"));
        fs::copy(&path, &copy).unwrap();
        let options = || SitePool::options().force_dax(true).verify_checksums(true);
        if is_clean {
            let pool = options().open(&copy).unwrap();
            persist_fase!(pool, |tx, site| {
                (site.open_since, site.session.as_mut().unwrap().make_mut(tx).visitors) = (30, 20);
                Ok(())
            })
            .unwrap();
            pool.close().unwrap();
        }
        // SAFETY: nobody but this test writes the file, and only through pools.
        let options = || if is_trusted { unsafe { options().trust_clean_close() } } else { options() };
        let bytes = fs::read(&copy).unwrap();
        for is_for_reading in [true, false] {
            let pool = match is_for_reading {
                true => options().open_read_only(&copy).unwrap(),
                false => options().open(&copy).unwrap(),
            };
            let site = pool.snapshot();
            assert_eq!((site.open_since, site.name), (0, 4));
            let session = site.session.as_ref().unwrap();
            assert_eq!((session.durable, session.visitors), (1, 0));
            pool.check().unwrap();
            drop(site);
            drop(pool);
            let is_same = fs::read(&copy).unwrap() == bytes;
            assert!(is_same || !is_for_reading, "a pool opened for reading was written to");
        }
    }
}

mod changed {
    //! The same names with other fields.

    use pmem_runtime::{P, Persistent, Pool};

    #[derive(Persistent, Debug, Default)]
    #[repr(C)]
    pub(crate) struct Session {
        durable: u32,
        kind: u32,
        #[persistent(volatile)]
        visitors: u64,
    }

    #[derive(Persistent, Debug, Default)]
    #[repr(C)]
    pub(crate) struct Site<'p> {
        session: Option<P<'p, Session>>,
        #[persistent(volatile)]
        open_since: u64,
        title: u64,
    }

    pub(crate) type SitePool = Pool<Site<'static>>;
}

/// If this failed, a program of another version would read bytes as what they are not, or not learn why it may not.
#[test]
fn another_root_type_is_refused_with_the_difference_field_by_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.pool");
    SitePool::options().create(&path).unwrap().close().unwrap();
    let bytes = fs::read(&path).unwrap();
    let error = changed::SitePool::options().open(&path).map(|_| ()).unwrap_err();
    let text = error.to_string();
    println!("{text}");
    for word in ["Site", "name", "title", "Session", "durable", "kind", "u32", "u64"] {
        assert!(text.contains(word), "the difference does not mention {word}:\n{text}");
    }
    assert!(WorldPool::options().open(&path).is_err());
    assert!(fs::read(&path).unwrap() == bytes, "a refused file was changed");
    SitePool::options().open(&path).unwrap();
}

/// If this failed, a rotten byte would be handed to the program as its data.
#[test]
fn a_flipped_payload_byte_is_noticed_when_checksums_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rot.pool");
    closed_pool(&path, 6);
    let pool = WorldPool::options().force_dax(true).open(&path).unwrap();
    let nodes = pool.nodes().unwrap();
    pool.close().unwrap();
    let whole = fs::read(&path).unwrap();
    let mut random = Random::for_test("a_flipped_payload_byte_is_noticed", 7);
    for node in &nodes {
        let mut bytes = whole.clone();
        let at = node.offset as usize + 16 + random.below(u64::from(node.len_bytes)) as usize;
        bytes[at] ^= 1 << random.below(8);
        fs::write(&path, &bytes).unwrap();
        let result = WorldPool::options().force_dax(true).verify_checksums(true).open(&path);
        let error = result.map(|_| ()).expect_err("a flipped bit went unnoticed");
        assert!(matches!(error, OpenFault::Damaged { .. }), "{error:?}");
        assert!(fs::read(&path).unwrap() == bytes, "a refused file was changed: {error}");
    }
    println!("{} nodes, one flipped bit in each", nodes.len());
}

/// The child's half: opens damaged images and reads whatever opens.
fn read_damaged(folder: &str) {
    let path = Path::new(folder).join("closed.pool");
    let whole = fs::read(&path).unwrap();
    let damaged = Path::new(folder).join("damaged.pool");
    let mut random = Random::for_test("read_damaged", 8);
    let pool = WorldPool::options().force_dax(true).open(&path).unwrap();
    let nodes = pool.nodes().unwrap();
    drop(pool);
    // Positions that matter: the pages before the heap, headers and payloads of nodes; and some that do not.
    let heap = nodes.iter().map(|node| node.offset).min().unwrap();
    let used =
        whole[..heap as usize].iter().enumerate().filter(|(_, byte)| **byte != 0).map(|(at, _)| at as u64);
    let mut positions: Vec<u64> = used.collect();
    positions.extend(nodes.iter().flat_map(|node| node.offset..node.offset + 16 + u64::from(node.len_bytes)));
    positions.extend((0..500).map(|_| random.below(whole.len() as u64)));
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            let at = positions[random.below(positions.len() as u64) as usize] as usize;
            bytes[at] = if random.one_in(2) { bytes[at] ^ 1 << random.below(8) } else { random.next() as u8 };
        }
        fs::write(&damaged, &bytes).unwrap();
        let verify = random.one_in(2);
        match WorldPool::options().force_dax(true).verify_checksums(verify).open(&damaged) {
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
            Ok(pool) => {
                opened += 1;
                // A flipped pointer may make a ring of a list, which only checksums show: visit each node once.
                degrees_and_counts(&pool);
                let _ = pool.check();
                if verify {
                    std::hint::black_box(format!("{:?}", *pool.snapshot()).len());
                    std::hint::black_box(pool.snapshot().observe());
                    let op = Op::Insert(random.below(100), 1);
                    let _ = persist_fase!(pool, |tx, world| {
                        world.apply(tx, &op);
                        world.apply(tx, &Op::Pop);
                        Ok(())
                    });
                }
            }
        }
    }
    println!("damaged: {opened} opened, {refused} refused");
}

/// If this failed, a damaged file could crash a program, or make it read what is not a value (law 8).
#[test]
fn damaged_files_open_or_are_refused_and_never_crash() {
    if let Some(folder) = child::argument() {
        read_damaged(&folder);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    closed_pool(&folder.path().join("closed.pool"), 9);
    let name = "damaged_files_open_or_are_refused_and_never_crash";
    let output = child::run(name, folder.path().to_str().unwrap());
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}\n{complained}", output.status);
    let result = said.lines().find(|line| line.starts_with("damaged:")).expect("the child reports");
    println!("{result}");
    let numbers: Vec<u64> =
        result.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    assert!(numbers[0] > 50 && numbers[1] > 50, "both outcomes were to be seen: {result}");
}

/// If this failed, a pool cut short or with a tail would be read beyond its end.
#[test]
fn a_file_of_another_length_opens_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("length.pool");
    let model = closed_pool(&path, 10);
    let whole = fs::read(&path).unwrap();
    for len in (0..whole.len()).step_by(whole.len() / 40) {
        fs::write(&path, &whole[..len]).unwrap();
        let error =
            WorldPool::options().force_dax(true).open(&path).map(|_| ()).expect_err("it was cut short");
        assert!(!error.to_string().is_empty());
        assert_eq!(fs::metadata(&path).unwrap().len(), len as u64, "a refused file was changed");
    }
    fs::write(&path, &whole).unwrap();
    let pool = WorldPool::options().force_dax(true).open(&path).unwrap();
    assert_eq!(pool.snapshot().observe(), model);
    let _: &World<'_> = &pool.snapshot();
}
