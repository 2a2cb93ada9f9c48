//! Names, hashes and facts about the layout.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::shape::{Alternative, Place};
use super::{Parameters, Shape};
use crate::input::Container;

pub(super) fn constants(
    container: &Container,
    parameters: &Parameters<'_>,
    shape: &Shape<'_>,
) -> TokenStream {
    let name = &container.name;
    let name_hash = name_hash(name, parameters);
    let layout_hash = layout_hash(shape);
    let has_pointers = any(shape.places().map(|place| place.ask(quote!(HAS_POINTERS))));
    let has_padding = has_padding(shape);
    let has_volatile = any(shape.places().map(has_volatile));
    let niche = niche(shape);
    let witness = shape.alternatives().first().map(Alternative::witness);
    quote! {
        const NAME: &'static __pmem::str = #name;
        const NAME_HASH: __pmem::u64 = #name_hash;
        const LAYOUT_HASH: __pmem::u64 = #layout_hash;
        const HAS_POINTERS: __pmem::bool = #has_pointers;
        const HAS_PADDING: __pmem::bool = #has_padding;
        const HAS_VOLATILE: __pmem::bool = #has_volatile;
        const NICHE: __pmem::Option<__pmem::Niche> = #niche;
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(#witness);
    }
}

fn any(facts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let facts: Vec<TokenStream> = facts.collect();
    if facts.is_empty() { quote!(false) } else { quote!(#(#facts)||*) }
}

fn name_hash(name: &str, parameters: &Parameters<'_>) -> TokenStream {
    let start = quote!(__pmem::hash_str(#name));
    let consts = parameters.consts().map(|parameter| quote!(#parameter as __pmem::u64));
    let types = parameters.types().map(|parameter| quote!(<#parameter as __pmem::Persistent>::NAME_HASH));
    consts.chain(types).fold(start, |hash, next| quote!(__pmem::combine(#hash, #next)))
}

fn layout_hash(shape: &Shape<'_>) -> TokenStream {
    let variants = shape.alternatives().iter().map(|alternative| {
        let (name, tag) = (alternative.name, alternative.tag());
        let start = tag.map(|tag| quote!(let __hash = __pmem::hash_variant(__hash, #name, #tag);));
        let fields = alternative.fields.iter().map(|place| {
            let (name, offset, is_volatile) =
                (&place.field.name, &place.offset, place.field.volatile.is_some());
            let layout = place.ask(quote!(LAYOUT_HASH));
            quote!(let __hash = __pmem::hash_field(__hash, #name, #offset, #is_volatile, #layout);)
        });
        quote!(#start #(#fields)*)
    });
    quote! {{
        let __hash = __pmem::combine(
            <Self as __pmem::Persistent>::NAME_HASH,
            __pmem::size_of::<Self>() as __pmem::u64,
        );
        #(#variants)*
        __hash
    }}
}

fn has_padding(shape: &Shape<'_>) -> TokenStream {
    let from = tag_bytes(shape);
    let gaps = shape.alternatives().iter().map(|alternative| {
        let extents = alternative.extents();
        quote!(__pmem::has_gap(#from, __pmem::size_of::<Self>(), &#extents))
    });
    any(shape.places().map(|place| place.ask(quote!(HAS_PADDING))).chain(gaps))
}

/// How many bytes at the start are the tag's.
pub(super) fn tag_bytes(shape: &Shape<'_>) -> usize {
    match shape {
        Shape::Struct(_) => 0,
        Shape::Enum { tag, .. } => tag.width_bytes,
    }
}

fn has_volatile(place: &Place<'_>) -> TokenStream {
    let Some(word) = &place.field.volatile else { return place.ask(quote!(HAS_VOLATILE)) };
    let has_pointers = place.ask(quote!(HAS_POINTERS));
    quote_spanned! {word.span()=> {
        __pmem::require_volatile(#has_pointers);
        true
    }}
}

fn niche(shape: &Shape<'_>) -> TokenStream {
    match shape {
        Shape::Struct(only) => {
            let candidates = only.fields.iter().map(|place| {
                let (offset, niche) = (&place.offset, place.ask(quote!(NICHE)));
                quote!((#offset, #niche))
            });
            quote!(__pmem::niche_among::<Self>(&[#(#candidates),*]))
        }
        Shape::Enum { tag, .. } => {
            let (width, is_signed) = (tag.width_bytes, tag.is_signed);
            quote!(__pmem::niche_of_tags::<Self>(#width, #is_signed, &<Self as __Variants>::TAGS))
        }
    }
}
