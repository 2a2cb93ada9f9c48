//! The annotated item as a typed tree: what the checks judge and what the emitters read.
//!
//! Parsing goes on after an error, with a stand-in, so that one run finds all errors. Nothing is emitted from a tree
//! with errors but the fallback.

mod attribute;
mod repr;

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Generics, Ident, Lifetime, Member, Path, Type, WherePredicate};

use crate::errors::Errors;
use attribute::{Attributes, Level};
pub(crate) use repr::{Repr, Tag};

/// The item.
pub(crate) struct Container {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The type's own lifetime: the section that its pointers belong to.
    pub(crate) brand: Option<Lifetime>,
    /// Path of the runtime.
    pub(crate) runtime: Path,
    /// The user's bounds in place of the inferred ones.
    pub(crate) bound: Option<Vec<WherePredicate>>,
    /// The name in schemas.
    pub(crate) name: String,
    pub(crate) repr: Repr,
    pub(crate) body: Body,
}

/// What the item is made of.
pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
    /// A union, by its keyword: refused by the checks.
    Union(Span),
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    pub(crate) name: String,
    /// The word `volatile`, if it is there.
    pub(crate) volatile: Option<Ident>,
    /// The field's name where it has one, for errors.
    pub(crate) span: Span,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
}

impl Container {
    pub(crate) fn parse(input: &syn::DeriveInput, errors: &Errors) -> Self {
        let attributes = Attributes::parse(&input.attrs, Level::Type, errors);
        for parameter in &input.generics.params {
            let attrs = match parameter {
                syn::GenericParam::Lifetime(parameter) => &parameter.attrs,
                syn::GenericParam::Type(parameter) => &parameter.attrs,
                syn::GenericParam::Const(parameter) => &parameter.attrs,
            };
            Attributes::parse(attrs, Level::Parameter, errors);
        }
        let body = match &input.data {
            syn::Data::Struct(data) => Body::Struct(parse_fields(&data.fields, Level::Field, errors)),
            syn::Data::Enum(data) => {
                Body::Enum(data.variants.iter().map(|each| Variant::parse(each, errors)).collect())
            }
            syn::Data::Union(data) => Body::Union(data.union_token.span),
        };
        Container {
            ident: input.ident.clone(),
            brand: input.generics.lifetimes().next().map(|parameter| parameter.lifetime.clone()),
            generics: input.generics.clone(),
            runtime: attributes.runtime.unwrap_or_else(|| syn::parse_quote!(::pmem_runtime)),
            bound: attributes.bound,
            name: attributes.rename.unwrap_or_else(|| input.ident.unraw().to_string()),
            repr: Repr::parse(&input.attrs, errors),
            body,
        }
    }

    /// Every field, of all variants.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        let (of_struct, of_enum): (&[Field], &[Variant]) = match &self.body {
            Body::Struct(fields) => (fields, &[]),
            Body::Enum(variants) => (&[], variants),
            Body::Union(_) => (&[], &[]),
        };
        of_struct.iter().chain(of_enum.iter().flat_map(|variant| &variant.fields))
    }
}

impl Variant {
    fn parse(variant: &syn::Variant, errors: &Errors) -> Self {
        let attributes = Attributes::parse(&variant.attrs, Level::Variant, errors);
        Variant {
            ident: variant.ident.clone(),
            name: attributes.rename.unwrap_or_else(|| variant.ident.unraw().to_string()),
            fields: parse_fields(&variant.fields, Level::VariantField, errors),
        }
    }
}

fn parse_fields(fields: &syn::Fields, level: Level, errors: &Errors) -> Vec<Field> {
    let parse = |(index, field): (usize, &syn::Field)| {
        let attributes = Attributes::parse(&field.attrs, level, errors);
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::from(index),
        };
        let own_name = match &field.ident {
            Some(ident) => ident.unraw().to_string(),
            None => index.to_string(),
        };
        Field {
            span: match &field.ident {
                Some(ident) => ident.span(),
                None => crate::errors::span_of(&field.ty),
            },
            member,
            ty: field.ty.clone(),
            name: attributes.rename.unwrap_or(own_name),
            volatile: attributes.volatile,
        }
    };
    fields.iter().enumerate().map(parse).collect()
}

impl Field {
    /// The name that a pattern binds the field to.
    pub(crate) fn binding(index: usize) -> Ident {
        format_ident!("__f{index}")
    }
}
