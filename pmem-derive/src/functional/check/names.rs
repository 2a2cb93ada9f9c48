//! Names of generated methods that would be there twice.

use std::collections::BTreeMap;

use proc_macro2::Span;

use crate::errors::Errors;
use crate::functional::input::Member;
use crate::functional::input::names::{around, kind, snake};

/// What every functional type has.
const GENERATED: [&str; 5] = ["view", "take", "make_mut", "share", "ptr_eq"];

pub(super) fn check(member: &Member, errors: &Errors) {
    let mut taken = Taken { by: BTreeMap::new(), errors };
    for name in GENERATED {
        taken.by.insert(name.to_owned(), "every functional type has".to_owned());
    }
    if member.is_enum {
        for variant in &member.variants {
            let (ident, span) = (&variant.ident, variant.ident.span());
            let what = format!("variant `{ident}`");
            taken.claim(snake(ident).to_string(), &what, span);
            taken.claim(kind(ident).to_string(), &what, span);
        }
    } else {
        taken.by.insert("new".to_owned(), "the constructor has".to_owned());
    }
    for field in member.getters() {
        taken.claim(field.label(), &format!("field `{}`", field.label()), field.span);
    }
    for field in member.updaters() {
        let name = around("with_", &field.binding, "").to_string();
        taken.claim(name, &format!("updater of `{}`", field.label()), field.span);
    }
}

/// Names of methods, and what the method of that name is, or who makes it.
struct Taken<'e> {
    by: BTreeMap<String, String>,
    errors: &'e Errors,
}

impl Taken<'_> {
    fn claim(&mut self, name: String, what: &str, span: Span) {
        if let Some(by) = self.by.get(&name) {
            self.errors.at(span, format!("the {what} makes a method `{name}`, a name that {by}; rename it"));
            return;
        }
        self.by.insert(name, format!("the {what} has taken"));
    }
}
