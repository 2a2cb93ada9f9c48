//! Expansions for reading, kept in `golden/`: `x.in.rs` is what a user writes, `x.out.rs` what the macro makes of it: the attribute
//! of items that have it, else the derive.
//!
//! After a change that is meant to change them: `PMEM_BLESS=1 cargo test -p pmem-derive golden`, then read the diff.

use std::path::Path;

use proc_macro2::TokenStream;

fn expand_file(source: &str) -> String {
    let file = syn::parse_file(source).expect("an input is a Rust file");
    let mut out = TokenStream::new();
    for mut item in file.items {
        let arguments = functional_arguments(&mut item);
        let tokens = quote::ToTokens::to_token_stream(&item);
        out.extend(match arguments {
            Some(arguments) => crate::functional::expand(arguments, tokens),
            None => crate::expand(tokens),
        });
    }
    prettyplease::unparse(&syn::parse2(out).expect("an expansion is a Rust file"))
}

/// Takes `#[functional]` off an item. Returns what stood in its parentheses.
fn functional_arguments(item: &mut syn::Item) -> Option<TokenStream> {
    let (syn::Item::Enum(syn::ItemEnum { attrs, .. })
    | syn::Item::Struct(syn::ItemStruct { attrs, .. })
    | syn::Item::Mod(syn::ItemMod { attrs, .. })
    | syn::Item::Impl(syn::ItemImpl { attrs, .. })
    | syn::Item::Fn(syn::ItemFn { attrs, .. })) = item
    else {
        return None;
    };
    let index = attrs.iter().position(|attribute| attribute.path().is_ident("functional"))?;
    Some(attrs.remove(index).meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default())
}

#[test]
fn an_expansion_changes_only_when_someone_has_read_it() {
    // If wrong: a change in the derive reaches users' crates without anyone having seen what it generates.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let bless = std::env::var_os("PMEM_BLESS").is_some();
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder exists") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        let Some(stem) = name.strip_suffix(".in.rs") else { continue };
        let expanded = expand_file(&std::fs::read_to_string(&path).expect("an input can be read"));
        let blessed = folder.join(format!("{stem}.out.rs"));
        if bless {
            std::fs::write(&blessed, &expanded).expect("the folder is writable");
        }
        let expected = std::fs::read_to_string(&blessed).unwrap_or_default();
        assert!(expanded == expected, "{stem}: the expansion is not the blessed one:\n{expanded}");
        compared += 1;
    }
    assert!(compared >= 14, "the inputs of the comparison have gone: {compared} found");
}
