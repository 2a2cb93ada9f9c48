//! The pool's collections.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use pmem_runtime::{
    Bytes, Fase, Map, OrdMap, OrdSet, Persistent, Pool, PriorityQueue, Queue, Set, Stack, Text, Vector,
    persist_fase,
};

use crate::measure::{Row, scattered, timed};
use crate::volatile;

/// Elements of a section while loading.
const BATCH: usize = 1_000;
/// Sections that are measured one by one.
const SINGLES: usize = 20_000;
/// Where emulated persistent memory is, if the machine has it.
const MEMORY: &str = "/dev/shm";

/// One of the pool's collections, and what it is compared with.
pub(crate) struct Group {
    pub(crate) pooled: fn(usize) -> Result<Row, Box<dyn Error>>,
    pub(crate) beside: &'static [fn(usize) -> Row],
}

pub(crate) const GROUPS: &[Group] = &[
    Group { pooled: map, beside: &[volatile::std_hash_map, volatile::imbl_hash_map] },
    Group { pooled: set, beside: &[volatile::std_hash_set, volatile::imbl_hash_set] },
    Group { pooled: ord_map, beside: &[volatile::std_btree_map, volatile::imbl_ord_map] },
    Group { pooled: ord_set, beside: &[volatile::std_btree_set, volatile::imbl_ord_set] },
    Group { pooled: vector, beside: &[volatile::std_vec, volatile::imbl_vector] },
    Group { pooled: queue, beside: &[volatile::std_vec_deque] },
    Group { pooled: stack, beside: &[] },
    Group { pooled: priority_queue, beside: &[volatile::std_binary_heap] },
    Group { pooled: text, beside: &[volatile::std_string] },
    Group { pooled: bytes, beside: &[volatile::std_bytes] },
];

/// What the pools of this program lie on.
pub(crate) fn medium() -> &'static str {
    match Path::new(MEMORY).is_dir() {
        true => "a file in memory, written back and fenced like persistent memory",
        false => "no file, since there is no /dev/shm: nothing is written back",
    }
}

/// Makes a pool, runs `work` on it, and removes it.
fn with_pool<R>(work: impl FnOnce(&Pool<R>) -> Result<Row, Box<dyn Error>>) -> Result<Row, Box<dyn Error>>
where
    R: Persistent + 'static,
    for<'f> R::At<'f>: Default,
{
    let path = Path::new(MEMORY).join(format!("footprint-{}.pool", std::process::id()));
    let options = Pool::<R>::options();
    if !Path::new(MEMORY).is_dir() {
        return work(&options.volatile()?);
    }
    let pool = options.force_dax(true).create(&path)?;
    let row = work(&pool);
    drop(pool);
    std::fs::remove_file(&path)?;
    row
}

/// Measures a collection: loads it, then inserts one element a section.
macro_rules! measure {
    ($name:literal, $collection:ty, $elements:expr, $insert:expr, get: $get:expr, iterate: $iterate:expr) => {
        with_pool::<$collection>(|pool| {
            let elements = $elements;
            let (bulk_ns, loaded) = timed(elements, || -> Result<(), Box<dyn Error>> {
                for first in (0..elements).step_by(BATCH) {
                    persist_fase!(pool, |tx, root| {
                        (first..elements.min(first + BATCH)).for_each(|index| $insert(tx, root, index));
                        Ok(())
                    })?;
                }
                Ok(())
            });
            loaded?;
            let bytes = pool.check()?.bytes as f64 / elements as f64;
            let get: Option<fn(&$collection, usize) -> bool> = $get;
            let now = pool.snapshot();
            let get_ns = get.map(|get| {
                let (ns, found) = timed(elements, || (0..elements).filter(|index| get(&now, *index)).count());
                assert_eq!(found, elements, "{} has what was put there", $name);
                ns
            });
            let iterate: fn(&$collection) -> u64 = $iterate;
            let (iterate_ns, sum) = timed(elements, || iterate(&now));
            black_box(sum);
            drop(now);

            let before = pool.counters();
            let (insert_ns, inserted) = timed(SINGLES, || -> Result<(), Box<dyn Error>> {
                for index in elements..elements + SINGLES {
                    persist_fase!(pool, |tx, root| {
                        $insert(tx, root, index);
                        Ok(())
                    })?;
                }
                Ok(())
            });
            inserted?;
            let lines = pool.counters().lines_written_back - before.lines_written_back;
            Ok(Row {
                name: $name,
                bytes,
                lines: Some(lines as f64 / SINGLES as f64),
                bulk_ns,
                insert_ns: Some(insert_ns),
                get_ns,
                iterate_ns: Some(iterate_ns),
            })
        })
    };
}

