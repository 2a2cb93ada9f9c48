//! What is emitted for types with errors: the errors, and handles that keep the uses of the types' names quiet.

use proc_macro2::TokenStream;
use quote::quote;

use super::made::Made;
use crate::functional::input::Group;

pub(crate) fn fallback(group: &Group) -> TokenStream {
    let handles = group.members.iter().map(|member| {
        let made = Made::of(group, member);
        let mut generics = made.generics(&["'p"]);
        generics.where_clause = None;
        for parameter in generics.type_params_mut() {
            parameter.bounds.clear();
        }
        let types = generics.type_params().map(|parameter| &parameter.ident);
        let (vis, ident, runtime) = (&member.vis, &made.handle, &group.runtime);
        let renamed = group.is_renamed.then(|| quote!(#[persistent(crate = #runtime)]));
        quote! {
            #[allow(missing_docs, dead_code)]
            #[derive(#runtime::Persistent)]
            #renamed
            #[repr(C)]
            #vis struct #ident #generics {
                __node: ::core::option::Option<#runtime::P<'p, ::core::marker::PhantomData<(#(#types,)*)>>>,
            }
        }
    });
    handles.collect()
}
