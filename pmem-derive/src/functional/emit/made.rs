//! One type with the names of all that is made of it.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Generics, Ident, Lifetime, Type, parse_quote};

use super::form::Form;
use crate::functional::input::names::{around, unwritten};
use crate::functional::input::{Field, Group, Member, Variant};

pub(super) struct Made<'g> {
    pub(super) group: &'g Group,
    pub(super) member: &'g Member,
    pub(super) handle: Ident,
    pub(super) node: Ident,
    pub(super) form_ident: Ident,
    pub(super) view: Ident,
    pub(super) parts: Ident,
    pub(super) edit: Ident,
    pub(super) form: Form,
}

impl<'g> Made<'g> {
    pub(super) fn of(group: &'g Group, member: &'g Member) -> Self {
        let ident = &member.ident;
        Made {
            group,
            member,
            handle: unwritten(ident),
            node: around("__", ident, "Node"),
            form_ident: around("__", ident, "Form"),
            view: around("", ident, "View"),
            parts: around("", ident, "Parts"),
            edit: around("", ident, "Mut"),
            form: Form::of(member),
        }
    }

    /// Generic parameters: these lifetimes, then the user's, without defaults.
    pub(super) fn generics(&self, lifetimes: &[&str]) -> Generics {
        let mut generics = self.member.generics.clone();
        generics.params = generics
            .params
            .into_iter()
            .filter_map(|mut parameter| {
                match &mut parameter {
                    syn::GenericParam::Lifetime(_) => return None,
                    syn::GenericParam::Type(parameter) => {
                        parameter.default = None;
                    }
                    syn::GenericParam::Const(parameter) => {
                        parameter.default = None;
                    }
                }
                Some(parameter)
            })
            .collect();
        for name in lifetimes.iter().rev() {
            let lifetime = Lifetime::new(name, Span::call_site());
            generics.params.insert(0, parse_quote!(#lifetime));
        }
        generics
    }

    /// `__TreeNode<'p, K, V>`, or another type that has the brand only if a field has it.
    pub(super) fn stored_generics(&self, lifetimes: &[&str]) -> Generics {
        let mut lifetimes = lifetimes.to_vec();
        if self.member.is_branded() {
            lifetimes.push("'p");
        }
        self.generics(&lifetimes)
    }

    /// A type of the given name with arguments: lifetimes, then the brand if it is used, then the parameters.
    pub(super) fn stored(&self, ident: &Ident, lifetimes: &[&str]) -> TokenStream {
        let generics = self.stored_generics(lifetimes);
        let (_, arguments, _) = generics.split_for_impl();
        quote!(#ident #arguments)
    }

    /// `Tree<'p, K, V>`.
    pub(super) fn handle_type(&self) -> TokenStream {
        let generics = self.generics(&["'p"]);
        let (_, arguments, _) = generics.split_for_impl();
        let handle = &self.handle;
        quote!(#handle #arguments)
    }

    /// With the predicates that methods which take the section need.
    pub(super) fn with_section(mut generics: Generics) -> Generics {
        let parameters: Vec<Ident> =
            generics.type_params().map(|parameter| parameter.ident.clone()).collect();
        for ident in parameters {
            generics
                .make_where_clause()
                .predicates
                .push(parse_quote!(#ident: __pmem::Persistent<At<'p> = #ident>));
        }
        generics
    }

    /// With the bounds of a derived trait: each type parameter has the trait, as in the standard derives, and may live in
    /// a pool, without which collections of it have no trait. Bounds on the fields' types would go in a circle where a
    /// field holds the type itself.
    pub(super) fn with_derived(mut generics: Generics, bound: &TokenStream) -> Generics {
        let parameters: Vec<Ident> =
            generics.type_params().map(|parameter| parameter.ident.clone()).collect();
        for ident in parameters {
            generics.make_where_clause().predicates.push(parse_quote!(#ident: __pmem::Persistent + #bound));
        }
        generics
    }

    /// `impl<'p, K, V> Tree<'p, K, V> where ... { content }`, or nothing if there is no content.
    pub(super) fn inherent(&self, generics: &Generics, content: &TokenStream) -> TokenStream {
        if content.is_empty() {
            return TokenStream::new();
        }
        let (declared, _, clause) = generics.split_for_impl();
        let handle = self.handle_type();
        quote! {
            impl #declared #handle #clause {
                #content
            }
        }
    }

    /// Lint attributes of the user's, for everything that is made of the type.
    pub(super) fn lints(&self) -> &'g [Attribute] {
        &self.member.attributes.lints
    }

    /// The path of a variant in one of the generated types: of a struct it is the type itself.
    pub(super) fn variant_of(&self, ident: &Ident, variant: &Variant) -> TokenStream {
        if !self.member.is_enum {
            return quote!(#ident);
        }
        let variant = unwritten(&variant.ident);
        quote!(#ident::#variant)
    }

    /// The path of a variant in the node type: of a node with one kind of data it is the type itself.
    pub(super) fn in_node(&self, variant: &Variant) -> TokenStream {
        let node = &self.node;
        if self.member.data().count() == 1 {
            return quote!(#node);
        }
        let variant = unwritten(&variant.ident);
        quote!(#node::#variant)
    }

    /// The name of the section's parameter: `tx` unless a field has it.
    pub(super) fn section(&self) -> Ident {
        let is_taken = self.member.fields().any(|field| field.binding == "tx");
        Ident::new(if is_taken { "__tx" } else { "tx" }, Span::call_site())
    }

    /// The type of the section.
    pub(super) fn section_type() -> Type {
        parse_quote!(&__pmem::Fase<'p>)
    }
}

/// `{ left: left, key: key }` with a name for each field's variable, as a pattern or an expression.
pub(super) fn braces(fields: &[Field], variable: impl Fn(&Field) -> Ident) -> TokenStream {
    let places = fields.iter().map(|field| {
        let (member, variable) = (&field.member, variable(field));
        match member {
            syn::Member::Named(name) if *name == variable => quote!(#variable),
            _ => quote!(#member: #variable),
        }
    });
    quote!({ #(#places),* })
}

/// The variables that have the fields' own names.
pub(super) fn own(field: &Field) -> Ident {
    field.binding.clone()
}
