//! `validate`: bytes that may hold anything are asked field by field, in the variant that their tag names.

use proc_macro2::TokenStream;
use quote::quote;

use super::Shape;
use super::shape::Alternative;

pub(super) fn validate(shape: &Shape<'_>) -> TokenStream {
    let fields = |alternative: &Alternative<'_>| {
        let fields = alternative.fields.iter().map(|place| {
            let (offset, validate) = (&place.offset, place.ask(quote!(validate)));
            let judge = quote!(unsafe { #validate(__at.wrapping_add(#offset), __visit) }?;);
            match place.field.volatile {
                Some(_) => quote!(if __visit.judges_volatile() { #judge }),
                None => judge,
            }
        });
        quote!(#(#fields)*)
    };
    let body = match shape {
        Shape::Struct(only) => {
            let fields = fields(only);
            quote!(#fields __pmem::Ok(()))
        }
        Shape::Enum { name, tag, variants } => {
            let width = tag.width_bytes;
            let expected = format!("a discriminant of `{name}`");
            let arms = variants.iter().enumerate().filter(|(_, variant)| !variant.fields.is_empty());
            let arms = arms.map(|(index, variant)| {
                let fields = fields(variant);
                quote!(__pmem::Some(#index) => { #fields __pmem::Ok(()) })
            });
            let plain = variants.iter().any(|variant| variant.fields.is_empty());
            let plain = plain.then(|| quote!(__pmem::Some(_) => __pmem::Ok(()),));
            let unknown = quote!(__pmem::Err(__pmem::unknown_tag(__at, #expected, __tag)));
            let unknown =
                if plain.is_some() { quote!(__pmem::None => #unknown,) } else { quote!(_ => #unknown,) };
            quote! {
                let __tag = unsafe { __pmem::tag_of(__at, #width) };
                match __pmem::position(&<Self as __Variants>::TAGS, __tag) {
                    #(#arms)*
                    #plain
                    #unknown
                }
            }
        }
    };
    quote! {
        unsafe fn validate(
            __at: *const __pmem::u8,
            __visit: &mut __pmem::Visit<'_>,
        ) -> __pmem::Result<(), __pmem::Fault> {
            #body
        }
    }
}
