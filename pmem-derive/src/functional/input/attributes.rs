//! Attributes of the user's, sorted by what they are put on.

use quote::ToTokens;
use syn::Attribute;

use crate::errors::Errors;

/// The attributes of a type, a variant or a field, without `derive`.
pub(crate) struct Attributes {
    /// The documentation.
    pub(crate) docs: Vec<Attribute>,
    /// `allow`, `expect`, `warn` and the like: put on whatever is made of the place.
    pub(crate) lints: Vec<Attribute>,
    /// `persistent(...)`: for what is stored.
    pub(crate) persistent: Vec<Attribute>,
    /// The word `default`, on a variant.
    pub(crate) default: Option<Attribute>,
    /// Everything else: for the handle.
    pub(crate) others: Vec<Attribute>,
}

impl Attributes {
    pub(crate) fn parse(attrs: &[Attribute], errors: &Errors) -> Self {
        let mut sorted = Attributes {
            docs: Vec::new(),
            lints: Vec::new(),
            persistent: Vec::new(),
            default: None,
            others: Vec::new(),
        };
        for attribute in attrs {
            let name = attribute.path().to_token_stream().to_string();
            match name.as_str() {
                "doc" => sorted.docs.push(attribute.clone()),
                "allow" | "expect" | "warn" | "deny" | "forbid" => sorted.lints.push(attribute.clone()),
                "persistent" => sorted.persistent.push(attribute.clone()),
                "default" => sorted.default = Some(attribute.clone()),
                "derive" => {}
                "repr" => errors.on(
                    attribute,
                    "`#[functional]` chooses a layout that is the same in every build; remove `repr`",
                ),
                "cfg" | "cfg_attr" => errors.on(
                    attribute,
                    "what is stored would depend on the build; put the `cfg` on the whole item, before `#[functional]`",
                ),
                _ => sorted.others.push(attribute.clone()),
            }
        }
        sorted
    }
}
