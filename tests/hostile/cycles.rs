//! Trees of which a node is its own descendant, or that are far too deep, or of which one child lies at all places: no section can make
//! one, and each of its nodes is valid by itself.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use pmem_runtime::{
    Bytes, FaseError, Map, MarkError, OpenFault, OrdMap, Persistent, Pool, PriorityQueue, Queue, Stack,
    Vector, persist_fase,
};
use tempfile::TempDir;

use super::PATIENCE;
use super::forge::{BASE, Forge};

/// Makes the children of the topmost inner node that the root owns that node itself.
fn bite_tail(forge: &mut Forge, nodes: &[(usize, usize)]) {
    let base = forge.field(BASE) as usize;
    let root = forge.checkpoint().0 as usize;
    let pointers = |forge: &Forge, node: usize| -> Vec<(usize, usize)> {
        let (_, len_bytes) = nodes.iter().find(|each| each.0 == node).unwrap();
        let slots = (node + 16..node + 16 + len_bytes - 7).step_by(8);
        slots
            .filter_map(|slot| Some((slot, (forge.word(slot) as usize).checked_sub(base)?)))
            .filter(|(_, target)| nodes.iter().any(|each| each.0 == *target))
            .collect()
    };
    let owned = pointers(forge, root);
    let inner = owned.into_iter().map(|(_, node)| node).find(|node| !pointers(forge, *node).is_empty());
    let inner = inner.expect("the tree has an inner node");
    for (slot, _) in pointers(forge, inner) {
        forge.put_word(slot, (base + inner) as u64);
    }
    forge.seal_node(inner);
}

/// Makes each cell of a queue's lists its own successor.
fn close_lists(forge: &mut Forge, nodes: &[(usize, usize)]) {
    let base = forge.field(BASE) as usize;
    // A chunk and the next cell, of which the last one has none.
    let is_cell =
        |forge: &Forge, node: usize| nodes.iter().any(|each| forge.word(node + 16) as usize == base + each.0);
    for (node, len_bytes) in nodes {
        if *len_bytes == 16 && is_cell(forge, *node) {
            forge.put_word(node + 24, (base + node) as u64);
            forge.seal_node(*node);
        }
    }
}

/// Makes the next inner node the child of each at all places, and a leaf that of the last: some words and more paths than anyone can
/// walk. `levelled` is what the head is if levels and ends are written in it.
fn fold(forge: &mut Forge, nodes: &[(usize, usize)], levelled: Option<fn(u64, u64) -> u64>) {
    let base = forge.field(BASE) as usize;
    let root = forge.checkpoint().0 as usize;
    let children = |forge: &Forge, node: usize| -> Vec<usize> {
        let (_, len_bytes) = nodes.iter().find(|each| each.0 == node).unwrap();
        let slots = (node + 24..node + 16 + len_bytes - 7).step_by(8);
        let leads = |slot: &usize| nodes.iter().any(|each| forge.word(*slot) as usize == base + each.0);
        slots.take_while(leads).collect()
    };
    let owned: Vec<usize> = (root + 16..root + 64).step_by(8).map(|slot| forge.word(slot) as usize).collect();
    let is_owned = |node: usize| owned.contains(&(base + node));
    let all = nodes.iter().map(|each| each.0).filter(|node| *node != root);
    let (mut inner, leaves): (Vec<usize>, Vec<usize>) =
        all.partition(|node| !children(forge, *node).is_empty());
    inner.sort_by_key(|node| !is_owned(*node));
    inner.truncate(20);
    assert!(inner.len() >= 10 && is_owned(inner[0]), "the tree is large enough");
    let leaf = leaves.into_iter().find(|node| !is_owned(*node)).expect("the tree has a leaf");
    for (index, node) in inner.iter().enumerate() {
        let slots = children(forge, *node);
        let next = inner.get(index + 1).copied().unwrap_or(leaf);
        slots.iter().for_each(|slot| forge.put_word(*slot, (base + next) as u64));
        if let Some(head) = levelled {
            forge.put_word(node + 16, head(slots.len() as u64, (inner.len() - index) as u64));
        }
        forge.seal_node(*node);
    }
}

