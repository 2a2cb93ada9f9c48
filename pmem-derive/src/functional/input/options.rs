//! `#[functional(...)]`: what stands in the parentheses.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, Path, Token};

use crate::errors::Errors;

/// The words of the attribute.
pub(crate) struct Options {
    pub(crate) runtime: Option<Path>,
}

impl Options {
    pub(crate) fn parse(arguments: TokenStream, errors: &Errors) -> Self {
        let mut options = Options { runtime: None };
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let word = input.call(Ident::parse_any)?;
                if word != "crate" {
                    return Err(syn::Error::new(
                        word.span(),
                        format!(
                            "`#[functional]` knows one word, `crate = path::of::the::runtime`; remove `{word}`"
                        ),
                    ));
                }
                input.parse::<Token![=]>()?;
                options.runtime = Some(input.call(Path::parse_mod_style)?);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(arguments) {
            errors.push(error);
        }
        options
    }

    /// The runtime's path, the usual one if none was given.
    pub(crate) fn into_runtime(self) -> Path {
        self.runtime.unwrap_or_else(|| syn::parse_quote!(::pmem_runtime))
    }
}
