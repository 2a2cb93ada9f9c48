//! What a collection's own check found.

/// An invariant of a collection that does not hold: the damage of a file, or a `Hash`, `Eq` or `Ord` that does not keep its
/// contract (or has changed since the elements were inserted).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{collection}: at {}, expected {expected}, found {found}; read what can be read into a new collection",
    Self::show(path)
)]
pub struct Defect {
    /// Which collection: `Map`, `Vector`.
    pub collection: &'static str,
    /// The way from the root: which child of which child.
    pub path: Vec<usize>,
    /// What would have been right.
    pub expected: String,
    /// What was there.
    pub found: String,
}

impl Defect {
    fn show(path: &[usize]) -> String {
        if path.is_empty() {
            return "the root".to_owned();
        }
        let steps: Vec<String> = path.iter().map(usize::to_string).collect();
        format!("child {}", steps.join("."))
    }
}
