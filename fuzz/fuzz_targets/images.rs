//! The images of `hostile-images`, with the changes made by libFuzzer, which learns which ones lead where: see `docs/testing.md`.
//!
//! An input says which target, which of its pools, how it is opened and used, and then word for word what is changed in it.
#![no_main]

#[path = "../../tests/images/attempt.rs"]
mod attempt;
#[path = "../../tests/images/bases.rs"]
mod bases;
#[path = "../../tests/campaign/collections.rs"]
#[allow(dead_code, reason = "the campaign of crashes uses the rest")]
mod collections;
#[path = "../../tests/hostile/forge.rs"]
#[allow(dead_code, reason = "the test uses the rest")]
mod forge;
#[path = "../../tests/hostile/mutate.rs"]
#[allow(dead_code, reason = "the deterministic mutator uses the rest")]
mod mutate;
#[path = "../../tests/images/roots.rs"]
mod roots;
#[path = "../../tests/images/shelves.rs"]
mod shelves;
#[path = "../../tests/images/subject.rs"]
mod subject;
#[path = "../../tests/support/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod support;
#[path = "../../tests/images/targets.rs"]
mod targets;

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use attempt::Verdict;
use bases::Base;
use libfuzzer_sys::fuzz_target;
use mutate::seal;
use targets::TARGETS;

/// Which target, which pool, how to seal, and the manner.
const HEAD_BYTES: usize = 3 + 8;
/// Where a change is, and to what.
const CHANGE_BYTES: usize = 1 + 2 + 2 + 8;

struct Studio {
    bases: Vec<Vec<Base>>,
    path: PathBuf,
}

fn studio() -> &'static Studio {
    static STUDIO: OnceLock<Studio> = OnceLock::new();
    STUDIO.get_or_init(|| {
        let bases = TARGETS.iter().map(|target| (target.bases)()).collect();
        // From here on panics are caught and judged, and do not end the process.
        attempt::listen();
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
        Studio { bases, path: folder.join(format!("hostile-fuzz-{}.pool", std::process::id())) }
    })
}

fuzz_target!(|input: &[u8]| {
    let Some((head, changes)) = input.split_at_checked(HEAD_BYTES) else { return };
    let studio = studio();
    let target = usize::from(head[0]) % TARGETS.len();
    let base = &studio.bases[target][usize::from(head[1]) % studio.bases[target].len()];
    let manner = u64::from_le_bytes(head[3..].try_into().expect("eight bytes"));
    let mut forge = base.forge.clone();
    for change in changes.chunks_exact(CHANGE_BYTES) {
        let half = |at: usize| usize::from(u16::from_le_bytes([change[at], change[at + 1]]));
        let word = u64::from_le_bytes(change[5..].try_into().expect("eight bytes"));
        let node = base.nodes[half(1) % base.nodes.len()];
        let place = match change[0] % 4 {
            // The file's head, a node's header or payload, anywhere.
            0 => half(3) % (20 << 10) & !7,
            1 | 2 => node.0 + half(3) % (16 + node.1) & !7,
            _ => half(1) << 16 | half(3),
        };
        let place = place % (forge.bytes.len() - 8);
        match change[0] / 4 % 4 {
            0 => forge.put_word(place, word),
            1 => forge.put_word(place, forge.word(place).wrapping_add(word)),
            // A pointer to another node.
            2 => {
                let other = base.nodes[word as usize % base.nodes.len()];
                forge.put_word(place, forge.field(forge::BASE) + other.0 as u64);
            }
            _ => forge.bytes[place] = word as u8,
        }
    }
    if head[2] % 4 != 0 {
        seal(&mut forge);
    }
    if head[2] % 4 > 1 {
        base.nodes.iter().for_each(|node| forge.seal_node(node.0));
    }
    fs::remove_file(&studio.path).ok();
    fs::write(&studio.path, &forge.bytes).expect("images can be written");
    if let Verdict::Failed(words) = (TARGETS[target].attempt)(&studio.path, manner) {
        eprintln!("{} ({}): {words}", TARGETS[target].name, base.name);
        std::process::abort();
    }
});
