//! Going through a value in the order of its fields with a list of what is still to do, instead of by recursion.
//!
//! **Words.** A *step* is an entry of the list: a value of the group, or an array or a tuple that holds some, and the
//! *place* in it at which to go on. A step does its part up to the first value of the group, notes where to go on behind
//! it, and puts that value on top. A *side* is one of the values gone through together: two to compare, one to hash.

use std::cell::RefCell;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, Type};

use super::made::Made;
use crate::errors::span_of;
use crate::functional::input::{Group, Inner, Member, Shape, Variant};

/// What is done on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Compare,
    Hash,
}

/// The code of one walk.
pub(super) struct Walk<'g> {
    act: Act,
    group: &'g Group,
    /// The members that a value may hold, itself included.
    reachable: Vec<usize>,
    /// Arrays and tuples that have steps of their own.
    compounds: RefCell<Vec<Compound>>,
}

struct Compound {
    ty: Type,
    shape: Shape,
}

/// A part of a sequence, and what it is called on each side.
struct Part<'s> {
    ty: &'s Type,
    shape: &'s Shape,
    places: Vec<TokenStream>,
    /// The variable of its field in the user's type, for patterns.
    field: Option<Ident>,
}

/// What a sequence does from one place on, and the fields that it needs for that.
#[derive(Default)]
struct Segment {
    code: TokenStream,
    fields: Vec<Ident>,
}

impl<'g> Walk<'g> {
    pub(super) fn of(act: Act, made: &Made<'g>) -> Self {
        let group = made.group;
        let mut reachable = Vec::from_iter(group.find(&made.member.ident));
        let mut next = 0;
        while let Some(index) = reachable.get(next) {
            let mut owned = Vec::new();
            group.members[*index].fields().for_each(|field| field.shape.owns(&mut owned));
            owned.retain(|index| !reachable.contains(index));
            owned.dedup();
            reachable.extend(owned);
            next += 1;
        }
        Walk { act, group, reachable, compounds: RefCell::new(Vec::new()) }
    }

