//! Tests of the other models, of explicit choices, and of what events and notes say of their origin.

use std::collections::BTreeSet;
use std::panic::Location;

use super::{Action, Choices, Chooser, Event, Persistence, Replay, SimThread, Source};

const THREAD: SimThread = SimThread(0);

fn event(action: Action) -> Event {
    Event { thread: THREAD, action, source: Source { line: Location::caller(), section: 0 } }
}

fn store(offset: u64, value: u64) -> Event {
    event(Action::Store { offset, bytes: Box::new(value.to_le_bytes()) })
}

fn write_back(offset: u64) -> Event {
    event(Action::WriteBack { offset, len_bytes: 64 })
}

fn word(image: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(image[offset..offset + 8].try_into().unwrap())
}

/// The state after these events on two pages of zeros.
fn after(persistence: Persistence, events: &[Event]) -> Replay {
    let mut replay = Replay::reading(vec![0; 8192], persistence);
    events.iter().for_each(|event| replay.apply(event));
    replay
}

/// The pairs of words at two offsets that crashes leave.
fn pairs(replay: &Replay, [first, second]: [usize; 2]) -> Vec<(u64, u64)> {
    let seeds = (0..300).map(Chooser::Seeded).chain([Chooser::All, Chooser::None]);
    let pair = |chooser| {
        let image = replay.image(chooser);
        (word(&image, first), word(&image, second))
    };
    seeds.map(pair).collect::<BTreeSet<_>>().into_iter().collect()
}

