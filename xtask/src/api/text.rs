//! Items as one line of text, without documentation and bodies.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, Fields, ImplItem, Item, Lit, Meta, TraitItem, Visibility};

/// The words that a listing has before an item.
const KEPT: [&str; 4] = ["cfg", "derive", "must_use", "non_exhaustive"];

/// Returns whether an item is for tests.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && tidy(attribute).contains("(test)"))
}

/// Returns the text of `#[name = "text"]`.
pub(super) fn value(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let Expr::Lit(literal) = &pair.value else { return None };
    let Lit::Str(text) = &literal.lit else { return None };
    Some(text.value())
}

/// Returns tokens as text with the blanks that people write.
pub(super) fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("[ ", "["),
        (" ]", "]"),
        (" [", "["),
        (" ;", ";"),
        (" :", ":"),
        ("# ", "#"),
        (" !", "!"),
    ] {
        text = text.replace(from, to);
    }
    text
}

/// Returns an item without documentation, bodies and private fields.
pub(super) fn signature(item: &Item) -> String {
    let mut item = item.clone();
    match &mut item {
        Item::Fn(item) => return prefixed(&item.attrs, &(&item.vis, &item.sig)),
        Item::Const(item) => return prefixed(&item.attrs, &format!("pub const {}: {}", item.ident, tidy(&item.ty))),
        Item::Static(item) => return prefixed(&item.attrs, &format!("pub static {}: {}", item.ident, tidy(&item.ty))),
        Item::Struct(item) => {
            keep(&mut item.attrs);
            strip(&mut item.fields);
            let fields = std::mem::replace(&mut item.fields, Fields::Unit);
            item.fields = public(fields);
        }
        Item::Enum(item) => {
            keep(&mut item.attrs);
            for variant in &mut item.variants {
                keep(&mut variant.attrs);
                strip(&mut variant.fields);
            }
        }
        Item::Trait(item) => {
            keep(&mut item.attrs);
            item.items.iter_mut().for_each(bare);
        }
        Item::Macro(item) => {
            keep(&mut item.attrs);
            item.mac.tokens = undocumented(item.mac.tokens.clone());
        }
        Item::Type(item) => keep(&mut item.attrs),
        _ => {}
    }
    tidy(&item)
}

/// Returns the line of an item of an `impl`, if it is public.
pub(super) fn member(item: &ImplItem) -> Option<String> {
    match item {
        ImplItem::Fn(item) if is_public(&item.vis) => Some(prefixed(&item.attrs, &(&item.vis, &item.sig))),
        ImplItem::Const(item) if is_public(&item.vis) => {
            Some(prefixed(&item.attrs, &format!("pub const {}: {}", item.ident, tidy(&item.ty))))
        }
        _ => None,
    }
}

pub(super) const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// What can be after the attributes of a line.
trait Rest {
    fn text(&self) -> String;
}

impl Rest for String {
    fn text(&self) -> String {
        self.clone()
    }
}

impl<A: ToTokens, B: ToTokens> Rest for (&A, &B) {
    fn text(&self) -> String {
        format!("{} {}", tidy(self.0), tidy(self.1))
    }
}

fn prefixed(attributes: &[Attribute], rest: &impl Rest) -> String {
    let mut attributes = attributes.to_vec();
    keep(&mut attributes);
    let words: Vec<String> = attributes.iter().map(tidy).chain([rest.text()]).collect();
    words.join(" ")
}

fn keep(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| KEPT.iter().any(|kept| attribute.path().is_ident(kept)));
}

fn strip(fields: &mut Fields) {
    fields.iter_mut().for_each(|field| keep(&mut field.attrs));
}

/// Leaves the public fields of a struct. The place of a private one without a name counts, its type does not.
fn public(mut fields: Fields) -> Fields {
    match &mut fields {
        Fields::Named(named) => {
            named.named = named.named.iter().filter(|field| is_public(&field.vis)).cloned().collect();
        }
        Fields::Unnamed(unnamed) => {
            for field in unnamed.unnamed.iter_mut().filter(|field| !is_public(&field.vis)) {
                (field.vis, field.ty) = (Visibility::Inherited, syn::parse_quote!(_));
            }
        }
        Fields::Unit => {}
    }
    fields
}

/// Returns the tokens of a macro's call without documentation.
fn undocumented(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            kept.push(token);
            continue;
        };
        if group.stream().to_string().starts_with("doc =") {
            kept.pop();
            continue;
        }
        kept.push(TokenTree::Group(proc_macro2::Group::new(group.delimiter(), undocumented(group.stream()))));
    }
    kept.into_iter().collect()
}

/// Returns whether a macro's call declares `pub struct NAME` or `pub enum NAME`.
pub(super) fn declares(call: &syn::ItemMacro, name: &str) -> bool {
    let text = call.mac.tokens.to_string();
    let first_word = |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next() == Some(name);
    ["pub struct ", "pub enum "].iter().any(|start| text.split(start).skip(1).any(first_word))
}

/// Leaves an item of a trait without its body.
fn bare(item: &mut TraitItem) {
    if let TraitItem::Fn(item) = item {
        keep(&mut item.attrs);
        let is_provided = item.default.take().is_some();
        item.semi_token = (!is_provided).then(Default::default);
    }
    if let TraitItem::Type(item) = item {
        keep(&mut item.attrs);
    }
    if let TraitItem::Const(item) = item {
        keep(&mut item.attrs);
    }
}
