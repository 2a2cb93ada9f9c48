//! Many elements, large elements, and elements that own nodes.

use pmem_runtime::collections::Vector;
use pmem_runtime::{FaseError, P, Persistent, Pool, persist_fase};

use super::exact;

/// If this failed, something would recurse over the elements, or count them in too few bits.
#[test]
fn ten_million_elements() {
    const LEN: usize = 10_000_000;
    let pool = Pool::<Vector<'static, u32>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, vector| {
        vector.extend(tx, 0..LEN as u32);
        Ok(())
    })
    .unwrap();
    persist_fase!(pool, |tx, vector| {
        assert_eq!(vector.iter().map(|element| u64::from(*element)).sum::<u64>(), 49_999_995_000_000);
        let mut right = vector.split_off(tx, 3_333_333);
        assert_eq!((vector.len(), right[0]), (3_333_333, 3_333_333));
        right.append(tx, std::mem::take(vector));
        *vector = right;
        assert_eq!((vector[0], vector[LEN - 1], vector[LEN - 3_333_333]), (3_333_333, 3_333_332, 0));
        vector.insert(tx, LEN / 2, 7);
        assert_eq!(vector.remove(tx, LEN / 2), 7);
        vector.check()?;
        vector.truncate(tx, 5);
        Ok(())
    })
    .unwrap();
    assert_eq!(*pool.snapshot(), [3_333_333, 3_333_334, 3_333_335, 3_333_336, 3_333_337]);
}

/// If this failed, an element as large as a page would not fit a leaf, or be torn.
#[test]
fn elements_of_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages.pool");
    type Page = [[u64; 32]; 16];
    let page = |number: u64| [[number; 32]; 16];
    let options = || Pool::<Vector<'static, Page>>::options().force_dax(true);
    let pool = options().create(&path).unwrap();
    persist_fase!(pool, |tx, pages| {
        pages.extend(tx, (0..300).map(page));
        pages.insert(tx, 150, page(1000));
        pages.swap(tx, 0, 300);
        Ok(())
    })
    .unwrap();
    pool.close().unwrap();
    let pool = options().open(&path).unwrap();
    exact(&pool);
    let pages = pool.snapshot();
    pages.check().unwrap();
    assert_eq!((pages.len(), pages[0], pages[150], pages[300]), (301, page(299), page(1000), page(0)));
}

#[derive(Persistent, Debug)]
#[repr(C)]
struct Shelf<'p> {
    books: Vector<'p, Vector<'p, u8>>,
    nodes: Vector<'p, P<'p, u64>>,
}

/// If this failed, what elements own would be freed under them, or never.
#[test]
fn elements_that_own_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shelf.pool");
    let options = || Pool::<Shelf<'static>>::options().force_dax(true);
    let pool =
        options().create_with(&path, |_| Shelf { books: Vector::new(), nodes: Vector::new() }).unwrap();
    persist_fase!(pool, |tx, shelf| {
        for number in 0..500_u64 {
            let book = Vector::from_iter(tx, (0..number).map(|byte| byte as u8));
            shelf.books.push(tx, book);
            shelf.nodes.push_front(tx, P::new(tx, number));
        }
        Ok(())
    })
    .unwrap();
    let undone = persist_fase!(pool, |tx, shelf| -> Result<(), FaseError> {
        shelf.books.get_mut(tx, 400).unwrap().clear(tx);
        shelf.nodes.retain(tx, |node| **node % 2 == 0);
        Err(FaseError::message("undone".to_owned()))
    });
    undone.unwrap_err();
    persist_fase!(pool, |tx, shelf| {
        let old = shelf.books.share(tx);
        shelf.books.get_mut(tx, 300).unwrap().push(tx, 99);
        shelf.books.retain(tx, |book| book.len() % 3 != 1);
        assert_eq!((old.len(), old[300].len()), (500, 300));
        let some = shelf.nodes.slice(tx, 100..200);
        shelf.nodes.sort_by_key(tx, |node| **node);
        shelf.nodes.append(tx, some);
        shelf.nodes.remove_range(tx, 20..40);
        let first = shelf.nodes[0].share(tx);
        shelf.nodes.resize(tx, 600, first);
        Ok(())
    })
    .unwrap();
    pool.close().unwrap();
    let pool = options().open(&path).unwrap();
    exact(&pool);
    let shelf = pool.snapshot();
    shelf.books.check().unwrap();
    shelf.nodes.check().unwrap();
    let lens: Vec<usize> = shelf.books.iter().map(Vector::len).collect();
    let expected: Vec<usize> =
        (0..500).map(|len| if len == 300 { 301 } else { len }).filter(|len| len % 3 != 1).collect();
    assert_eq!(lens, expected);
    assert_eq!(*shelf.nodes[20], 40);
    assert_eq!((*shelf.nodes[480], *shelf.nodes[599]), (399, 0));
}
