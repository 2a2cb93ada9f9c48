//! How a handle tells a node from a variant without one.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Ident;

use super::made::Made;
use crate::functional::input::names::unwritten;
use crate::functional::input::{Member, Variant};

/// What a handle's field is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A pointer: every variant has fields.
    Pointer,
    /// An optional pointer: one variant has none.
    Optional,
    /// An enum of one pointer and the variants that have no fields.
    Tagged,
}

impl Form {
    pub(super) fn of(member: &Member) -> Self {
        match member.units().count() {
            0 => Form::Pointer,
            1 => Form::Optional,
            _ => Form::Tagged,
        }
    }
}

impl Made<'_> {
    /// What the handle's field holds if there is a node: a pattern or an expression.
    pub(super) fn with_node(&self, node: &Ident) -> TokenStream {
        let form = &self.form_ident;
        match self.form {
            Form::Pointer => node.to_token_stream(),
            Form::Optional => quote!(__pmem::Some(#node)),
            Form::Tagged => quote!(#form::__Node(#node)),
        }
    }

    /// What the handle's field holds for a variant without fields: a pattern or an expression.
    pub(super) fn without_node(&self, variant: &Variant) -> TokenStream {
        let form = &self.form_ident;
        if self.form != Form::Tagged {
            return quote!(__pmem::None);
        }
        let variant = unwritten(&variant.ident);
        quote!(#form::#variant)
    }

    /// Matches on the handle's field: each variant without fields, then the node.
    pub(super) fn match_form(
        &self,
        scrutinee: &TokenStream,
        unit: impl Fn(&Variant) -> TokenStream,
        node: &TokenStream,
    ) -> TokenStream {
        let name: Ident = syn::parse_quote!(__node);
        let with_node = self.with_node(&name);
        if self.form == Form::Pointer {
            return quote! {
                let #with_node = #scrutinee;
                #node
            };
        }
        let units = self.member.units().map(|variant| {
            let (pattern, result) = (self.without_node(variant), unit(variant));
            quote!(#pattern => #result,)
        });
        quote! {
            match #scrutinee {
                #(#units)*
                #with_node => #node,
            }
        }
    }

    /// Matches on a node's variants; of a node with one kind of data it takes that one apart.
    pub(super) fn match_node(
        &self,
        scrutinee: &TokenStream,
        pattern: impl Fn(&Variant) -> TokenStream,
        result: impl Fn(&Variant) -> TokenStream,
    ) -> TokenStream {
        let data: Vec<&Variant> = self.member.data().collect();
        if let [variant] = *data {
            let (path, fields, result) = (self.in_node(variant), pattern(variant), result(variant));
            return quote! {{
                let #path #fields = #scrutinee;
                #result
            }};
        }
        let arms = data.iter().map(|variant| {
            let (path, fields, result) = (self.in_node(variant), pattern(variant), result(variant));
            quote!(#path #fields => #result,)
        });
        quote! {
            match #scrutinee {
                #(#arms)*
            }
        }
    }
}