fn fold_trie(forge: &mut Forge, nodes: &[(usize, usize)]) {
    fold(forge, nodes, None);
}

fn fold_vector(forge: &mut Forge, nodes: &[(usize, usize)]) {
    fold(forge, nodes, Some(|children, level| children << 16 | level << 48));
}

fn fold_rope(forge: &mut Forge, nodes: &[(usize, usize)]) {
    fold(forge, nodes, Some(|children, level| children << 16 | children << 32 | level << 48));
}

/// Hangs all nodes below each other that are long enough, each but the last with one child, and the levels that this takes.
fn let_down(forge: &mut Forge, nodes: &[(usize, usize)]) {
    let base = forge.field(BASE) as usize;
    let root = forge.checkpoint().0 as usize;
    let is_owned =
        |node: usize| (root + 16..root + 64).step_by(8).any(|slot| forge.word(slot) as usize == base + node);
    // The tree's root is the node that a child's pointer begins behind its head.
    let is_inner = |node: usize| nodes.iter().any(|each| forge.word(node + 24) as usize == base + each.0);
    let top = nodes.iter().map(|each| each.0).find(|node| is_owned(*node) && is_inner(*node));
    let mut chain = vec![top.expect("the tree has an inner node")];
    let others =
        nodes.iter().filter(|(node, len_bytes)| *len_bytes >= 24 && *node != root && !is_owned(*node));
    chain.extend(others.map(|each| each.0));
    let last = chain.len() - 1;
    for (index, node) in chain.iter().enumerate() {
        let level = (last - index) as u64;
        let children = u64::from(index < last);
        forge.put_word(*node + 16, children << 16 | children << 32 | level << 48);
        forge.put_word(*node + 24, chain.get(index + 1).map_or(0, |next| (base + next) as u64));
        // How many elements are under the child: more than are asked for.
        forge.put_word(*node + 32, 1 << 40);
        forge.seal_node(*node);
    }
}

/// Makes a heap's nodes right subtrees of each other, as if that way were not the short one.
fn lean_right(forge: &mut Forge, nodes: &[(usize, usize)]) {
    let base = forge.field(BASE) as usize;
    let root = forge.checkpoint().0 as usize;
    let mut way: Vec<usize> =
        nodes.iter().filter(|each| each.0 != root && each.1 >= 32).map(|each| each.0).collect();
    let left = way.pop().expect("the heap has nodes");
    let mut tops = way.iter().filter(|node| forge.word(root + 16) as usize == base + **node);
    let top = *tops.next_back().expect("the root begins with the heap");
    way.retain(|node| *node != top);
    way.insert(0, top);
    for (index, node) in way.iter().enumerate() {
        let greatest = (way.len() - index) as u64;
        let words = match way.get(index + 1) {
            Some(next) => [1 | 2 << 16 | 1 << 48, (base + left) as u64, (base + next) as u64, greatest],
            None => [1 | 1 << 48, greatest, 0, 0],
        };
        (0..).zip(words).for_each(|(at, word)| forge.put_word(node + 16 + 8 * at, word));
        forge.seal_node(*node);
    }
    forge.put_word(left + 16, 1 | 1 << 48);
    forge.put_word(left + 24, 0);
    forge.seal_node(left);
}

/// The pool after its closed file was forged.
pub(super) fn forged<R: Persistent + 'static>(
    pool: Pool<R>,
    path: &Path,
    forgery: fn(&mut Forge, &[(usize, usize)]),
) -> Pool<R> {
    let nodes = pool.nodes().unwrap();
    let nodes: Vec<_> = nodes.iter().map(|node| (node.offset as usize, node.len_bytes as usize)).collect();
    pool.close().unwrap();
    let mut forge = Forge { bytes: fs::read(path).unwrap() };
    forgery(&mut forge, &nodes);
    fs::write(path, &forge.bytes).unwrap();
    Pool::<R>::options().force_dax(true).open(path).expect("each node is valid by itself")
}

