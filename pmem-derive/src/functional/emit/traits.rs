//! `Default`, which needs no node.

use proc_macro2::TokenStream;
use quote::quote;

use super::made::Made;
use crate::functional::input::names::snake;

pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let default = made.member.units().find(|variant| variant.attributes.default.is_some());
    let Some(variant) = default else { return TokenStream::new() };
    let generics = made.generics(&["'p"]);
    let (declared, _, clause) = generics.split_for_impl();
    let (ty, handle, name) = (made.handle_type(), &made.handle, snake(&variant.ident));
    quote! {
        #[automatically_derived]
        impl #declared __pmem::Default for #ty #clause {
            fn default() -> Self {
                #handle::#name()
            }
        }
    }
}
