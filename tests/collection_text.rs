//! Texts in pools: random operations beside a `String`, what `str` promises, crashes, and what an edit writes.

#[path = "collection_text/model.rs"]
mod model;
mod support;

use std::path::Path;

use model::{Model, Op, World};
use pmem_runtime::{Pool, abort, persist_fase};
use support::Random;

type WorldPool = Pool<World<'static>>;

fn assert_same(pool: &WorldPool, model: &Model) {
    let now = pool.latest();
    for (text, expected) in now.texts().zip(model.texts()) {
        assert_eq!(text.check(), Ok(()));
        assert_eq!(text.len(), expected.len());
        assert!(*text == *expected, "{text:?} is not {expected:?}");
    }
}

fn assert_exact(pool: &WorldPool) {
    let report = pool.check().unwrap();
    assert_eq!((report.refcounts_off, report.unreachable_lines), (0, 0), "{report:?}");
}

fn reopen(pool: WorldPool, path: &Path, random: &mut Random) -> WorldPool {
    if random.one_in(2) {
        pool.close().unwrap();
    } else {
        drop(pool);
    }
    WorldPool::options().force_dax(true).verify_checksums(true).open(path).unwrap()
}

fn compare_with_the_model(seed: u64, ops: usize) {
    let mut random = Random::for_test("compare_with_the_model", seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.pool");
    let mut pool = WorldPool::options().force_dax(true).create(&path).unwrap();
    let mut model = Model::default();
    let mut done = 0;
    let (mut lens, mut sections) = (0, 0);
    while done < ops {
        let batch: Vec<Op> = (0..=random.below(6)).map(|_| Op::random(&mut random)).collect();
        done += batch.len();
        if random.one_in(12) {
            let result = persist_fase!(pool, |tx, world| {
                batch.iter().for_each(|op| world.apply(tx, op));
                if world.ticks < u64::MAX {
                    abort!("on purpose");
                }
                Ok(())
            });
            assert!(result.is_err_and(|error| error.aborted().is_some()));
        } else {
            let steps = persist_fase!(pool, |tx, world| {
                let mut after = model.clone();
                for op in &batch {
                    world.apply(tx, op);
                    after.apply(op);
                    assert_eq!(world.text.check(), Ok(()), "{op:?}");
                    assert!(world.text == *after.text, "{op:?}");
                }
                Ok(after)
            });
            model = steps.unwrap();
        }
        assert_same(&pool, &model);
        lens += model.text.len();
        sections += 1;
        if random.one_in(100) {
            pool = reopen(pool, &path, &mut random);
            assert_exact(&pool);
            assert_same(&pool, &model);
        }
    }
    println!("{done} operations on texts of {} bytes in the mean", lens / sections);
    persist_fase!(pool, |_tx, world| {
        *world = World::default();
        Ok(())
    })
    .unwrap();
    pool = reopen(pool, &path, &mut random);
    assert_exact(&pool);
    assert_eq!(pool.check().unwrap().nodes, 1, "only the root is left");
}

/// If this failed, a text would not be what a `String` is after the same edits, or a kept version would change.
#[test]
fn a_text_is_a_string_across_sections_and_reopens() {
    for seed in 1..=4 {
        compare_with_the_model(seed, 10_000);
    }
}
