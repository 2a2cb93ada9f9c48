//! The group as Rust text: per type a handle, a node type, three types to look through, and the methods.
//!
//! **Rules.** The types stand where the user's item stood, named by absolute paths. Everything else stands in one
//! `const _` block, where `__pmem` is the runtime's and the language's own names. Names made of the user's tokens
//! underline those tokens in errors, and are silent for lints about what a person wrote. There is no `unsafe`: the
//! generated types derive `Persistent`.

mod compare;
mod constructors;
mod debug;
mod fallback;
mod fields;
mod form;
mod handle;
mod hash;
mod looks;
mod made;
mod methods;
mod traits;
mod walk;

use proc_macro2::TokenStream;
use quote::quote;

use super::input::{Group, Module};
pub(crate) use fallback::fallback;
use made::Made;

/// The output for types without errors.
pub(crate) fn types(group: &Group) -> TokenStream {
    group.members.iter().map(|member| one(&Made::of(group, member))).collect()
}

/// The same, within the user's module.
pub(crate) fn module(module: &Module, content: &TokenStream) -> TokenStream {
    let (attrs, vis, ident) = (&module.shell.attrs, &module.shell.vis, &module.shell.ident);
    let others = &module.others;
    quote! {
        #(#attrs)*
        #vis mod #ident {
            #(#others)*
            #content
        }
    }
}

fn one(made: &Made<'_>) -> TokenStream {
    let handle = handle::types(made);
    let looks = looks::types(made);
    let read = [constructors::units(made), methods::reading(made), fields::getters(made)];
    let write = [constructors::data(made), methods::writing(made), fields::updaters(made)];
    let blocks = [
        made.inherent(&made.generics(&["'p"]), &read.into_iter().collect()),
        made.inherent(&Made::with_section(made.generics(&["'p"])), &write.into_iter().collect()),
        looks::block(made),
        traits::block(made),
        debug::block(made),
        compare::block(made),
        hash::block(made),
    ];
    let runtime = &made.group.runtime;
    quote! {
        #handle
        #looks
        const _: () = {
            use #runtime::__private as __pmem;

            #(#blocks)*
        };
    }
}