fn map(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn insert<'f>(tx: &Fase<'f>, map: &mut Map<'f, u64, u64>, index: usize) {
        map.insert(tx, scattered(index), 1);
    }
    measure!("Map", Map<'static, u64, u64>, elements, insert,
        get: Some(|map, index| map.contains_key(&scattered(index))),
        iterate: |map| map.values().sum())
}

fn set(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn insert<'f>(tx: &Fase<'f>, set: &mut Set<'f, u64>, index: usize) {
        set.insert(tx, scattered(index));
    }
    measure!("Set", Set<'static, u64>, elements, insert,
        get: Some(|set, index| set.contains(&scattered(index))),
        iterate: |set| set.iter().fold(0, |sum, value| sum ^ value))
}

fn ord_map(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn insert<'f>(tx: &Fase<'f>, map: &mut OrdMap<'f, u64, u64>, index: usize) {
        map.insert(tx, scattered(index), 1);
    }
    measure!("OrdMap", OrdMap<'static, u64, u64>, elements, insert,
        get: Some(|map, index| map.contains_key(&scattered(index))),
        iterate: |map| map.values().sum())
}

fn ord_set(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn insert<'f>(tx: &Fase<'f>, set: &mut OrdSet<'f, u64>, index: usize) {
        set.insert(tx, scattered(index));
    }
    measure!("OrdSet", OrdSet<'static, u64>, elements, insert,
        get: Some(|set, index| set.contains(&scattered(index))),
        iterate: |set| set.iter().fold(0, |sum, value| sum ^ value))
}

fn vector(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn push<'f>(tx: &Fase<'f>, vector: &mut Vector<'f, u64>, index: usize) {
        vector.push_back(tx, index as u64);
    }
    measure!("Vector", Vector<'static, u64>, elements, push,
        get: Some(|vector, index| vector[scattered(index) as usize % vector.len()] < u64::MAX),
        iterate: |vector| vector.iter().sum())
}

fn queue(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn push<'f>(tx: &Fase<'f>, queue: &mut Queue<'f, u64>, index: usize) {
        queue.push_back(tx, index as u64);
    }
    measure!("Queue", Queue<'static, u64>, elements, push, get: None, iterate: |queue| queue.iter().sum())
}

fn stack(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn push<'f>(tx: &Fase<'f>, stack: &mut Stack<'f, u64>, index: usize) {
        stack.push(tx, index as u64);
    }
    measure!("Stack", Stack<'static, u64>, elements, push, get: None, iterate: |stack| stack.iter().sum())
}

fn priority_queue(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn push<'f>(tx: &Fase<'f>, queue: &mut PriorityQueue<'f, u64>, index: usize) {
        queue.push(tx, scattered(index));
    }
    measure!("PriorityQueue", PriorityQueue<'static, u64>, elements, push, get: None,
        iterate: |queue| queue.iter().fold(0, |sum, value| sum ^ value))
}

fn text(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn push<'f>(tx: &Fase<'f>, text: &mut Text<'f>, index: usize) {
        text.push(tx, char::from(b'a' + (index % 26) as u8));
    }
    measure!("Text", Text<'static>, elements, push, get: None, iterate: |text| text.chars().map(u64::from).sum())
}

fn bytes(elements: usize) -> Result<Row, Box<dyn Error>> {
    fn push<'f>(tx: &Fase<'f>, bytes: &mut Bytes<'f>, index: usize) {
        bytes.push(tx, index as u8);
    }
    measure!("Bytes", Bytes<'static>, elements, push, get: None,
        iterate: |bytes| bytes.iter().map(|byte| u64::from(*byte)).sum())
}
