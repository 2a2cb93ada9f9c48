//! What may not be stored, said where it stands and with the way out.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Ident, Lifetime, Type, TypeParamBound, WherePredicate};

use crate::errors::Errors;
use crate::input::{Body, Container, Field};

/// Finds every error that the item's tokens show. What only the compiler knows is left to the emitted guards.
pub(crate) fn check(container: &Container, errors: &Errors) {
    check_layout(container, errors);
    check_parameters(container, errors);
    container.fields().for_each(|field| check_type(container, &field.ty, errors));
    match &container.body {
        Body::Struct(fields) => check_names(fields.iter().map(|field| (&*field.name, field.span)), errors),
        Body::Enum(variants) => {
            check_names(variants.iter().map(|variant| (&*variant.name, variant.ident.span())), errors);
            for variant in variants {
                check_names(variant.fields.iter().map(|field: &Field| (&*field.name, field.span)), errors);
            }
        }
        Body::Union(_) => {}
    }
}

fn check_layout(container: &Container, errors: &Errors) {
    let (ident, repr) = (&container.ident, &container.repr);
    if let Some(span) = repr.packed {
        errors.at(
            span,
            "a packed field cannot be lent as a reference; remove `packed` and order the fields by size",
        );
    }
    if let Some((align, span)) = repr.align
        && align > 16
    {
        errors.at(span, "a node's payload starts 16 bytes into a line; use `align(16)` or less");
    }
    match &container.body {
        Body::Union(span) => {
            errors.at(
                *span,
                "a union does not say what it holds, so nothing of it can be checked at open; use an enum",
            );
        }
        Body::Struct(_) if repr.c.is_none() && repr.transparent.is_none() && repr.packed.is_none() => {
            errors.on(ident, "the layout must be the same in every build; add `#[repr(C)]`");
        }
        Body::Struct(_) => {}
        Body::Enum(variants) if variants.is_empty() => {
            errors.on(ident, "an enum without variants has no values to store; add a variant, or store `()`");
        }
        Body::Enum(_) => check_tag(container, errors),
    }
}

fn check_tag(container: &Container, errors: &Errors) {
    let repr = &container.repr;
    match (&repr.integer, repr.c) {
        (Some(_), _) if repr.tag().width_bytes != 0 => {}
        (Some(integer), _) => {
            errors.on(
                integer,
                "a tag has a fixed width of at most 8 bytes; use `u8`, `u16`, `u32`, `u64` or a signed one",
            );
        }
        (None, Some(span)) => {
            errors.at(span, "`repr(C)` leaves the tag's width to the platform; write `#[repr(C, u8)]`");
        }
        (None, None) => {
            let has_fields = container.fields().next().is_some();
            let form = if has_fields { "#[repr(C, u8)]" } else { "#[repr(u8)]" };
            errors.on(&container.ident, format!("the layout must be the same in every build; add `{form}`"));
        }
    }
}

fn check_parameters(container: &Container, errors: &Errors) {
    for extra in container.generics.lifetimes().skip(1) {
        errors.on(
            &extra.lifetime,
            "a persistent type has one lifetime, that of the section its pointers belong to; use the first one here too",
        );
    }
    for parameter in container.generics.type_params() {
        parameter.bounds.iter().for_each(|bound| check_bound(&parameter.ident, bound, errors));
    }
    for predicate in container.generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        let WherePredicate::Type(predicate) = predicate else { continue };
        let bounded = predicate.bounded_ty.to_token_stream().to_string();
        let parameter = container.generics.type_params().find(|parameter| parameter.ident == bounded);
        let Some(parameter) = parameter else { continue };
        predicate.bounds.iter().for_each(|bound| check_bound(&parameter.ident, bound, errors));
    }
}

/// A bound of the type must hold for the parameter under each brand; Rust can be told so of these only, which follow
/// from `Persistent`.
fn check_bound(parameter: &Ident, bound: &TypeParamBound, errors: &Errors) {
    const KNOWN: [&str; 4] = ["Persistent", "Send", "Sized", "Sync"];
    let TypeParamBound::Trait(of) = bound else {
        errors.on(bound, format!("`{parameter}` has another lifetime in each section; remove this bound"));
        return;
    };
    if of.maybe.is_some() {
        errors.on(bound, "a value in a pool has a size known while compiling; remove `?Sized`");
        return;
    }
    let is_known = of.path.segments.last().is_some_and(|last| KNOWN.iter().any(|known| last.ident == known));
    if !is_known {
        errors.on(
            bound,
            format!("`{parameter}` is another type in each section, of which this is not known; put the bound on the functions that need it"),
        );
    }
}

/// Two fields of one schema name could not be told apart in a pool's description.
fn check_names<'n>(names: impl Iterator<Item = (&'n str, proc_macro2::Span)>, errors: &Errors) {
    let mut seen = BTreeMap::new();
    for (name, span) in names {
        if seen.insert(name, ()).is_some() {
            errors.at(span, format!("a schema cannot have two `{name}` side by side; rename one of them"));
        }
    }
}

fn check_type(container: &Container, ty: &Type, errors: &Errors) {
    FieldTypes { container, errors }.visit_type(ty);
}

/// Why a type of this form can never be stored.
pub(crate) fn refusal(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Reference(_) => Some(
            "a reference is an address that dies with the process; own the value, or point to it with `P<'p, T>`",
        ),
        Type::Ptr(_) => Some(
            "a raw pointer is an address that dies with the process; use `P<'p, T>`, or an index into a `Vector`",
        ),
        Type::FnPtr(_) => Some(
            "a function has another address in every build; store an enum that says which function to call",
        ),
        Type::TraitObject(_) => {
            Some("a trait object holds an address of this build's code; store an enum of the possible types")
        }
        Type::ImplTrait(_) => Some("the type of a field is named; write which type it is"),
        Type::Slice(_) => {
            Some("a value in a pool has a size known while compiling; use `[T; N]`, or a `Vector`")
        }
        Type::Never(_) => Some("a type without values cannot be stored; remove the field"),
        Type::Infer(_) => Some("the type of a field is named; write which type it is"),
        _ => None,
    }
}

struct FieldTypes<'c> {
    container: &'c Container,
    errors: &'c Errors,
}

impl<'ast> Visit<'ast> for FieldTypes<'_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        match refusal(ty) {
            // What stands inside it is wrong with it and needs no second message.
            Some(sentence) => self.errors.on(ty, sentence),
            None => visit::visit_type(self, ty),
        }
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        let is_parameter = self.container.generics.lifetimes().any(|known| known.lifetime == *lifetime);
        if is_parameter {
            return;
        }
        let ident = &self.container.ident;
        match &self.container.brand {
            Some(brand) => self.errors.on(
                lifetime,
                format!("a field belongs to the same section as the value it is in; write `{brand}` instead of `{lifetime}`"),
            ),
            None => self.errors.on(
                lifetime,
                format!("a type with pool pointers is generic over their section; write `{ident}<'p>` and `'p` here"),
            ),
        }
    }
}