/// Requires that `work` returns or panics: that it neither goes on for ever nor overflows its stack.
fn ends(name: &'static str, work: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        let _ = catch_unwind(AssertUnwindSafe(work));
        let _ = done.send(());
    });
    is_done.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{name} does not end"));
}

/// Requires that `work` returns: reading a forged collection finds less, and does not panic.
pub(super) fn is_read(name: &'static str, work: impl FnOnce() + Send + 'static) {
    let (tell, told) = mpsc::channel();
    ends(name, move || {
        work();
        tell.send(()).unwrap();
    });
    told.recv().unwrap_or_else(|_| panic!("{name} panics"));
}

/// A forged pool of this root, filled by a section.
macro_rules! pool {
    ($root:ty, $forgery:ident, |$tx:ident, $filled:ident| $fill:expr) => {{
        let folder: TempDir = tempfile::tempdir().unwrap();
        let path = folder.path().join("cycle.pool");
        let options = Pool::<$root>::options().size_bytes(1 << 20).reserve_bytes(1 << 30);
        let pool = options.force_dax(true).seed(7).create(&path).unwrap();
        persist_fase!(pool, |$tx, $filled| -> Result<(), FaseError> {
            $fill;
            Ok(())
        })
        .unwrap();
        (forged(pool, &path, $forgery), folder)
    }};
}

/// Requires that each use of a fresh forgery ends, and that reading does not panic.
macro_rules! all_end {
    ($root:ty, $forgery:ident, |$tx:ident, $filled:ident| $fill:expr;
     reading $($reading:literal |$read:ident| $look:expr;)* writing $($writing:literal |$wtx:ident, $to:ident| $change:expr;)*) => {
        $({
            let (pool, _folder) = pool!($root, $forgery, |$tx, $filled| $fill);
            is_read($reading, move || {
                let snapshot = pool.snapshot();
                let $read = &*snapshot;
                let _ = $look;
            });
        })*
        $({
            let (pool, _folder) = pool!($root, $forgery, |$tx, $filled| $fill);
            ends($writing, move || {
                let _ = persist_fase!(pool, |$wtx, $to| -> Result<(), FaseError> {
                    let _ = $change;
                    Ok(())
                });
            });
        })*
    };
}

/// If this failed, a file could keep a program that looks into a map in a loop for ever, or fill its memory.
#[test]
fn a_map_that_contains_itself_is_left_again() {
    all_end! { Map<'static, u64, u64>, bite_tail, |tx, map| for key in 0..2000 { map.insert(tx, key, key); };
        reading
        "Map::get" |map| map.get(&5);
        "Map::iter" |map| map.iter().next();
        "Map::iter from behind" |map| map.iter().next_back();
        "Map::check" |map| map.check();
        writing
        "Map::insert" |tx, map| map.insert(tx, 5, 6);
        "Map::remove" |tx, map| map.remove(tx, &5);
        "Map::iter_mut" |tx, map| map.iter_mut(tx).next();
        "Map::retain" |tx, map| map.retain(tx, |_, _| false);
        "Map::drain" |tx, map| map.drain(tx).next();
    }
}

/// If this failed, a file could keep a program that looks into an ordered map in a loop for ever, or fill its memory.
#[test]
fn an_ordered_map_that_contains_itself_is_left_again() {
    all_end! { OrdMap<'static, u64, u64>, bite_tail, |tx, map| for key in 0..2000 { map.insert(tx, key, key); };
        reading
        "OrdMap::get" |map| map.get(&2001);
        "OrdMap::get_lt" |map| map.get_lt(&0);
        "OrdMap::get_ge" |map| map.get_ge(&2001);
        "OrdMap::first_key_value" |map| (map.first_key_value(), map.last_key_value());
        "OrdMap::iter" |map| map.iter().next();
        "OrdMap::iter from behind" |map| map.iter().next_back();
        "OrdMap::range" |map| map.range(2001..).next();
        "OrdMap::check" |map| map.check();
        writing
        "OrdMap::insert" |tx, map| map.insert(tx, 2001, 6);
        "OrdMap::remove" |tx, map| map.remove(tx, &2001);
        "OrdMap::iter_mut" |tx, map| map.iter_mut(tx).next();
        "OrdMap::retain" |tx, map| map.retain(tx, |_, _| false);
        "OrdMap::split_off" |tx, map| map.split_off(tx, &2001);
    }
}

