//! The paths that code names.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};

/// The imports of a module: the name in the module, and the path that it stands for.
#[derive(Default)]
pub(crate) struct Imports {
    pub(crate) named: BTreeMap<String, Vec<String>>,
    /// Paths that the module itself uses: private imports.
    pub(crate) private: Vec<Vec<String>>,
}

impl Imports {
    pub(crate) fn of(items: &[syn::Item]) -> Self {
        let mut imports = Self::default();
        for item in items {
            if let syn::Item::Use(item) = item {
                let is_private = matches!(item.vis, syn::Visibility::Inherited);
                imports.add(&item.tree, Vec::new(), is_private);
            }
        }
        imports
    }

    fn add(&mut self, tree: &syn::UseTree, mut before: Vec<String>, is_private: bool) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add(&path.tree, before, is_private);
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.add(item, before.clone(), is_private));
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                let last = before.last().cloned().unwrap_or_default();
                self.name(last, before, is_private);
            }
            syn::UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.name(name.ident.to_string(), before, is_private);
            }
            syn::UseTree::Rename(rename) => {
                before.push(rename.ident.to_string());
                self.name(rename.rename.to_string(), before, is_private);
            }
            syn::UseTree::Glob(_) => {}
        }
    }

    fn name(&mut self, name: String, path: Vec<String>, is_private: bool) {
        if is_private {
            self.private.push(path.clone());
        }
        self.named.insert(name, path);
    }
}

/// Whether an item belongs to the tests of its module.
pub(crate) fn is_test(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string().contains("test"))
}

/// The paths of two and more names in the items of a module, without its imports and its child modules.
pub(crate) fn named_by(items: &[syn::Item]) -> Vec<Vec<String>> {
    let mut paths = Paths::default();
    for item in items {
        if !matches!(item, syn::Item::Use(_) | syn::Item::Mod(_)) {
            paths.visit_item(item);
        }
    }
    paths.0
}

#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.0.push(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let imports = Imports::of(&[syn::Item::Use(item.clone())]);
        self.0.extend(imports.named.into_values());
    }
}

impl Paths {
    /// The paths in the tokens of a macro, which are not syntax yet.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.tokens(group.stream());
                }
                _ => self.end(&mut path),
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.0.push(path);
        }
    }
}
