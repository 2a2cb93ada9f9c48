//! The brand and the bounds of an `impl` block that is written without them.

use proc_macro2::Span;
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, Ident, ItemImpl, Lifetime, Path, PathArguments, Type, parse_quote};

use crate::errors::Errors;
use crate::functional::input::brand::{Branding, brand_at};
use crate::functional::input::names::around;

/// Puts them in. Returns the type's name.
pub(super) fn brand_block(item: &mut ItemImpl, runtime: &Path, errors: &Errors) -> Option<Ident> {
    let Type::Path(ty) = &*item.self_ty else {
        errors
            .on(&item.self_ty, "`#[functional]` stands on an impl block of a functional type; name the type");
        return None;
    };
    let last = ty.path.segments.last()?;
    let ident = last.ident.clone();
    let written = written_brand(&last.arguments);
    let brand = written.clone().unwrap_or_else(|| brand_at(Span::call_site()));
    let names = [ident.clone(), around("", &ident, "Parts")];
    let hidden = item.generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
    let mut branding = Branding { brand: brand.clone(), names: &names, hidden, is_field: false };
    branding.visit_item_impl_mut(item);
    if written.is_none() {
        item.generics.params.insert(0, parse_quote!(#brand));
    }
    let parameters: Vec<Ident> =
        item.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    for parameter in parameters {
        item.generics
            .make_where_clause()
            .predicates
            .push(parse_quote!(#parameter: #runtime::Persistent<At<#brand> = #parameter>));
    }
    for each in &mut item.items {
        if let syn::ImplItem::Fn(method) = each {
            method.attrs.retain(|attribute| {
                attribute.path().segments.last().is_none_or(|last| last.ident != "functional")
            });
        }
    }
    Some(ident)
}

/// The lifetime that the user gave the type, if it is one of the block's.
fn written_brand(arguments: &PathArguments) -> Option<Lifetime> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) if lifetime.ident != "_" => Some(lifetime.clone()),
        _ => None,
    })
}
