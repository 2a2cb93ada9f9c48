//! `#[functional]` on an `impl` block or a method: brands and bounds put in, versions checked, the other form made.
//!
//! A method that takes the section makes a new version. It takes the old one by `self`, and then it gives it up, or by `&self`,
//! and then the caller keeps it; never by `&mut self`, which would leave no old version. From either form the
//! other one is made.

mod branding;
mod form;
mod version;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, ImplItem, ImplItemFn, ItemFn, ItemImpl, Path};

use crate::errors::Errors;
use form::other_form;
use version::Version;

/// The output for an `impl` block.
pub(crate) fn block(mut item: ItemImpl, runtime: &Path, errors: Errors) -> TokenStream {
    let Some(ident) = branding::brand_block(&mut item, runtime, &errors) else {
        let errors = errors.finish();
        return quote!(#errors #item);
    };
    // A trait says what its methods take and return.
    if item.trait_.is_none() {
        let written: Vec<Ident> = item.items.iter().filter_map(name_of).cloned().collect();
        for each in std::mem::take(&mut item.items) {
            let form = match &each {
                ImplItem::Fn(method) => Version::of(method, Some(&ident), &errors)
                    .map(|version| other_form(method, &version))
                    .filter(|form| !written.contains(&form.sig.ident)),
                _ => None,
            };
            item.items.push(each);
            item.items.extend(form.map(ImplItem::Fn));
        }
    }
    let errors = errors.finish();
    quote!(#errors #item)
}

/// The output for a method in an `impl` block that has its brands already.
pub(crate) fn method(item: ItemFn, errors: Errors) -> TokenStream {
    let method: ImplItemFn = match syn::parse2(item.to_token_stream()) {
        Ok(method) => method,
        Err(error) => return error.into_compile_error(),
    };
    if method.sig.receiver().is_none() {
        errors.on(
            &method.sig.ident,
            "`#[functional]` on a function stands on a method, which takes an old version by `self` or `&self`; remove it here",
        );
    } else if !version::has_section(&method) {
        errors.on(
            &method.sig.ident,
            "a method that makes a new version takes the section; add `tx: &Fase<'p>`, or remove `#[functional]`",
        );
    }
    version::check_section_brand(&method, &errors);
    let form = Version::of(&method, None, &errors).map(|version| other_form(&method, &version));
    let errors = errors.finish();
    quote!(#errors #method #form)
}

fn name_of(item: &ImplItem) -> Option<&Ident> {
    match item {
        ImplItem::Fn(method) => Some(&method.sig.ident),
        _ => None,
    }
}
