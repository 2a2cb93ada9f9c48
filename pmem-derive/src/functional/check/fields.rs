//! Whether fields can be stored, as far as their tokens show.

use syn::visit::{self, Visit};
use syn::{GenericArgument, Lifetime, PathArguments, Type, TypePath};

use crate::check::refusal;
use crate::errors::Errors;
use crate::functional::input::{Group, Member};

pub(super) fn check(group: &Group, member: &Member, errors: &Errors) {
    for field in member.fields() {
        FieldType { group, member, errors }.visit_type(&field.written);
    }
}

struct FieldType<'c> {
    group: &'c Group,
    member: &'c Member,
    errors: &'c Errors,
}

impl FieldType<'_> {
    /// A member's name is written with the parameters that it was declared with, so that a walk stays among few types.
    fn check_mention(&self, path: &TypePath) {
        let Some(last) = path.path.segments.last() else { return };
        let Some(index) = self.group.find(&last.ident).filter(|_| path.path.segments.len() == 1) else {
            return;
        };
        let other = &self.group.members[index];
        let found: Vec<String> = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => {
                let arguments = arguments
                    .args
                    .iter()
                    .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)));
                arguments.map(|argument| quote::ToTokens::to_token_stream(argument).to_string()).collect()
            }
            _ => Vec::new(),
        };
        let wanted = other.parameters();
        if found != wanted {
            let ident = &last.ident;
            let form =
                if wanted.is_empty() { ident.to_string() } else { format!("{ident}<{}>", wanted.join(", ")) };
            self.errors.on(
                path,
                format!(
                    "inside its own definition a type keeps its parameters, by their names; write `{form}`"
                ),
            );
        }
    }

    /// Boxes around what has a node anyway.
    fn is_needless_box(&self, path: &TypePath) -> bool {
        let Some(last) = path.path.segments.last() else { return false };
        if !["Box", "Rc", "Arc"].iter().any(|name| last.ident == name) {
            return false;
        }
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
        let inner = arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(Type::Path(path)) => path.path.segments.last().map(|last| &last.ident),
            _ => None,
        });
        let Some(inner) = inner else { return false };
        let is_ours = *inner == "Self" || self.group.find(inner).is_some();
        if is_ours {
            let form = quote::ToTokens::to_token_stream(&arguments.args).to_string().replace(' ', "");
            let outer = &last.ident;
            self.errors.on(
                path,
                format!("a value of a functional type has a node of its own and needs no `{outer}`; write `{form}`"),
            );
        }
        is_ours
    }
}

impl<'ast> Visit<'ast> for FieldType<'_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        if let Some(sentence) = refusal(ty) {
            // What stands inside it is wrong with it and needs no second message.
            self.errors.on(ty, sentence);
            return;
        }
        if let Type::Path(path) = ty {
            if self.is_needless_box(path) {
                return;
            }
            self.check_mention(path);
        }
        visit::visit_type(self, ty);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident == "_" {
            return;
        }
        let declared = self.member.generics.lifetimes().any(|known| known.lifetime == *lifetime);
        // A declared one is reported where it is declared.
        if !declared {
            self.errors.on(
                lifetime,
                format!("a field belongs to the same section as the value it is in; write `'_` instead of `{lifetime}`"),
            );
        }
    }
}
