//! The annotated types as a typed tree, with their brands put in.
//!
//! A struct is kept as a member with one variant of its own name: what the emitters do for a variant they do for it.

mod attributes;
pub(crate) mod brand;
mod derives;
mod field;
pub(crate) mod names;
mod options;

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, Generics, Ident, Item, ItemMod, Path, Visibility};

use crate::errors::Errors;
use attributes::Attributes;
pub(crate) use derives::{Derive, Derives};
pub(crate) use field::{Field, Inner, Shape};
pub(crate) use options::Options;

/// Types whose names know each other, in the order in which they stand.
pub(crate) struct Group {
    pub(crate) members: Vec<Member>,
    /// Path of the runtime.
    pub(crate) runtime: Path,
    /// Whether the path was given by the user.
    pub(crate) is_renamed: bool,
}

/// One enum or struct.
pub(crate) struct Member {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) generics: Generics,
    pub(crate) is_enum: bool,
    pub(crate) derives: Derives,
    pub(crate) attributes: Attributes,
    pub(crate) variants: Vec<Variant>,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) attributes: Attributes,
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field>,
    /// An explicit discriminant.
    pub(crate) discriminant: Option<Span>,
}

/// How a variant's fields are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Named,
    Tuple,
    Unit,
}

impl Variant {
    pub(crate) fn is_unit(&self) -> bool {
        self.style == Style::Unit
    }
}

impl Member {
    pub(crate) fn units(&self) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(|variant| variant.is_unit())
    }

    pub(crate) fn data(&self) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(|variant| !variant.is_unit())
    }

    /// Where a variant stands among all, as the derived order counts.
    pub(crate) fn index_of(&self, variant: &Variant) -> usize {
        self.variants.iter().position(|each| each.ident == variant.ident).unwrap_or_default()
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }

    /// Named fields of one name and type that all variants with fields have: those that can be replaced.
    pub(crate) fn updaters(&self) -> impl Iterator<Item = &Field> {
        let first = self.data().next().map(|variant| &*variant.fields).unwrap_or_default();
        first.iter().filter(|field| {
            let is_same = |other: &Field| {
                other.name().is_some()
                    && other.name() == field.name()
                    && other.ty.to_token_stream().to_string() == field.ty.to_token_stream().to_string()
            };
            self.data().all(|variant| variant.fields.iter().any(is_same))
        })
    }

    /// Named fields that every value has.
    pub(crate) fn getters(&self) -> impl Iterator<Item = &Field> {
        let is_total = self.units().next().is_none();
        self.updaters().filter(move |_| is_total)
    }

    /// Whether what is stored mentions the brand.
    pub(crate) fn is_branded(&self) -> bool {
        self.fields().any(|field| brand::is_in(&field.ty))
    }

    /// Names of the type and constant parameters, in order.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let names = self.generics.params.iter().filter_map(|parameter| match parameter {
            syn::GenericParam::Lifetime(_) => None,
            syn::GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            syn::GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
        });
        names.collect()
    }

    fn parse(item: Parsed, errors: &Errors) -> Self {
        let (ident, vis, generics) = (item.ident, item.vis, item.generics);
        let attributes = Attributes::parse(&item.attrs, errors);
        let derives = Derives::parse(&item.attrs, errors);
        let variants = item.variants.into_iter().map(|each| {
            let (variant, fields) = each;
            let style = match &fields {
                syn::Fields::Named(_) => Style::Named,
                syn::Fields::Unnamed(_) => Style::Tuple,
                syn::Fields::Unit => Style::Unit,
            };
            let attributes = Attributes::parse(&variant.attrs, errors);
            let fields = Field::parse_all(&fields, errors);
            Variant { ident: variant.ident, attributes, style, fields, discriminant: variant.discriminant }
        });
        let variants = variants.collect();
        Member { ident, vis, generics, is_enum: item.is_enum, derives, attributes, variants }
    }
}

/// A struct or an enum in one form.
struct Parsed {
    attrs: Vec<Attribute>,
    vis: Visibility,
    ident: Ident,
    generics: Generics,
    is_enum: bool,
    variants: Vec<(ParsedVariant, syn::Fields)>,
}

struct ParsedVariant {
    attrs: Vec<Attribute>,
    ident: Ident,
    discriminant: Option<Span>,
}

impl Parsed {
    fn of(item: Item) -> Result<Self, Item> {
        match item {
            Item::Struct(item) => {
                let variant =
                    ParsedVariant { attrs: Vec::new(), ident: item.ident.clone(), discriminant: None };
                Ok(Parsed {
                    attrs: item.attrs,
                    vis: item.vis,
                    ident: item.ident,
                    generics: item.generics,
                    is_enum: false,
                    variants: vec![(variant, item.fields)],
                })
            }
            Item::Enum(item) => {
                let variants = item.variants.into_iter().map(|variant| {
                    let discriminant =
                        variant.discriminant.as_ref().map(|(_, value)| crate::errors::span_of(value));
                    let parsed = ParsedVariant { attrs: variant.attrs, ident: variant.ident, discriminant };
                    (parsed, variant.fields)
                });
                let variants = variants.collect();
                Ok(Parsed {
                    attrs: item.attrs,
                    vis: item.vis,
                    ident: item.ident,
                    generics: item.generics,
                    is_enum: true,
                    variants,
                })
            }
            other => Err(other),
        }
    }
}

/// A module whose types form a group.
pub(crate) struct Module {
    /// The module without its content.
    pub(crate) shell: ItemMod,
    /// What stands in it and is no type of the group.
    pub(crate) others: Vec<Item>,
    pub(crate) group: Group,
}

impl Group {
    /// A struct or an enum alone; anything else is given back.
    pub(crate) fn alone(item: Item, options: Options, errors: &Errors) -> Result<Self, (Item, Options)> {
        match Parsed::of(item) {
            Ok(parsed) => Ok(Group::of(vec![parsed], options, errors)),
            Err(item) => Err((item, options)),
        }
    }

    fn of(parsed: Vec<Parsed>, options: Options, errors: &Errors) -> Self {
        let members = parsed.into_iter().map(|item| Member::parse(item, errors)).collect();
        let mut group =
            Group { members, is_renamed: options.runtime.is_some(), runtime: options.into_runtime() };
        brand::brand_fields(&mut group);
        group
    }

    /// The member of this name.
    pub(crate) fn find(&self, ident: &Ident) -> Option<usize> {
        self.members.iter().position(|member| member.ident == *ident)
    }
}

impl Module {
    /// The types of an inline module, but for those that derive `Persistent` themselves.
    pub(crate) fn parse(mut module: ItemMod, options: Options, errors: &Errors) -> Self {
        let items = module.content.take().map(|(_, items)| items).unwrap_or_default();
        let (mut parsed, mut others) = (Vec::new(), Vec::new());
        for item in items {
            if is_persistent(&item) {
                others.push(item);
                continue;
            }
            match Parsed::of(item) {
                Ok(item) => parsed.push(item),
                Err(item) => others.push(item),
            }
        }
        Module { shell: module, others, group: Group::of(parsed, options, errors) }
    }
}

fn is_persistent(item: &Item) -> bool {
    let (Item::Struct(syn::ItemStruct { attrs, .. }) | Item::Enum(syn::ItemEnum { attrs, .. })) = item else {
        return false;
    };
    let derives = attrs.iter().filter(|attribute| attribute.path().is_ident("derive"));
    derives
        .filter_map(|attribute| attribute.meta.require_list().ok())
        .any(|list| list.tokens.to_token_stream().to_string().contains("Persistent"))
}