/// If this failed, a file could keep a program that looks into a vector in a loop for ever, or overflow its stack.
#[test]
fn a_vector_that_contains_itself_is_left_again() {
    all_end! { Vector<'static, u64>, bite_tail, |tx, vector| for value in 0..5000 { vector.push_back(tx, value); };
        reading
        "Vector::get" |vector| vector.get(1);
        "Vector::iter" |vector| vector.iter().next();
        "Vector::iter from behind" |vector| vector.iter().nth_back(100);
        "Vector::check" |vector| vector.check();
        writing
        "Vector::get_mut" |tx, vector| vector.get_mut(tx, 1).is_some();
        "Vector::insert" |tx, vector| vector.insert(tx, 1, 6);
        "Vector::remove" |tx, vector| vector.remove(tx, 1);
        "Vector::iter_mut" |tx, vector| vector.iter_mut(tx).next();
        "Vector::pop_front" |tx, vector| vector.pop_front(tx);
        "Vector::split_off" |tx, vector| vector.split_off(tx, 1);
    }
}

/// If this failed, a file could make an edit of a byte string copy nodes until the pool is full.
#[test]
fn bytes_that_contain_themselves_are_left_again() {
    all_end! { Bytes<'static>, bite_tail, |tx, bytes| bytes.extend_from_slice(tx, &[7; 20_000]);
        reading
        "Bytes::get" |bytes| bytes.get(1);
        "Bytes::to_vec" |bytes| bytes.to_vec();
        "Bytes::iter from behind" |bytes| bytes.iter().next_back();
        "Bytes::find" |bytes| bytes.find(b"8");
        "Bytes::check" |bytes| bytes.check();
        writing
        "Bytes::get_mut" |tx, bytes| bytes.get_mut(tx, 1).is_some();
        "Bytes::split_off" |tx, bytes| bytes.split_off(tx, 1);
    }
}

/// If this failed, a file could make a program overflow its stack, which ends it at once.
#[test]
fn a_tree_deeper_than_any_is_left_again() {
    all_end! { Vector<'static, u64>, let_down, |tx, vector| for value in 0..200_000 { vector.push_back(tx, value); };
        reading
        "Vector::get" |vector| vector.get(1);
        "Vector::check" |vector| vector.check();
        writing
        "Vector::insert" |tx, vector| vector.insert(tx, 1, 6);
        "Vector::split_off" |tx, vector| vector.split_off(tx, 1);
        "Vector::pop_front" |tx, vector| vector.pop_front(tx);
    }
    all_end! { Bytes<'static>, let_down, |tx, bytes| bytes.extend_from_slice(tx, &vec![7; 8 << 20]);
        reading
        "Bytes::get" |bytes| bytes.get(1);
        "Bytes::check" |bytes| bytes.check();
        writing
        "Bytes::get_mut" |tx, bytes| bytes.get_mut(tx, 1).is_some();
        "Bytes::split_off" |tx, bytes| bytes.split_off(tx, 1);
    }
}

/// If this failed, a file could keep a program that reads a stack, or checks it, in a loop for ever.
#[test]
fn a_stack_without_a_bottom_is_left_again() {
    all_end! { Stack<'static, u64>, bite_tail, |tx, stack| for value in 0..2000 { stack.push(tx, value); };
        reading
        "Stack::iter" |stack| stack.iter().count();
        "Stack::eq" |stack| *stack == *stack;
        "Stack::check" |stack| stack.check();
        writing
        "Stack::retain" |tx, stack| stack.retain(tx, |_| false);
    }
}

