//! `store`, `scrub` and `reset`: the value's bytes, field by field and nothing between them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::Shape;
use super::constants::tag_bytes;
use super::shape::{Alternative, Place};
use crate::errors::span_of;

pub(super) fn store(shape: &Shape<'_>) -> TokenStream {
    let tag = match shape {
        Shape::Struct(_) => quote!(),
        Shape::Enum { tag, .. } => {
            let width = tag.width_bytes;
            quote!(unsafe { __pmem::copy_tag(__this.cast(), __to, #width) };)
        }
    };
    let fields = |alternative: &Alternative<'_>| {
        let fields = alternative.fields.iter().map(|place| {
            let (offset, store) = (&place.offset, place.ask(quote!(store)));
            quote! {
                unsafe { #store(__this.wrapping_byte_add(#offset).cast(), __to.wrapping_add(#offset)) };
            }
        });
        quote!(#(#fields)*)
    };
    let fields = shape.dispatch(quote!(__this.cast()), fields, quote!());
    quote! {
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            #tag
            #fields
        }
    }
}

pub(super) fn scrub(shape: &Shape<'_>) -> TokenStream {
    let from = tag_bytes(shape);
    let fields = |alternative: &Alternative<'_>| {
        if matches!(shape, Shape::Enum { .. }) && alternative.fields.is_empty() {
            return quote!();
        }
        let extents = alternative.extents();
        let fields = alternative.fields.iter().map(|place| {
            let (offset, scrub) = (&place.offset, place.ask(quote!(scrub)));
            quote!(unsafe { #scrub(__at.wrapping_add(#offset)) };)
        });
        quote! {
            unsafe { __pmem::zero_gaps(__at, #from, __pmem::size_of::<Self>(), &#extents) };
            #(#fields)*
        }
    };
    let otherwise = quote!(unsafe { __pmem::zero_gaps(__at, #from, __pmem::size_of::<Self>(), &[]) };);
    let body = shape.dispatch(quote!(__at), fields, otherwise);
    quote! {
        unsafe fn scrub(__at: *mut __pmem::u8) {
            if <Self as __pmem::Persistent>::HAS_PADDING {
                #body
            }
        }
    }
}

/// Left to the trait's default where no field can be volatile or have volatile parts.
pub(super) fn reset(shape: &Shape<'_>) -> TokenStream {
    let field = |place: &Place<'_>| {
        let (offset, ty) = (&place.offset, place.ty());
        let reset = match place.field.volatile {
            Some(_) => quote_spanned!(span_of(ty)=> __pmem::reset_volatile::<#ty>),
            None => place.ask(quote!(reset)),
        };
        quote!(unsafe { #reset(__at.wrapping_add(#offset), __to) };)
    };
    let fields =
        |alternative: &Alternative<'_>| alternative.fields.iter().map(field).collect::<TokenStream>();
    if shape.places().next().is_none() {
        return quote!();
    }
    let body = shape.dispatch(quote!(__at), fields, quote!());
    quote! {
        unsafe fn reset(__at: *mut __pmem::u8, __to: __pmem::Reset) {
            if <Self as __pmem::Persistent>::HAS_VOLATILE {
                #body
            }
        }
    }
}
