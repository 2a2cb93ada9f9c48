//! Names made of the user's names.

use proc_macro2::Span;
use quote::format_ident;
use syn::Ident;
use syn::ext::IdentExt;

/// A name that stands for the user's token but was not written by the user: errors underline the token, and lints about
/// what a person wrote are silent.
pub(crate) fn unwritten(name: &Ident) -> Ident {
    let mut ident = name.clone();
    ident.set_span(Span::call_site().located_at(name.span()));
    ident
}

/// `Red` to `red`, `DoubleBlack` to `double_black`; a keyword gets an underscore after it.
pub(crate) fn snake(ident: &Ident) -> Ident {
    let camel = ident.unraw().to_string();
    let mut name = String::new();
    let mut before = None;
    for (letter, after) in camel.chars().zip(camel.chars().skip(1).map(Some).chain([None])) {
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before: char| {
                before != '_'
                    && (!before.is_uppercase() || after.is_some_and(|after: char| after.is_lowercase()))
            });
        if starts_word {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
        before = Some(letter);
    }
    if syn::parse_str::<Ident>(&name).is_err() {
        name.push('_');
    }
    Ident::new(&name, Span::call_site().located_at(ident.span()))
}

/// `is_red` of `Red`.
pub(crate) fn kind(ident: &Ident) -> Ident {
    let snake = snake(ident);
    Ident::new(&format!("is_{}", snake.to_string().trim_end_matches('_')), snake.span())
}

/// The user's name with something before and after it.
pub(crate) fn around(before: &str, ident: &Ident, after: &str) -> Ident {
    let mut name = format_ident!("{before}{}{after}", ident.unraw());
    name.set_span(Span::call_site().located_at(ident.span()));
    name
}

#[cfg(test)]
mod tests {
    use super::snake;
    use quote::format_ident;

    #[test]
    fn a_constructor_has_the_name_that_its_variant_would_have_as_a_function() {
        // If wrong: a constructor is called something that nobody would guess.
        let of = |name: &str| snake(&format_ident!("{name}")).to_string();
        assert_eq!(of("Leaf"), "leaf");
        assert_eq!(of("DoubleBlack"), "double_black");
        assert_eq!(of("HTTPServer"), "http_server");
        assert_eq!(of("If"), "if_");
        assert_eq!(of("N4"), "n4");
    }
}