/// If this failed, x86 would be read as weaker or stronger than it is: a line's stores persist in order, lines do not.
#[test]
fn px86_leaves_a_prefix_of_each_line() {
    let stores = [store(64, 1), store(72, 1), store(128, 1)];
    let x86 = after(Persistence::Px86, &stores);
    assert_eq!(pairs(&x86, [64, 72]), [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(pairs(&x86, [72, 128]), [(0, 0), (0, 1), (1, 0), (1, 1)]);
    let chunks = after(Persistence::Chunk8, &stores);
    assert_eq!(pairs(&chunks, [64, 72]), [(0, 0), (0, 1), (1, 0), (1, 1)], "a superset");
}

/// If this failed, what a fence guarantees of a line would be forgotten by the model that keeps its order.
#[test]
fn px86_keeps_what_was_fenced() {
    let events = [store(64, 1), write_back(64), event(Action::Fence), store(72, 1), store(64, 2)];
    let replay = after(Persistence::Px86, &events);
    assert_eq!(pairs(&replay, [64, 72]), [(1, 0), (1, 1), (2, 1)]);
}

/// If this failed, a file would be thought to need write-backs, or its sync to cover what comes later.
#[test]
fn files_are_synced_whole_and_torn_at_sectors_or_pages() {
    let stores = [store(0, 1), store(448, 1), store(512, 1), store(4096, 1)];
    let sectors = after(Persistence::Sector512, &stores);
    assert_eq!(pairs(&sectors, [0, 448]), [(0, 0), (1, 0), (1, 1)], "one sector");
    assert_eq!(pairs(&sectors, [448, 512]).len(), 4, "two sectors");
    let pages = after(Persistence::Page4K, &stores);
    assert_eq!(pairs(&pages, [448, 512]), [(0, 0), (1, 0), (1, 1)], "one page");
    assert_eq!(pairs(&pages, [512, 4096]).len(), 4, "two pages");
    for model in [Persistence::Sector512, Persistence::Page4K] {
        let mut replay = after(model, &stores);
        replay.apply(&event(Action::Fence));
        replay.apply(&store(0, 2));
        assert_eq!(pairs(&replay, [0, 4096]), [(1, 1), (2, 1)], "{model}");
    }
}

/// If this failed, a sync after a failed one would be believed on a file.
#[test]
fn a_file_loses_what_a_failed_sync_gave_up() {
    for model in [Persistence::Sector512, Persistence::Page4K] {
        let failed = [store(0, 1), store(4096, 1), event(Action::FenceFailed), event(Action::Fence)];
        let mut replay = after(model, &failed);
        assert_eq!(pairs(&replay, [0, 4096]).len(), 4, "{model}");
        // Stored to again, the page is dirty again, and is written whole.
        replay.apply(&store(8, 1));
        replay.apply(&event(Action::Fence));
        assert_eq!(pairs(&replay, [0, 4096]), [(1, 0), (1, 1)], "{model}");
    }
}

/// If this failed, caches that survive would be thought to lose something.
#[test]
fn eadr_loses_nothing() {
    let replay = after(Persistence::Eadr, &[store(64, 1), store(128, 1)]);
    assert_eq!(pairs(&replay, [64, 128]), [(1, 1)]);
    assert!(replay.uncertain_lines().is_empty());
}

/// If this failed, a printed state would not be the state that was judged, or equal states would be judged twice.
#[test]
fn choices_say_the_same_as_their_chooser_and_fingerprints_tell_images_apart() {
    for model in Persistence::ALL {
        let mut replay = Replay::reading(vec![0; 8192], model);
        let mut seen: Vec<(u64, Vec<u8>)> = Vec::new();
        for round in 0..24_u64 {
            let offset = round * 328 % 8000 / 8 * 8;
            replay.apply(&store(offset, 1 + round % 3));
            if round % 4 == 0 {
                replay.apply(&write_back(offset / 64 * 64));
                replay.apply(&event(Action::Fence));
            }
            for chooser in (0..6).map(Chooser::Seeded).chain([Chooser::All, Chooser::None]) {
                let choices = replay.choices(chooser);
                let image = replay.image_with(&choices);
                assert_eq!(image, replay.image(chooser));
                assert_eq!(replay.missing(&choices).is_empty(), image == replay.image(Chooser::All));
                seen.push((replay.fingerprint(&choices), image));
            }
        }
        for (first, first_image) in &seen {
            for (second, second_image) in &seen {
                assert_eq!(first == second, first_image == second_image, "{model}");
            }
        }
    }
}

/// If this failed, "all states" would be some, or some of them twice.
#[test]
fn every_choice_is_every_state_once() {
    let events =
        [store(64, 1), store(64, 2), store(72, 1), event(Action::GrowStarted { new_len_bytes: 9000 })];
    for (model, count) in [(Persistence::Chunk8, 3 * 2 * 2), (Persistence::Px86, 4 * 2)] {
        let replay = after(model, &events);
        assert!(replay.every_choice(count - 1).is_none());
        let all = replay.every_choice(count).unwrap();
        let images: BTreeSet<Vec<u8>> = all.iter().map(|choices| replay.image_with(choices)).collect();
        let prints: BTreeSet<u64> = all.iter().map(|choices| replay.fingerprint(choices)).collect();
        assert_eq!([all.len(), images.len(), prints.len()], [count as usize; 3], "{model}");
    }
}

/// If this failed, the lost stores would be named wrongly in a failure.
#[test]
fn missing_chunks_name_the_stores_that_they_lost() {
    let replay = after(Persistence::Chunk8, &[store(64, 1), store(128, 5), store(64, 2)]);
    let choices = Choices { kept: [(8, 1)].into(), keeps_growth: false };
    let missing = replay.missing(&choices);
    assert_eq!(missing.len(), 1);
    assert_eq!((missing[0].offset, &*missing[0].stores), (64, &[2][..]));
    assert_eq!(word(&replay.image_with(&choices), 64), 1);
    let chunk_names: Vec<String> = Persistence::ALL.iter().map(ToString::to_string).collect();
    assert!(chunk_names.iter().all(|name| name.parse::<Persistence>().unwrap().to_string() == *name));
    "chunk9".parse::<Persistence>().unwrap_err();
}
