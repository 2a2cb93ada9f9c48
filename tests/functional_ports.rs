//! The functional structures of `examples/`, on random input against their twins in memory, with the pool reopened in between.
#![allow(dead_code, reason = "of the examples' programs only the structures are used")]

#[path = "../examples/document.rs"]
mod document;
#[path = "../examples/expression.rs"]
mod expression;
#[path = "../examples/leftist_heap.rs"]
mod leftist_heap;
#[path = "../examples/red_black.rs"]
mod red_black;
#[path = "../examples/rope.rs"]
mod rope;
#[path = "../examples/trie.rs"]
mod trie;

mod support;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::mem::take;
use std::path::PathBuf;

use pmem_runtime::{Persistent, Pool, persist_fase};
use support::Random;

/// Steps of each structure.
const STEPS: u64 = 3000;
/// Steps between one open and the next.
const REOPEN_STEPS: u64 = 500;

/// A pool in a folder of its own.
struct Home<R: Persistent> {
    pool: Option<Pool<R>>,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl<R> Home<R>
where
    R: Persistent,
    for<'f> R::At<'f>: Default,
{
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("port.pool");
        let pool = Pool::<R>::options().force_dax(true).create(&path).unwrap();
        Home { pool: Some(pool), path, _folder: folder }
    }

    fn pool(&self) -> &Pool<R> {
        self.pool.as_ref().unwrap()
    }

    /// Closes the pool, opens it as it was closed, and asks whether what is counted and used is what is reachable.
    fn reopen(&mut self) {
        self.pool.take().unwrap().close().unwrap();
        // SAFETY: the file was closed by the library a moment ago, and nobody has touched it since.
        let options = unsafe { Pool::<R>::options().force_dax(true).trust_clean_close() };
        let pool = options.open(&self.path).unwrap();
        let report = pool.check().unwrap();
        assert_eq!((report.refcounts_off, report.unreachable_lines, report.unallocated_lines), (0, 0, 0));
        self.pool = Some(pool);
    }

    /// Calls `step` with the number of each step.
    fn run(&mut self, mut step: impl FnMut(&Pool<R>, u64)) {
        for number in 0..STEPS {
            step(self.pool(), number);
            if number % REOPEN_STEPS == REOPEN_STEPS - 1 {
                self.reopen();
            }
        }
    }
}

/// If this failed, an example would not do what its comments say.
#[test]
fn the_examples_run() {
    red_black::main().unwrap();
    leftist_heap::main().unwrap();
    rope::main().unwrap();
    trie::main().unwrap();
    expression::main().unwrap();
    document::main().unwrap();
}

/// Blacks on every path below, which must be as many.
fn blacks(tree: &red_black::Tree<'_, u64, u64>, is_below_red: bool) -> u32 {
    use red_black::{Color, TreeView};
    let TreeView::Node { color, left, right, entry: (key, _) } = tree.view() else { return 1 };
    let is_red = *color == Color::Red;
    assert!(!(is_red && is_below_red), "two reds meet at {key}");
    let (one, two) = (blacks(left, is_red), blacks(right, is_red));
    assert_eq!(one, two, "the paths below {key} have different numbers of blacks");
    one + u32::from(!is_red)
}

fn entries(tree: &red_black::Tree<'_, u64, u64>, found: &mut Vec<(u64, u64)>) {
    if let red_black::TreeView::Node { left, right, entry, .. } = tree.view() {
        entries(left, found);
        found.push(*entry);
        entries(right, found);
    }
}

/// If this failed, a key would get lost in a rotation, or the tree would grow high.
#[test]
fn a_red_black_tree_is_a_balanced_map() {
    let mut random = Random::for_test("a_red_black_tree_is_a_balanced_map", 1);
    let mut home = Home::<red_black::Tree<'static, u64, u64>>::new();
    let mut twin = BTreeMap::new();
    home.run(|pool, number| {
        let keys: Vec<u64> = (0..1 + random.below(8)).map(|_| random.below(200)).collect();
        let is_insert = random.below(2) == 0;
        persist_fase!(pool, |tx, root| {
            for key in &keys {
                let old = take(root);
                *root = if is_insert { old.insert(tx, *key, number) } else { old.remove(tx, key) };
            }
            Ok(())
        })
        .unwrap();
        for key in keys {
            if is_insert {
                twin.insert(key, number)
            } else {
                twin.remove(&key)
            };
        }
        let now = pool.snapshot();
        blacks(&now, true);
        let mut found = Vec::new();
        entries(&now, &mut found);
        assert!(found.into_iter().eq(twin.iter().map(|(key, value)| (*key, *value))));
    });
}

