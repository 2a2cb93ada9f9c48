//! Smoke.
use pmem_runtime::{P, Persistent, Pool, persist_fase};

#[derive(Persistent, Debug)]
#[repr(C)]
struct Cons<'p> {
    next: Option<P<'p, Cons<'p>>>,
    value: u64,
    small: u8,
}

#[derive(Persistent, Default, Debug)]
#[repr(C)]
struct Root<'p> {
    head: Option<P<'p, Cons<'p>>>,
    count: u64,
}

#[test]
fn smoke() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("a.pool");
    for round in 0..5 {
        let pool = Pool::<Root>::options().open_or_create(&path)?;
        println!("{:?} {}", pool, pool.recovery());
        for i in 0..1000 {
            persist_fase!(pool, |tx, root| {
                let old = root.head.take();
                root.head = Some(P::new(tx, Cons { next: old, value: i, small: 1 }));
                root.count += 1;
                Ok(())
            })?;
        }
        let snap = pool.snapshot();
        let mut n = 0;
        let mut at = &snap.head;
        while let Some(node) = at {
            n += 1;
            at = &node.next;
        }
        assert_eq!(n, snap.count);
        assert_eq!(n, 1000 * (round + 1));
        println!("{:?} {:?}", pool.counters(), pool.check()?);
    }
    Ok(())
}