/// If this failed, a file could keep a program that reads a queue, or checks it, in a loop for ever, or fill its memory.
#[test]
fn a_priority_queue_that_contains_itself_is_left_again() {
    all_end! { PriorityQueue<'static, u64>, bite_tail, |tx, queue| queue.extend(tx, 0..2000);
        reading
        "PriorityQueue::iter" |queue| queue.iter().count();
        "PriorityQueue::iter_sorted" |queue| queue.iter_sorted().count();
        "PriorityQueue::check" |queue| queue.check();
        writing
        "PriorityQueue::pop" |tx, queue| (0..50).for_each(|_| _ = queue.pop(tx));
        "PriorityQueue::push" |tx, queue| (0..50).for_each(|value| queue.push(tx, value));
    }
}

/// If this failed, a file could make a program that adds to a priority queue overflow its stack, which ends it at once.
#[test]
fn a_heap_that_leans_to_the_right_does_not_overflow_the_stack() {
    all_end! { PriorityQueue<'static, u64>, lean_right, |tx, queue| queue.extend(tx, 0..400_000);
        reading
        "PriorityQueue::check" |queue| queue.check();
        writing
        "PriorityQueue::append" |tx, queue| queue.extend(tx, 0..100);
        "PriorityQueue::pop" |tx, queue| (0..50).for_each(|_| _ = queue.pop(tx));
    }
}

/// Makes the one leaf count as many entries as a leaf may.
fn crowd(forge: &mut Forge, nodes: &[(usize, usize)]) {
    let root = forge.checkpoint().0 as usize;
    let leaf = nodes.iter().map(|each| each.0).find(|node| *node != root).expect("the map has a leaf");
    forge.put_word(leaf + 16, u64::from(u32::MAX));
    forge.seal_node(leaf);
}

