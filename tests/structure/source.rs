//! A source file as text: its room, what it imports, whether it has unsafe code.

use std::fs;
use std::path::{Path, PathBuf};

/// A file below a crate's `src`.
pub(crate) struct Source {
    name: String,
    module: Vec<String>,
    /// Lines with comments blanked out and unit tests cut off.
    lines: Vec<String>,
}

impl Source {
    /// Reads `file`, which lies below `base`.
    pub(crate) fn read(base: &Path, file: &Path) -> Self {
        let path = file.strip_prefix(base).unwrap();
        let text = fs::read_to_string(file).unwrap();
        let mut module: Vec<String> =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| last == "mod" || last == "lib");
        // Unit tests may look at any room; they are the last item of their file, or a file of their own.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let is_test = module.iter().any(|part| part == "tests" || part.ends_with("_test"));
        if is_test {
            // A file of tests belongs to no room.
            module.clear();
        }
        let lines = if is_test { Vec::new() } else { code.lines().map(without_comment).collect() };
        Source { name: path.display().to_string(), module, lines }
    }

    /// The path below `src`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The room the file belongs to; `None` for the crate's root.
    pub(crate) fn room(&self) -> Option<&str> {
        self.module.first().map(String::as_str)
    }

    /// The first line with an `unsafe` token.
    pub(crate) fn first_unsafe(&self) -> Option<usize> {
        let has_token = |line: &String| words(line).any(|word| word == "unsafe");
        self.lines.iter().position(has_token).map(|index| index + 1)
    }

    /// The first segment of every path that starts at the crate's root, with its line.
    pub(crate) fn imports(&self, is_room: impl Fn(&str) -> bool) -> Vec<(usize, String)> {
        let text = self.lines.join("\n");
        let mut found = Vec::new();
        for (at, _) in text.match_indices("crate::") {
            // `$crate` is the user's way in, `some_crate::` another name.
            let is_path =
                !text[..at].ends_with(|before: char| is_word(before) || before == '$' || before == ':');
            if is_path {
                let line = text[..at].matches('\n').count() + 1;
                let targets = first_segments(&text[at + "crate::".len()..]);
                found.extend(targets.into_iter().map(|target| (line, target)));
            }
        }
        for (at, _) in text.match_indices("super::") {
            if text[..at].ends_with(|before: char| is_word(before) || before == ':') {
                continue;
            }
            let rest = &text[at..];
            let supers =
                (0..).take_while(|count| rest[count * "super::".len()..].starts_with("super::")).count();
            if supers == self.module.len() {
                let line = text[..at].matches('\n').count() + 1;
                let targets = first_segments(&rest[supers * "super::".len()..]);
                // Inside an inline module a `super` is one less: what it names is then a file of this room.
                let rooms = targets.into_iter().filter(|target| is_room(target));
                found.extend(rooms.map(|target| (line, target)));
            }
        }
        found
    }
}

/// Every Rust file below a folder, in order.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|character| !is_word(character))
}

/// The line without its comment and without what stands in string literals.
fn without_comment(line: &str) -> String {
    let mut code = String::new();
    let mut in_string = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => {
                characters.next();
            }
            '"' => in_string = !in_string,
            '/' if !in_string && characters.peek() == Some(&'/') => break,
            _ if in_string => {}
            _ => code.push(character),
        }
    }
    code
}

/// `a::b` gives `a`; `{a::b, c::{d, e}}` gives `a` and `c`.
fn first_segments(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![path.chars().take_while(|character| is_word(*character)).collect()];
    };
    let mut depth = 0;
    let mut segments = Vec::new();
    let mut starts = true;
    let mut segment = String::new();
    for character in group.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts = true,
            _ if starts && is_word(character) => segment.push(character),
            _ if !segment.is_empty() => {
                segments.push(std::mem::take(&mut segment));
                starts = false;
            }
            _ => {}
        }
        if matches!(character, ',' | '}') && !segment.is_empty() {
            segments.push(std::mem::take(&mut segment));
        }
    }
    if !segment.is_empty() {
        segments.push(segment);
    }
    segments
}

/// If this failed, an import upwards would pass unseen.
#[test]
fn imports_are_found_in_every_form() {
    let segments = |path| first_segments(path).join(" ");
    assert_eq!(segments("heap::Line;"), "heap");
    assert_eq!(segments("{heap::{Line, Stream}, hw, pool::Region};"), "heap hw pool");
    assert_eq!(segments("{\n    heap,\n    hw::Medium,\n};"), "heap hw");
    assert_eq!(without_comment("let at = \"crate::x // y\"; // crate::z"), "let at = ; ");
}
