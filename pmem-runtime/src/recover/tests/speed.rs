//! How fast marking is: prints, asserts nothing. `cargo test --release -- --ignored --nocapture marking_speed`

use std::time::Instant;

use super::*;

const NODES: usize = 8 << 20;

#[test]
#[ignore = "measures, and takes half a gigabyte"]
fn marking_speed() {
    // Opening a pool takes as long as marking it: if this is slow, so is every restart after a crash.
    for (name, is_shuffled) in [("in order", false), ("shuffled", true)] {
        let mut pool = Pool::new();
        let mut nodes: Vec<u64> = (0..NODES).map(|_| pool.node(&TREE, &[0; 40])).collect();
        if is_shuffled {
            let mut random = Random(11);
            (1..NODES).for_each(|index| nodes.swap(index, random.below(index as u64 + 1) as usize));
        }
        for index in 1..NODES {
            let (parent, side) = (nodes[(index - 1) / 2], (index - 1) % 2);
            pool.bytes()[parent as usize + 16 + 8 * side..][..8]
                .copy_from_slice(&(BASE + nodes[index]).to_le_bytes());
        }
        nodes.iter().for_each(|node| pool.seal(*node));
        for checksums in [Checksums::Trust, Checksums::Verify] {
            for threads in [1, 2] {
                let start = Instant::now();
                let how = How { threads, checksums, ..ALONE };
                let marked =
                    mark_with(&mut pool, nodes[0], &TREE, how, &mut |_| ControlFlow::Continue(())).unwrap();
                let elapsed = start.elapsed();
                let gigabytes = marked.lines as f64 * 64.0 / 1e9;
                println!(
                    "tree of 64-byte nodes, {name}, {checksums:?}, {threads} threads: {:.2} GB/s, {:.0} ns a node",
                    gigabytes / elapsed.as_secs_f64(),
                    elapsed.as_nanos() as f64 / marked.nodes as f64
                );
            }
        }
    }
}
