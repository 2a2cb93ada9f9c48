//! `Hash`: the same calls to the hasher as the derive on the plain type would make.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::made::Made;
use super::walk::{Act, Walk};
use crate::functional::input::Derive;

pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let Some(span) = made.member.derives.span(Derive::Hash) else { return TokenStream::new() };
    let (todo, arms) = Walk::of(Act::Hash, made).code(made);
    let of = quote_spanned!(span=> __pmem::Hash);
    let generics = Made::with_bound(made.generics(&["'p"]), &of);
    let (declared, _, clause) = generics.split_for_impl();
    let (handle, ty) = (&made.handle, made.handle_type());
    quote! {
        const _: () = {
            #todo

            #[automatically_derived]
            impl #declared #of for #ty #clause {
                fn hash<__H: __pmem::Hasher>(&self, __state: &mut __H) {
                    let mut __todo = __pmem::Vec::from([__Todo::#handle(self, 0)]);
                    while let __pmem::Some(__step) = __todo.pop() {
                        match __step {
                            #arms
                        }
                    }
                }
            }
        };
    }
}
