//! The other form of a method: with the old version kept, or given up.

use proc_macro2::Span;
use quote::{format_ident, quote};
use syn::{FnArg, GenericParam, Ident, ImplItemFn, Pat, Type, parse_quote};

use super::version::{Version, section};
use crate::functional::input::names::around;

/// `insert_shared(&self, ..)` of `insert(self, ..)`, and `insert_owned(self, ..)` of `insert(&self, ..)`.
pub(super) fn other_form(method: &ImplItemFn, version: &Version) -> ImplItemFn {
    let ident = &method.sig.ident;
    let mut form = method.clone();
    let arguments = name_arguments(&mut form);
    let call = call(method);
    let (name, receiver, text, block) = match version {
        Version::GivenUp => {
            let tx = section_argument(method, &arguments);
            let text = format!(" Like [`{ident}`](Self::{ident}), and the old version is kept.");
            let block = quote!({ #call(self.share(#tx), #(#arguments),*) });
            (around("", ident, "_shared"), parse_quote!(&self), text, block)
        }
        Version::Kept => {
            let text = format!(" Like [`{ident}`](Self::{ident}), and the old version is given up.");
            (around("", ident, "_owned"), parse_quote!(self), text, quote!({ #call(&self, #(#arguments),*) }))
        }
    };
    form.sig.ident = name;
    if let Some(first) = form.sig.inputs.first_mut() {
        *first = receiver;
    }
    let has_docs = form.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
    let blank = has_docs.then(|| parse_quote!(#[doc = ""]));
    let lines: [Option<syn::Attribute>; 2] = [Some(parse_quote!(#[doc = #text])), blank];
    form.attrs.splice(0..0, lines.into_iter().flatten());
    form.block = parse_quote!(#block);
    form
}

/// Gives every argument a name of its own, without patterns, and lists the names.
fn name_arguments(form: &mut ImplItemFn) -> Vec<Ident> {
    let mut names = Vec::new();
    for (index, argument) in form.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(argument) = argument else { continue };
        let name = match &*argument.pat {
            Pat::Ident(pattern) if pattern.subpat.is_none() => pattern.ident.clone(),
            _ => format_ident!("__argument{index}", span = Span::call_site()),
        };
        *argument.pat = parse_quote!(#name);
        names.push(name);
    }
    names
}

/// `Self::insert`, with the generic arguments that may be written.
fn call(method: &ImplItemFn) -> proc_macro2::TokenStream {
    let ident = &method.sig.ident;
    let mut parameters = Vec::new();
    for parameter in &method.sig.generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(parameter) => parameters.push(&parameter.ident),
            GenericParam::Const(parameter) => parameters.push(&parameter.ident),
        }
    }
    if parameters.is_empty() {
        return quote!(Self::#ident);
    }
    quote!(Self::#ident::<#(#parameters),*>)
}

/// The name of the argument that is the section.
fn section_argument(method: &ImplItemFn, names: &[Ident]) -> Ident {
    let wanted = section(method);
    let typed = method.sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => Some(&*argument.ty),
        FnArg::Receiver(_) => None,
    });
    let is_section = |ty: &Type| match ty {
        Type::Reference(reference) => {
            matches!(&*reference.elem, Type::Path(path) if wanted.is_some_and(|wanted| std::ptr::eq(wanted, path)))
        }
        _ => false,
    };
    let found = typed.zip(names).find(|(ty, _)| is_section(ty));
    found.map_or_else(|| format_ident!("tx"), |(_, name)| name.clone())
}
