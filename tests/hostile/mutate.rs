//! Changes to a pool's bytes, at random: careless ones, and ones that make the checksums right afterwards.

use super::forge::{BASE, Forge, HEAP_OFFSET, LEN_BYTES, ROOT, WATERMARK};
use super::support::Random;

/// A node of a pool: its offset, and bytes of its payload.
pub(crate) type Node = (usize, usize);

/// A pool's bytes, and where its nodes are.
pub(crate) struct Specimen {
    pub(crate) name: &'static str,
    pub(crate) forge: Forge,
    pub(crate) nodes: Vec<Node>,
}

/// Numbers at which arithmetic goes wrong. Not 2^63: a pool with it as ticket or sequence number can be opened, once.
const AWKWARD: [u64; 13] =
    [0, 1, 63, 64, 4096, 0x8000, 0xffff, 1 << 31, u32::MAX as u64, 1 << 40, 1 << 44, u64::MAX - 1, u64::MAX];

/// The specimen after one to three changes.
pub(crate) fn mutate(random: &mut Random, specimen: &Specimen, other: &Forge) -> Forge {
    let mut forge = specimen.forge.clone();
    for _ in 0..=random.below(3) {
        change(random, &mut forge, &specimen.nodes, other);
    }
    forge
}

fn change(random: &mut Random, forge: &mut Forge, nodes: &[Node], other: &Forge) {
    let len = forge.bytes.len() as u64;
    let node @ (start, len_bytes) = pick(random, nodes);
    match random.below(11) {
        0 => {
            let at = random.below(len) as usize;
            forge.bytes[at] ^= 1 << random.below(8);
        }
        1 => {
            let (at, value) =
                (random.below(len) as usize, [0, 0xff, random.next() as u8][random.below(3) as usize]);
            let end = (at + 1 + random.below(200) as usize).min(len as usize);
            forge.bytes[at..end].fill(value);
        }
        2 => {
            let (from, to, count) = (random.below(len - 200), random.below(len - 200), 1 + random.below(199));
            forge.bytes.copy_within(from as usize..(from + count) as usize, to as usize);
        }
        3 => {
            let new_len = random.below(len + (64 << 10)).max(64 << 10) as usize;
            forge.bytes.resize(new_len, random.one_in(2).into());
        }
        4 => {
            let unit = [64, 512, 4096, 32 << 10][random.below(4) as usize];
            let at = (random.below(len.min(other.bytes.len() as u64)) / unit * unit) as usize;
            forge.put(at, &other.bytes[at..][..(unit as usize).min(other.bytes.len() - at)]);
        }
        5 => {
            // From the flags to the bitmap's hash: words, and two halves that a word covers.
            let field = 16 + 8 * random.below(20) as usize;
            let value = awkward(random, forge.field(field));
            forge.put_field(field, &value.to_le_bytes());
        }
        6 => {
            let field = if random.one_in(2) { WATERMARK } else { ROOT };
            let (root, watermark) = forge.checkpoint();
            let is_node = field == ROOT && random.one_in(2);
            let old = if field == ROOT { root } else { watermark };
            let value = if is_node { start as u64 } else { awkward(random, old) };
            forge.put_checkpoint(field, value);
        }
        7 => change_record(random, forge, node),
        8 => point(random, forge, node, nodes),
        9 => {
            let at = start + 4 * random.below(4) as usize;
            let value = awkward(random, forge.half(at).into()) as u32;
            forge.put(at, &value.to_le_bytes());
        }
        _ => {
            let at = start + 16 + random.below(len_bytes.max(1) as u64) as usize;
            forge.put(at, &[[0, 1, 2, 0x80, 0xff][random.below(5) as usize]]);
            forge.seal_node(start);
        }
    }
}

fn pick(random: &mut Random, nodes: &[Node]) -> Node {
    nodes[random.below(nodes.len() as u64) as usize]
}

fn awkward(random: &mut Random, old: u64) -> u64 {
    match random.below(6) {
        0 => AWKWARD[random.below(AWKWARD.len() as u64) as usize],
        1 => old.wrapping_add(1),
        2 => old.wrapping_sub(1),
        3 => old ^ 1 << random.below(64),
        4 => old.wrapping_add(64 << random.below(10)),
        _ => random.next() >> random.below(64),
    }
}

fn change_record(random: &mut Random, forge: &mut Forge, (node, _): Node) {
    let records = forge.records();
    let newest = records.iter().copied().max_by_key(|at| forge.word(at + 8));
    let Some(newest) = newest else { return };
    let at = if random.one_in(2) { newest } else { records[random.below(records.len() as u64) as usize] };
    match random.below(6) {
        0 => forge.put_word(at + 8, awkward(random, forge.word(at + 8))),
        1 => forge.put(at + 6, &[random.next() as u8, random.next() as u8]),
        2 => forge.put(at + 2 + 2 * random.below(2) as usize, &[random.below(40) as u8]),
        3 => forge.put_word(
            at + 40,
            if random.one_in(2) { node as u64 } else { awkward(random, forge.word(at + 40)) },
        ),
        4 => forge.put_word(at + 48, awkward(random, forge.word(at + 48))),
        _ => {
            // One more section, whose root is any node.
            let bytes = forge.bytes[at..at + 64].to_vec();
            let next = at + 64 * (1 + random.below(3) as usize);
            forge.put(next, &bytes);
            forge.put_word(next + 8, forge.word(newest + 8) + 1);
            forge.put_word(next + 40, node as u64);
            forge.seal_record(next, true);
        }
    }
    forge.seal_record(at, random.one_in(2));
}

/// Points a word of a node, a pointer if it has one, to another node, of the old one's length if there is one.
fn point(random: &mut Random, forge: &mut Forge, (start, len_bytes): Node, nodes: &[Node]) {
    let base = forge.field(BASE);
    let heap = forge.field(HEAP_OFFSET)..forge.field(LEN_BYTES);
    let words: Vec<usize> = (0..len_bytes / 8).map(|index| start + 16 + 8 * index).collect();
    let is_pointer = |at: &usize| heap.contains(&forge.word(*at).wrapping_sub(base));
    let pointers: Vec<usize> = words.iter().copied().filter(is_pointer).collect();
    let places = if pointers.is_empty() || random.one_in(8) { &words } else { &pointers };
    if places.is_empty() {
        return;
    }
    let at = places[random.below(places.len() as u64) as usize];
    let old = forge.word(at).wrapping_sub(base);
    let alike = nodes.iter().find(|node| node.0 as u64 == old).map(|node| node.1);
    let targets: Vec<Node> =
        nodes.iter().copied().filter(|node| alike.is_none_or(|len| node.1 == len)).collect();
    let target = pick(random, &targets).0 as u64 + if random.one_in(8) { 8 << random.below(4) } else { 0 };
    forge.put_word(at, base.wrapping_add(target));
    forge.seal_node(start);
}

/// Makes every checksum right that a pool has outside its heap.
pub(crate) fn seal(forge: &mut Forge) {
    forge.seal_superblocks();
    forge.seal_checkpoints();
    for record in forge.records() {
        forge.seal_record(record, true);
    }
}
