//! What cannot be a functional type, said where it stands and with the way out.

mod derives;
mod fields;
mod names;

use syn::{Ident, TypeParamBound, WherePredicate};

use crate::errors::Errors;
use crate::functional::input::{Derive, Group, Member, Shape};

/// Finds every error that the items' tokens show.
pub(crate) fn check(group: &Group, errors: &Errors) {
    for member in &group.members {
        check_parameters(member, errors);
        check_variants(member, errors);
        derives::check(group, member, errors);
        fields::check(group, member, errors);
        names::check(member, errors);
    }
    check_base_case(group, errors);
}

fn check_parameters(member: &Member, errors: &Errors) {
    let ident = &member.ident;
    for lifetime in member.generics.lifetimes() {
        errors.on(
            lifetime,
            format!(
                "`#[functional]` makes `{ident}` generic over its section; remove `{}`",
                lifetime.lifetime
            ),
        );
    }
    for parameter in member.generics.type_params() {
        parameter
            .bounds
            .iter()
            .for_each(|bound| check_bound(ident, &parameter.ident.to_string(), bound, errors));
    }
    for predicate in member.generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        match predicate {
            WherePredicate::Type(predicate) => {
                let bounded = quote::ToTokens::to_token_stream(&predicate.bounded_ty).to_string();
                predicate.bounds.iter().for_each(|bound| check_bound(ident, &bounded, bound, errors));
            }
            other => errors.on(other, "a functional type has no lifetime of its own; remove this bound"),
        }
    }
}

/// Only these follow from `Persistent`, and hold for a parameter under each brand.
fn check_bound(ident: &Ident, parameter: &str, bound: &TypeParamBound, errors: &Errors) {
    const KNOWN: [&str; 4] = ["Persistent", "Send", "Sized", "Sync"];
    let TypeParamBound::Trait(of) = bound else {
        errors.on(bound, format!("`{parameter}` has another lifetime in each section; remove this bound"));
        return;
    };
    if of.maybe.is_some() {
        errors.on(bound, "a value in a pool has a size known while compiling; remove `?Sized`");
        return;
    }
    let last = of.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    if !KNOWN.contains(&&*last) {
        errors.on(
            bound,
            format!(
                "`{parameter}` is another type in each section, of which this is not known; put the bound on the \
                 impl: `impl<{parameter}: {last}> {ident}<..>`"
            ),
        );
    }
}

fn check_variants(member: &Member, errors: &Errors) {
    let ident = &member.ident;
    if member.variants.is_empty() {
        errors.on(ident, "an enum without variants has no values to store; add a variant");
        return;
    }
    for variant in &member.variants {
        if let Some(span) = variant.discriminant {
            errors.at(span, "variants are numbered in the order in which they stand; remove the number");
        }
        if !variant.is_unit() && variant.fields.is_empty() {
            let name = &variant.ident;
            let sentence = if member.is_enum {
                format!("a variant without fields needs no node; write `{name}` alone")
            } else {
                format!("`{name}` has nothing to store; add a field")
            };
            errors.on(name, sentence);
        }
    }
    if member.data().next().is_none() {
        let sentence = if member.is_enum {
            format!(
                "no variant of `{ident}` has fields, so none needs a node; write `#[derive(Persistent)] #[repr(u8)]` instead"
            )
        } else {
            format!("`{ident}` has nothing to store; add a field")
        };
        errors.on(ident, sentence);
    }
}

/// A type of which each value holds another one has no values.
fn check_base_case(group: &Group, errors: &Errors) {
    let mut is_buildable = vec![false; group.members.len()];
    loop {
        let known = is_buildable.clone();
        for (index, member) in group.members.iter().enumerate() {
            is_buildable[index] = member
                .variants
                .iter()
                .any(|variant| variant.fields.iter().all(|field| can_be_built(&field.shape, &known)));
        }
        if known == is_buildable {
            break;
        }
    }
    for (member, is_buildable) in group.members.iter().zip(is_buildable) {
        if !is_buildable && !member.variants.is_empty() {
            let ident = &member.ident;
            errors.on(
                ident,
                format!(
                    "no `{ident}` can ever be made, since making one takes another one; add a variant without it, \
                     or make the field an `Option<{ident}>`"
                ),
            );
        }
    }
}

fn can_be_built(shape: &Shape, known: &[bool]) -> bool {
    match shape {
        Shape::Plain | Shape::Option(_) => true,
        Shape::Own(index) => known[*index],
        Shape::Pointer(inner) | Shape::Array(inner) => can_be_built(&inner.shape, known),
        Shape::Tuple(parts) => parts.iter().all(|part| can_be_built(&part.shape, known)),
    }
}

/// The traits whose implementation walks through values of the group.
const WALKING: [Derive; 5] =
    [Derive::Debug, Derive::PartialEq, Derive::PartialOrd, Derive::Ord, Derive::Hash];
