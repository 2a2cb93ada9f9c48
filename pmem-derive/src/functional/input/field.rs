//! A field: its type with the brand in it, and where values of the group lie in it.

use quote::format_ident;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Ident, Member, PathArguments, Type, TypePath};

use super::attributes::Attributes;
use super::names::unwritten;
use crate::errors::Errors;

pub(crate) struct Field {
    pub(crate) member: Member,
    /// The variable that holds the field in generated code.
    pub(crate) binding: Ident,
    /// As the user wrote it.
    pub(crate) written: Type,
    /// With the brand put in.
    pub(crate) ty: Type,
    pub(crate) shape: Shape,
    pub(crate) attributes: Attributes,
}

/// Where values of the group lie in a type. They are walked with a list of what is still to do; everything else is left to
/// the type's own traits.
#[derive(Clone)]
pub(crate) enum Shape {
    /// No value of the group, or in a place that is not looked into.
    Plain,
    /// The member of this index.
    Own(usize),
    Option(Box<Inner>),
    Pointer(Box<Inner>),
    Array(Box<Inner>),
    Tuple(Vec<Inner>),
}

/// A part of a type.
#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) ty: Type,
    pub(crate) shape: Shape,
}

impl Field {
    pub(super) fn parse_all(fields: &syn::Fields, errors: &Errors) -> Vec<Self> {
        let parse = |(index, field): (usize, &syn::Field)| {
            let (member, binding) = match &field.ident {
                Some(ident) => (Member::Named(unwritten(ident)), unwritten(ident)),
                None => (Member::from(index), format_ident!("field_{index}")),
            };
            Field {
                member,
                binding,
                written: field.ty.clone(),
                ty: field.ty.clone(),
                shape: Shape::Plain,
                attributes: Attributes::parse(&field.attrs, errors),
            }
        };
        fields.iter().enumerate().map(parse).collect()
    }

    /// The field's name, if it has one.
    pub(crate) fn name(&self) -> Option<&Ident> {
        match &self.member {
            Member::Named(ident) => Some(ident),
            Member::Unnamed(_) => None,
        }
    }

    /// The name, or the number.
    pub(crate) fn label(&self) -> String {
        match &self.member {
            Member::Named(ident) => ident.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }
}

impl Shape {
    /// The shape of a type in a group whose members are known by `find`.
    pub(super) fn of(ty: &Type, find: &dyn Fn(&TypePath) -> Option<usize>) -> Self {
        let inner = |ty: &Type| Box::new(Inner { ty: ty.clone(), shape: Shape::of(ty, find) });
        if !mentions(ty, find) {
            return Shape::Plain;
        }
        match ty {
            Type::Paren(ty) => Shape::of(&ty.elem, find),
            Type::Group(ty) => Shape::of(&ty.elem, find),
            Type::Array(ty) => Shape::Array(inner(&ty.elem)),
            Type::Tuple(ty) => Shape::Tuple(ty.elems.iter().map(|ty| *inner(ty)).collect()),
            Type::Path(ty) => {
                if let Some(index) = find(ty) {
                    return Shape::Own(index);
                }
                let Some(last) = ty.path.segments.last() else { return Shape::Plain };
                match (last.ident.to_string().as_str(), only_type(&last.arguments)) {
                    ("Option", Some(ty)) => Shape::Option(inner(ty)),
                    ("P", Some(ty)) => Shape::Pointer(inner(ty)),
                    _ => Shape::Plain,
                }
            }
            _ => Shape::Plain,
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Shape::Plain)
    }

    /// Adds the members that a value of this shape may hold.
    pub(crate) fn owns(&self, members: &mut Vec<usize>) {
        match self {
            Shape::Plain => {}
            Shape::Own(index) => members.push(*index),
            Shape::Option(inner) | Shape::Pointer(inner) | Shape::Array(inner) => inner.shape.owns(members),
            Shape::Tuple(parts) => parts.iter().for_each(|part| part.shape.owns(members)),
        }
    }
}

/// The one type among a path's arguments.
fn only_type(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let first = types.next()?;
    types.next().is_none().then_some(first)
}

/// Whether a member's name stands anywhere in the type.
fn mentions(ty: &Type, find: &dyn Fn(&TypePath) -> Option<usize>) -> bool {
    struct Search<'s> {
        find: &'s dyn Fn(&TypePath) -> Option<usize>,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_type_path(&mut self, path: &'ast TypePath) {
            self.found |= (self.find)(path).is_some();
            visit::visit_type_path(self, path);
        }
    }
    let mut search = Search { find, found: false };
    search.visit_type(ty);
    search.found
}
