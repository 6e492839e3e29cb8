//! The modules of one crate, and the file in which each name is defined.

use crate::paths::{Imports, is_test};
use crate::sources::Source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A path of names below the root of the crate; the root is empty.
pub(crate) type ModulePath = Vec<String>;

/// One module: a file, or a part of one.
pub(crate) struct Module {
    pub(crate) file: usize,
    pub(crate) imports: Imports,
    pub(crate) items: Vec<syn::Item>,
}

/// The modules of a crate.
pub(crate) struct Modules {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) by_path: BTreeMap<ModulePath, Module>,
}

impl Modules {
    /// Reads the modules below the root file of a crate, without those of its tests.
    pub(crate) fn of(root: &Path) -> Self {
        let mut modules = Self { files: Vec::new(), by_path: BTreeMap::new() };
        modules.add_file(root.to_owned(), root.parent().unwrap(), Vec::new());
        modules
    }

    fn add_file(&mut self, path: PathBuf, children: &Path, module: ModulePath) {
        let source = Source::read(path);
        self.files.push(source.path.clone());
        let file = self.files.len() - 1;
        self.add_items(file, children, module, source.syntax.items);
    }

    fn add_items(&mut self, file: usize, children: &Path, module: ModulePath, items: Vec<syn::Item>) {
        let items: Vec<syn::Item> = items.into_iter().filter(|item| !is_test(item)).collect();
        for item in &items {
            let syn::Item::Mod(child) = item else { continue };
            let name = child.ident.to_string();
            let path: ModulePath = module.iter().cloned().chain([name.clone()]).collect();
            let folder = children.join(&name);
            if let Some((_, items)) = &child.content {
                self.add_items(file, &folder, path, items.clone());
            } else if let Some(elsewhere) = path_attribute(child) {
                let found = self.files[file].parent().unwrap().join(elsewhere);
                self.add_file(found, &folder, path);
            } else {
                let (flat, nested) = (children.join(format!("{name}.rs")), folder.join("mod.rs"));
                let found = if flat.is_file() { flat } else { nested };
                self.add_file(found, &folder, path);
            }
        }
        let imports = Imports::of(&items);
        self.by_path.insert(module, Module { file, imports, items });
    }

    /// The file that defines what a path names, seen from a module; `None` for what is outside of the crate, and for a
    /// path that names a module.
    pub(crate) fn definition(&self, from: &[String], path: &[String]) -> Option<usize> {
        self.resolve(from, path, 0)
    }

    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<usize> {
        // Imports in a circle (`use a::X` in `b` and `use b::X` in `a`) do not compile; globs may look like one.
        if depth > 16 {
            return None;
        }
        let (mut module, rest) = self.start(from, path, depth)?;
        let mut rest = rest.iter();
        while let Some(name) = rest.next() {
            let child: ModulePath = module.iter().cloned().chain([name.clone()]).collect();
            if self.by_path.contains_key(&child) {
                module = child;
                continue;
            }
            let inside = self.by_path.get(&module)?;
            let Some(target) = inside.imports.named.get(name) else { return Some(inside.file) };
            let full: Vec<String> = target.iter().chain(rest.as_slice()).cloned().collect();
            return self.resolve(&module, &full, depth + 1);
        }
        None
    }

    /// Where a path starts, and what is left of it.
    fn start<'p>(&self, from: &[String], path: &'p [String], depth: usize) -> Option<(ModulePath, &'p [String])> {
        let (first, mut rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), rest)),
            "self" => Some((from.to_vec(), rest)),
            "super" => {
                let mut up = from.split_last()?.1;
                while let Some(("super", left)) = rest.split_first().map(|(name, left)| (name.as_str(), left)) {
                    (up, rest) = (up.split_last()?.1, left);
                }
                Some((up.to_vec(), rest))
            }
            name => {
                let child: ModulePath = from.iter().cloned().chain([name.to_owned()]).collect();
                if self.by_path.contains_key(&child) {
                    return Some((child, rest));
                }
                let target = self.by_path.get(from)?.imports.named.get(name)?;
                self.module_of(from, target, depth).map(|module| (module, rest))
            }
        }
    }

    /// The module that a path names.
    fn module_of(&self, from: &[String], path: &[String], depth: usize) -> Option<ModulePath> {
        // An import of the crate's own name, such as `use nom::bytes`, leads outside.
        if depth > 16 || !["crate", "self", "super"].contains(&path.first()?.as_str()) {
            return None;
        }
        let (mut module, rest) = self.start(from, path, depth + 1)?;
        module.extend(rest.iter().cloned());
        self.by_path.contains_key(&module).then_some(module)
    }
}

/// The value of `#[path = "…"]`.
fn path_attribute(module: &syn::ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attribute| {
        let value = attribute.meta.require_name_value().ok().filter(|value| value.path.is_ident("path"))?;
        match &value.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        }
    })
}
