//! The methods that every functional type has: `view`, `take`, `make_mut`, `share`, `ptr_eq`.

use proc_macro2::TokenStream;
use quote::quote;

use super::form::Form;
use super::made::{Made, braces, own};
use crate::functional::input::names::kind;

/// Those that need no section.
pub(super) fn reading(made: &Made<'_>) -> TokenStream {
    [view(made), ptr_eq(made), kinds(made)].into_iter().collect()
}

/// Those that take the section.
pub(super) fn writing(made: &Made<'_>) -> TokenStream {
    [take(made), make_mut(made), share(made)].into_iter().collect()
}

fn view(made: &Made<'_>) -> TokenStream {
    let (vis, view) = (&made.member.vis, &made.view);
    let ty = made.stored(view, &["'_"]);
    let node = made.match_node(
        &quote!(&**__node),
        |variant| braces(&variant.fields, own),
        |variant| {
            let (path, fields) = (made.variant_of(view, variant), braces(&variant.fields, own));
            quote!(#path #fields)
        },
    );
    let body = made.match_form(&quote!(&self.__node), |variant| made.variant_of(view, variant), &node);
    quote! {
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        #vis fn view(&self) -> #ty {
            #body
        }
    }
}

fn ptr_eq(made: &Made<'_>) -> TokenStream {
    let vis = &made.member.vis;
    let body = match made.form {
        Form::Pointer => quote!(__pmem::P::ptr_eq(&left.__node, &right.__node)),
        _ => {
            let left = made.with_node(&syn::parse_quote!(__left));
            let right = made.with_node(&syn::parse_quote!(__right));
            let units = made.member.units().map(|variant| {
                let form = made.without_node(variant);
                quote!((#form, #form) => true,)
            });
            quote! {
                match (&left.__node, &right.__node) {
                    (#left, #right) => __pmem::P::ptr_eq(__left, __right),
                    #(#units)*
                    _ => false,
                }
            }
        }
    };
    quote! {
        /// Whether both are the same node, or the same variant without a node: equal without looking.
        #[must_use]
        #vis fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
            #body
        }
    }
}

/// `is_leaf` and so on.
fn kinds(made: &Made<'_>) -> TokenStream {
    if !made.member.is_enum {
        return TokenStream::new();
    }
    let (vis, view) = (&made.member.vis, &made.view);
    let one = made.member.variants.iter().map(|variant| {
        let ident = &variant.ident;
        let name = kind(ident);
        let text = format!(" Whether it is `{ident}`.");
        let path = made.variant_of(view, variant);
        quote! {
            #[doc = #text]
            #[must_use]
            #vis fn #name(&self) -> __pmem::bool {
                __pmem::matches!(self.view(), #path { .. })
            }
        }
    });
    one.collect()
}

fn take(made: &Made<'_>) -> TokenStream {
    let (vis, parts) = (&made.member.vis, &made.parts);
    let ty = made.stored(parts, &[]);
    let tx_type = Made::section_type();
    let node = made.match_node(
        &quote!(__pmem::P::take(__node, tx)),
        |variant| braces(&variant.fields, own),
        |variant| {
            let (path, fields) = (made.variant_of(parts, variant), braces(&variant.fields, own));
            quote!(#path #fields)
        },
    );
    let body = made.match_form(&quote!(self.__node), |variant| made.variant_of(parts, variant), &node);
    quote! {
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        #vis fn take(self, tx: #tx_type) -> #ty {
            #body
        }
    }
}

fn make_mut(made: &Made<'_>) -> TokenStream {
    let (vis, edit) = (&made.member.vis, &made.edit);
    let ty = made.stored(edit, &["'_"]);
    let tx_type = Made::section_type();
    let node = made.match_node(
        &quote!(__pmem::P::make_mut(__node, tx)),
        |variant| braces(&variant.fields, own),
        |variant| {
            let (path, fields) = (made.variant_of(edit, variant), braces(&variant.fields, own));
            quote!(#path #fields)
        },
    );
    let body = made.match_form(&quote!(&mut self.__node), |variant| made.variant_of(edit, variant), &node);
    quote! {
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #vis fn make_mut(&mut self, tx: #tx_type) -> #ty {
            #body
        }
    }
}

fn share(made: &Made<'_>) -> TokenStream {
    let (vis, tx_type) = (&made.member.vis, Made::section_type());
    quote! {
        /// A second owner of the same node: an old version that is kept costs only what later changes.
        ///
        /// Complexity: one count.
        #[must_use]
        #vis fn share(&self, tx: #tx_type) -> Self {
            __pmem::Fase::share(tx, self)
        }
    }
}
