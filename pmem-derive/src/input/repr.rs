//! `#[repr(...)]`: what fixes the layout.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, LitInt, Token, parenthesized};

use crate::errors::Errors;

/// How an enum keeps its tag: an integer at its start.
#[derive(Clone, Copy)]
pub(crate) struct Tag {
    pub(crate) width_bytes: usize,
    pub(crate) is_signed: bool,
}

/// The words of all `repr` attributes.
#[derive(Default)]
pub(crate) struct Repr {
    pub(crate) c: Option<Span>,
    pub(crate) transparent: Option<Span>,
    pub(crate) packed: Option<Span>,
    /// The alignment and where it stands.
    pub(crate) align: Option<(u64, Span)>,
    /// An integer type, known or not: `usize` has no fixed width.
    pub(crate) integer: Option<Ident>,
}

impl Repr {
    pub(super) fn parse(attrs: &[Attribute], errors: &Errors) -> Self {
        let mut repr = Repr::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
            // What is malformed here is the compiler's to complain about, and it does; to be silent is enough.
            let _ = attr.parse_args_with(|input: ParseStream<'_>| repr.parse_words(input, errors));
        }
        repr
    }

    fn parse_words(&mut self, input: ParseStream<'_>, errors: &Errors) -> syn::Result<()> {
        while !input.is_empty() {
            let word = input.call(Ident::parse_any)?;
            match word.to_string().as_str() {
                "C" => self.c = Some(word.span()),
                "transparent" => self.transparent = Some(word.span()),
                "packed" => {
                    self.packed = Some(word.span());
                    skip_parentheses(input)?;
                }
                "align" => self.align = Some((parse_align(input)?, word.span())),
                "Rust" | "simd" => errors.on(&word, "this `repr` does not fix the layout; use `#[repr(C)]`"),
                _ => self.integer = Some(word),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    /// The tag of an enum. Where the checks have found none, a stand-in.
    pub(crate) fn tag(&self) -> Tag {
        let width_of = |name: &str| match name {
            "u8" => Some((1, false)),
            "u16" => Some((2, false)),
            "u32" => Some((4, false)),
            "u64" => Some((8, false)),
            "i8" => Some((1, true)),
            "i16" => Some((2, true)),
            "i32" => Some((4, true)),
            "i64" => Some((8, true)),
            _ => None,
        };
        let found = self.integer.as_ref().and_then(|word| width_of(&word.to_string()));
        let (width_bytes, is_signed) = found.unwrap_or((0, false));
        Tag { width_bytes, is_signed }
    }
}

fn skip_parentheses(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(syn::token::Paren) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

fn parse_align(input: ParseStream<'_>) -> syn::Result<u64> {
    let content;
    parenthesized!(content in input);
    content.parse::<LitInt>()?.base10_parse()
}
