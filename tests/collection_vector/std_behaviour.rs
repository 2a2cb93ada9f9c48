//! What the standard library's sequences do, category by category.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pmem_runtime::collections::Vector;
use pmem_runtime::{Fase, FaseError, Pool, persist_fase};

type Words = Pool<Vector<'static, u64>>;

/// Runs `body` in a section on an empty vector.
fn within(body: impl for<'f> Fn(&Fase<'f>, &mut Vector<'f, u64>)) {
    let pool = Words::options().volatile().unwrap();
    persist_fase!(pool, |tx, words| -> Result<(), FaseError> {
        body(tx, words);
        words.check().unwrap();
        Ok(())
    })
    .unwrap();
}

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

/// If this failed, an index that is not there would do something quietly.
#[test]
fn indices_behind_the_end_panic() {
    within(|tx, words| {
        words.extend(tx, 0..100);
        assert!(panics(|| {
            let _ = words[100];
        }));
        assert!(panics(|| {
            let _ = words.set(tx, 100, 0);
        }));
        assert!(panics(|| words.insert(tx, 101, 0)));
        assert!(panics(|| {
            let _ = words.remove(tx, 100);
        }));
        assert!(panics(|| {
            let _ = words.swap_remove(tx, 100);
        }));
        assert!(panics(|| words.swap(tx, 0, 100)));
        assert!(panics(|| drop(words.split_off(tx, 101))));
        assert!(panics(|| words.rotate_left(tx, 101)));
        assert!(panics(|| words.rotate_right(tx, 101)));
        assert!(panics(|| words.insert_all(tx, 101, Vector::new())));
        assert_eq!(words.get_mut(tx, 100), None);
        assert!(words.iter().copied().eq(0..100), "and change nothing");
    });
}

/// If this failed, ranges would mean something else than for a slice.
#[test]
fn ranges_are_those_of_slices() {
    use std::ops::Bound::{Excluded, Included};
    within(|tx, words| {
        words.extend(tx, 0..50);
        assert!(words.range(..).copied().eq(0..50));
        assert!(words.range(10..20).copied().eq(10..20));
        assert!(words.range(10..=20).copied().eq(10..21));
        assert!(words.range(..=3).copied().eq(0..4));
        assert!(words.range((Excluded(3), Included(5))).copied().eq(4..6));
        assert_eq!(words.range(50..).count() + words.range(7..7).count(), 0);
        let from = |start: usize| start..start - 1;
        assert!(panics(|| {
            let _ = words.range(from(20)).count();
        }));
        assert!(panics(|| {
            let _ = words.range(..51).count();
        }));
        assert!(panics(|| drop(words.slice(tx, 51..))));
        assert!(panics(|| drop(words.remove_range(tx, ..=50))));
        assert!(panics(|| {
            let _ = words.range(..=usize::MAX).count();
        }));
        assert_eq!(words.slice(tx, 10..13), [10, 11, 12]);
        assert_eq!(words.remove_range(tx, 3..).len(), 47);
        assert_eq!(*words, [0, 1, 2]);
    });
}

/// If this failed, an empty vector would be a special case for its user.
#[test]
fn an_empty_vector_does_nothing() {
    within(|tx, words| {
        assert_eq!(
            (words.pop(tx), words.pop_front(tx), words.first(), words.last()),
            (None, None, None, None)
        );
        assert_eq!(
            (words.iter().next(), words.iter().next_back(), words.chunks().next()),
            (None, None, None)
        );
        words.append(tx, Vector::new());
        words.truncate(tx, 5);
        words.retain(tx, |_| panic!("there is nothing to ask about"));
        words.sort(tx);
        words.rotate_left(tx, 0);
        assert!(words.split_off(tx, 0).is_empty() && words.slice(tx, ..).is_empty());
        assert_eq!(words.iter_mut(tx).len(), 0);
        assert_eq!((&*words, words.binary_search(&1)), (&Vector::new(), Err(0)));
    });
}

/// If this failed, one end of an iterator would give what the other has given.
#[test]
fn iterators_meet_in_the_middle() {
    within(|tx, words| {
        words.extend(tx, 100..300);
        (0..100).rev().for_each(|value| words.push_front(tx, value));
        for first in [0, 1, 13, 99, 150, 299, 300] {
            let mut iter = words.iter();
            let before: Vec<u64> = iter.by_ref().take(first).copied().collect();
            let twin = iter.clone();
            let mut after: Vec<u64> = iter.by_ref().rev().copied().collect();
            assert_eq!((iter.next(), iter.next_back(), iter.len()), (None, None, 0));
            after.reverse();
            assert!(before.iter().chain(&after).copied().eq(0..300));
            assert_eq!(twin.len(), 300 - first);
            let mut iter = words.iter_mut(tx);
            iter.by_ref().take(first).for_each(|element| *element += 1000);
            assert_eq!(iter.len(), 300 - first);
            iter.by_ref().rev().for_each(|element| *element += 1000);
            assert!(iter.next().is_none() && iter.next_back().is_none());
            words.iter_mut(tx).for_each(|element| *element -= 1000);
            let mut runs = words.chunks();
            let mut split: Vec<u64> = runs.next().unwrap().to_vec();
            let last = runs.next_back().unwrap();
            split.extend(runs.flatten());
            split.extend(last);
            assert!(split.into_iter().eq(0..300));
        }
    });
}

