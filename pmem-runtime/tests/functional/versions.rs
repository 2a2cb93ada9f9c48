//! Old versions, counts, and what a section edits in place.

use std::collections::BTreeMap;
use std::path::Path;

use pmem_runtime::{Fase, Persistent, Pool, functional, persist_fase};

/// A search tree without balance.
#[functional]
#[derive(Debug, PartialEq)]
enum Tree<K, V> {
    Leaf,
    Node { left: Tree<K, V>, key: K, value: V, right: Tree<K, V> },
}

#[functional]
impl<K: Ord, V> Tree<K, V> {
    /// Puts a key in.
    fn insert(mut self, tx: &Fase, key: K, value: V) -> Self {
        match self.make_mut(tx) {
            TreeMut::Leaf => return Self::node(tx, Tree::leaf(), key, value, Tree::leaf()),
            TreeMut::Node { left, key: at, value: old, right } => {
                if key == *at {
                    *old = value;
                } else {
                    let side = if key < *at { left } else { right };
                    let below = std::mem::replace(side, Self::leaf());
                    *side = below.insert(tx, key, value);
                }
            }
        }
        self
    }

    /// Takes the smallest key out.
    fn pop_first(self, tx: &Fase) -> Option<(K, V, Self)> {
        match self.take(tx) {
            TreeParts::Leaf => None,
            TreeParts::Node { left, key, value, right } => match left.pop_first(tx) {
                None => Some((key, value, right)),
                Some((first, found, left)) => Some((first, found, Tree::node(tx, left, key, value, right))),
            },
        }
    }

    /// The tree with a key's value replaced by the default one, by reference.
    fn cleared(&self, tx: &Fase, key: K) -> Self
    where
        V: Default,
    {
        self.insert_shared(tx, key, V::default())
    }

    fn fill(&self, map: &mut BTreeMap<K, V>)
    where
        K: Copy,
        V: Copy,
    {
        if let TreeView::Node { left, key, value, right } = self.view() {
            left.fill(map);
            map.insert(*key, *value);
            right.fill(map);
        }
    }
}

#[derive(Persistent)]
#[repr(C)]
struct Root<'p> {
    versions: [Tree<'p, u32, u64>; 8],
}

impl Default for Root<'_> {
    fn default() -> Self {
        Root { versions: [const { Tree::leaf() }; 8] }
    }
}

type Twins = [BTreeMap<u32, u64>; 8];

fn assert_same(pool: &Pool<Root<'static>>, twins: &Twins) {
    let now = pool.snapshot();
    for (tree, twin) in now.versions.iter().zip(twins) {
        let mut found = BTreeMap::new();
        tree.fill(&mut found);
        assert_eq!(found, *twin);
    }
}

/// Closes the pool, which gives back all that is retired, and opens it without the walk that would set counts right.
fn reopen(pool: Pool<Root<'static>>, path: &Path) -> Pool<Root<'static>> {
    pool.close().unwrap();
    // SAFETY: the file was closed by the library a moment ago, and nobody has touched it since.
    let options = unsafe { Pool::<Root<'_>>::options().trust_clean_close() };
    let pool = options.open(path).unwrap();
    let report = pool.check().unwrap();
    assert_eq!((report.refcounts_off, report.unreachable_lines, report.unallocated_lines), (0, 0, 0));
    pool
}

#[test]
fn an_edit_of_one_version_changes_no_other() {
    // If wrong: an undo brings back something else than what was there, or a node is freed that a version still reaches.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % end
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("versions.pool");
    let mut pool = Pool::<Root<'_>>::options().force_dax(true).create(&path).unwrap();
    let mut twins = Twins::default();
    for step in 0..2000_u64 {
        let (from, to) = (random(8) as usize, random(8) as usize);
        let (key, kind) = (random(64) as u32, random(6));
        let twin = &mut twins;
        let fails = random(10) == 0;
        let done = persist_fase!(pool, |tx, root| {
            let versions = &mut root.versions;
            match kind {
                0 => versions[to] = versions[from].share(tx),
                1 => versions[to] = versions[from].insert_shared(tx, key, step),
                2 => versions[to] = versions[from].cleared(tx, key),
                3 => {
                    let old = std::mem::replace(&mut versions[to], Tree::leaf());
                    versions[to] = old.cleared_owned(tx, key);
                }
                4 => {
                    let old = std::mem::replace(&mut versions[to], Tree::leaf());
                    versions[to] = old.pop_first(tx).map_or_else(Tree::leaf, |(_, _, rest)| rest);
                }
                _ => {
                    let old = std::mem::replace(&mut versions[to], Tree::leaf());
                    versions[to] = old.insert(tx, key, step);
                }
            }
            if fails {
                pmem_runtime::abort!("on purpose");
            }
            Ok(())
        });
        assert_eq!(done.is_err(), fails);
        if !fails {
            match kind {
                0 => twin[to] = twin[from].clone(),
                1 | 2 => {
                    twin[to] = twin[from].clone();
                    twin[to].insert(key, if kind == 1 { step } else { 0 });
                }
                3 => drop(twin[to].insert(key, 0)),
                4 => drop(twin[to].pop_first()),
                _ => drop(twin[to].insert(key, step)),
            }
        }
        if step % 50 == 0 {
            assert_same(&pool, &twins);
        }
        if step % 250 == 0 {
            pool = reopen(pool, &path);
        }
    }
    assert_same(&reopen(pool, &path), &twins);
}

#[test]
fn a_node_made_by_the_section_is_edited_in_place() {
    // If wrong: a thousand inserts in one section copy each path a thousand times.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("versions.pool");
    let pool = Pool::<Root<'_>>::options().force_dax(true).create(&path).unwrap();
    let insert = |keys: std::ops::Range<u32>| {
        let before = pool.counters().nodes;
        persist_fase!(pool, |tx, root| {
            let mut tree = std::mem::replace(&mut root.versions[0], Tree::leaf());
            for key in keys.clone() {
                tree = tree.insert(tx, key.wrapping_mul(0x9e37_79b9), 1);
            }
            root.versions[0] = tree;
            Ok(())
        })
        .unwrap();
        pool.counters().nodes - before
    };
    assert_eq!(insert(0..1000), 1001, "the root, and a node for each key");
    // All committed nodes are copied at most once, whatever the number of inserts that pass through them.
    assert!(insert(1000..2000) <= 2001);
    reopen(pool, &path);
}

#[test]
fn a_second_owner_makes_the_section_copy_its_own_node() {
    // If wrong: a version kept within the section is changed by what follows.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("versions.pool");
    let pool = Pool::<Root<'_>>::options().force_dax(true).create(&path).unwrap();
    persist_fase!(pool, |tx, root| {
        let first = Tree::node(tx, Tree::leaf(), 1, 1, Tree::leaf());
        let second = first.insert_shared(tx, 1, 2);
        let third = second.share(tx).with_value(tx, 3);
        assert!(matches!(first.view(), TreeView::Node { value: 1, .. }));
        assert!(matches!(second.view(), TreeView::Node { value: 2, .. }));
        assert!(matches!(third.view(), TreeView::Node { value: 3, .. }));
        let leaf: Tree<'_, u32, u64> = Tree::leaf().with_value(tx, 4);
        assert!(leaf.is_leaf(), "nothing to replace");
        root.versions[0] = third;
        Ok(())
    })
    .unwrap();
    assert_eq!(pool.check().unwrap().nodes, 2);
    reopen(pool, &path);
}
