//! Generic parameters: what the implementation requires of them, and the type under another brand.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, Lifetime, WherePredicate, parse_quote};

use crate::input::Container;

pub(super) struct Parameters<'c> {
    container: &'c Container,
    /// With the bounds that `Persistent` needs, inferred or the user's.
    generics: Generics,
    /// A lifetime that the item does not use.
    other: Lifetime,
}

impl<'c> Parameters<'c> {
    pub(super) fn of(container: &'c Container) -> Self {
        let other = unused_lifetime(&container.generics);
        let mut generics = container.generics.clone();
        generics.make_where_clause().predicates.extend(bounds(container));
        Parameters { container, generics, other }
    }

    /// The item's type with its own parameters, as in `Bank<'p, T>`.
    pub(super) fn own_type(&self) -> TokenStream {
        let ident = &self.container.ident;
        let (_, type_generics, _) = self.generics.split_for_impl();
        quote!(#ident #type_generics)
    }

    /// `impl<...> Trait for Type where ...`, with `marker` before it.
    pub(super) fn header(&self, marker: TokenStream, of: TokenStream) -> TokenStream {
        let (impl_generics, _, where_clause) = self.generics.split_for_impl();
        let own_type = self.own_type();
        quote!(#marker impl #impl_generics #of for #own_type #where_clause)
    }

    /// As [`Parameters::header`], with the item's own bounds only.
    pub(super) fn bare_header(&self, of: TokenStream) -> TokenStream {
        let (impl_generics, type_generics, where_clause) = self.container.generics.split_for_impl();
        let ident = &self.container.ident;
        quote!(impl #impl_generics #of for #ident #type_generics #where_clause)
    }

    /// `impl<...> Trait<'p> for Type` for parameters that have the brand `'p` already, and that brand.
    pub(super) fn one_brand_header(&self, of: TokenStream) -> (TokenStream, Lifetime) {
        let mut generics = self.generics.clone();
        let brand = self.container.brand.clone().unwrap_or_else(|| {
            let other = &self.other;
            generics.params.insert(0, parse_quote!(#other));
            other.clone()
        });
        // A bound of the user's own that says it already would make two, between which the compiler does not choose.
        let bound = self.container.bound.iter().flatten().map(|bound| bound.to_token_stream().to_string());
        let known: Vec<String> = bound.filter(|bound| bound.contains("At <")).collect();
        for parameter in self.container.generics.type_params() {
            let ident = &parameter.ident;
            if known.iter().any(|bound| bound.starts_with(&format!("{ident} :"))) {
                continue;
            }
            let predicate: WherePredicate = parse_quote!(#ident: __pmem::Persistent<At<#brand> = #ident>);
            generics.make_where_clause().predicates.push(predicate);
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let own_type = self.own_type();
        (quote!(impl #impl_generics #of<#brand> for #own_type #where_clause), brand)
    }

    /// `type At<'q> = ...;`
    pub(super) fn at(&self) -> TokenStream {
        let (ident, other) = (&self.container.ident, &self.other);
        let arguments = self.container.generics.params.iter().map(|parameter| match parameter {
            GenericParam::Lifetime(_) => quote!(#other),
            GenericParam::Type(parameter) => {
                let ident = &parameter.ident;
                quote!(<#ident as __pmem::Persistent>::At<#other>)
            }
            GenericParam::Const(parameter) => parameter.ident.to_token_stream(),
        });
        let arguments: Vec<TokenStream> = arguments.collect();
        let arguments = if arguments.is_empty() { quote!() } else { quote!(<#(#arguments),*>) };
        quote!(type At<#other> = #ident #arguments;)
    }

    /// The type parameters: arguments that are themselves persistent.
    pub(super) fn types(&self) -> impl Iterator<Item = &Ident> {
        self.container.generics.type_params().map(|parameter| &parameter.ident)
    }

    pub(super) fn consts(&self) -> impl Iterator<Item = &Ident> {
        self.container.generics.const_params().map(|parameter| &parameter.ident)
    }

    /// The type where it depends on no parameter but its brand: then it can be judged where it is defined.
    pub(super) fn concrete_type(&self) -> Option<TokenStream> {
        let ident = &self.container.ident;
        let is_concrete = self.types().next().is_none() && self.consts().next().is_none();
        let arguments = self.container.brand.as_ref().map(|_| quote!(<'static>));
        is_concrete.then(|| quote!(#ident #arguments))
    }
}

/// What the implementation requires beyond the item's own bounds.
fn bounds(container: &Container) -> Vec<WherePredicate> {
    if let Some(bound) = &container.bound {
        return bound.clone();
    }
    let persistent = container.generics.type_params().map(|parameter| {
        let ident = &parameter.ident;
        parse_quote!(#ident: __pmem::Persistent)
    });
    persistent.collect()
}

/// A lifetime that the item does not use.
fn unused_lifetime(generics: &Generics) -> Lifetime {
    let used = generics.to_token_stream().to_string();
    let mut name = "'__q".to_owned();
    while used.contains(&name) {
        name.push('_');
    }
    Lifetime::new(&name, Span::call_site())
}
