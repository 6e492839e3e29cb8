//! The documentation of the engine's public functions begins with a verb, as that of the standard library does.

use syn::{Attribute, Expr, ImplItem, Item, Lit, Meta, Visibility};

use crate::sources::{handwritten, root};

/// Words that end as verbs of the third person do, and are nouns at the start of a sentence about a value.
const NOUNS: [&str; 16] = [
    "As",
    "Bytes",
    "Events",
    "Facts",
    "Fields",
    "Fragments",
    "Keywords",
    "Members",
    "Microseconds",
    "Paths",
    "Problems",
    "Processors",
    "Provider's",
    "Threads",
    "Values",
    "Was",
];

#[test]
fn documentation_of_functions_begins_with_a_verb() {
    let engine = root().join("src");
    let mut seen = 0;
    let mut wrong = Vec::new();
    for source in handwritten().iter().filter(|source| source.path.starts_with(&engine)) {
        for (name, attributes) in public_functions(&source.syntax.items) {
            // Without documentation, the compiler warns where other crates see the function.
            let Some(sentence) = documentation(attributes) else { continue };
            seen += 1;
            if !begins_with_a_verb(&sentence) {
                wrong.push(format!("{}: {name}: {sentence}", source.name()));
            }
        }
    }
    assert!(seen > 700, "only {seen} functions found");
    assert!(wrong.is_empty(), "begin with a verb, such as \"Returns\":\n{}", wrong.join("\n"));
}

#[test]
fn verbs_are_known_from_nouns() {
    for verb in ["Returns the level.", "Reads a header; `None` at the end.", "Makes, or replaces, a file.", "Begins."] {
        assert!(begins_with_a_verb(verb), "{verb}");
    }
    for other in ["Level; 0 for none.", "Bytes of the header.", "As `push`.", "4 or 8.", "The level.", "`None`.", ""] {
        assert!(!begins_with_a_verb(other), "{other}");
    }
}

/// Whether the first word is a verb of the third person: a capital, small letters, and `s` at its end.
fn begins_with_a_verb(sentence: &str) -> bool {
    let word = sentence.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ':', '.']);
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.all(|letter| letter.is_ascii_lowercase())
        && word.ends_with('s')
        && !NOUNS.contains(&word)
}

/// The names and attributes of functions and methods that are `pub`, those of inner modules too.
fn public_functions(items: &[Item]) -> Vec<(String, &[Attribute])> {
    items.iter().flat_map(of_item).collect()
}

fn of_item(item: &Item) -> Vec<(String, &[Attribute])> {
    match item {
        Item::Fn(function) if is_public(&function.vis) => {
            vec![(function.sig.ident.to_string(), &function.attrs)]
        }
        Item::Impl(block) => block.items.iter().filter_map(of_method).collect(),
        Item::Mod(module) => module.content.as_ref().map_or_else(Vec::new, |(_, items)| public_functions(items)),
        _ => Vec::new(),
    }
}

fn of_method(item: &ImplItem) -> Option<(String, &[Attribute])> {
    match item {
        ImplItem::Fn(method) if is_public(&method.vis) => Some((method.sig.ident.to_string(), &method.attrs)),
        _ => None,
    }
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The first line of the documentation.
fn documentation(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        let Expr::Lit(value) = &pair.value else { return None };
        match &value.lit {
            Lit::Str(text) if pair.path.is_ident("doc") => Some(text.value().trim().to_owned()),
            _ => None,
        }
    })
}
