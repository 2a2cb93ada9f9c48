//! The tree as Rust text: one `const _` block with the implementation and its guards.
//!
//! **Rules.** Everything of the runtime is named through `__pmem`, also the language's own names, which a user may have
//! shadowed. A field's type is asked by `<Type as __pmem::Persistent>::...` and never through a helper with a bound, so
//! that a type which may not be stored is reported once and in the trait's own words. `unsafe` keeps the call site's
//! span and no lint is allowed, so that the output passes a user's `#![forbid(unsafe_code)]`.

mod bytes;
mod constants;
mod fallback;
mod guards;
mod judge;
mod owners;
mod parameters;
mod schema;
mod shape;

use proc_macro2::TokenStream;
use quote::quote;

use crate::input::Container;
pub(crate) use fallback::fallback;
use parameters::Parameters;
use shape::Shape;

/// The whole output for an item without errors.
pub(crate) fn persistent(container: &Container) -> TokenStream {
    let parameters = Parameters::of(container);
    let shape = Shape::of(container);

    let layout = shape.layout_trait(&parameters);
    let at = parameters.at();
    let constants = constants::constants(container, &parameters, &shape);
    let schema = schema::schema(container, &parameters, &shape);
    let validate = judge::validate(&shape);
    let trace = owners::trace(&shape);
    let targets = owners::targets(&shape);
    let share = owners::share(&shape);
    let store = bytes::store(&shape);
    let scrub = bytes::scrub(&shape);
    let reset = bytes::reset(&shape);
    let guards = guards::guards(container, &parameters);

    let header = parameters.header(quote!(unsafe), quote!(__pmem::Persistent));
    wrap(
        container,
        quote! {
            #layout

            #[automatically_derived]
            #header {
                #at
                #constants
                #schema
                #validate
                #trace
                #targets
                #share
                #store
                #scrub
                #reset
            }

            #guards
        },
    )
}

fn wrap(container: &Container, output: TokenStream) -> TokenStream {
    let runtime = &container.runtime;
    quote! {
        const _: () = {
            use #runtime::__private as __pmem;

            #output
        };
    }
}
