//! Texts written out, and written to.

use std::fmt;

use super::Text;
use crate::commit::Fase;

/// As `str`: padding and precision included.
impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.as_str().is_none() && f.width().is_none() && f.precision().is_none() {
            return self.chunks().try_for_each(|piece| f.write_str(piece));
        }
        f.pad(&self.whole())
    }
}

/// As `str`: in quotes, with escapes.
impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.whole(), f)
    }
}

/// What [`Text::writer`] gives: `write!` puts what it writes behind the last character.
pub struct Writer<'w, 'p> {
    pub(super) text: &'w mut Text<'p>,
    pub(super) tx: &'w Fase<'p>,
}

impl fmt::Write for Writer<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(self.tx, text);
        Ok(())
    }
}

impl fmt::Debug for Writer<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("text", &self.text).finish_non_exhaustive()
    }
}
