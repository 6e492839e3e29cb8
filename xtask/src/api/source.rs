//! The modules of a crate, parsed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item};

use super::text;
use crate::Done;

/// A module's place: the names of the modules from the root to it.
pub(super) type Place = Vec<String>;

/// The items of each module.
pub(super) type Modules = BTreeMap<Place, Vec<Item>>;

/// Reads a crate from its root file.
pub(super) fn load(root: &Path) -> Done<Modules> {
    let mut modules = Modules::new();
    let folder = root.parent().ok_or("no folder")?.to_owned();
    add(Place::new(), syn::parse_file(&fs::read_to_string(root)?)?.items, &folder, &mut modules)?;
    Ok(modules)
}

/// Adds a module and those below it, whose files are in `folder`.
fn add(place: Place, items: Vec<Item>, folder: &Path, modules: &mut Modules) -> Done {
    for item in &items {
        let Item::Mod(module) = item else { continue };
        if text::is_test(&module.attrs) {
            continue;
        }
        let name = module.ident.to_string();
        let below: Place = place.iter().cloned().chain([name.clone()]).collect();
        let inner = folder.join(&name);
        let items = match &module.content {
            Some((_, items)) => items.clone(),
            None => syn::parse_file(&fs::read_to_string(file(folder, &name, &module.attrs))?)?.items,
        };
        add(below, items, &inner, modules)?;
    }
    modules.insert(place, items);
    Ok(())
}

/// The file of a module: `#[path]`, `NAME/mod.rs` or `NAME.rs`.
fn file(folder: &Path, name: &str, attributes: &[Attribute]) -> PathBuf {
    let path = attributes.iter().find(|attribute| attribute.path().is_ident("path")).and_then(text::value);
    let nested = folder.join(name).join("mod.rs");
    match path {
        Some(path) => folder.join(path),
        None if nested.is_file() => nested,
        None => folder.join(format!("{name}.rs")),
    }
}
