//! Every type that a pool of a given root may hold, by the identity in node headers.

use std::collections::{BTreeMap, BTreeSet};

use super::{NodeType, TypeId32, describe};

/// Two types have one identity: nodes of one could be taken for the other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("types {first} and {second} have the same identity {:08x}: rename one of them, or one of its fields", id.0)]
pub struct RegistryError {
    /// The identity.
    pub id: TypeId32,
    /// The type that was met first.
    pub first: String,
    /// The other.
    pub second: String,
}

/// The types that a root leads to, the root's own included.
///
/// Possessing one proves that an identity tells these types apart: two types of one identity are an error. It does not
/// prove that a header holds one of them.
#[derive(Debug)]
pub(crate) struct Registry {
    root: &'static NodeType,
    /// Ascending by `id`.
    types: Box<[&'static NodeType]>,
}

impl Registry {
    /// Collects the types. Linear in the number of types and of their pointers; does not recurse over pointers.
    ///
    /// # Errors
    /// Two types of one identity.
    pub(crate) fn new(root: &'static NodeType) -> Result<Self, RegistryError> {
        let mut types = BTreeMap::<TypeId32, &'static NodeType>::new();
        let mut met = BTreeSet::<*const NodeType>::new();
        let mut waiting = vec![root];
        while let Some(next) = waiting.pop() {
            if !met.insert(next) {
                continue;
            }
            if let Some(known) = types.insert(next.id, next)
                && !same(known, next)
            {
                return Err(RegistryError { id: next.id, first: known.name(), second: next.name() });
            }
            // Also of one that is the same as another: a description names types without their paths, so what the two point to
            // may still differ.
            (next.targets)(&mut waiting);
        }
        Ok(Registry { root, types: types.into_values().collect() })
    }

    /// The root node's type.
    pub(crate) fn root(&self) -> &'static NodeType {
        self.root
    }

    /// The type with this identity. Logarithmic in the number of types.
    pub(crate) fn get(&self, id: TypeId32) -> Option<&'static NodeType> {
        let index = self.types.binary_search_by_key(&id, |each| each.id).ok()?;
        Some(self.types[index])
    }

    /// Whether nodes of any type have volatile fields.
    pub(crate) fn has_volatile(&self) -> bool {
        self.types.iter().any(|each| each.reset.is_some())
    }

    /// All types, ascending by identity.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static NodeType> {
        self.types.iter().copied()
    }
}

/// Whether these are one type. A generic `const` may have several addresses, so one address is enough but not needed:
/// what a pool could store of either is compared.
fn same(left: &'static NodeType, right: &'static NodeType) -> bool {
    if std::ptr::eq(left, right) {
        return true;
    }
    let facts = |of: &NodeType| (of.len_min_bytes, of.len_step_bytes, of.is_leaf, of.reset.is_some());
    facts(left) == facts(right) && describe(left.schema) == describe(right.schema)
}
