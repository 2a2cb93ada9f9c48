//! `#[persistent(volatile)]`: fields that are as new after each open.

use pmem_runtime::Persistent;
use pmem_runtime::persist::Reset;

use crate::laws::{Buffer, check_equal, store_into};

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Counter {
    name: u8,
    #[persistent(volatile)]
    hits: u64,
    total: u32,
}

#[derive(Persistent, Clone, Copy, Debug, PartialEq)]
#[repr(C, u8)]
enum Holder {
    Nothing,
    One(Counter),
    Two { spare: u8, counters: [Option<Counter>; 2] },
}

const FULL: Counter = Counter { name: 1, hits: 2, total: 3 };
const RESET: Counter = Counter { name: 1, hits: 0, total: 3 };

fn reset<T: Persistent + Copy>(value: T) -> T {
    let mut buffer = store_into(&value, Buffer::filled::<T>(0));
    // SAFETY: a valid value was just stored, and no reference to it exists.
    unsafe { T::reset(buffer.at_mut(), Reset::ToDefaults) };
    // SAFETY: reset leaves a valid value.
    unsafe { *buffer.value::<T>() }
}

#[test]
fn reopening_resets_volatile_fields_and_no_others() {
    // If wrong: a count of a dead process lives on, or data is lost at open.
    check_equal(vec![FULL]);
    assert_eq!(reset(FULL), RESET);
    assert_eq!(reset(Holder::Nothing), Holder::Nothing);
    assert_eq!(reset(Holder::One(FULL)), Holder::One(RESET));
    let two = |counter| Holder::Two { spare: 9, counters: [None, Some(counter)] };
    assert_eq!(reset(two(FULL)), two(RESET));
    assert_eq!(reset((1_u8, Ok::<Counter, u8>(FULL))), (1, Ok(RESET)));
    const { assert!(Counter::HAS_VOLATILE && Holder::HAS_VOLATILE && <Option<[Holder; 1]>>::HAS_VOLATILE) };
    const { assert!(!<Option<u64>>::HAS_VOLATILE) };
}
