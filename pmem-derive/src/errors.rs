//! All errors of one item, collected so that the user sees them at once.

use std::cell::RefCell;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

/// Collects errors. Dropping one without asking for its errors is a bug, and panics: an error cannot be forgotten.
#[derive(Debug)]
pub(crate) struct Errors {
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Errors { found: RefCell::new(Some(Vec::new())) }
    }

    /// Adds an error that underlines these tokens.
    pub(crate) fn on(&self, tokens: impl ToTokens, sentence: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, sentence));
    }

    /// Adds an error at a place.
    pub(crate) fn at(&self, span: Span, sentence: impl std::fmt::Display) {
        self.push(syn::Error::new(span, sentence));
    }

    /// Adds an error of the parser.
    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(found) = self.found.borrow_mut().as_mut() {
            found.push(error);
        }
    }

    /// The errors as `compile_error!` calls, or nothing if there are none.
    pub(crate) fn finish(self) -> Option<TokenStream> {
        let found = self.found.borrow_mut().take().unwrap_or_default();
        let calls: TokenStream = found.iter().map(syn::Error::to_compile_error).collect();
        (!calls.is_empty()).then_some(calls)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        if self.found.borrow().is_some() && !std::thread::panicking() {
            panic!("errors were collected and not asked for");
        }
    }
}

/// Where tokens stand, for those that outlive the tree they came from.
pub(crate) fn span_of(tokens: &impl Spanned) -> Span {
    tokens.span()
}
