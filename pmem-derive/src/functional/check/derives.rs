//! Whether the derived traits can be.

use super::WALKING;
use crate::errors::Errors;
use crate::functional::input::{Derive, Group, Member};

pub(super) fn check(group: &Group, member: &Member, errors: &Errors) {
    check_default(member, errors);
    check_mentioned(group, member, errors);
}

fn check_default(member: &Member, errors: &Errors) {
    let marked: Vec<_> = member.variants.iter().filter(|each| each.attributes.default.is_some()).collect();
    let span = member.derives.span(Derive::Default);
    match (span, &*marked) {
        (None, []) => {}
        (None, [first, ..]) => {
            errors.on(
                &first.attributes.default,
                "`#[default]` belongs to a derived `Default`; add it to the derives",
            );
        }
        (Some(span), []) => {
            let sentence = if member.units().next().is_some() {
                "say which variant is the default; put `#[default]` on one without fields"
            } else {
                "a value with a node is made in a section; remove `Default` and call the constructor with `tx`"
            };
            errors.at(span, sentence);
        }
        (Some(_), marked) => {
            for variant in marked.iter().filter(|variant| !variant.is_unit()) {
                errors.on(
                    &variant.attributes.default,
                    "a variant with fields is made in a section; put `#[default]` on one without fields",
                );
            }
            for variant in marked.iter().skip(1) {
                errors.on(&variant.attributes.default, "there is one default; remove this one");
            }
        }
    }
}

/// What a type derives is asked of the group's types in it, too.
fn check_mentioned(group: &Group, member: &Member, errors: &Errors) {
    for derive in WALKING.into_iter().chain([Derive::Eq]).filter(|derive| member.derives.has(*derive)) {
        let mut reported = Vec::new();
        for field in member.fields() {
            let mut owned = Vec::new();
            field.shape.owns(&mut owned);
            for other in owned {
                let other = &group.members[other];
                if other.derives.has(derive) || reported.contains(&&other.ident) {
                    continue;
                }
                reported.push(&other.ident);
                let (derive, ident, other) = (derive.name(), &member.ident, &other.ident);
                errors.on(
                    &field.written,
                    format!("`{ident}` derives `{derive}`, and holds a `{other}`; derive `{derive}` on `{other}` too"),
                );
            }
        }
    }
}
