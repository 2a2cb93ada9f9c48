//! `Hash`: the same calls to the hasher as the derive on the plain type would make.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::made::Made;
use super::walk::{Act, Walk};
use crate::functional::input::Derive;
use crate::functional::input::names::silent;

pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let Some(span) = made.member.derives.span(Derive::Hash) else { return TokenStream::new() };
    let (todo, arms) = Walk::of(Act::Hash, made).code(made);
    let of = quote_spanned!(silent(span)=> __pmem::Hash);
    let generics = Made::with_derived(made.generics(&["'p"]), &of);
    let (declared, _, clause) = generics.split_for_impl();
    let (handle, ty) = (&made.handle, made.handle_type());
    quote! {
        const _: () = {
            #todo

            #[automatically_derived]
            impl #declared #of for #ty #clause {
                fn hash<__H: __pmem::Hasher>(&self, __state: &mut __H) {
                    let mut __todo = __pmem::Vec::new();
                    let mut __next = __Todo::#handle(self, 0);
                    loop {
                        match __next {
                            #arms
                        }
                        __next = match __todo.pop() {
                            __pmem::Some(__step) => __step,
                            __pmem::None => return,
                        };
                    }
                }
            }
        };
    }
}
