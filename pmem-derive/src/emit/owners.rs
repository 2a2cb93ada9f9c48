//! `trace`, `targets` and `share`: what a value owns, of which types that can be, and a second owner of it.

use proc_macro2::TokenStream;
use quote::quote;

use super::Shape;
use super::shape::Alternative;

pub(super) fn trace(shape: &Shape<'_>) -> TokenStream {
    let arms = shape.alternatives().iter().map(|alternative| {
        let pattern = alternative.pattern();
        let fields = alternative.fields.iter().map(|place| {
            let (binding, trace) = (&place.binding, place.ask(quote!(trace)));
            quote!(#trace(#binding, __tracer);)
        });
        quote!(#pattern => { #(#fields)* })
    });
    quote! {
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                #(#arms)*
            }
        }
    }
}

pub(super) fn targets(shape: &Shape<'_>) -> TokenStream {
    let fields = shape.places().map(|place| {
        let targets = place.ask(quote!(targets));
        quote!(#targets(__types);)
    });
    quote! {
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
            #(#fields)*
        }
    }
}

pub(super) fn share(shape: &Shape<'_>) -> TokenStream {
    let arms = shape.alternatives().iter().map(|alternative: &Alternative<'_>| {
        let pattern = alternative.pattern();
        let shared = alternative.construct(|place| {
            let (binding, share) = (&place.binding, place.ask(quote!(share)));
            quote!(unsafe { #share(#binding, __sharer) })
        });
        quote!(#pattern => #shared,)
    });
    quote! {
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                #(#arms)*
            }
        }
    }
}
