//! `PartialEq`, `Eq`, `PartialOrd` and `Ord`: three ways to compare fields in one walk.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{GenericArgument, Ident, PathArguments, PathSegment};

use super::made::Made;
use super::walk::{Act, Walk};
use crate::functional::input::Derive;
use crate::functional::input::names::silent;

pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let derives = &made.member.derives;
    let has_walk =
        [Derive::PartialEq, Derive::PartialOrd, Derive::Ord].into_iter().any(|each| derives.has(each));
    let walk = has_walk.then(|| walk(made));
    let index = (has_walk || derives.has(Derive::Hash)).then(|| index(made));
    let partial_eq = derives.span(Derive::PartialEq).map(|span| partial_eq(made, span));
    let eq = derives.span(Derive::Eq).map(|span| eq(made, span));
    let partial_ord = derives.span(Derive::PartialOrd).map(|span| partial_ord(made, span));
    let ord = derives.span(Derive::Ord).map(|span| ord(made, span));
    quote!(#index #walk #partial_eq #eq #partial_ord #ord)
}

/// The number of a view's variant.
fn index(made: &Made<'_>) -> TokenStream {
    if made.member.variants.len() < 2 {
        return TokenStream::new();
    }
    let generics = made.stored_generics(&["'a"]);
    let (declared, _, clause) = generics.split_for_impl();
    let view = made.stored(&made.view, &["'a"]);
    let arms = made.member.variants.iter().map(|variant| {
        let path = made.variant_of(&made.view, variant);
        let index = proc_macro2::Literal::usize_unsuffixed(made.member.index_of(variant));
        quote!(#path { .. } => #index,)
    });
    quote! {
        impl #declared #view #clause {
            const fn __index(self) -> __pmem::isize {
                match self {
                    #(#arms)*
                }
            }
        }
    }
}

fn walk(made: &Made<'_>) -> TokenStream {
    let walk = Walk::of(Act::Compare, made);
    let (todo, arms) = walk.code(made);
    let mut generics = made.generics(&["'__a", "'p"]);
    generics.params.push(syn::parse_quote!(__O));
    let clause = generics.make_where_clause();
    clause.predicates.push(syn::parse_quote!(__O: __pmem::Comparison));
    for ty in walk.plain_types() {
        clause.predicates.push(syn::parse_quote!(__O: __pmem::Compare<#ty>));
    }
    let (declared, _, clause) = generics.split_for_impl();
    let (handle, ty) = (&made.handle, made.handle_type());
    quote! {
        const _: () = {
            #todo

            impl #declared __pmem::Walk<'__a, __O> for #ty #clause {
                fn walk(__left: &'__a Self, __right: &'__a Self) -> __pmem::Result<(), __pmem::Unequal> {
                    let mut __todo = __pmem::Vec::new();
                    let mut __next = __Todo::#handle(__left, __right, 0);
                    loop {
                        match __next {
                            #arms
                        }
                        __next = match __todo.pop() {
                            __pmem::Some(__step) => __step,
                            __pmem::None => return __pmem::Ok(()),
                        };
                    }
                }
            }
        };
    }
}

/// The parameters of an implementation, `K: Persistent + Trait`, and of a `Map`'s key what it takes to find it.
fn generics(made: &Made<'_>, of: &TokenStream) -> syn::Generics {
    let mut generics = Made::with_derived(made.generics(&["'p"]), of);
    let mut keys = Keys(Vec::new());
    Walk::of(Act::Compare, made).plain_types().into_iter().for_each(|ty| keys.visit_type(ty));
    let hashed = made.member.generics.type_params().map(|parameter| &parameter.ident);
    for ident in hashed.filter(|ident| keys.0.contains(ident)) {
        let predicate = syn::parse_quote!(#ident: __pmem::Hash + __pmem::Eq);
        generics.make_where_clause().predicates.push(predicate);
    }
    generics
}

/// All names in the keys of `Map`s and the elements of `Set`s, which are compared by looking them up.
struct Keys(Vec<Ident>);

impl<'ast> Visit<'ast> for Keys {
    fn visit_path_segment(&mut self, segment: &'ast PathSegment) {
        visit::visit_path_segment(self, segment);
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return };
        if segment.ident != "Map" && segment.ident != "Set" {
            return;
        }
        let key = arguments.args.iter().find(|argument| matches!(argument, GenericArgument::Type(_)));
        let mut names = Names(&mut self.0);
        key.into_iter().for_each(|key| names.visit_generic_argument(key));
    }
}

struct Names<'k>(&'k mut Vec<Ident>);

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.0.push(ident.clone());
    }
}

/// `impl<..> Trait for Tree<..> where K: Persistent + Trait { content }`
fn implement(made: &Made<'_>, of: &TokenStream, content: &TokenStream) -> TokenStream {
    let generics = generics(made, of);
    let (declared, _, clause) = generics.split_for_impl();
    let ty = made.handle_type();
    quote! {
        #[automatically_derived]
        impl #declared #of for #ty #clause {
            #content
        }
    }
}

fn partial_eq(made: &Made<'_>, span: Span) -> TokenStream {
    let same = made.member.derives.has(Derive::Eq);
    let of = quote_spanned!(silent(span)=> __pmem::PartialEq);
    let walk =
        quote_spanned!(silent(span)=> <Self as __pmem::Walk<'_, __pmem::ByEq<#same>>>::walk(self, __other));
    let content = quote! {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            #walk.is_ok()
        }
    };
    implement(made, &of, &content)
}

fn eq(made: &Made<'_>, span: Span) -> TokenStream {
    let of = quote_spanned!(silent(span)=> __pmem::Eq);
    let implementation = implement(made, &of, &TokenStream::new());
    let generics = generics(made, &of);
    let (declared, _, clause) = generics.split_for_impl();
    let types = made.member.fields().map(|field| {
        let ty = &field.ty;
        quote_spanned!(silent(crate::errors::span_of(ty))=> let _: __pmem::AssertEq<#ty>;)
    });
    quote! {
        #implementation
        /// The fields are `Eq`: a node is equal to itself.
        fn __fields_are_eq #declared() #clause {
            #(#types)*
        }
    }
}

fn partial_ord(made: &Made<'_>, span: Span) -> TokenStream {
    let same = made.member.derives.has(Derive::Ord);
    let of = quote_spanned!(silent(span)=> __pmem::PartialOrd);
    let walk = quote_spanned!(silent(span)=> <Self as __pmem::Walk<'_, __pmem::ByPartialOrd<#same>>>::walk(self, __other));
    let content = quote! {
        fn partial_cmp(&self, __other: &Self) -> __pmem::Option<__pmem::Ordering> {
            __pmem::ordering(#walk)
        }
    };
    implement(made, &of, &content)
}

fn ord(made: &Made<'_>, span: Span) -> TokenStream {
    let of = quote_spanned!(silent(span)=> __pmem::Ord);
    let walk = quote_spanned!(silent(span)=> <Self as __pmem::Walk<'_, __pmem::ByOrd>>::walk(self, __other));
    let content = quote! {
        fn cmp(&self, __other: &Self) -> __pmem::Ordering {
            __pmem::total(#walk)
        }
    };
    implement(made, &of, &content)
}
