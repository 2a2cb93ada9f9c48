//! The type's description.

use proc_macro2::TokenStream;
use quote::quote;

use super::shape::Alternative;
use super::{Parameters, Shape};
use crate::input::Container;

pub(super) fn schema(container: &Container, parameters: &Parameters<'_>, shape: &Shape<'_>) -> TokenStream {
    let name = &container.name;
    let arguments = parameters.types().map(|parameter| quote!(<#parameter as __pmem::Persistent>::schema));
    let kind = match shape {
        Shape::Struct(only) => {
            let fields = fields(only);
            quote!(__pmem::Kind::Struct(&[#fields]))
        }
        Shape::Enum { tag, variants, .. } => {
            let width = tag.width_bytes;
            let variants = variants.iter().map(|variant| {
                let (name, tag, fields) = (variant.name, variant.tag(), fields(variant));
                quote!(__pmem::Variant { name: #name, tag: #tag, fields: &[#fields] })
            });
            quote! {
                __pmem::Kind::Enum {
                    repr: __pmem::EnumRepr::Tag { width_bytes: #width },
                    variants: &[#(#variants),*],
                }
            }
        }
    };
    quote! {
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: #name,
                    arguments: &[#(#arguments),*],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: #kind,
                }
            }
        }
    }
}

fn fields(alternative: &Alternative<'_>) -> TokenStream {
    let fields = alternative.fields.iter().map(|place| {
        let (name, offset, is_volatile) = (&place.field.name, &place.offset, place.field.volatile.is_some());
        let schema = place.ask(quote!(schema));
        quote! {
            __pmem::Field { name: #name, offset_bytes: #offset, is_volatile: #is_volatile, schema: #schema }
        }
    });
    quote!(#(#fields),*)
}
