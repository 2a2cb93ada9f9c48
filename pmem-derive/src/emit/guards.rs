//! What only the compiler can check, put so that it does.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::Parameters;
use crate::errors::span_of;
use crate::input::Container;

pub(super) fn guards(container: &Container, parameters: &Parameters<'_>) -> TokenStream {
    let threads = threads(parameters);
    let drop = no_drop(parameters);
    let brand = one_brand(container, parameters);
    let layout = parameters.concrete_type().map(|ty| quote!(const _: () = __pmem::check_layout::<#ty>();));
    quote! {
        #threads
        #drop
        #brand
        #layout
    }
}

/// `Send` and `Sync`, which `Persistent` requires.
///
/// They follow from the fields', each of which is persistent, as the implementation of `Persistent` under the same
/// bounds has the compiler check. Said outright, they keep a field that is not from being reported a second time, and in
/// words about threads, which are not what is wrong with it.
pub(super) fn threads(parameters: &Parameters<'_>) -> TokenStream {
    let send = parameters.header(quote!(unsafe), quote!(__pmem::Send));
    let sync = parameters.header(quote!(unsafe), quote!(__pmem::Sync));
    quote! {
        #[automatically_derived]
        #send {}
        #[automatically_derived]
        #sync {}
    }
}

/// A `Drop` of the type's own would make the second of these implementations conflict with the first. The compiler's error
/// shows nothing of ours but the trait's name, so that is where what to do stands.
fn no_drop(parameters: &Parameters<'_>) -> TokenStream {
    let header =
        parameters.bare_header(quote!(PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead));
    quote! {
        trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
        impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead for T {}
        #header {}
    }
}

/// Each field's type must be what it is under the type's own brand; an alias may hide that it is not.
fn one_brand(container: &Container, parameters: &Parameters<'_>) -> TokenStream {
    let (header, brand) = parameters.one_brand_header(quote!(__OneBrand));
    let fields = container.fields().map(|field| {
        let ty = &field.ty;
        quote_spanned! {span_of(ty)=>
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
