//! Recursive user types: a map in its own values.

use pmem_runtime::{Map, P, Persistent, Pool, persist_fase};

/// A value that may hold a map of such values.
#[derive(Persistent, Debug, PartialEq, Default)]
#[repr(C, u8)]
enum Json<'p> {
    #[default]
    Null,
    Number(f64),
    Pair(P<'p, (Json<'p>, Json<'p>)>),
    Object(Map<'p, u64, Json<'p>>),
}

/// If this failed, users could not put a map into the values of a map.
#[test]
fn a_map_may_hold_maps_of_its_own_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("json.pool");
    let pool = Pool::<Json>::options().create(&path).unwrap();
    persist_fase!(pool, |tx, json| {
        let mut object = Map::new();
        for key in 0..100 {
            let inner = Map::from_iter(tx, (0..key).map(|each| (each, Json::Number(each as f64))));
            object.insert(tx, key, Json::Object(inner));
        }
        object.insert(tx, 1000, Json::Pair(P::new(tx, (Json::Null, Json::Number(0.5)))));
        *json = Json::Object(object);
        Ok(())
    })
    .unwrap();
    drop(pool);
    let pool = Pool::<Json>::options().open(&path).unwrap();
    let before = pool.snapshot();
    persist_fase!(pool, |tx, json| {
        let Json::Object(object) = json else { pmem_runtime::abort!("an object") };
        let Some(Json::Object(inner)) = object.get_mut(tx, &50) else { pmem_runtime::abort!("an object") };
        inner.insert(tx, 3, Json::Null);
        Ok(())
    })
    .unwrap();
    let (now, then) = (pool.snapshot(), before);
    let (Json::Object(now), Json::Object(then)) = (&*now, &*then) else { panic!("both are objects") };
    now.check().unwrap();
    let Json::Object(inner) = &now[&50] else { panic!("an object") };
    assert_eq!((inner.get(&3), inner.get(&4)), (Some(&Json::Null), Some(&Json::Number(4.0))));
    assert_eq!(then.diff(now).count(), 1);
    assert_ne!(now, then);
    let report = pool.check().unwrap();
    assert_eq!(report.unallocated_lines, 0);
}

/// If this failed, a value that is not equal to itself would be called equal for lying in a shared node.
#[test]
fn a_map_with_a_nan_is_not_equal_to_itself() {
    let pool = Pool::<Map<u64, f64>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| {
        map.extend(tx, (0..100).map(|key| (key, key as f64)));
        assert!(*map == map.share(tx));
        map.insert(tx, 50, f64::NAN);
        assert!(*map != map.share(tx));
        Ok(())
    })
    .unwrap();
}
