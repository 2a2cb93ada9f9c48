//! `Debug`: what the derive would print, down to a bounded depth.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::made::{Made, braces, own};
use crate::functional::input::{Derive, Style, Variant};

pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let Some(span) = made.member.derives.span(Derive::Debug) else { return TokenStream::new() };
    let of = quote_spanned!(span=> __pmem::Debug);
    let generics = Made::with_bound(made.generics(&["'p"]), &of);
    let (declared, _, clause) = generics.split_for_impl();
    let ty = made.handle_type();
    let arms = made.member.variants.iter().map(|variant| {
        let path = made.variant_of(&made.view, variant);
        let fields = braces(&variant.fields, own);
        let result = print(variant);
        quote!(#path #fields => #result,)
    });
    quote! {
        #[automatically_derived]
        impl #declared #of for #ty #clause {
            fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
                __pmem::debug_within(__f, |__f| match self.view() {
                    #(#arms)*
                })
            }
        }
    }
}

fn print(variant: &Variant) -> TokenStream {
    let name = variant.ident.unraw().to_string();
    let fields = &variant.fields;
    match variant.style {
        Style::Unit => quote!(__pmem::Formatter::write_str(__f, #name)),
        Style::Tuple => {
            let bindings = fields.iter().map(own);
            quote!(__pmem::Formatter::debug_tuple(__f, #name)#(.field(#bindings))*.finish())
        }
        Style::Named => {
            let bindings = fields.iter().map(own);
            let labels = fields
                .iter()
                .map(|field| field.name().map(|name| name.unraw().to_string()).unwrap_or_default());
            quote!(__pmem::Formatter::debug_struct(__f, #name)#(.field(#labels, #bindings))*.finish())
        }
    }
}
