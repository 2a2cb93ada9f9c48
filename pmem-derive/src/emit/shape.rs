//! One view of structs and enums for the emitters of bodies: alternatives, each with fields in their places.
//!
//! A struct's fields are found by `offset_of!`. An enum's have no such macro; they are measured, while compiling, on a
//! witness of each variant, and so are the tags: the emitted trait `__Variants` has one constant per variant.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Member, Type};

use super::Parameters;
use crate::errors::span_of;
use crate::input::{Body, Container, Field, Tag, Variant};

pub(super) enum Shape<'c> {
    Struct(Alternative<'c>),
    Enum { name: &'c str, tag: Tag, variants: Vec<Alternative<'c>> },
}

/// A struct, or one variant.
pub(super) struct Alternative<'c> {
    /// The path of its constructor and patterns.
    path: TokenStream,
    /// Its constant in `__Variants`.
    constant: Option<TokenStream>,
    pub(super) name: &'c str,
    pub(super) fields: Vec<Place<'c>>,
}

/// A field and where it is.
pub(super) struct Place<'c> {
    pub(super) field: &'c Field,
    /// From the start of the value.
    pub(super) offset: TokenStream,
    pub(super) binding: Ident,
}

impl<'c> Shape<'c> {
    pub(super) fn of(container: &'c Container) -> Self {
        let ident = &container.ident;
        match &container.body {
            Body::Struct(fields) => {
                let offset = |_: usize, member: &Member| quote!(__pmem::offset_of!(Self, #member));
                let fields = places(fields, offset);
                Shape::Struct(Alternative {
                    path: quote!(#ident),
                    constant: None,
                    name: &container.name,
                    fields,
                })
            }
            Body::Enum(variants) => {
                let variants =
                    variants.iter().enumerate().map(|(index, variant)| of_variant(ident, index, variant));
                Shape::Enum { name: &container.name, tag: container.repr.tag(), variants: variants.collect() }
            }
            // The checks refuse unions, and nothing with an error comes here.
            Body::Union(_) => {
                Shape::Enum { name: &container.name, tag: container.repr.tag(), variants: Vec::new() }
            }
        }
    }

    pub(super) fn alternatives(&self) -> &[Alternative<'c>] {
        match self {
            Shape::Struct(only) => std::slice::from_ref(only),
            Shape::Enum { variants, .. } => variants,
        }
    }

    pub(super) fn places(&self) -> impl Iterator<Item = &Place<'c>> {
        self.alternatives().iter().flat_map(|alternative| &alternative.fields)
    }

    /// Statements that depend on the variant whose tag lies at `at`; `otherwise` for variants without statements.
    pub(super) fn dispatch(
        &self,
        at: TokenStream,
        body: impl Fn(&Alternative<'c>) -> TokenStream,
        otherwise: TokenStream,
    ) -> TokenStream {
        let (tag, variants) = match self {
            Shape::Struct(only) => return body(only),
            Shape::Enum { tag, variants, .. } => (tag, variants),
        };
        let arms = variants.iter().enumerate().filter_map(|(index, variant)| {
            let statements = body(variant);
            (!statements.is_empty()).then(|| quote!(__pmem::Some(#index) => { #statements }))
        });
        let arms: Vec<TokenStream> = arms.collect();
        if arms.is_empty() {
            return otherwise;
        }
        let width = tag.width_bytes;
        quote! {
            let __tag = unsafe { __pmem::tag_of(#at, #width) };
            match __pmem::position(&<Self as __Variants>::TAGS, __tag) {
                #(#arms)*
                _ => { #otherwise }
            }
        }
    }

    /// The trait `__Variants` with its measured constants; nothing for structs.
    pub(super) fn layout_trait(&self, parameters: &Parameters<'_>) -> TokenStream {
        let Shape::Enum { tag, variants, .. } = self else { return quote!() };
        let count = variants.len();
        let names: Vec<Ident> = (0..count).map(|index| format_ident!("V{index}")).collect();
        let counts: Vec<usize> = variants.iter().map(|variant| variant.fields.len()).collect();
        let measured = variants.iter().map(|variant| measure(variant, *tag, count));
        let header = parameters.header(quote!(), quote!(__Variants));
        quote! {
            trait __Variants {
                #(const #names: __pmem::VariantLayout<#counts>;)*
                const TAGS: [__pmem::u64; #count];
            }

            #[automatically_derived]
            #header {
                #(const #names: __pmem::VariantLayout<#counts> = #measured;)*
                const TAGS: [__pmem::u64; #count] = [#(<Self as __Variants>::#names.tag),*];
            }
        }
    }
}

fn of_variant<'c>(ident: &Ident, index: usize, variant: &'c Variant) -> Alternative<'c> {
    let constant = format_ident!("V{index}");
    let constant = quote!(<Self as __Variants>::#constant);
    let offset = |index: usize, _: &Member| {
        let index = syn::Index::from(index);
        quote!(#constant.fields[#index].0)
    };
    let fields = places(&variant.fields, offset);
    let name = &variant.ident;
    Alternative { path: quote!(#ident::#name), constant: Some(constant), name: &variant.name, fields }
}

fn places(fields: &[Field], offset: impl Fn(usize, &Member) -> TokenStream) -> Vec<Place<'_>> {
    let place = |(index, field): (usize, &'_ Field)| (offset(index, &field.member), Field::binding(index));
    let found = fields.iter().enumerate().map(|each| (place(each), each.1));
    found.map(|((offset, binding), field)| Place { field, offset, binding }).collect()
}

/// A variant's layout, read off a value of it.
fn measure(variant: &Alternative<'_>, tag: Tag, count: usize) -> TokenStream {
    let width = tag.width_bytes;
    let witness = variant.witness();
    let pattern = variant.pattern();
    let extents = variant.fields.iter().map(|place| {
        let binding = &place.binding;
        quote!(unsafe { __pmem::extent_within(__value.as_ptr(), #binding) })
    });
    let others = (count > 1).then(|| quote!(_ => __pmem::other_variant(),));
    quote! {{
        let __value = __pmem::MaybeUninit::<Self>::new(#witness);
        match unsafe { &*__value.as_ptr() } {
            #pattern => __pmem::VariantLayout {
                tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), #width) },
                fields: [#(#extents),*],
            },
            #others
        }
    }}
}

impl Alternative<'_> {
    /// A constructor expression with a value for each field.
    pub(super) fn construct(&self, value: impl Fn(&Place<'_>) -> TokenStream) -> TokenStream {
        let path = &self.path;
        let fields = self.fields.iter().map(|place| {
            let member = &place.field.member;
            let value = value(place);
            quote!(#member: #value)
        });
        quote!(#path { #(#fields),* })
    }

    pub(super) fn witness(&self) -> TokenStream {
        self.construct(|place| {
            let witness = place.ask(quote!(WITNESS));
            quote!(unsafe { #witness.assume_init() })
        })
    }

    /// A pattern that binds each field to its binding.
    pub(super) fn pattern(&self) -> TokenStream {
        self.construct(|place| place.binding.to_token_stream())
    }

    /// The tag; nothing for structs.
    pub(super) fn tag(&self) -> Option<TokenStream> {
        self.constant.as_ref().map(|constant| quote!(#constant.tag))
    }

    /// The extents of the fields, an array.
    pub(super) fn extents(&self) -> TokenStream {
        if let Some(constant) = &self.constant {
            return quote!(#constant.fields);
        }
        let extents = self.fields.iter().map(|place| {
            let (offset, ty) = (&place.offset, place.ty());
            quote!((#offset, __pmem::size_of::<#ty>()))
        });
        quote!([#(#extents),*])
    }
}

impl<'c> Place<'c> {
    pub(super) fn ty(&self) -> &'c Type {
        &self.field.ty
    }

    /// `<Type as Persistent>::item`
    pub(super) fn ask(&self, item: TokenStream) -> TokenStream {
        let ty = self.ty();
        quote_spanned!(span_of(ty)=> <#ty as __pmem::Persistent>::#item)
    }
}
