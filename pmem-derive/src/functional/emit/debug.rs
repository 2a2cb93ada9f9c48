//! `Debug`: what the derive would print, of the type itself down to a bounded depth.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Generics, Ident};

use super::made::{Made, braces, own};
use crate::functional::input::names::silent;
use crate::functional::input::{Derive, Style, Variant};

pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let Some(span) = made.member.derives.span(Derive::Debug) else { return TokenStream::new() };
    let looked = arms(made, &made.view, &made.handle);
    let body = quote! {
        __pmem::debug_within(__f, |__f| match self.view() {
            #looked
        })
    };
    let handle = implement(span, made.generics(&["'p"]), &made.handle_type(), &body);
    let looks = [(&made.view, &["'a"] as &[&str]), (&made.parts, &[]), (&made.edit, &["'a"])];
    let looks = looks.map(|(ident, lifetimes)| {
        let looked = arms(made, ident, ident);
        let body = quote! {
            match self {
                #looked
            }
        };
        implement(span, made.stored_generics(lifetimes), &made.stored(ident, lifetimes), &body)
    });
    quote!(#handle #(#looks)*)
}

/// `impl<..> Debug for Tree<..> where K: Persistent + Debug { .. }`
fn implement(span: Span, generics: Generics, ty: &TokenStream, body: &TokenStream) -> TokenStream {
    let of = quote_spanned!(silent(span)=> __pmem::Debug);
    let generics = Made::with_derived(generics, &of);
    let (declared, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #declared #of for #ty #clause {
            fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
                #body
            }
        }
    }
}

/// What is printed of each variant of `ident`. A struct is printed under the name `printed`.
fn arms(made: &Made<'_>, ident: &Ident, printed: &Ident) -> TokenStream {
    let arms = made.member.variants.iter().map(|variant| {
        let path = made.variant_of(ident, variant);
        let fields = braces(&variant.fields, own);
        let name = if made.member.is_enum { &variant.ident } else { printed };
        let result = print(variant, &name.unraw().to_string());
        quote!(#path #fields => #result,)
    });
    arms.collect()
}

fn print(variant: &Variant, name: &str) -> TokenStream {
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