fn assert_leftist(heap: &leftist_heap::Heap<'_, (u64, u64)>) {
    let leftist_heap::HeapView::Node { rank, item, left, right } = heap.view() else { return };
    assert!(left.rank() >= right.rank() && *rank == right.rank() + 1);
    for below in [left, right] {
        assert!(below.peek().is_none_or(|below| below >= item));
        assert_leftist(below);
    }
}

/// If this failed, jobs would come out in the wrong order, or merging would become slow.
#[test]
fn a_leftist_heap_gives_the_smallest_first() {
    let mut random = Random::for_test("a_leftist_heap_gives_the_smallest_first", 2);
    let mut home = Home::<leftist_heap::Heap<'static, (u64, u64)>>::new();
    let mut twin = BinaryHeap::new();
    home.run(|pool, number| {
        let item = (random.below(50), number);
        let is_push = random.below(5) < 3;
        let popped = persist_fase!(pool, |tx, root| {
            let heap = take(root);
            if is_push {
                *root = heap.push(tx, item);
                return Ok(None);
            }
            let Some((found, rest)) = heap.pop(tx) else { return Ok(None) };
            *root = rest;
            Ok(Some(found))
        })
        .unwrap();
        if is_push {
            twin.push(Reverse(item));
        } else {
            assert_eq!(popped, twin.pop().map(|Reverse(item)| item));
        }
        assert_leftist(&pool.snapshot());
    });
}

fn assert_balanced(rope: &rope::Rope<'_>) -> u32 {
    let rope::RopeView::Join { height, len, left, right } = rope.view() else { return 0 };
    let (one, two) = (assert_balanced(left), assert_balanced(right));
    assert!(one.abs_diff(two) <= 1, "halves of heights {one} and {two}");
    assert_eq!((*height, *len), (one.max(two) + 1, left.len() + right.len()));
    *height
}

/// If this failed, text would get lost where a rope was cut, or cutting would become slow.
#[test]
fn a_rope_is_a_text_that_is_cut_anywhere() {
    let mut random = Random::for_test("a_rope_is_a_text_that_is_cut_anywhere", 3);
    let mut home = Home::<rope::Rope<'static>>::new();
    let mut twin: Vec<u8> = Vec::new();
    home.run(|pool, number| {
        let len = twin.len() as u64;
        let (one, two) = (random.below(len + 1), random.below(len + 1));
        let range = one.min(two)..one.max(two).min(one.min(two) + 200);
        let text = vec![number as u8; random.below(150) as usize];
        let (range, text) = match random.below(3) {
            0 => (one..one, text),
            1 => (range, Vec::new()),
            _ => (range, text),
        };
        persist_fase!(pool, |tx, root| {
            *root = take(root).replace_range(tx, range.clone(), &text);
            Ok(())
        })
        .unwrap();
        twin.splice(range.start as usize..range.end as usize, text);
        let now = pool.snapshot();
        assert_balanced(&now);
        let mut found = Vec::new();
        now.copy_to(&mut found);
        assert!(found == twin);
    });
}

/// If this failed, a word would be found that was not put in, or a node would be kept for no word.
#[test]
fn a_trie_is_a_map_from_words() {
    let mut random = Random::for_test("a_trie_is_a_map_from_words", 4);
    let mut home = Home::<trie::Root<'static>>::new();
    let mut twin: BTreeMap<String, u32> = BTreeMap::new();
    home.run(|pool, number| {
        let letters = ["a", "b", "z"];
        let word: String = (0..random.below(5)).map(|_| letters[random.below(3) as usize]).collect();
        let is_insert = random.below(2) == 0;
        persist_fase!(pool, |tx, root| {
            let trie = root.trie.take();
            root.trie = match (is_insert, trie) {
                (true, trie) => {
                    let trie = trie.unwrap_or_else(|| trie::Trie::empty(tx));
                    Some(trie.insert(tx, &word, number as u32))
                }
                (false, trie) => trie.and_then(|trie| trie.remove(tx, word.as_bytes())),
            };
            Ok(())
        })
        .unwrap();
        if is_insert {
            twin.insert(word, number as u32)
        } else {
            twin.remove(&word)
        };
        let now = pool.snapshot();
        let mut found = Vec::new();
        if let Some(trie) = &now.trie {
            trie.words(&mut String::new(), &mut found);
        }
        assert!(found.iter().map(|(word, value)| (word, *value)).eq(&twin));
        assert_eq!(now.trie.is_none(), twin.is_empty());
        assert!(twin.iter().all(|(word, value)| now.trie.as_ref().unwrap().get(word) == Some(value)));
    });
}

