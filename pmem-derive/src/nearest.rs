//! "Did you mean": the known word that a misspelt one is nearest to.

/// The nearest of `known`, if it is near enough to be meant: at most two letters wrong, and fewer than half of them.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let best = known.into_iter().map(|candidate| (distance(word, candidate), candidate)).min()?;
    (best.0 <= 2 && best.0 * 2 < best.1.len()).then_some(best.1)
}

/// Insertions, deletions and replacements that turn one word into the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_another_word_is_not() {
        // If wrong: the hint "did you mean" is missing where it helps, or misleads where it does not.
        let known = ["bound", "crate", "rename", "volatile"];
        assert_eq!(nearest("volatil", known), Some("volatile"));
        assert_eq!(nearest("renmae", known), Some("rename"));
        assert_eq!(nearest("default", known), None);
    }
}
