//! A trie over lower-case words.

use std::collections::BTreeMap;

use pmem_runtime::{Fase, Persistent, Pool, functional, persist_fase};

/// What follows a prefix. A child without words below it is not kept.
#[functional]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Trie<V> {
    value: Option<V>,
    children: [Option<Trie<V>>; 26],
}

fn letter(byte: u8) -> usize {
    assert!(byte.is_ascii_lowercase(), "words are made of the letters a to z");
    usize::from(byte - b'a')
}

#[functional]
impl<V> Trie<V> {
    pub(crate) fn empty(tx: &Fase) -> Self {
        Trie::new(tx, None, [const { None }; 26])
    }

    pub(crate) fn get(&self, word: &str) -> Option<&V> {
        let mut trie = self;
        for byte in word.bytes() {
            trie = trie.children()[letter(byte)].as_ref()?;
        }
        trie.value().as_ref()
    }

    pub(crate) fn insert(mut self, tx: &Fase, word: &str, value: V) -> Self {
        let mut parts = self.make_mut(tx);
        for byte in word.bytes() {
            let child = &mut parts.children[letter(byte)];
            parts = child.get_or_insert_with(|| Trie::empty(tx)).make_mut(tx);
        }
        *parts.value = Some(value);
        self
    }

    /// Nothing is left if the word was the only one.
    pub(crate) fn remove(self, tx: &Fase, word: &[u8]) -> Option<Self> {
        let TrieParts { mut value, mut children } = self.take(tx);
        match word.split_first() {
            None => value = None,
            Some((first, rest)) => {
                let child = &mut children[letter(*first)];
                *child = child.take().and_then(|child| child.remove(tx, rest));
            }
        }
        let is_empty = value.is_none() && children.iter().all(Option::is_none);
        (!is_empty).then(|| Trie::new(tx, value, children))
    }

    /// All words below, in order, each after `prefix`.
    pub(crate) fn words<'t>(&'t self, prefix: &mut String, found: &mut Vec<(String, &'t V)>) {
        found.extend(self.value().iter().map(|value| (prefix.clone(), value)));
        for (byte, child) in (b'a'..).zip(self.children()) {
            if let Some(child) = child {
                prefix.push(char::from(byte));
                child.words(prefix, found);
                prefix.pop();
            }
        }
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Root<'p> {
    pub(crate) trie: Option<Trie<'p, u32>>,
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    const WORDS: [&str; 8] = ["pool", "pointer", "poison", "section", "secret", "sect", "a", "pool"];
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Root<'_>>::options().create(folder.path().join("trie.pool"))?;
    persist_fase!(pool, |tx, root| {
        let words = (0..).zip(WORDS);
        let trie = words.fold(Trie::empty(tx), |trie, (index, word)| trie.insert(tx, word, index));
        root.trie = trie.remove(tx, b"secret");
        Ok(())
    })?;
    let twin: BTreeMap<_, _> = WORDS.into_iter().zip(0..).filter(|(word, _)| *word != "secret").collect();
    let now = pool.snapshot();
    let mut found = Vec::new();
    now.trie.as_ref().ok_or("there are words")?.words(&mut String::new(), &mut found);
    assert!(found.iter().map(|(word, index)| (&**word, **index)).eq(twin));
    println!("{} nodes hold {found:?}", pool.check()?.nodes - 1);
    Ok(())
}
