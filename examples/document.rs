//! A document edited at a cursor, with undo and named versions: an old version is an owner more, and costs what changed.

use std::mem::replace;

use pmem_runtime::{Fase, Persistent, Pool, Text, Vector, functional, persist_fase};

#[functional]
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    End,
    Line { text: Text, rest: Lines },
}

/// A zipper: the lines before the cursor, nearest first, and those behind it.
#[functional]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Document {
    before: Lines<'_>,
    after: Lines<'_>,
}

#[functional]
impl Document {
    pub(crate) fn insert(self, tx: &Fase, text: &str) -> Self {
        let DocumentParts { before, after } = self.take(tx);
        Document::new(tx, Lines::line(tx, Text::of(tx, text), before), after)
    }

    /// Removes the line before the cursor, if there is one.
    pub(crate) fn delete(self, tx: &Fase) -> Self {
        let DocumentParts { before, after } = self.take(tx);
        match before.take(tx) {
            LinesParts::End => Document::new(tx, Lines::end(), after),
            LinesParts::Line { rest, .. } => Document::new(tx, rest, after),
        }
    }

    /// Moves the cursor by a line, if there is one.
    pub(crate) fn step(mut self, tx: &Fase, is_forward: bool) -> Self {
        let DocumentMut { before, after } = self.make_mut(tx);
        let (from, to) = if is_forward { (after, before) } else { (before, after) };
        if let LinesParts::Line { text, rest } = replace(from, Lines::end()).take(tx) {
            *from = rest;
            *to = Lines::line(tx, text, replace(to, Lines::end()));
        }
        self
    }

    /// The lines before the cursor, and those behind it, each in the order of the text.
    pub(crate) fn text(&self) -> (Vec<String>, Vec<String>) {
        let list = |mut lines: &_| {
            let mut found = Vec::new();
            while let LinesView::Line { text, rest } = Lines::view(lines) {
                found.push(text.to_string());
                lines = rest;
            }
            found
        };
        (list(self.before()).into_iter().rev().collect(), list(self.after()))
    }
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Desk<'p> {
    pub(crate) document: Option<Document<'p>>,
    versions: Vector<'p, (Text<'p>, Document<'p>)>,
}

impl<'p> Desk<'p> {
    /// Changes the document, after keeping what it was under a name.
    pub(crate) fn edit(&mut self, tx: &Fase<'p>, name: &str, to: impl FnOnce(Document<'p>) -> Document<'p>) {
        let old = self.document.take().unwrap_or_else(|| Document::new(tx, Lines::end(), Lines::end()));
        self.versions.push(tx, (Text::of(tx, name), old.share(tx)));
        self.document = Some(to(old));
    }

    /// Goes back to the version that was kept last.
    pub(crate) fn undo(&mut self, tx: &Fase<'p>) {
        self.document = self.versions.pop(tx).map(|(_, document)| document).or(self.document.take());
    }

    /// The newest version of that name.
    pub(crate) fn find(&self, name: &str) -> Option<&Document<'p>> {
        self.versions.iter().rev().find(|(known, _)| *known == *name).map(|(_, document)| document)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Desk<'_>>::options().create(folder.path().join("document.pool"))?;
    persist_fase!(pool, |tx, desk| {
        desk.edit(tx, "empty", |empty| (0..1000).fold(empty, |made, _| made.insert(tx, "a line")));
        Ok(())
    })?;
    let nodes = pool.check()?.nodes;
    persist_fase!(pool, |tx, desk| {
        desk.edit(tx, "draft", |draft| draft.delete(tx).step(tx, false).insert(tx, "new"));
        Ok(())
    })?;
    let now = pool.snapshot();
    assert!(now.find("draft").is_some_and(|draft| draft.text().0 == ["a line"; 1000]));
    println!("a second version of a thousand lines: {} nodes more", pool.check()?.nodes - nodes);
    persist_fase!(pool, |tx, desk| {
        desk.undo(tx);
        Ok(())
    })?;
    assert!(pool.snapshot().document.as_ref() == now.find("draft"));
    Ok(())
}
