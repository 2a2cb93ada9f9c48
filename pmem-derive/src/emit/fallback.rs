//! What is emitted for an item with errors: the errors, and an implementation that keeps the uses of the type quiet.
//!
//! It does nothing and never runs, since the errors stop the compilation.

use proc_macro2::TokenStream;
use quote::quote;

use super::guards::threads;
use super::{Parameters, wrap};
use crate::input::Container;

pub(crate) fn fallback(container: &Container, errors: TokenStream) -> TokenStream {
    let parameters = Parameters::of(container);
    let name = &container.name;
    // Where the type under another brand might not be one, it is said to be itself: the errors have named the reason.
    let is_plain = container.generics.lifetimes().count() < 2 && parameters.types().next().is_none();
    let at = if is_plain {
        parameters.at()
    } else {
        quote!(
            type At<'__q> = Self;
        )
    };
    let header = parameters.header(quote!(unsafe), quote!(__pmem::Persistent));
    let threads = threads(&parameters);
    let block = wrap(
        container,
        quote! {
            #threads

            #[automatically_derived]
            #header {
                #at
                const NAME: &'static __pmem::str = #name;
                const NAME_HASH: __pmem::u64 = 0;
                const LAYOUT_HASH: __pmem::u64 = 0;
                const HAS_POINTERS: __pmem::bool = false;
                const HAS_PADDING: __pmem::bool = false;
                const NICHE: __pmem::Option<__pmem::Niche> = __pmem::None;
                const WITNESS: __pmem::MaybeUninit<Self> = loop {};

                fn schema() -> &'static __pmem::Schema {
                    loop {}
                }

                unsafe fn validate(
                    _: *const __pmem::u8,
                    _: &mut __pmem::Visit<'_>,
                ) -> __pmem::Result<(), __pmem::Fault> {
                    loop {}
                }

                fn trace(&self, _: &mut __pmem::Tracer<'_>) {}

                fn targets(_: &mut __pmem::NodeTypes) {}

                unsafe fn share(&self, _: &__pmem::Sharer<'_>) -> Self {
                    loop {}
                }

                unsafe fn store(_: *const Self, _: *mut __pmem::u8) {}

                unsafe fn scrub(_: *mut __pmem::u8) {}
            }
        },
    );
    quote!(#errors #block)
}
