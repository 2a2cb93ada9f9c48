//! The types to look through: `TreeView` of references, `TreeParts` of values, `TreeMut` of mutable references.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::made::{Made, braces, own};
use crate::functional::input::names::{snake, unwritten};
use crate::functional::input::{Style, Variant};

pub(super) fn types(made: &Made<'_>) -> TokenStream {
    let handle = &made.handle;
    let view = one(
        made,
        &made.view,
        &["'a"],
        &quote!(&'a),
        &format!(" A [`{handle}`] to look at, lent by [`{handle}::view`]."),
    );
    let parts = one(
        made,
        &made.parts,
        &[],
        &TokenStream::new(),
        &format!(" The fields of a [`{handle}`], taken out by [`{handle}::take`]."),
    );
    let edit = one(
        made,
        &made.edit,
        &["'a"],
        &quote!(&'a mut),
        &format!(" The fields of a [`{handle}`] for writing, lent by [`{handle}::make_mut`]."),
    );
    quote!(#view #parts #edit)
}

fn one(
    made: &Made<'_>,
    ident: &Ident,
    lifetimes: &[&str],
    reference: &TokenStream,
    text: &str,
) -> TokenStream {
    let generics = made.stored_generics(lifetimes);
    let clause = &generics.where_clause;
    let (vis, lints) = (&made.member.vis, made.lints());
    let item = if made.member.is_enum {
        let variants = made.member.variants.iter().map(|variant| {
            let ident = unwritten(&variant.ident);
            let docs =
                docs_or(&variant.attributes.docs, || format!(" `{}` of `{}`.", variant.ident, made.handle));
            let fields = fields(made, variant, &TokenStream::new(), reference);
            quote!(#docs #ident #fields,)
        });
        quote!(#vis enum #ident #generics #clause { #(#variants)* })
    } else {
        let variant = &made.member.variants[0];
        let fields = fields(made, variant, &quote!(#vis), reference);
        match variant.style {
            Style::Tuple => quote!(#vis struct #ident #generics #fields #clause;),
            _ => quote!(#vis struct #ident #generics #clause #fields),
        }
    };
    quote! {
        #[doc = #text]
        #(#lints)*
        #item
    }
}

fn fields(made: &Made<'_>, variant: &Variant, vis: &TokenStream, reference: &TokenStream) -> TokenStream {
    let fields = variant.fields.iter().map(|field| {
        let (lints, ty) = (&field.attributes.lints, &field.ty);
        let docs = docs_or(&field.attributes.docs, || {
            format!(" The field `{}` of `{}`.", field.label(), made.handle)
        });
        let name = field.name().map(|name| quote!(#name:));
        quote!(#docs #(#lints)* #vis #name #reference #ty)
    });
    match variant.style {
        Style::Named => quote!({ #(#fields),* }),
        Style::Tuple => quote!(( #(#fields),* )),
        Style::Unit => TokenStream::new(),
    }
}

/// The user's documentation, or a line in its place.
fn docs_or(docs: &[syn::Attribute], text: impl Fn() -> String) -> TokenStream {
    if docs.is_empty() {
        let text = text();
        return quote!(#[doc = #text]);
    }
    quote!(#(#docs)*)
}

/// Copies of a view, and the way back from parts.
pub(super) fn block(made: &Made<'_>) -> TokenStream {
    let view = made.stored(&made.view, &["'a"]);
    let generics = made.stored_generics(&["'a"]);
    let (declared, _, clause) = generics.split_for_impl();
    let build = build(made);
    quote! {
        #[automatically_derived]
        impl #declared __pmem::Clone for #view #clause {
            fn clone(&self) -> Self {
                *self
            }
        }
        #[automatically_derived]
        impl #declared __pmem::Copy for #view #clause {}
        #build
    }
}

fn build(made: &Made<'_>) -> TokenStream {
    let (vis, handle, tx_type) = (&made.member.vis, &made.handle, Made::section_type());
    let arms = made.member.variants.iter().map(|variant| {
        let pattern = made.variant_of(&made.parts, variant);
        let fields = braces(&variant.fields, own);
        if variant.is_unit() {
            let name = snake(&variant.ident);
            return quote!(#pattern => #handle::#name(),);
        }
        let name = if made.member.is_enum { snake(&variant.ident) } else { syn::parse_quote!(new) };
        let arguments = variant.fields.iter().map(own);
        let tx = made.section();
        quote!(#pattern #fields => #handle::#name(#tx, #(#arguments),*),)
    });
    let tx = made.section();
    let (output, parts) = (made.handle_type(), made.stored(&made.parts, &[]));
    // Without a brand of its own the parts' type cannot bind the section's: then the method does.
    let (block, method) = if made.member.is_branded() {
        (Made::with_section(made.stored_generics(&[])), None)
    } else {
        (made.stored_generics(&[]), Some(Made::with_section(made.generics(&["'p"]))))
    };
    let (declared, _, clause) = block.split_for_impl();
    let brand = method.as_ref().map(|_| quote!(<'p>));
    let predicates = method.as_ref().and_then(|generics| generics.where_clause.as_ref());
    quote! {
        impl #declared #parts #clause {
            /// Puts the parts together, in a new node if they need one.
            #[must_use]
            #vis fn build #brand(self, #tx: #tx_type) -> #output #predicates {
                match self {
                    #(#arms)*
                }
            }
        }
    }
}
