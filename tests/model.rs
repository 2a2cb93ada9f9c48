//! Random operations on a pool and on a plain model of it, with closing and reopening at random moments.

mod support;

use std::path::Path;

use pmem_runtime::persist_fase;
use support::Random;
use support::degrees::{assert_exact, assert_sound};
use support::model::{Model, Op};
use support::world::WorldPool;

/// Where the pool lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    File,
    Dax,
    Volatile,
}

/// How the pool is left before it is opened again.
#[derive(Clone, Copy, Debug)]
enum Leave {
    Close,
    Drop,
    /// A copy of the open file: what a killed process leaves.
    Copy,
}

fn open(place: Place, path: &Path, random: &mut Random) -> WorldPool {
    let options = WorldPool::options().force_dax(place == Place::Dax).threads(1 + random.below(3) as usize);
    options.verify_checksums(random.one_in(2)).open(path).unwrap()
}

/// Leaves the pool and opens what is there afterwards.
fn reopen(pool: WorldPool, place: Place, path: &Path, random: &mut Random) -> WorldPool {
    let leave = [Leave::Close, Leave::Drop, Leave::Copy][random.below(3) as usize];
    match leave {
        Leave::Close => pool.close().unwrap(),
        Leave::Drop => drop(pool),
        Leave::Copy => {
            let copy = path.with_extension("copy");
            std::fs::copy(path, &copy).unwrap();
            drop(pool);
            std::fs::rename(&copy, path).unwrap();
        }
    }
    open(place, path, random)
}

fn compare_with_the_model(place: Place, sections: u64, seed: u64) {
    let mut random = Random::for_test(&format!("compare_with_the_model {place:?}"), seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.pool");
    let mut pool = match place {
        Place::Volatile => WorldPool::options().volatile().unwrap(),
        Place::File => WorldPool::options().create(&path).unwrap(),
        Place::Dax => WorldPool::options().force_dax(true).create(&path).unwrap(),
    };
    let mut model = Model::default();
    let mut reopened = 0;
    for section in 0..sections {
        let ops: Vec<Op> = (0..=random.below(10)).map(|_| Op::random(&mut random, 300, &model)).collect();
        if random.one_in(3) {
            persist_fase!(pool, durability = Buffered, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok(())
            })
            .unwrap();
        } else {
            persist_fase!(pool, |tx, world| {
                ops.iter().for_each(|op| world.apply(tx, op));
                Ok(())
            })
            .unwrap();
        }
        model = model.after(&ops);
        if section % 64 == 0 {
            assert_sound(&pool);
            assert_eq!(pool.latest().observe(), model, "section {section}");
        }
        if place != Place::Volatile && random.one_in(40) {
            if random.one_in(2) {
                // Else it is up to the copy or the close to make the last buffered sections durable.
                pool.sync().unwrap();
            }
            pool = reopen(pool, place, &path, &mut random);
            reopened += 1;
            assert_exact(&pool);
            assert_eq!(pool.snapshot().observe(), model, "reopened after section {section}");
        }
    }
    assert_sound(&pool);
    assert_eq!(pool.latest().observe(), model);
    println!("{place:?}: {sections} sections, reopened {reopened} times, {} bytes", pool.len_bytes());
}

/// If this failed, a pool on an ordinary file would not hold what was put into it.
#[test]
fn a_pool_on_a_file_is_its_model_across_reopens() {
    compare_with_the_model(Place::File, 1500, 21);
}

/// If this failed, a pool on persistent memory would not hold what was put into it.
#[test]
fn a_pool_on_emulated_dax_is_its_model_across_reopens() {
    compare_with_the_model(Place::Dax, 8000, 22);
}

/// If this failed, comparisons with the volatile medium would compare something else.
#[test]
fn a_volatile_pool_is_its_model() {
    compare_with_the_model(Place::Volatile, 8000, 23);
}
