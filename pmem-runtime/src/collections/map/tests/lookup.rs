//! Looking keys up by forms that are no keys.

use equivalent::Equivalent;

use crate::{Map, Pool, persist_fase};

/// A form of a key that is no key, as `str` is of text.
#[derive(Hash)]
struct Word<'w>(&'w [u8]);

impl Equivalent<[u8; 4]> for Word<'_> {
    fn equivalent(&self, key: &[u8; 4]) -> bool {
        self.0 == key
    }
}

/// If this failed, a map with keys that live in a pool could only be asked by such keys.
#[test]
fn lookup_by_borrowed_forms() {
    let pool = Pool::<Map<'static, [u8; 4], u64>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, map| {
        map.extend(tx, (0..100_u32).map(|key| (key.to_le_bytes(), key.into())));
        let word = 7_u32.to_le_bytes().to_vec();
        assert_eq!((map.get(&Word(&word)), map[&Word(&word)]), (Some(&7), 7));
        assert!(map.contains_key(&Word(&word)) && !map.contains_key(&Word(b"four")));
        assert_eq!(map.get_mut(tx, &Word(&word)), Some(&mut 7));
        assert_eq!(map.remove(tx, &Word(&word)), Some(7));
        assert_eq!(map.remove(tx, &Word(&word)), None);
        Ok(())
    })
    .unwrap();
}