/// If this failed, a file of one line more than its root would keep the program that opens it busy for a minute: each of four
/// billion entries without bytes would be judged.
#[test]
fn entries_without_bytes_are_judged_once() {
    let (tell, told) = mpsc::channel();
    ends("opening", move || {
        let (pool, _folder) = pool!(Map<'static, (), ()>, crowd, |tx, map| map.insert(tx, (), ()));
        let snapshot = pool.snapshot();
        tell.send((snapshot.contains_key(&()), snapshot.check().is_err())).unwrap();
    });
    assert_eq!(told.recv(), Ok((true, true)));
}

/// If this failed, a file could keep a program that reads a queue, or checks it, in a loop for ever, or fill its memory.
#[test]
fn a_queue_without_an_end_is_left_again() {
    all_end! { Queue<'static, u64>, close_lists, |tx, queue| queue.extend(tx, 0..2000);
        reading
        "Queue::iter" |queue| queue.iter().count();
        "Queue::iter from behind" |queue| queue.iter().next_back();
        "Queue::eq" |queue| queue.iter().eq(queue.iter());
        "Queue::check" |queue| queue.check();
        writing
        "Queue::pop_front" |tx, queue| while queue.pop_front(tx).is_some() {};
        "Queue::push_back" |tx, queue| queue.extend(tx, 0..2000);
        "Queue::retain" |tx, queue| queue.retain(tx, |_| false);
        "Queue::clear" |tx, queue| queue.clear(tx);
    }
}

/// If this failed, a small file could keep a program that walks over a collection busy for longer than anyone can wait, though the
/// collection says that it is short.
#[test]
fn a_child_at_all_places_is_walked_as_often_as_the_length_says() {
    all_end! { Map<'static, u64, u64>, fold_trie, |tx, map| for key in 0..2000 { map.insert(tx, key, key); };
        reading
        "Map::iter" |map| map.iter().count();
        "Map::iter from behind" |map| map.iter().rev().count();
        "Map::check" |map| map.check();
        writing
        "Map::iter_mut" |tx, map| map.iter_mut(tx).count();
        "Map::retain" |tx, map| map.retain(tx, |_, _| true);
        "Map::drain" |tx, map| map.drain(tx).count();
    }
    all_end! { Vector<'static, u64>, fold_vector, |tx, vector| for value in 0..5000 { vector.push_back(tx, value); };
        reading
        "Vector::iter" |vector| vector.iter().count();
        "Vector::check" |vector| vector.check();
        writing
        "Vector::iter_mut" |tx, vector| vector.iter_mut(tx).count();
        "Vector::retain" |tx, vector| vector.retain(tx, |_| false);
    }
    all_end! { Bytes<'static>, fold_rope, |tx, bytes| bytes.extend_from_slice(tx, &[7; 100_000]);
        reading
        "Bytes::to_vec" |bytes| bytes.chunks().map(<[u8]>::len).sum::<usize>();
        "Bytes::check" |bytes| bytes.check();
        writing
        "Bytes::split_off" |tx, bytes| bytes.split_off(tx, 1);
    }
}

/// The defect that a check of a forged collection finds, after some time and not never.
macro_rules! defect {
    ($root:ty, $forgery:ident, |$tx:ident, $filled:ident| $fill:expr) => {{
        let (tell, told) = mpsc::channel();
        ends("checking", move || {
            let (pool, _folder) = pool!($root, $forgery, |$tx, $filled| $fill);
            tell.send(pool.snapshot().check().is_err()).unwrap();
        });
        told.recv() == Ok(true)
    }};
}

/// If this failed, the check of a collection would call one good that has no end, or none that anyone would live to see.
#[test]
fn checks_find_what_has_no_end() {
    assert!(defect!(Queue<'static, u64>, close_lists, |tx, queue| queue.extend(tx, 0..2000)));
    assert!(defect!(Stack<'static, u64>, bite_tail, |tx, stack| stack.extend(tx, 0..2000)));
    assert!(defect!(PriorityQueue<'static, u64>, bite_tail, |tx, queue| queue.extend(tx, 0..2000)));
    assert!(
        defect!(Map<'static, u64, u64>, bite_tail, |tx, map| map.extend(tx, (0..2000).map(|key| (key, key))))
    );
    assert!(
        defect!(Map<'static, u64, u64>, fold_trie, |tx, map| map.extend(tx, (0..2000).map(|key| (key, key))))
    );
    assert!(defect!(OrdMap<'static, u64, u64>, bite_tail, |tx, map| map
        .extend(tx, (0..2000).map(|key| (key, key)))));
    assert!(defect!(Vector<'static, u64>, bite_tail, |tx, vector| vector.extend(tx, 0..5000)));
    assert!(defect!(Vector<'static, u64>, fold_vector, |tx, vector| vector.extend(tx, 0..5000)));
    assert!(defect!(Bytes<'static>, bite_tail, |tx, bytes| bytes.extend_from_slice(tx, &[7; 20_000])));
    assert!(defect!(Bytes<'static>, fold_rope, |tx, bytes| bytes.extend_from_slice(tx, &[7; 100_000])));
}

/// If this failed, there would be no way to learn that a stranger's pool makes every walk of one's own code endless.
#[test]
fn a_node_below_itself_is_refused_on_request() {
    let (pool, folder) = pool!(Vector<'static, u64>, bite_tail, |tx, vector| vector.extend(tx, 0..5000));
    assert!(matches!(pool.check(), Err(MarkError::Cycle { .. })), "{:?}", pool.check());
    drop(pool);
    let path = folder.path().join("cycle.pool");
    let fault =
        Pool::<Vector<'static, u64>>::options().verify_checksums(true).open_read_only(&path).unwrap_err();
    let OpenFault::Damaged { error, .. } = fault else { panic!("{fault}") };
    assert!(matches!(*error, MarkError::Cycle { .. }), "{error}");
}
