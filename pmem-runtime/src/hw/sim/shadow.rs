//! What the log says that the mapping holds: the bytes at the start, and a copy of each page that was stored to since.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The unit of copying. Most pages of an image are never stored to, and most images are opened once.
pub(super) const SHADOW_PAGE_BYTES: usize = 4096;

type Page = [u8; SHADOW_PAGE_BYTES];

static ZERO: Page = [0; SHADOW_PAGE_BYTES];

#[derive(Debug)]
pub(super) struct Shadow {
    initial: Arc<Vec<u8>>,
    len_bytes: usize,
    changed: BTreeMap<usize, Box<Page>>,
}

impl Shadow {
    pub(super) fn new(initial: Arc<Vec<u8>>) -> Self {
        Shadow { len_bytes: initial.len(), initial, changed: BTreeMap::new() }
    }

    pub(super) fn len_bytes(&self) -> usize {
        self.len_bytes
    }

    pub(super) fn resize(&mut self, len_bytes: usize) {
        if !self.len_bytes.is_multiple_of(SHADOW_PAGE_BYTES) {
            // Its last page gets longer.
            self.own(self.len_bytes / SHADOW_PAGE_BYTES);
        }
        self.len_bytes = len_bytes;
    }

    /// The bytes from `offset` to the end of its page, or to the end of the pool if that comes first.
    pub(super) fn rest_of_page(&self, offset: usize) -> &[u8] {
        let (page, at) = (offset / SHADOW_PAGE_BYTES, offset % SHADOW_PAGE_BYTES);
        let end = SHADOW_PAGE_BYTES.min(self.len_bytes - page * SHADOW_PAGE_BYTES);
        if let Some(changed) = self.changed.get(&page) {
            return &changed[at..end];
        }
        // Behind the start's end all is zero.
        self.initial
            .get(page * SHADOW_PAGE_BYTES + at..page * SHADOW_PAGE_BYTES + end)
            .unwrap_or(&ZERO[at..end])
    }

    pub(super) fn store(&mut self, mut offset: usize, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (page, at) = (offset / SHADOW_PAGE_BYTES, offset % SHADOW_PAGE_BYTES);
            let (now, later) = bytes.split_at(bytes.len().min(SHADOW_PAGE_BYTES - at));
            self.own(page)[at..at + now.len()].copy_from_slice(now);
            offset += now.len();
            bytes = later;
        }
    }

    fn own(&mut self, page: usize) -> &mut Page {
        let initial = &self.initial;
        self.changed.entry(page).or_insert_with(|| {
            let mut copy = Box::new(ZERO);
            let from = (page * SHADOW_PAGE_BYTES).min(initial.len());
            let until = (from + SHADOW_PAGE_BYTES).min(initial.len());
            copy[..until - from].copy_from_slice(&initial[from..until]);
            copy
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{SHADOW_PAGE_BYTES, Shadow};
    use std::sync::Arc;

    /// If this failed, a store would be logged that never happened, or one that happened would not be.
    #[test]
    fn a_shadow_is_the_bytes_that_were_stored() {
        let initial: Vec<u8> = (0..3 * SHADOW_PAGE_BYTES - 80).map(|index| index as u8 % 251).collect();
        let mut shadow = Shadow::new(Arc::new(initial.clone()));
        let mut plain = initial;
        shadow.resize(4 * SHADOW_PAGE_BYTES);
        plain.resize(4 * SHADOW_PAGE_BYTES, 0);
        for (offset, len) in
            [(0, 8), (SHADOW_PAGE_BYTES - 3, 6), (2 * SHADOW_PAGE_BYTES + 5, 2 * SHADOW_PAGE_BYTES - 5)]
        {
            let bytes = vec![0xEE; len];
            shadow.store(offset, &bytes);
            plain[offset..offset + len].copy_from_slice(&bytes);
            let mut at = 0;
            while at < plain.len() {
                let rest = shadow.rest_of_page(at);
                assert_eq!(rest, &plain[at..at + rest.len()], "offset {at}");
                at += rest.len();
            }
        }
    }
}
