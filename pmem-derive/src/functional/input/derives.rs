//! `#[derive(...)]` on the annotated item: the traits that are implemented for the handle.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

use crate::errors::Errors;
use crate::nearest::nearest;

/// A trait that can be derived.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Derive {
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
}

const KNOWN: [(&str, Derive); 7] = [
    ("Debug", Derive::Debug),
    ("Default", Derive::Default),
    ("PartialEq", Derive::PartialEq),
    ("Eq", Derive::Eq),
    ("PartialOrd", Derive::PartialOrd),
    ("Ord", Derive::Ord),
    ("Hash", Derive::Hash),
];

impl Derive {
    pub(crate) fn name(self) -> &'static str {
        KNOWN.iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }
}

/// The derived traits and where they are asked for.
pub(crate) struct Derives {
    wanted: Vec<(Derive, Span)>,
}

impl Derives {
    pub(super) fn parse(attrs: &[Attribute], errors: &Errors) -> Self {
        let mut wanted: Vec<(Derive, Span)> = Vec::new();
        for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
            let paths = match paths {
                Ok(paths) => paths,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            for path in &paths {
                let Some(last) = path.segments.last() else { continue };
                let name = last.ident.to_string();
                match KNOWN.iter().find(|known| known.0 == name) {
                    Some((_, derive)) => wanted.push((*derive, crate::errors::span_of(path))),
                    None => errors.on(path, refusal(&name)),
                }
            }
        }
        Derives { wanted }
    }

    pub(crate) fn has(&self, derive: Derive) -> bool {
        self.span(derive).is_some()
    }

    /// Where the trait is asked for, if it is.
    pub(crate) fn span(&self, derive: Derive) -> Option<Span> {
        self.wanted.iter().find(|each| each.0 == derive).map(|each| each.1)
    }
}

fn refusal(name: &str) -> String {
    match name {
        "Clone" | "Copy" => format!(
            "a second owner is counted, which takes the section; remove `{name}` and write `share(tx)` for `clone()`"
        ),
        "Persistent" => "`#[functional]` makes the type persistent; remove `Persistent`".to_owned(),
        _ => match nearest(name, KNOWN.iter().map(|known| known.0)) {
            Some(meant) => format!("unknown trait `{name}`; did you mean `{meant}`?"),
            None => format!(
                "`#[functional]` derives `Debug`, `Default`, `PartialEq`, `Eq`, `PartialOrd`, `Ord` and `Hash`; \
                 write `{name}` as an `impl` that matches on `view()`"
            ),
        },
    }
}
