//! Constructors: one for each variant, `new` for a struct.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use super::made::{Made, braces, own};
use crate::functional::input::Variant;
use crate::functional::input::names::snake;

/// Those that need no section.
pub(super) fn units(made: &Made<'_>) -> TokenStream {
    made.member.units().map(|variant| unit(made, variant)).collect()
}

/// Those that make a node.
pub(super) fn data(made: &Made<'_>) -> TokenStream {
    made.member.data().map(|variant| node(made, variant)).collect()
}

fn unit(made: &Made<'_>, variant: &Variant) -> TokenStream {
    let (vis, name, ident) = (&made.member.vis, snake(&variant.ident), &variant.ident);
    let docs = docs(variant, &format!(" `{ident}`, which needs no node."));
    let value = made.without_node(variant);
    let handle = &made.handle;
    quote! {
        #docs
        #[must_use]
        #vis const fn #name() -> Self {
            #handle { __node: #value }
        }
    }
}

fn node(made: &Made<'_>, variant: &Variant) -> TokenStream {
    let (vis, handle) = (&made.member.vis, &made.handle);
    let name = if made.member.is_enum {
        snake(&variant.ident)
    } else {
        Ident::new("new", Span::call_site().located_at(variant.ident.span()))
    };
    let docs = docs(variant, &format!(" A new node: `{}`.", variant.ident));
    let parameters = variant.fields.iter().map(|field| {
        let (binding, ty) = (&field.binding, &field.ty);
        quote!(#binding: #ty)
    });
    let (tx, tx_type) = (made.section(), Made::section_type());
    let (node, fields) = (made.in_node(variant), braces(&variant.fields, own));
    let value = made.with_node(&syn::parse_quote!(__node));
    let too_many = (variant.fields.len() > 6).then(|| quote!(#[allow(clippy::too_many_arguments)]));
    quote! {
        #docs
        #[must_use]
        #too_many
        #vis fn #name(#tx: #tx_type, #(#parameters),*) -> Self {
            let __node = __pmem::P::new(#tx, #node #fields);
            #handle { __node: #value }
        }
    }
}

/// What the constructor does, and what the user says of the variant.
fn docs(variant: &Variant, text: &str) -> TokenStream {
    let docs = &variant.attributes.docs;
    let blank = (!docs.is_empty()).then(|| quote!(#[doc = ""]));
    quote! {
        #[doc = #text]
        #blank
        #(#docs)*
    }
}