    /// The types of the fields that are left to their own traits, each once.
    pub(super) fn plain_types(&self) -> Vec<&'g Type> {
        let mut found: Vec<&'g Type> = Vec::new();
        for index in &self.reachable {
            for field in self.group.members[*index].fields() {
                plain_types(&field.ty, &field.shape, &mut found);
            }
        }
        found
    }

    fn sides(&self) -> &'static [&'static str] {
        match self.act {
            Act::Compare => &["left", "right"],
            Act::Hash => &["value"],
        }
    }

    /// The name of something on each side.
    fn named(&self, name: &str) -> Vec<Ident> {
        self.sides().iter().map(|side| format_ident!("__{side}{name}")).collect()
    }

    /// The list's type and the loop's arms.
    pub(super) fn code(&self, made: &Made<'_>) -> (TokenStream, TokenStream) {
        let mut entries = TokenStream::new();
        let mut arms = TokenStream::new();
        for index in &self.reachable {
            let member = &self.group.members[*index];
            let of = Made::of(self.group, member);
            let (name, ty) = (&of.handle, of.handle_type());
            let values = self.sides().iter().map(|_| quote!(&'__a #ty));
            entries.extend(quote!(#name(#(#values,)* __pmem::u8),));
            arms.extend(self.member(&of));
        }
        let mut next = 0;
        loop {
            let compound = {
                let compounds = self.compounds.borrow();
                let Some(compound) = compounds.get(next) else { break };
                Compound { ty: compound.ty.clone(), shape: compound.shape.clone() }
            };
            let (entry, arm) = self.compound(next, &compound);
            entries.extend(entry);
            arms.extend(arm);
            next += 1;
        }
        let generics = made.generics(&["'__a", "'p"]);
        let clause = &generics.where_clause;
        (quote!(enum __Todo #generics #clause { #entries }), arms)
    }

    /// What is done with a value of the group.
    fn member(&self, made: &Made<'_>) -> TokenStream {
        let name = &made.handle;
        let values = self.named("");
        let views = values.iter().map(|value| quote!(#value.view()));
        let has_kinds = made.member.variants.len() > 1;
        let arms: TokenStream =
            made.member.variants.iter().map(|variant| self.variant(made, variant)).collect();
        let other = (has_kinds && self.act == Act::Compare)
            .then(|| quote!((_, __left, __right) => __pmem::in_order(__left.__index(), __right.__index())?,));
        let body = quote! {
            match (__at, #(#views),*) {
                #arms
                #other
            }
        };
        match self.act {
            Act::Compare => quote! {
                __Todo::#name(#(#values,)* __at) => {
                    let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0 && #name::ptr_eq(#(#values),*);
                    if !__is_same {
                        #body
                    }
                }
            },
            Act::Hash => {
                let kind = has_kinds.then(|| {
                    quote! {
                        if __at == 0 {
                            __pmem::Hash::hash(&__value.view().__index(), __state);
                        }
                    }
                });
                quote! {
                    __Todo::#name(#(#values,)* __at) => {
                        #kind
                        #body
                    }
                }
            }
        }
    }

    fn variant(&self, made: &Made<'_>, variant: &Variant) -> TokenStream {
        let path = made.variant_of(&made.view, variant);
        let sides = self.sides();
        if variant.is_unit() {
            let patterns = sides.iter().map(|_| &path);
            return quote!((_, #(#patterns),*) => {});
        }
        let parts = variant.fields.iter().map(|field| Part {
            ty: &field.ty,
            shape: &field.shape,
            places: self.named(&format!("_{}", field.binding)).iter().map(|name| quote!(#name)).collect(),
            field: Some(field.binding.clone()),
        });
        let parts: Vec<Part<'_>> = parts.collect();
        let (handle, values) = (&made.handle, self.named(""));
        let segments = self.sequence(&parts, |at| quote!(__todo.push(__Todo::#handle(#(#values,)* #at));));
        let count = segments.len();
        let arms = segments.into_iter().enumerate().map(|(index, segment)| {
            let at = at_pattern(index, count);
            let patterns = sides.iter().map(|side| {
                let used = variant.fields.iter().filter(|field| segment.fields.contains(&field.binding));
                let used = used.map(|field| {
                    let (member, name) = (&field.member, format_ident!("__{side}_{}", field.binding));
                    quote!(#member: #name,)
                });
                quote!(#path { #(#used)* .. })
            });
            let code = &segment.code;
            quote!((#at, #(#patterns),*) => { #code })
        });
        arms.collect()
    }

    /// What is done with parts one after the other, cut behind each value of the group.
    fn sequence(&self, parts: &[Part<'_>], resume: impl Fn(Literal) -> TokenStream) -> Vec<Segment> {
        let mut segments = vec![Segment::default()];
        for (index, part) in parts.iter().enumerate() {
            let is_cut = !part.shape.is_plain() && index + 1 < parts.len();
            let next = Literal::usize_unsuffixed(segments.len());
            let Some(segment) = segments.last_mut() else { break };
            if is_cut {
                segment.code.extend(resume(next));
            }
            segment.code.extend(self.descend(part.ty, part.shape, &part.places));
            segment.fields.extend(part.field.clone());
            if is_cut {
                segments.push(Segment::default());
            }
        }
        segments
    }

    /// What is done with one part: at once if it is plain, else by putting it on the list.
    fn descend(&self, ty: &Type, shape: &Shape, places: &[TokenStream]) -> TokenStream {
        match shape {
            Shape::Plain => match self.act {
                Act::Compare => {
                    quote_spanned!(span_of(ty)=> <__O as __pmem::Compare<#ty>>::compare(#(#places),*)?;)
                }
                Act::Hash => {
                    quote_spanned!(span_of(ty)=> <#ty as __pmem::Hash>::hash(#(#places),*, __state);)
                }
            },
            Shape::Own(index) => {
                let name = Made::of(self.group, self.member_at(*index)).handle;
                quote!(__todo.push(__Todo::#name(#(#places,)* 0));)
            }
            Shape::Pointer(inner) => {
                let places: Vec<_> = places.iter().map(|place| quote!(&**#place)).collect();
                self.descend(&inner.ty, &inner.shape, &places)
            }
            Shape::Option(inner) => self.option(inner, places),
            Shape::Array(_) => {
                let name = format_ident!("Array{}", self.compound_index(ty, shape));
                let length =
                    (self.act == Act::Hash).then(|| quote!(__pmem::hash_length(#(#places),*, __state);));
                quote!(#length __todo.push(__Todo::#name(#(#places),*));)
            }
            Shape::Tuple(_) => {
                let name = format_ident!("Tuple{}", self.compound_index(ty, shape));
                quote!(__todo.push(__Todo::#name(#(#places,)* 0));)
            }
        }
    }

    fn member_at(&self, index: usize) -> &'g Member {
        &self.group.members[index]
    }

    fn option(&self, inner: &Inner, places: &[TokenStream]) -> TokenStream {
        let names = self.named("");
        let bound: Vec<_> = names.iter().map(|name| quote!(#name)).collect();
        let some = self.descend(&inner.ty, &inner.shape, &bound);
        match self.act {
            Act::Compare => quote! {
                match (#(#places),*) {
                    (#(__pmem::Some(#names)),*) => { #some }
                    (__left, __right) => {
                        __pmem::in_order(__left.is_some() as __pmem::isize, __right.is_some() as __pmem::isize)?;
                    }
                }
            },
            Act::Hash => quote! {
                __pmem::Hash::hash(&(#(#places)*.is_some() as __pmem::isize), __state);
                if let #(__pmem::Some(#names))* = #(#places)* {
                    #some
                }
            },
        }
    }

    fn compound_index(&self, ty: &Type, shape: &Shape) -> usize {
        let text = |ty: &Type| quote!(#ty).to_string();
        let mut compounds = self.compounds.borrow_mut();
        if let Some(index) = compounds.iter().position(|known| text(&known.ty) == text(ty)) {
            return index;
        }
        compounds.push(Compound { ty: ty.clone(), shape: shape.clone() });
        compounds.len() - 1
    }

    /// The entry and the arm of an array or a tuple.
    fn compound(&self, index: usize, compound: &Compound) -> (TokenStream, TokenStream) {
        let values = self.named("");
        match &compound.shape {
            Shape::Array(inner) => {
                let name = format_ident!("Array{index}");
                let ty = &inner.ty;
                let entry = self.sides().iter().map(|_| quote!(&'__a [#ty]));
                let rests = self.named("_rest");
                let places: Vec<_> = values.iter().map(|value| quote!(#value)).collect();
                let code = self.descend(ty, &inner.shape, &places);
                let arm = quote! {
                    __Todo::#name(#([#values, #rests @ ..]),*) => {
                        __todo.push(__Todo::#name(#(#rests),*));
                        #code
                    }
                    __Todo::#name(..) => {}
                };
                (quote!(#name(#(#entry),*),), arm)
            }
            Shape::Tuple(parts) => {
                let name = format_ident!("Tuple{index}");
                let ty = &compound.ty;
                let entry = self.sides().iter().map(|_| quote!(&'__a #ty));
                let parts: Vec<Part<'_>> = parts
                    .iter()
                    .enumerate()
                    .map(|(index, part)| {
                        let index = syn::Index::from(index);
                        let places = values.iter().map(|value| quote!((&#value.#index))).collect();
                        Part { ty: &part.ty, shape: &part.shape, places, field: None }
                    })
                    .collect();
                let segments =
                    self.sequence(&parts, |at| quote!(__todo.push(__Todo::#name(#(#values,)* #at));));
                let count = segments.len();
                let arms = segments.iter().enumerate().map(|(index, segment)| {
                    let (at, code) = (at_pattern(index, count), &segment.code);
                    quote!(__Todo::#name(#(#values,)* #at) => { #code })
                });
                (quote!(#name(#(#entry,)* __pmem::u8),), arms.collect())
            }
            _ => (TokenStream::new(), TokenStream::new()),
        }
    }
}

/// The last place matches all that are left.
fn at_pattern(index: usize, count: usize) -> TokenStream {
    if index + 1 == count {
        return quote!(_);
    }
    let index = Literal::usize_unsuffixed(index);
    quote!(#index)
}

fn plain_types<'g>(ty: &'g Type, shape: &'g Shape, found: &mut Vec<&'g Type>) {
    match shape {
        Shape::Plain => {
            let text = |ty: &Type| quote!(#ty).to_string();
            if !found.iter().any(|known| text(known) == text(ty)) {
                found.push(ty);
            }
        }
        Shape::Own(_) => {}
        Shape::Option(inner) | Shape::Pointer(inner) | Shape::Array(inner) => {
            plain_types(&inner.ty, &inner.shape, found);
        }
        Shape::Tuple(parts) => parts.iter().for_each(|part| plain_types(&part.ty, &part.shape, found)),
    }
}
