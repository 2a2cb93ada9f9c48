//! Structures as deep as memory allows, on a small stack.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::thread;

use pmem_runtime::{Persistent, Pool, functional, persist_fase};

const MILLION: u64 = 1_000_000;
const STACK_BYTES: usize = 256 << 10;

/// Deep to the left: what follows the child is still to do when the child has been gone through.
#[functional]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Chain<T> {
    End,
    Link { rest: Option<Chain<T>>, value: T },
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Root<'p> {
    one: Option<Chain<'p, u64>>,
    two: Option<Chain<'p, u64>>,
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap().join().unwrap();
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn a_list_of_a_million_is_compared_hashed_printed_and_dropped_on_a_small_stack() {
    // If wrong: a user's list overflows the stack of the thread that compares it.
    on_a_small_stack(|| {
        let pool = Pool::<Root<'_>>::options().volatile().unwrap();
        persist_fase!(pool, |tx, root| {
            for chain in [&mut root.one, &mut root.two] {
                let mut made = Chain::end();
                for value in 0..MILLION {
                    made = Chain::link(tx, Some(made), value);
                }
                *chain = Some(made);
            }
            Ok(())
        })
        .unwrap();
        let now = pool.snapshot();
        let (one, two) = (now.one.as_ref().unwrap(), now.two.as_ref().unwrap());
        assert!(one == two && one.cmp(two).is_eq() && one.partial_cmp(two).unwrap().is_eq());
        assert_eq!(hash(one), hash(two));
        let printed = format!("{one:?}");
        assert!(printed.contains("rest: Some(..)") && printed.len() < 10_000, "{printed}");
        assert!(format!("{one:#?}").contains(".."));
        drop(now);
        persist_fase!(pool, |_tx, root| {
            root.one = None;
            root.two = None;
            Ok(())
        })
        .unwrap();
        assert_eq!(pool.check().unwrap().nodes, 1);
    });
}

#[test]
fn two_structures_that_share_are_compared_without_looking_into_what_they_share() {
    // If wrong: comparing two versions costs what they are, not what changed; this net has 2^80 paths.
    #[functional]
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum Net {
        Knot,
        Two { left: Net, right: Net, value: u64 },
    }
    #[derive(Persistent, Default)]
    #[repr(C)]
    struct Empty {
        nothing: u8,
    }
    let pool = Pool::<Empty>::options().volatile().unwrap();
    persist_fase!(pool, |tx, _root| {
        let mut net = Net::knot();
        for value in 0..80 {
            net = Net::two(tx, net.share(tx), net, value);
        }
        let other = net.share(tx).with_value(tx, 1000);
        assert!(net == net.share(tx) && net != other && net < other);
        Ok(())
    })
    .unwrap();
}
