//! A document edited at a cursor, with undo and named versions: an old version is an owner more, and costs what changed.

use pmem_runtime::{Fase, Persistent, Pool, Text, Vector, functional, persist_fase};

pub(crate) use model::Document;
use model::{DocumentParts, Lines, LinesParts, LinesView};

#[functional]
pub(crate) mod model {
    #[derive(Debug, Default, PartialEq, Eq)]
    pub(crate) enum Lines {
        #[default]
        End,
        Line {
            text: Text,
            rest: Lines,
        },
    }

    /// A zipper: the lines before the cursor, nearest first, and those behind it.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct Document {
        before: Lines,
        after: Lines,
    }

    use pmem_runtime::Text;
}

#[functional]
impl Document {
    pub(crate) fn empty(tx: &Fase) -> Self {
        Document::new(tx, Lines::end(), Lines::end())
    }

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
    pub(crate) fn step(self, tx: &Fase, is_forward: bool) -> Self {
        let DocumentParts { before, after } = self.take(tx);
        let (from, to) = if is_forward { (after, before) } else { (before, after) };
        let (from, to) = match from.take(tx) {
            LinesParts::End => (Lines::end(), to),
            LinesParts::Line { text, rest } => (rest, Lines::line(tx, text, to)),
        };
        let (before, after) = if is_forward { (to, from) } else { (from, to) };
        Document::new(tx, before, after)
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
        let mut before = list(self.before());
        before.reverse();
        (before, list(self.after()))
    }
}

#[derive(Persistent)]
#[repr(C)]
pub(crate) struct Version<'p> {
    name: Text<'p>,
    document: Document<'p>,
}

#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Desk<'p> {
    pub(crate) document: Option<Document<'p>>,
    versions: Vector<'p, Version<'p>>,
}

impl<'p> Desk<'p> {
    /// Changes the document, after keeping what it was under a name.
    pub(crate) fn edit(
        &mut self,
        tx: &Fase<'p>,
        name: &str,
        change: impl FnOnce(Document<'p>) -> Document<'p>,
    ) {
        let old = self.document.take().unwrap_or_else(|| Document::empty(tx));
        self.versions.push(tx, Version { name: Text::of(tx, name), document: old.share(tx) });
        self.document = Some(change(old));
    }

    /// Goes back to the version that was kept last.
    pub(crate) fn undo(&mut self, tx: &Fase<'p>) {
        self.document = self.versions.pop(tx).map(|version| version.document).or(self.document.take());
    }

    /// The newest version of that name.
    pub(crate) fn find(&self, name: &str) -> Option<&Document<'p>> {
        self.versions.iter().rev().find(|version| version.name == *name).map(|version| &version.document)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<Desk<'_>>::options().create(folder.path().join("document.pool"))?;
    let texts: Vec<String> = (0..1000).map(|number| format!("line {number}")).collect();
    persist_fase!(pool, |tx, desk| {
        desk.edit(tx, "empty", |empty| texts.iter().fold(empty, |made, text| made.insert(tx, text)));
        Ok(())
    })?;
    let nodes = pool.check()?.nodes;
    persist_fase!(pool, |tx, desk| {
        desk.edit(tx, "first draft", |draft| draft.delete(tx).step(tx, false).insert(tx, "new"));
        Ok(())
    })?;
    let more = pool.check()?.nodes - nodes;
    println!("a thousand lines, and a second version of them: {more} nodes more");
    persist_fase!(pool, |tx, desk| {
        assert!(desk.find("first draft").is_some_and(|draft| draft.text().0 == texts));
        desk.undo(tx);
        Ok(())
    })?;
    let now = pool.snapshot();
    let (before, after) = now.document.as_ref().ok_or("there is a document")?.text();
    assert!(before == texts && after.is_empty() && more <= 5);
    println!("after undo: {} lines", before.len());
    Ok(())
}
