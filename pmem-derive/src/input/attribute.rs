//! `#[persistent(...)]` on types, variants and fields.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitStr, Meta, Path, Token, WherePredicate};

use crate::errors::Errors;
use crate::nearest::nearest;

/// What an attribute stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Type,
    Parameter,
    Variant,
    /// A struct's field.
    Field,
    /// A field of an enum's variant.
    VariantField,
}

/// Every word, where it may stand, and how that is said.
const WORDS: [(&str, &[Level], &str); 4] = [
    ("bound", &[Level::Type], "on the type"),
    ("crate", &[Level::Type], "on the type"),
    (
        "rename",
        &[Level::Type, Level::Variant, Level::Field, Level::VariantField],
        "on a type, a variant or a field",
    ),
    ("volatile", &[Level::Field], "on a field of a struct"),
];

/// What the attributes of one place say.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) runtime: Option<Path>,
    pub(super) bound: Option<Vec<WherePredicate>>,
    pub(super) rename: Option<String>,
    pub(super) volatile: Option<Ident>,
}

impl Attributes {
    pub(super) fn parse(attrs: &[Attribute], level: Level, errors: &Errors) -> Self {
        let mut attributes = Attributes::default();
        let mut seen = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("persistent")) {
            let Meta::List(list) = &attr.meta else {
                errors.on(&attr.meta, "write `#[persistent(...)]` with words in parentheses, or remove it");
                continue;
            };
            let parser = |input: ParseStream<'_>| {
                attributes.parse_words(input, level, &mut seen, errors);
                Ok(())
            };
            if let Err(error) = parser.parse2(list.tokens.clone()) {
                errors.push(error);
            }
        }
        attributes
    }

    fn parse_words(&mut self, input: ParseStream<'_>, level: Level, seen: &mut Vec<String>, errors: &Errors) {
        while !input.is_empty() {
            if let Err(error) = self.parse_word(input, level, seen, errors) {
                errors.push(error);
            }
            skip_to_comma(input);
        }
    }

    /// One word and its value. What an error leaves unread is skipped by the caller.
    fn parse_word(
        &mut self,
        input: ParseStream<'_>,
        level: Level,
        seen: &mut Vec<String>,
        errors: &Errors,
    ) -> syn::Result<()> {
        let word = input.call(Ident::parse_any)?;
        let text = word.to_string();
        let Some((_, levels, place)) = WORDS.iter().find(|known| known.0 == text) else {
            return Err(syn::Error::new(word.span(), unknown(&text, level)));
        };
        if !levels.contains(&level) {
            return Err(syn::Error::new(word.span(), format!("`{text}` belongs {place}; remove it here")));
        }
        if seen.contains(&text) {
            return Err(syn::Error::new(
                word.span(),
                format!("`{text}` is given twice; keep one of the two"),
            ));
        }
        seen.push(text.clone());
        match text.as_str() {
            "crate" => {
                equals(input, &word, "crate = path::of::the::runtime")?;
                self.runtime = Some(input.call(Path::parse_mod_style)?);
            }
            "bound" => {
                equals(input, &word, "bound = \"T: Persistent\"")?;
                let text: LitStr = input.parse()?;
                let predicates =
                    text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
                self.bound = Some(predicates.into_iter().collect());
            }
            "rename" => {
                equals(input, &word, "rename = \"name\"")?;
                let text: LitStr = input.parse()?;
                self.rename = Some(text.value());
                if !is_name(&text.value()) {
                    errors.on(
                        &text,
                        "a name in a schema is made of letters, digits and `_`; choose such a name",
                    );
                }
            }
            _ => {
                if input.peek(Token![=]) {
                    let found = input.cursor().token_stream();
                    return Err(syn::Error::new_spanned(
                        found.into_iter().next().to_token_stream(),
                        format!("`{text}` takes no value; write it alone"),
                    ));
                }
                self.volatile = Some(word);
            }
        }
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error("expected a comma before the next word"));
        }
        Ok(())
    }
}

fn equals(input: ParseStream<'_>, word: &Ident, form: &str) -> syn::Result<()> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return Ok(());
    }
    Err(syn::Error::new(word.span(), format!("`{word}` needs a value; write `{form}`")))
}

fn unknown(text: &str, level: Level) -> String {
    let known = || WORDS.iter().filter(|known| known.1.contains(&level)).map(|known| known.0);
    if let Some(meant) = nearest(text, WORDS.iter().map(|known| known.0)) {
        return format!("unknown word `{text}`; did you mean `{meant}`?");
    }
    let list: Vec<String> = known().map(|word| format!("`{word}`")).collect();
    if list.is_empty() {
        return format!("unknown word `{text}`; `#[persistent(...)]` has no meaning here, remove it");
    }
    format!("unknown word `{text}`; known here: {}", list.join(", "))
}

/// Names stand in the schema's lines, separated by blanks.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|each| each.is_alphanumeric() || each == '_')
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() {
            return;
        }
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}
