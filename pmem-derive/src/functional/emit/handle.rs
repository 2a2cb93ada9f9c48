//! What is stored: the handle and the node.

use proc_macro2::TokenStream;
use quote::quote;

use super::form::Form;
use super::made::Made;
use crate::functional::input::names::unwritten;
use crate::functional::input::{Style, Variant};

/// The handle, its form where it has one, and the node type.
pub(super) fn types(made: &Made<'_>) -> TokenStream {
    let handle = handle(made);
    let form = (made.form == Form::Tagged).then(|| form(made));
    let node = node(made);
    quote! {
        #handle
        #form
        #node
    }
}

/// `#[derive(Persistent)]`, with the runtime's path where the user gave one.
fn derive(made: &Made<'_>, rename: Option<&str>) -> TokenStream {
    let runtime = &made.group.runtime;
    let renamed = made.group.is_renamed.then(|| quote!(#[persistent(crate = #runtime)]));
    let rename = rename.map(|name| quote!(#[persistent(rename = #name)]));
    quote! {
        #[derive(#runtime::Persistent)]
        #renamed
        #rename
    }
}

fn handle(made: &Made<'_>) -> TokenStream {
    let (member, runtime) = (made.member, &made.group.runtime);
    let (docs, lints, others) =
        (&member.attributes.docs, &member.attributes.lints, &member.attributes.others);
    let persistent = &member.attributes.persistent;
    let mut generics = member.generics.clone();
    generics.params = made
        .generics(&["'p"])
        .params
        .into_iter()
        .take(1)
        .chain(generics.params.into_iter().filter(|each| !matches!(each, syn::GenericParam::Lifetime(_))))
        .collect();
    let clause = &generics.where_clause;
    let (vis, ident) = (&member.vis, &made.handle);
    let node = made.stored(&made.node, &[]);
    let pointer = quote!(#runtime::P<'p, #node>);
    let field = match made.form {
        Form::Pointer => pointer,
        Form::Optional => quote!(::core::option::Option<#pointer>),
        Form::Tagged => {
            let form_generics = made.generics(&["'p"]);
            let (form, arguments) = (&made.form_ident, form_generics.split_for_impl().1);
            quote!(#form #arguments)
        }
    };
    let fallback_doc = docs.is_empty().then(|| {
        let text = format!(" A functional `{ident}`: a handle that owns its node.");
        quote!(#[doc = #text])
    });
    let derive = derive(made, None);
    quote! {
        #(#docs)*
        #fallback_doc
        #(#lints)*
        #(#others)*
        #derive
        #(#persistent)*
        #[repr(transparent)]
        #vis struct #ident #generics #clause {
            #[persistent(rename = "node")]
            __node: #field,
        }
    }
}

/// The handle's field if several variants have no fields.
fn form(made: &Made<'_>) -> TokenStream {
    let generics = made.generics(&["'p"]);
    let clause = &generics.where_clause;
    let (ident, runtime) = (&made.form_ident, &made.group.runtime);
    let node = made.stored(&made.node, &[]);
    let units = made.member.units().map(|variant| {
        let ident = unwritten(&variant.ident);
        let persistent = &variant.attributes.persistent;
        quote!(#(#persistent)* #ident,)
    });
    let derive = derive(made, Some(&format!("{}Form", made.handle)));
    quote! {
        #[doc(hidden)]
        #derive
        #[repr(C, u8)]
        enum #ident #generics #clause {
            #(#units)*
            #[persistent(rename = "Node")]
            __Node(#runtime::P<'p, #node>),
        }
    }
}

fn node(made: &Made<'_>) -> TokenStream {
    let generics = made.stored_generics(&[]);
    let clause = &generics.where_clause;
    let (ident, lints) = (&made.node, made.lints());
    let data: Vec<&Variant> = made.member.data().collect();
    let (repr, item) = if let [variant] = *data {
        let fields = fields(variant);
        let item = match variant.style {
            Style::Tuple => quote!(struct #ident #generics #fields #clause;),
            _ => quote!(struct #ident #generics #clause #fields),
        };
        (quote!(C), item)
    } else {
        let variants = data.iter().map(|variant| {
            let ident = unwritten(&variant.ident);
            let (fields, persistent) = (fields(variant), &variant.attributes.persistent);
            quote!(#(#persistent)* #ident #fields,)
        });
        (quote!(C, u8), quote!(enum #ident #generics #clause { #(#variants)* }))
    };
    let derive = derive(made, Some(&format!("{}Node", made.handle)));
    quote! {
        #[doc(hidden)]
        #(#lints)*
        #derive
        #[repr(#repr)]
        #item
    }
}

fn fields(variant: &Variant) -> TokenStream {
    let fields = variant.fields.iter().map(|field| {
        let (persistent, lints, ty) = (&field.attributes.persistent, &field.attributes.lints, &field.ty);
        let name = field.name().map(|name| quote!(#name:));
        quote!(#(#persistent)* #(#lints)* #name #ty)
    });
    match variant.style {
        Style::Tuple => quote!(( #(#fields),* )),
        _ => quote!({ #(#fields),* }),
    }
}