/// If this failed, comparisons would not be those of the elements in order.
#[test]
fn comparisons_and_hashes_are_those_of_slices() {
    within(|tx, words| {
        words.extend(tx, 0..40);
        let mut other = Vector::new();
        (0..40).rev().for_each(|value| other.push_front(tx, value));
        let hash = |words: &Vector<'_, u64>| {
            let mut hasher = DefaultHasher::new();
            words.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!((words.cmp(&&mut other), hash(words) == hash(&other)), (Ordering::Equal, true));
        assert!(words.same(&other) && !words.ptr_eq(&other));
        other.set(tx, 39, 1000);
        assert!(*words < other && *words != other && hash(words) != hash(&other));
        other.truncate(tx, 39);
        assert!(*words > other);
        let list: Vec<u64> = (0..40).collect();
        assert_eq!(*words, list);
        assert_eq!(list, *words);
        assert_eq!(*words, list[..]);
        assert_ne!(*words, [0; 40]);
        assert_eq!(format!("{other:?}"), format!("{:?}", &list[..39]));
    });
    let pool = Pool::<Vector<'static, f64>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, numbers| {
        numbers.push(tx, f64::NAN);
        let twin = numbers.share(tx);
        assert!(twin != *numbers, "a NaN is not equal to itself, shared or not");
        assert_eq!(numbers.partial_cmp(&&mut twin.share(tx)), None);
        Ok(())
    })
    .unwrap();
}

/// If this failed, code of the user that panics would lose elements or break the tree.
#[test]
fn panics_of_closures_leave_the_vector() {
    within(|tx, words| {
        words.extend(tx, 0..200);
        let mut asked = HashSet::new();
        assert!(panics(
            || words.retain(tx, |element| asked.insert(*element) && *element != 150 || panic!("150"))
        ));
        assert!(panics(|| words.sort_by(tx, |left, _| if *left == 77 {
            panic!("77")
        } else {
            Ordering::Less
        })));
        assert!(panics(|| words.sort_by_key(tx, |element| 1 / (150 - *element))));
        assert!(words.iter().copied().eq(0..200));
        assert!(panics(|| words.extend(tx, (200..300).inspect(|value| assert_ne!(*value, 250)))));
        words.check().unwrap();
        assert!(words.iter().copied().eq(0..250));
    });
}

/// If this failed, an order that is none would break more than the order.
#[test]
fn lying_comparisons_only_disorder() {
    within(|tx, words| {
        words.extend(tx, 0..300);
        let mut flip = 0_u64;
        let lie = |_: &u64, _: &u64| {
            flip = flip.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if flip >> 63 == 0 { Ordering::Less } else { Ordering::Greater }
        };
        // The standard library's sort may notice.
        let _ = panics(|| words.sort_by(tx, lie));
        words.check().unwrap();
        words.sort(tx);
        assert!(words.iter().copied().eq(0..300));
        let _ = words.binary_search_by(|_| Ordering::Less);
    });
}

/// If this failed, searching or sorting would not be that of slices.
#[test]
fn searching_and_sorting_are_those_of_slices() {
    within(|tx, words| {
        words.extend(tx, (0..500).map(|value| value * 7919 % 500));
        let mut list: Vec<u64> = words.iter().copied().collect();
        words.sort_by_key(tx, |element| element % 10);
        list.sort_by_key(|element| element % 10);
        assert_eq!(*words, list, "equal keys keep their order");
        words.sort(tx);
        words.retain(tx, |element| element % 2 == 0);
        for wanted in 0..500 {
            let expected = if wanted % 2 == 0 { Ok(wanted / 2) } else { Err(wanted / 2 + 1) };
            assert_eq!(words.binary_search(&(wanted as u64)), expected);
            assert_eq!(words.partition_point(|element| *element < wanted as u64), wanted.div_ceil(2));
        }
        words.extend(tx, [998, 998, 998, 1]);
        words.dedup(tx);
        assert_eq!(words.range(249..).copied().collect::<Vec<_>>(), [498, 998, 1]);
    });
}
