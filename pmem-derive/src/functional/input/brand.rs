//! The brand: where a type stands for what belongs to a section, and says no lifetime, it gets `'p`.

use proc_macro2::Span;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Ident, Lifetime, PathArguments, Type, TypePath, parse_quote};

use super::field::Shape;
use super::{Group, Member};

/// Types of the runtime that belong to a section.
const OF_THE_RUNTIME: [&str; 12] = [
    "Fase",
    "P",
    "Map",
    "Set",
    "OrdMap",
    "OrdSet",
    "Vector",
    "Stack",
    "Queue",
    "PriorityQueue",
    "Text",
    "Bytes",
];

/// The brand of generated types.
pub(crate) fn brand_at(span: Span) -> Lifetime {
    Lifetime::new("'p", Span::call_site().located_at(span))
}

/// Whether the brand stands in a type.
pub(super) fn is_in(ty: &Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
            self.0 |= lifetime.ident == "p";
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// Puts brands into types.
pub(crate) struct Branding<'n> {
    pub(crate) brand: Lifetime,
    /// Names that take a brand, besides the runtime's.
    pub(crate) names: &'n [Ident],
    /// Type parameters, which hide the runtime's names.
    pub(crate) hidden: Vec<String>,
    /// Whether `'_` means the brand: in fields it does, in signatures it is the compiler's.
    pub(crate) is_field: bool,
}

impl Branding<'_> {
    fn takes_brand(&self, ty: &TypePath) -> bool {
        if ty.qself.is_some() {
            return false;
        }
        let Some(last) = ty.path.segments.last() else { return false };
        if self.names.contains(&last.ident) {
            return is_local(ty);
        }
        let is_hidden = ty.path.segments.len() == 1 && self.hidden.iter().any(|name| last.ident == name);
        !is_hidden && OF_THE_RUNTIME.iter().any(|name| last.ident == name)
    }
}

/// Whether a path names something of the module that it stands in.
fn is_local(ty: &TypePath) -> bool {
    let is_self = ty.path.segments.first().is_some_and(|first| first.ident == "self");
    ty.qself.is_none() && (ty.path.segments.len() == 1 || (is_self && ty.path.segments.len() == 2))
}

impl VisitMut for Branding<'_> {
    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        visit_mut::visit_type_path_mut(self, ty);
        if !self.takes_brand(ty) {
            return;
        }
        let Some(last) = ty.path.segments.last_mut() else { return };
        let brand = Lifetime::new(&self.brand.to_string(), Span::call_site().located_at(last.ident.span()));
        match &mut last.arguments {
            PathArguments::None => last.arguments = PathArguments::AngleBracketed(parse_quote!(<#brand>)),
            PathArguments::AngleBracketed(arguments) => {
                let written = arguments.args.iter_mut().find_map(|argument| match argument {
                    GenericArgument::Lifetime(lifetime) => Some(lifetime),
                    _ => None,
                });
                match written {
                    None => arguments.args.insert(0, GenericArgument::Lifetime(brand)),
                    Some(lifetime) if lifetime.ident == "_" => *lifetime = brand,
                    Some(_) => {}
                }
            }
            PathArguments::Parenthesized(_) => {}
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if self.is_field && lifetime.ident == "_" {
            *lifetime = Lifetime::new(&self.brand.to_string(), lifetime.span());
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {
        // An item inside a function does not see the brand.
    }
}

/// `Self` in a field is the member with its own parameters.
struct SelfType<'m>(&'m Member);

impl VisitMut for SelfType<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::Path(path) = &*ty
            && path.qself.is_none()
            && path.path.is_ident("Self")
        {
            let mut ident = self.0.ident.clone();
            ident.set_span(crate::errors::span_of(path));
            let parameters = self.0.parameters();
            let parameters = parameters.iter().map(|name| Ident::new(name, ident.span()));
            *ty = if self.0.parameters().is_empty() {
                parse_quote!(#ident)
            } else {
                parse_quote!(#ident<#(#parameters),*>)
            };
        }
    }
}

/// Puts the brand into all fields of a group and finds their shapes.
pub(super) fn brand_fields(group: &mut Group) {
    let names: Vec<Ident> = group.members.iter().map(|member| member.ident.clone()).collect();
    let types: Vec<Vec<Type>> = group.members.iter().map(|member| branded(member, &names)).collect();
    let find = |ty: &TypePath| {
        let last = &ty.path.segments.last()?.ident;
        if is_local(ty) { names.iter().position(|name| name == last) } else { None }
    };
    for (member, types) in group.members.iter_mut().zip(types) {
        let fields = member.variants.iter_mut().flat_map(|variant| &mut variant.fields);
        for (field, ty) in fields.zip(types) {
            field.shape = Shape::of(&ty, &find);
            field.ty = ty;
        }
    }
}

fn branded(member: &Member, names: &[Ident]) -> Vec<Type> {
    let mut branding =
        Branding { brand: brand_at(Span::call_site()), names, hidden: member.parameters(), is_field: true };
    let types = member.fields().map(|field| {
        let mut ty = field.written.clone();
        SelfType(member).visit_type_mut(&mut ty);
        branding.visit_type_mut(&mut ty);
        ty
    });
    types.collect()
}
