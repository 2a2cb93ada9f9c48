//! Two descriptions of types compared, in words that name fields.

use std::collections::{BTreeMap, BTreeSet};

/// More differences than that are not read.
const MAX_DIFFERENCES: usize = 64;

/// One paragraph of a description: `struct Account size 24 align 8`, and what is indented below it.
struct Definition<'t> {
    /// `struct`, `enum`, ...
    kind: &'t str,
    name: &'t str,
    /// From `size` on.
    shape: &'t str,
    /// Fields by name, variants by name, variants' fields by `variant.field`; each with the rest of its line.
    parts: Vec<(String, &'t str)>,
}

impl<'t> Definition<'t> {
    fn by_part(&self) -> BTreeMap<&str, &'t str> {
        self.parts.iter().map(|(part, place)| (part.as_str(), *place)).collect()
    }
}

/// What differs between a pool's description and the program's, as printed by `persist::describe`; empty if and only if
/// the texts are equal. Either may be any text.
///
/// Complexity: of sorting their lines.
pub(crate) fn schema_diff(stored: &str, ours: &str) -> Vec<String> {
    if stored == ours {
        return Vec::new();
    }
    let (stored, ours) = (parse(stored), parse(ours));
    let mut out = Vec::new();
    if let (Some(theirs), Some(mine)) = (stored.first(), ours.first())
        && theirs.name != mine.name
    {
        out.push(format!("root: `{}` in the pool, `{}` in the program", theirs.name, mine.name));
    }
    let by_name: BTreeMap<&str, &Definition<'_>> = ours.iter().map(|each| (each.name, each)).collect();
    for theirs in &stored {
        match by_name.get(theirs.name) {
            Some(mine) => compare(theirs, mine, &mut out),
            None => out.push(format!("type `{}`: in the pool, not in the program", theirs.name)),
        }
    }
    let stored_names: BTreeSet<&str> = stored.iter().map(|each| each.name).collect();
    for mine in &ours {
        if !stored_names.contains(mine.name) {
            out.push(format!("type `{}`: in the program, not in the pool", mine.name));
        }
    }
    if out.is_empty() {
        out.push("the same definitions in another order".to_owned());
    }
    if out.len() > MAX_DIFFERENCES {
        let more = out.len() - MAX_DIFFERENCES;
        out.truncate(MAX_DIFFERENCES);
        out.push(format!("... and {more} more"));
    }
    out
}

fn compare(theirs: &Definition<'_>, mine: &Definition<'_>, out: &mut Vec<String>) {
    let name = theirs.name;
    if theirs.kind != mine.kind {
        out.push(format!("`{name}`: {} in the pool, {} in the program", theirs.kind, mine.kind));
        return;
    }
    if theirs.shape != mine.shape {
        out.push(format!("`{name}`: {} in the pool, {} in the program", theirs.shape, mine.shape));
    }
    let before = out.len();
    let (their_parts, my_parts) = (theirs.by_part(), mine.by_part());
    for (part, place) in &theirs.parts {
        match my_parts.get(part.as_str()) {
            Some(found) if found == place => {}
            Some(found) => {
                out.push(format!("`{name}.{part}`: {place} in the pool, {found} in the program"));
            }
            None => out.push(format!("`{name}.{part}`: in the pool ({place}), not in the program")),
        }
    }
    for (part, place) in &mine.parts {
        if !their_parts.contains_key(part.as_str()) {
            out.push(format!("`{name}.{part}`: in the program ({place}), not in the pool"));
        }
    }
    if out.len() == before && theirs.parts != mine.parts {
        out.push(format!("`{name}`: the same parts in another order"));
    }
}

fn parse(text: &str) -> Vec<Definition<'_>> {
    let mut definitions: Vec<Definition<'_>> = Vec::new();
    let mut variant = "";
    for line in text.lines() {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        let (first, rest) = content.split_once(' ').unwrap_or((content, ""));
        if indent == 0 {
            let (name, shape) = rest.split_at(rest.find(" size ").unwrap_or(rest.len()));
            definitions.push(Definition { kind: first, name, shape: shape.trim_start(), parts: Vec::new() });
            continue;
        }
        let Some(definition) = definitions.last_mut() else { continue };
        if indent == 2 {
            variant = first;
            definition.parts.push((first.to_owned(), rest));
        } else {
            definition.parts.push((format!("{variant}.{first}"), rest));
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::schema_diff;

    const STORED: &str = "\
struct Bank size 24 align 8
  accounts @0 Map<u64, Account>
  audited @8 Option<u64>
struct Account size 16 align 8
  cents @0 i64
  owner @8 Text
enum Kind size 2 align 1 tag 1
  Savings = 0
  Current = 1
    limit @1 u8
";

    /// If this failed, a user would be told that the types differ but not where.
    #[test]
    fn each_changed_field_is_named_with_both_sides() {
        let ours = STORED
            .replace("cents @0 i64", "cents @0 u64")
            .replace("  owner @8 Text\n", "  note @8 Text\n")
            .replace("limit @1 u8", "limit @1 i8")
            .replace("Savings = 0", "Savings = 2");
        assert_eq!(
            schema_diff(STORED, &ours),
            [
                "`Account.cents`: @0 i64 in the pool, @0 u64 in the program",
                "`Account.owner`: in the pool (@8 Text), not in the program",
                "`Account.note`: in the program (@8 Text), not in the pool",
                "`Kind.Savings`: = 0 in the pool, = 2 in the program",
                "`Kind.Current.limit`: @1 u8 in the pool, @1 i8 in the program",
            ]
        );
    }

    /// If this failed, another root, a resized type or a reordering would be reported as nothing at all.
    #[test]
    fn roots_shapes_missing_types_and_orders_are_reported() {
        let renamed = STORED.replace("struct Bank", "struct Shop");
        let lines = schema_diff(STORED, &renamed);
        assert_eq!(lines[0], "root: `Bank` in the pool, `Shop` in the program");
        assert!(lines.contains(&"type `Bank`: in the pool, not in the program".to_owned()), "{lines:?}");
        assert!(lines.contains(&"type `Shop`: in the program, not in the pool".to_owned()), "{lines:?}");
        let grown = STORED.replace("Account size 16", "Account size 32");
        assert_eq!(
            schema_diff(STORED, &grown),
            ["`Account`: size 16 align 8 in the pool, size 32 align 8 in the program"]
        );
        let kind = STORED.replace("struct Account", "sequence Account");
        assert_eq!(schema_diff(STORED, &kind), ["`Account`: struct in the pool, sequence in the program"]);
        let swapped =
            STORED.replace("  cents @0 i64\n  owner @8 Text\n", "  owner @8 Text\n  cents @0 i64\n");
        assert_eq!(schema_diff(STORED, &swapped), ["`Account`: the same parts in another order"]);
    }

    proptest! {
        /// If this failed, a damaged description would crash the program, or hide that it differs.
        #[test]
        fn any_two_texts_differ_in_at_least_one_line_and_at_most_the_bound(
            stored in "[a-z @<>, 0-9\n]{0,200}",
            ours in any::<String>(),
        ) {
            let lines = schema_diff(&stored, &ours);
            assert_eq!(lines.is_empty(), stored == ours);
            assert!(lines.len() <= super::MAX_DIFFERENCES + 1);
        }
    }
}
