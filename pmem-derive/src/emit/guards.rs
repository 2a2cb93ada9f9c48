//! What only the compiler can check, put so that it does.

use proc_macro2::TokenStream;
use quote::quote;

use super::Parameters;
use crate::input::Container;

pub(super) fn guards(container: &Container, parameters: &Parameters<'_>) -> TokenStream {
    let drop = no_drop(parameters);
    let brand = one_brand(container, parameters);
    let layout = parameters.concrete_type().map(|ty| quote!(const _: () = __pmem::check_layout::<#ty>();));
    quote! {
        #drop
        #brand
        #layout
    }
}

/// A `Drop` of the type's own would make the second of these implementations conflict with the first.
fn no_drop(parameters: &Parameters<'_>) -> TokenStream {
    let header = parameters.bare_header(quote!(PersistentTypesMustNotImplementDrop));
    quote! {
        trait PersistentTypesMustNotImplementDrop {}
        impl<T: __pmem::Drop> PersistentTypesMustNotImplementDrop for T {}
        #header {}
    }
}

/// Each field's type must be what it is under the type's own brand; an alias may hide that it is not.
fn one_brand(container: &Container, parameters: &Parameters<'_>) -> TokenStream {
    let (header, brand) = parameters.one_brand_header(quote!(__OneBrand));
    let fields = container.fields().map(|field| {
        let ty = &field.ty;
        quote! {
            let _: __pmem::PhantomData<*mut <#ty as __pmem::Persistent>::At<#brand>> =
                __pmem::PhantomData::<*mut #ty>;
        }
    });
    quote! {
        trait __OneBrand<'p> {
            fn check();
        }
        #header {
            fn check() {
                #(#fields)*
            }
        }
    }
}
