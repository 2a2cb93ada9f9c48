//! Names of generated methods that would be there twice.

use std::collections::BTreeMap;

use syn::Ident;

use crate::errors::Errors;
use crate::functional::input::Member;
use crate::functional::input::names::{around, kind, snake};

/// What every functional type has.
const GENERATED: [&str; 5] = ["view", "take", "make_mut", "share", "ptr_eq"];

pub(super) fn check(member: &Member, errors: &Errors) {
    let mut taken: BTreeMap<String, String> =
        GENERATED.iter().map(|name| ((*name).to_owned(), format!("the method `{name}`"))).collect();
    if member.is_enum {
        for variant in &member.variants {
            let what = format!("the variant `{}`", variant.ident);
            claim(&mut taken, &snake(&variant.ident), &variant.ident, &what, errors);
            claim(&mut taken, &kind(&variant.ident), &variant.ident, &what, errors);
        }
    } else {
        taken.insert("new".to_owned(), "the constructor `new`".to_owned());
    }
    for field in member.getters().filter_map(|field| field.name()) {
        claim(&mut taken, field, field, &format!("the field `{field}`"), errors);
    }
    for field in member.updaters().filter_map(|field| field.name()) {
        let name = around("with_", field, "");
        claim(&mut taken, &name, field, &format!("the updater of `{field}`"), errors);
    }
}

fn claim(taken: &mut BTreeMap<String, String>, name: &Ident, at: &Ident, what: &str, errors: &Errors) {
    let name = name.to_string();
    if let Some(other) = taken.get(&name) {
        errors.on(at, format!("{what} makes a method `{name}`, which {other} has taken; rename it"));
        return;
    }
    taken.insert(name, what.to_owned());
}
