//! The tree's algebra, apart from any collection.

use super::Sequence;
use super::edit::{End, is_regular};
use super::shape::{FANOUT, Shape, Sizes};
use crate::commit::Fase;
use crate::{FaseError, Pool, persist_fase};

type Wide = [u64; 30];

/// A sequence of wide elements, one to a leaf, so that few of them make a high tree.
fn sequence<'p>(tx: &Fase<'p>, values: impl IntoIterator<Item = u64>) -> Sequence<'p, Wide> {
    let mut sequence = Sequence::new();
    values.into_iter().for_each(|value| sequence.push_back(tx, [value; 30], 0));
    sequence
}

fn values(sequence: &Sequence<'_, Wide>) -> Vec<u64> {
    sequence.check("Sequence").unwrap();
    sequence.range(0..sequence.len()).map(|element| element[0]).collect()
}

fn within(body: impl for<'f> Fn(&Fase<'f>)) {
    let pool = Pool::<u64>::options().volatile().unwrap();
    persist_fase!(pool, |tx, _root| -> Result<(), FaseError> {
        body(tx);
        Ok(())
    })
    .unwrap();
}

/// If this failed, a leaf would not fill its lines, or a large element would have none.
#[test]
fn leaves_fill_their_lines() {
    assert_eq!(Shape::<u64>::LEAF, 21);
    assert_eq!(Shape::<u8>::LEAF, 168);
    assert_eq!(Shape::<[u64; 7]>::LEAF, 3);
    assert_eq!(Shape::<[u64; 14]>::LEAF, 2, "four lines waste less than three");
    assert_eq!(Shape::<[u64; 512]>::LEAF, 1);
    assert_eq!(Shape::<u128>::LEAF, 10, "an alignment of 16 costs the head's neighbour");
    assert_eq!(Shape::<()>::LEAF, 1 << 14, "what takes no room is bounded all the same");
}

/// If this failed, an index in a regular node would lead to another child than the sizes say.
#[test]
fn quotients_are_the_childs_place() {
    for level in 1..12 {
        let full = Shape::<u64>::full(level - 1);
        for at in [0, 1, full - 1, full, 3 * full + 5, 12 * full, 13 * full - 1] {
            assert_eq!(Shape::<u64>::find(level, at), ((at / full) as usize, at % full), "level {level}");
        }
    }
    assert_eq!(Shape::<()>::full(40), u64::MAX, "capacities beyond 64 bits are the largest number");
}

/// If this failed, sums would be stored where they need not be, or missing where they must not.
#[test]
fn a_node_is_regular_if_all_but_its_last_child_are_full() {
    let full = Shape::<u64>::full(1);
    let regular = |sizes: &[u64]| is_regular::<u64>(2, &Sizes::of(sizes.iter().copied()));
    assert!(regular(&[full, full, 1]) && regular(&[5]) && regular(&[]));
    assert!(!regular(&[full - 1, full]) && !regular(&[1, 1]));
    let mut sizes = Sizes::of([1, 2, 3]);
    sizes.insert(1, 9);
    assert_eq!((sizes.sums().as_slice(), sizes.total()), (&[1, 10, 12, 15][..], 15));
    assert_eq!((sizes.remove(0), sizes.split_off(1).as_slice()), (1, &[2, 3][..]));
    assert_eq!(sizes.as_slice(), [9]);
}

/// If this failed, some pair of shapes would not join to a tree that is balanced and in order.
#[test]
fn trees_of_all_heights_and_edges_join() {
    within(|tx| {
        let lengths = [0, 1, 2, 13, 14, 40, 170, 2300];
        for left_len in lengths {
            for right_len in lengths {
                for (cut_left, cut_right) in [(0, 0), (1, 0), (0, 1), (5, 7), (12, 160)] {
                    let (cut_left, cut_right) = (cut_left.min(left_len), cut_right.min(right_len));
                    let mut left = sequence(tx, 0..left_len);
                    // Thin edges: a tree cut off in the middle of its nodes.
                    drop(left.split_off(tx, (left_len - cut_left) as usize));
                    left.flush(tx, End::Last);
                    let mut right = sequence(tx, left_len..left_len + right_len);
                    let mut right = right.split_off(tx, cut_right as usize);
                    right.flush(tx, End::Last);
                    left.append(tx, right);
                    let expected = (0..left_len - cut_left).chain(left_len + cut_right..left_len + right_len);
                    assert!(values(&left).into_iter().eq(expected), "{left_len} and {right_len}");
                }
            }
        }
    });
}

/// If this failed, a tree would keep levels that it does not need, or lose balance, as it shrinks from an end.
#[test]
fn trees_shrink_to_nothing_from_both_ends() {
    within(|tx| {
        for from_front in [0, 1, 3] {
            let mut shrinking = sequence(tx, 0..1000);
            let (mut first, mut last) = (0, 1000);
            while first < last {
                if from_front > 0 && (first + last) % (from_front + 1) != 0 {
                    assert_eq!(shrinking.pop_front(tx).unwrap()[0], first);
                    first += 1;
                } else {
                    last -= 1;
                    assert_eq!(shrinking.pop_back(tx).unwrap()[0], last);
                }
                shrinking.check("Sequence").unwrap();
            }
            assert!(shrinking.is_empty() && shrinking.pop_back(tx).is_none() && shrinking.tree.is_none());
        }
    });
}

/// If this failed, removal in the middle would leave nodes that are too narrow.
#[test]
fn removal_anywhere_joins_neighbours() {
    within(|tx| {
        let mut random = 1_u64;
        let mut twin: Vec<u64> = (0..600).collect();
        let mut shrinking = sequence(tx, 0..600);
        while !twin.is_empty() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (random >> 33) as usize % twin.len();
            assert_eq!(shrinking.remove(tx, at)[0], twin.remove(at));
            assert_eq!(values(&shrinking), twin);
        }
    });
}

/// If this failed, a damaged tree would pass for a sound one.
#[test]
fn the_checker_finds_what_is_wrong() {
    within(|tx| {
        let sound = || sequence(tx, 0..(FANOUT * FANOUT) as u64);
        let defect = |damaged: &Sequence<'_, Wide>| damaged.check("Sequence").unwrap_err().to_string();
        let mut miscounted = sound();
        miscounted.tree_len += 1;
        assert!(defect(&miscounted).contains("as many elements as are counted"));
        let mut inverted = sound();
        std::mem::swap(&mut inverted.tree, &mut inverted.back);
        assert!(defect(&inverted).contains("a leaf outside the tree"));
        let mut hollow = sound();
        hollow.tree.as_mut().unwrap().children_mut(tx)[3].children_mut(tx)[2].remove_item(tx, 0);
        let found = hollow.check("Sequence").unwrap_err();
        assert_eq!(found.path, [1, 3, 2], "{found}");
        let mut unsummed = sound();
        let total = unsummed.tree_len;
        unsummed.tree.as_mut().unwrap().children_mut(tx)[3].pop_leaf(tx, FANOUT as u64, End::Last);
        unsummed.tree_len = total - 1;
        assert!(defect(&unsummed).contains("sums of the children's sizes"));
    });
}
