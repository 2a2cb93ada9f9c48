//! Collections to and from a serde format.
#![cfg(feature = "serde")]

use pmem_runtime::collections::serde::Load;
use pmem_runtime::{
    Bytes, FaseError, Map, OrdMap, OrdSet, P, Persistent, Pool, PriorityQueue, Queue, Set, Stack, Text,
    Vector, persist_fase,
};
use serde_json::{Deserializer, Value, json};

/// Reads a collection into a new pool, and writes it again.
fn there_and_back<R>(input: &Value) -> Result<Value, FaseError>
where
    R: Persistent + 'static,
    for<'f> R::At<'f>: Load<'f> + Default + serde::Serialize,
{
    let pool = Pool::<R>::options().volatile().unwrap();
    let text = input.to_string();
    persist_fase!(pool, |tx, root| {
        *root = Load::load(tx, &mut Deserializer::from_str(&text))?;
        Ok(())
    })?;
    let written = serde_json::to_value(&*pool.snapshot()).unwrap();
    drop(pool);
    Ok(written)
}

/// If this failed, what was read from a file would not be what was in it.
#[test]
fn collections_come_back_as_they_were() {
    let numbers = json!([3, 1, 2, 70000]);
    assert_eq!(there_and_back::<Vector<'static, u32>>(&numbers).unwrap(), numbers);
    assert_eq!(there_and_back::<Queue<'static, u32>>(&numbers).unwrap(), numbers);
    assert_eq!(there_and_back::<Stack<'static, u32>>(&numbers).unwrap(), numbers);
    assert_eq!(there_and_back::<OrdSet<'static, u32>>(&numbers).unwrap(), json!([1, 2, 3, 70000]));
    let mut set: Vec<u64> =
        serde_json::from_value(there_and_back::<Set<'static, u64>>(&numbers).unwrap()).unwrap();
    set.sort_unstable();
    assert_eq!(set, [1, 2, 3, 70000]);
    let mut heap: Vec<u64> =
        serde_json::from_value(there_and_back::<PriorityQueue<'static, u64>>(&numbers).unwrap()).unwrap();
    heap.sort_unstable();
    assert_eq!(heap, [1, 2, 3, 70000]);
    assert_eq!(there_and_back::<Bytes<'static>>(&json!([0, 255, 7])).unwrap(), json!([0, 255, 7]));

    let long = "ß".repeat(5_000);
    let nested = json!({"a": [], "b": ["short", long]});
    assert_eq!(
        there_and_back::<Map<'static, Text<'static>, Vector<'static, Text<'static>>>>(&nested).unwrap(),
        nested
    );
    assert_eq!(
        there_and_back::<OrdMap<'static, Text<'static>, Vector<'static, Text<'static>>>>(&nested).unwrap(),
        nested
    );
    type Boxed = Vector<'static, P<'static, Option<u8>>>;
    let optional = json!([null, 5]);
    // `Option` of what needs no pool is read by its own `Deserialize`.
    assert_eq!(there_and_back::<Boxed>(&optional).unwrap(), optional);
}

/// If this failed, half of a bad file would be in the pool, or its memory lost.
#[test]
fn bad_input_leaves_nothing() {
    let pool = Pool::<Vector<'static, u64>>::options().volatile().unwrap();
    let before = pool.used_bytes();
    let many: String = (0..5_000).map(|number| format!("{number},")).collect();
    for bad in [format!("[{many} \"no number\"]"), format!("[{many}"), "{}".to_owned()] {
        let result = persist_fase!(pool, |tx, root| -> Result<(), FaseError> {
            *root = Load::load(tx, &mut Deserializer::from_str(&bad))?;
            Ok(())
        });
        assert!(result.unwrap_err().downcast_ref::<serde_json::Error>().is_some());
        assert!(pool.snapshot().is_empty());
        assert_eq!(pool.used_bytes(), before);
    }
}
