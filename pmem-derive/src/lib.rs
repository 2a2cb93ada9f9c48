//! The macros of pmem-runtime.

mod check;
mod emit;
mod errors;
#[cfg(test)]
mod golden;
mod input;
mod nearest;

use proc_macro2::TokenStream;

use errors::Errors;
use input::Container;

/// Derives `Persistent`.
#[proc_macro_derive(Persistent, attributes(persistent))]
pub fn derive_persistent(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input.into()).into()
}

/// Parse, check, emit.
fn expand(input: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::new();
    let container = Container::parse(&input, &errors);
    check::check(&container, &errors);
    match errors.finish() {
        Some(errors) => emit::fallback(&container, errors),
        None => emit::persistent(&container),
    }
}
