//! Getters and updaters of fields that all variants with fields have.

use proc_macro2::TokenStream;
use quote::quote;

use super::made::Made;
use crate::functional::input::names::around;
use crate::functional::input::{Field, Variant};

pub(super) fn getters(made: &Made<'_>) -> TokenStream {
    made.member.getters().map(|field| getter(made, field)).collect()
}

pub(super) fn updaters(made: &Made<'_>) -> TokenStream {
    made.member.updaters().map(|field| updater(made, field)).collect()
}

fn getter(made: &Made<'_>, field: &Field) -> TokenStream {
    let (vis, name, ty) = (&made.member.vis, &field.binding, &field.ty);
    let docs = docs(made, field, "The field", "");
    let body = made.match_node(&quote!(&*self.__node), |_| quote!({ #name, .. }), |_| quote!(#name));
    quote! {
        #docs
        #[must_use]
        #vis fn #name(&self) -> &#ty {
            #body
        }
    }
}

fn updater(made: &Made<'_>, field: &Field) -> TokenStream {
    let (vis, name, ty) = (&made.member.vis, &field.binding, &field.ty);
    let with = around("with_", name, "");
    let units: Vec<String> = made.member.units().map(|variant| format!("`{}`", variant.ident)).collect();
    let rest = match &*units {
        [] => " replaced.".to_owned(),
        units => format!(" replaced; {}, which has no fields, stays what it is.", units.join(" or ")),
    };
    let docs = docs(made, field, "With the field", &rest);
    let (tx, tx_type) = (made.section(), Made::section_type());
    let set = made.match_node(
        &quote!(__pmem::P::make_mut(__node, #tx)),
        |_| quote!({ #name: __place, .. }),
        |_| quote!(*__place = #name),
    );
    let body = made.match_form(&quote!(&mut self.__node), |_: &Variant| quote!({}), &quote!(#set));
    quote! {
        #docs
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        #vis fn #with(mut self, #tx: #tx_type, #name: #ty) -> Self {
            #body;
            self
        }
    }
}

fn docs(made: &Made<'_>, field: &Field, before: &str, after: &str) -> TokenStream {
    let after = if after.is_empty() { "." } else { after };
    let text = format!(" {before} `{}` of `{}`{after}", field.label(), made.handle);
    let docs = &field.attributes.docs;
    let blank = (!docs.is_empty()).then(|| quote!(#[doc = ""]));
    quote! {
        #[doc = #text]
        #blank
        #(#docs)*
    }
}
