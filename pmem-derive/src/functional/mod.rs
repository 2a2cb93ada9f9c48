//! `#[functional]`: recursive types as handles and nodes, and methods that give new versions.
//!
//! **Problem.** A functional structure is a recursive type and functions that make new versions of it which share what they
//! did not change. In a pool its values are nodes that are counted, branded and written through a section; none of that
//! is what the user thinks about. So the user writes the recursive type, and the macro makes of it a *handle*, of one word,
//! that owns a *node*.
//!
//! **Words.** A *group* is the types whose names know each other: one alone, or those of a module; each is a *member*. A *unit*
//! is a variant without fields, which needs no node; the others are *data*. A *look* is one of the types in which a
//! value's fields are lent or handed out: view, parts, mut. A method has two *forms*: it gives the old version up, or keeps it.
//!
//! **Order.** `input` parses and puts brands in, `check` judges, `emit` writes; `methods` does all three for
//! `impl` blocks and methods. As in the derive, parsing never emits, emitting never complains, and all errors are reported.

mod check;
mod emit;
mod input;
mod methods;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, ItemMod};

use crate::errors::Errors;
use input::{Group, Module, Options};

/// The whole output for `#[functional(arguments)] item`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item: Item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::new();
    let options = Options::parse(arguments, &errors);
    let (item, options) = match Group::alone(item, options, &errors) {
        Ok(group) => return types(&group, errors),
        Err(back) => back,
    };
    match item {
        Item::Mod(item) if item.content.is_some() => module(item, options, errors),
        Item::Impl(item) => methods::block(item, &options.into_runtime(), errors),
        Item::Fn(item) => methods::method(item, errors),
        other => {
            errors.on(
                &other,
                "`#[functional]` stands on an enum, a struct, a module with its types in braces, an impl block or a method",
            );
            let errors = errors.finish();
            quote!(#errors #other)
        }
    }
}

fn types(group: &Group, errors: Errors) -> TokenStream {
    check::check(group, &errors);
    match errors.finish() {
        None => emit::types(group),
        Some(errors) => {
            let handles = emit::fallback(group);
            quote!(#errors #handles)
        }
    }
}

fn module(item: ItemMod, options: Options, errors: Errors) -> TokenStream {
    let module = Module::parse(item, options, &errors);
    if module.group.members.is_empty() {
        errors.on(
            &module.shell.ident,
            "the types of a group stand in the module; move the enums and structs into it, or remove `#[functional]`",
        );
    }
    check::check(&module.group, &errors);
    match errors.finish() {
        None => emit::module(&module, &emit::types(&module.group)),
        Some(errors) => {
            let handles = emit::fallback(&module.group);
            let module = emit::module(&module, &handles);
            [errors, module].into_iter().map(ToTokens::into_token_stream).collect()
        }
    }
}
