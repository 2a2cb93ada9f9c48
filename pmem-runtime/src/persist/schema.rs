//! What a type looks like, as data: written into the pool at creation, compared at open, printed when it differs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A type's description. Pointees are functions and names, so that recursive types are finite.
#[derive(Debug)]
pub struct Schema {
    /// The name without generic arguments.
    pub name: &'static str,
    /// Generic arguments that are persistent types.
    pub arguments: &'static [fn() -> &'static Schema],
    /// `size_of` in bytes.
    pub size_bytes: usize,
    /// `align_of` in bytes.
    pub align_bytes: usize,
    /// What it is made of.
    pub kind: Kind,
}

/// What a type is made of.
#[derive(Debug)]
pub enum Kind {
    /// A number, truth value or character.
    Scalar(Scalar),
    /// Fields at offsets: structs and tuples.
    Struct(&'static [Field]),
    /// A tag and one of several structs.
    Enum {
        /// How the tag is kept.
        repr: EnumRepr,
        /// In order of declaration.
        variants: &'static [Variant],
    },
    /// One owning pointer to a node.
    Pointer(fn() -> &'static Schema),
    /// Elements side by side.
    Array {
        /// The elements' type.
        element: fn() -> &'static Schema,
        /// How many.
        count: usize,
    },
    /// A node of a collection: a head, which says how many elements of each kind follow, and these kinds in this order.
    ArrayNode {
        /// The head.
        head: fn() -> &'static Schema,
        /// Children: pointers to other nodes, mostly.
        children: fn() -> &'static Schema,
        /// What the collection keeps beside its children.
        extras: fn() -> &'static Schema,
        /// The collection's elements.
        items: fn() -> &'static Schema,
    },
}

/// Scalars by what their bytes may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Unsigned integer.
    Unsigned,
    /// Signed integer.
    Signed,
    /// Unsigned integer that is not zero.
    NonZeroUnsigned,
    /// Signed integer that is not zero.
    NonZeroSigned,
    /// IEEE 754 number.
    Float,
    /// 0 or 1.
    Bool,
    /// A Unicode scalar value.
    Char,
}

/// How an enum keeps its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumRepr {
    /// An integer of so many bytes at offset 0.
    Tag {
        /// 1, 2, 4 or 8.
        width_bytes: usize,
    },
    /// In bit patterns that the first variant's payload does not use, at this offset.
    Niche {
        /// Where the bytes are.
        offset_bytes: usize,
        /// How many.
        width_bytes: usize,
    },
}

/// A named place in a struct or variant.
#[derive(Debug)]
pub struct Field {
    /// Its name, or its number in tuples.
    pub name: &'static str,
    /// Bytes from the start of the whole value (also in variants).
    pub offset_bytes: usize,
    /// Whether it is re-initialised at open.
    pub is_volatile: bool,
    /// Its type.
    pub schema: fn() -> &'static Schema,
}

/// One alternative of an enum.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// The tag's value; for `EnumRepr::Niche` the pattern, unused for the variant that has the payload.
    pub tag: u64,
    /// Its fields.
    pub fields: &'static [Field],
}

impl Schema {
    /// The name with its arguments, as in `Map<u64, Account>`.
    #[must_use]
    pub fn full_name(&self) -> String {
        match &self.kind {
            Kind::Array { element, count } => return format!("[{}; {count}]", element().full_name()),
            Kind::Pointer(target) => return format!("P<{}>", target().full_name()),
            _ => {}
        }
        if self.arguments.is_empty() {
            return self.name.to_owned();
        }
        let arguments: Vec<String> = self.arguments.iter().map(|argument| argument().full_name()).collect();
        if self.name == "tuple" {
            return format!("({})", arguments.join(", "));
        }
        format!("{}<{}>", self.name, arguments.join(", "))
    }

    fn parts(&self) -> Vec<fn() -> &'static Schema> {
        let fields = |fields: &'static [Field]| fields.iter().map(|field| field.schema).collect::<Vec<_>>();
        match &self.kind {
            Kind::Scalar(_) => Vec::new(),
            Kind::Struct(list) => fields(list),
            Kind::Enum { variants, .. } => {
                variants.iter().flat_map(|variant| fields(variant.fields)).collect()
            }
            Kind::Pointer(target) => vec![*target],
            Kind::Array { element, .. } => vec![*element],
            Kind::ArrayNode { head, children, extras, items } => vec![*head, *children, *extras, *items],
        }
    }

    fn write_definition(&self, out: &mut String) {
        let name = self.full_name();
        let (size, align) = (self.size_bytes, self.align_bytes);
        let field = |out: &mut String, indent: &str, field: &Field| {
            let mark = if field.is_volatile { " volatile" } else { "" };
            let _ = writeln!(
                out,
                "{indent}{} @{} {}{mark}",
                field.name,
                field.offset_bytes,
                (field.schema)().full_name()
            );
        };
        match &self.kind {
            Kind::Scalar(scalar) => {
                let _ = writeln!(out, "scalar {name} size {size} align {align} {scalar:?}");
            }
            Kind::Struct(fields) => {
                let _ = writeln!(out, "struct {name} size {size} align {align}");
                fields.iter().for_each(|each| field(out, "  ", each));
            }
            Kind::Enum { repr, variants } => {
                let place = match repr {
                    EnumRepr::Tag { width_bytes } => format!("tag {width_bytes}"),
                    EnumRepr::Niche { offset_bytes, width_bytes } => {
                        format!("niche @{offset_bytes} {width_bytes}")
                    }
                };
                let _ = writeln!(out, "enum {name} size {size} align {align} {place}");
                for variant in *variants {
                    let _ = writeln!(out, "  {} = {}", variant.name, variant.tag);
                    variant.fields.iter().for_each(|each| field(out, "    ", each));
                }
            }
            Kind::ArrayNode { head, children, extras, items } => {
                let _ = writeln!(out, "node {name} size {size} align {align}");
                let parts = [("head", head), ("children", children), ("extras", extras), ("items", items)];
                for (part, schema) in parts {
                    let _ = writeln!(out, "  {part} {}", schema().full_name());
                }
            }
            Kind::Pointer(_) | Kind::Array { .. } => {}
        }
    }
}

/// Every type reachable from `root`, one paragraph each, the root first: the text that a pool stores.
///
/// Complexity: linear in the description's length, with no recursion over types.
#[must_use]
pub fn describe(root: fn() -> &'static Schema) -> String {
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    let mut queue = std::collections::VecDeque::from([root]);
    while let Some(next) = queue.pop_front() {
        let schema = next();
        if seen.insert(schema.full_name()) {
            schema.write_definition(&mut out);
            queue.extend(schema.parts());
        }
    }
    out
}