/// The plain twin of an expression.
#[derive(Debug)]
enum Plain {
    Number(i64),
    Variable(u8),
    Negate(Box<Plain>),
    Add(Box<Plain>, Box<Plain>),
    Multiply(Box<Plain>, Box<Plain>),
}

impl Plain {
    fn random(random: &mut Random, depth: u32) -> Self {
        let kind = if depth == 0 { random.below(2) } else { random.below(6) };
        let mut below = || Box::new(Plain::random(random, depth.saturating_sub(1)));
        match kind {
            2 => Plain::Negate(below()),
            3 => Plain::Add(below(), below()),
            4 | 5 => Plain::Multiply(below(), below()),
            1 => Plain::Variable(random.below(2) as u8),
            _ => Plain::Number(random.below(4) as i64 - 1),
        }
    }

    fn evaluate(&self, variables: &[i64]) -> i64 {
        match self {
            Plain::Number(number) => *number,
            Plain::Variable(index) => variables[usize::from(*index)],
            Plain::Negate(inner) => inner.evaluate(variables).wrapping_neg(),
            Plain::Add(one, two) => one.evaluate(variables).wrapping_add(two.evaluate(variables)),
            Plain::Multiply(one, two) => one.evaluate(variables).wrapping_mul(two.evaluate(variables)),
        }
    }

    fn store<'p>(&self, tx: &pmem_runtime::Fase<'p>) -> expression::Expression<'p> {
        use expression::Expression;
        match self {
            Plain::Number(number) => Expression::of(tx, *number),
            Plain::Variable(index) => Expression::variable(tx, *index),
            Plain::Negate(inner) => Expression::negate(tx, inner.store(tx)),
            Plain::Add(one, two) => Expression::add(tx, one.store(tx), two.store(tx)),
            Plain::Multiply(one, two) => Expression::multiply(tx, one.store(tx), two.store(tx)),
        }
    }
}

/// If this failed, simplifying would change what an expression means, or simplify the original with it.
#[test]
fn a_simplified_expression_means_the_same() {
    let mut random = Random::for_test("a_simplified_expression_means_the_same", 5);
    let mut home = Home::<[expression::Expression<'static>; 2]>::new();
    home.run(|pool, _| {
        let plain = Plain::random(&mut random, 6);
        persist_fase!(pool, |tx, root| {
            let given = plain.store(tx);
            let made = given.simplify_shared(tx);
            assert_eq!(made.simplify_shared(tx), made, "what is simple stays as it is");
            *root = [given, made];
            Ok(())
        })
        .unwrap();
        let now = pool.snapshot();
        let [given, made] = &*now;
        for variables in [[0, 1], [2, -3], [10, 7]] {
            let expected = plain.evaluate(&variables);
            assert_eq!(given.evaluate(&variables), expected, "{plain:?}");
            assert_eq!(made.evaluate(&variables), expected, "{plain:?}");
        }
    });
}

type Text = (Vec<String>, Vec<String>);

/// If this failed, undo would bring back something that never was.
#[test]
fn a_document_goes_back_to_each_version_as_it_was() {
    let mut random = Random::for_test("a_document_goes_back_to_each_version_as_it_was", 6);
    let mut home = Home::<document::Desk<'static>>::new();
    let mut twin: Text = (Vec::new(), Vec::new());
    let mut versions: Vec<(String, Text)> = Vec::new();
    home.run(|pool, number| {
        let kind = random.below(7);
        let name = format!("version {}", number % 100);
        persist_fase!(pool, |tx, desk| {
            match kind {
                0 | 1 => desk.undo(tx),
                2 => desk.edit(tx, &name, |old| old.delete(tx)),
                3 | 4 => desk.edit(tx, &name, |old| old.step(tx, kind == 3)),
                _ => desk.edit(tx, &name, |old| old.insert(tx, &name)),
            }
            Ok(())
        })
        .unwrap();
        if kind < 2 {
            twin = versions.pop().map_or(twin.clone(), |(_, text)| text);
        } else {
            versions.push((name.clone(), twin.clone()));
            match kind {
                2 => drop(twin.0.pop()),
                3 => twin.0.extend((!twin.1.is_empty()).then(|| twin.1.remove(0))),
                4 => twin.0.pop().into_iter().for_each(|line| twin.1.insert(0, line)),
                _ => twin.0.push(name.clone()),
            }
        }
        let now = pool.snapshot();
        let text = now.document.as_ref().map_or((Vec::new(), Vec::new()), document::Document::text);
        assert!(text == twin);
        let named = versions.iter().rev().find(|(known, _)| *known == name);
        let found = now.find(&name);
        assert_eq!(found.is_some(), named.is_some());
        assert!(found.zip(named).is_none_or(|(found, (_, text))| found.text() == *text));
    });
}
