//! What a method says about versions: which it takes, and that it returns one.

use syn::visit::{self, Visit};
use syn::{
    FnArg, Ident, ImplItemFn, PathArguments, Receiver, ReceiverKind, ReturnType, Type, TypePath,
    TypeReference,
};

use crate::errors::Errors;

/// A method that makes a new version, by how it takes the old one.
pub(super) enum Version {
    /// By `self`: the caller gives it up.
    GivenUp,
    /// By `&self`: the caller keeps it.
    Kept,
}

impl Version {
    /// What the method does, if it concerns versions: if it takes the section and a value of the type.
    pub(super) fn of(method: &ImplItemFn, ident: Option<&Ident>, errors: &Errors) -> Option<Self> {
        if !has_section(method) || method.sig.asyncness.is_some() {
            return None;
        }
        for argument in &method.sig.inputs {
            if let FnArg::Typed(argument) = argument
                && let Type::Reference(reference) = &*argument.ty
                && reference.mutability.is_some()
                && is_version(&reference.elem, ident)
            {
                errors.on(
                    &argument.ty,
                    "a version that is changed in place is no version any more; take it by value and return the new one",
                );
            }
        }
        let receiver = method.sig.receiver()?;
        let version = Version::taken_by(receiver, errors)?;
        if !returns_version(&method.sig.output, ident) {
            let sentence = format!(
                "`{}` takes a version and the section, and returns no new version; return `Self`, or a tuple, `Option` or \
                 `Result` with it, or move the method to an impl block without `#[functional]`",
                method.sig.ident
            );
            match &method.sig.output {
                ReturnType::Default => errors.on(&method.sig.ident, sentence),
                ReturnType::Type(_, ty) => errors.on(ty, sentence),
            }
            return None;
        }
        Some(version)
    }

    fn taken_by(receiver: &Receiver, errors: &Errors) -> Option<Self> {
        let is_changed = match &receiver.kind {
            ReceiverKind::Value => return Some(Version::GivenUp),
            ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
            ReceiverKind::Typed(_, ty) => match &**ty {
                Type::Reference(reference) => reference.mutability.is_some(),
                Type::Path(path) if path.path.is_ident("Self") => return Some(Version::GivenUp),
                _ => return None,
            },
            _ => return None,
        };
        if is_changed {
            errors.on(
                receiver,
                "`&mut self` leaves no old version; take `self`, which gives it up, or `&self`, which keeps it, and \
                 return the new one",
            );
            return None;
        }
        Some(Version::Kept)
    }
}

/// The section's parameter: a reference to a `Fase`.
pub(super) fn section(method: &ImplItemFn) -> Option<&TypePath> {
    method.sig.inputs.iter().find_map(|argument| {
        let FnArg::Typed(argument) = argument else { return None };
        let Type::Reference(reference) = &*argument.ty else { return None };
        let Type::Path(path) = &*reference.elem else { return None };
        let is_section = path.path.segments.last().is_some_and(|last| last.ident == "Fase");
        is_section.then_some(path)
    })
}

pub(super) fn has_section(method: &ImplItemFn) -> bool {
    section(method).is_some()
}

/// Where the block has its brands already, the section has one too.
pub(super) fn check_section_brand(method: &ImplItemFn, errors: &Errors) {
    let Some(path) = section(method) else { return };
    let Some(last) = path.path.segments.last() else { return };
    let has_brand = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(
            |argument| matches!(argument, syn::GenericArgument::Lifetime(lifetime) if lifetime.ident != "_"),
        ),
        _ => false,
    };
    if !has_brand {
        errors.on(
            path,
            "the section has the brand of the block's type; write `&Fase<'p>`, or put `#[functional]` on the whole block",
        );
    }
}

fn is_version(ty: &Type, ident: Option<&Ident>) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    path.path.is_ident("Self") || ident.is_some_and(|ident| last.ident == *ident)
}

fn returns_version(output: &ReturnType, ident: Option<&Ident>) -> bool {
    struct Search<'s> {
        ident: Option<&'s Ident>,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_type(&mut self, ty: &'ast Type) {
            self.found |= is_version(ty, self.ident);
            visit::visit_type(self, ty);
        }

        fn visit_type_reference(&mut self, _: &'ast TypeReference) {
            // What is lent is an old version.
        }
    }
    let ReturnType::Type(_, ty) = output else { return false };
    let mut search = Search { ident, found: false };
    search.visit_type(ty);
    search.found
}
