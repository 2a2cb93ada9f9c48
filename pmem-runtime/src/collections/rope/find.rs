//! Where bytes occur: across pieces, in one pass (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977).

use super::{Content, Rope};

impl<H: Content> Rope<'_, H> {
    /// Where `wanted` begins first.
    pub(in crate::collections) fn find(&self, wanted: &[u8]) -> Option<usize> {
        self.find_in(0, self.len(), wanted)
    }

    /// Where `wanted`, all of it in `from..to`, begins first.
    ///
    /// Complexity: O(bytes of the range and wanted).
    pub(in crate::collections) fn find_in(&self, from: usize, to: usize, wanted: &[u8]) -> Option<usize> {
        if wanted.is_empty() {
            return Some(from);
        }
        if wanted.len() > to - from {
            return None;
        }
        let borders = borders(wanted);
        let mut matched = 0;
        let mut at = from;
        for piece in self.runs(from, to) {
            for byte in piece {
                while matched > 0 && wanted[matched] != *byte {
                    matched = borders[matched - 1];
                }
                matched += usize::from(wanted[matched] == *byte);
                at += 1;
                if matched == wanted.len() {
                    return Some(at - matched);
                }
            }
        }
        None
    }
}

/// For each beginning of these bytes, the length of its longest other beginning that it ends with.
fn borders(wanted: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(wanted.len());
    borders.push(0);
    let mut matched = 0;
    for byte in &wanted[1..] {
        while matched > 0 && wanted[matched] != *byte {
            matched = borders[matched - 1];
        }
        matched += usize::from(wanted[matched] == *byte);
        borders.push(matched);
    }
    borders
}
