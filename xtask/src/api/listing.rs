//! What users of a crate can name.

use std::collections::BTreeSet;

use syn::{Ident, Item, Type, UseTree, Visibility};

use super::source::{Modules, Place};
use super::text::{self, is_public, tidy};

/// Lists all public items, sorted.
pub(super) fn lines(name: &str, modules: &Modules) -> Vec<String> {
    let mut listing = Listing { modules, lines: BTreeSet::new(), seen: BTreeSet::new() };
    listing.module(&Place::new(), name);
    listing.lines.into_iter().collect()
}

struct Listing<'m> {
    modules: &'m Modules,
    lines: BTreeSet<String>,
    /// Modules and the names under which they were listed.
    seen: BTreeSet<(Place, String)>,
}

impl Listing<'_> {
    /// Lists a module under a name.
    fn module(&mut self, place: &Place, path: &str) {
        let modules = self.modules;
        let Some(items) = modules.get(place) else { return };
        if !self.seen.insert((place.clone(), path.to_owned())) {
            return;
        }
        for item in items {
            match item {
                Item::Mod(module) if is_public(&module.vis) => {
                    let name = module.ident.to_string();
                    self.module(&below(place, &name), &format!("{path}::{name}"));
                }
                Item::Use(item) if is_public(&item.vis) => self.uses(place, path, &item.tree, &mut Vec::new()),
                Item::Macro(call) if call.ident.is_none() => self.line(path, &text::signature(item)),
                _ => self.item(place, path, item, None),
            }
        }
    }

    /// Lists what a `pub use` names, where it is of this crate.
    fn uses(&mut self, place: &Place, path: &str, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(inner) => {
                before.push(inner.ident.to_string());
                self.uses(place, path, &inner.tree, before);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.uses(place, path, tree, before)),
            UseTree::Name(name) => self.named(place, path, before, &name.ident, &name.ident),
            UseTree::Rename(rename) => self.named(place, path, before, &rename.ident, &rename.rename),
            UseTree::Glob(_) => match self.resolve(place, before) {
                Some(target) => self.module(&target, path),
                None => self.line(path, &format!("pub use {}::*", before.join("::"))),
            },
        }
    }

    fn named(&mut self, place: &Place, path: &str, before: &[String], name: &Ident, shown: &Ident) {
        let full: Vec<String> = before.iter().cloned().chain([name.to_string()]).collect();
        if let Some(module) = self.resolve(place, &full) {
            return self.module(&module, &format!("{path}::{shown}"));
        }
        let modules = self.modules;
        let Some(target) = self.resolve(place, before).filter(|_| !before.is_empty()) else {
            return self.line(path, &format!("pub use {} as {shown}", full.join("::")));
        };
        for item in modules.get(&target).into_iter().flatten() {
            match item {
                Item::Macro(call) if call.ident.is_none() && text::declares(call, &name.to_string()) => {
                    self.line(path, &text::signature(item));
                    self.implementations(&target, &format!("{path}::{shown}"), name);
                }
                Item::Use(item) => self.again(&target, path, &item.tree, &mut Vec::new(), name),
                _ if ident(item).is_some_and(|(found, _)| found == name) => {
                    self.item(&target, path, item, Some(shown));
                }
                _ => {}
            }
        }
    }

    /// Follows a `use` in the module that a `pub use` leads to.
    fn again(&mut self, place: &Place, path: &str, tree: &UseTree, before: &mut Vec<String>, wanted: &Ident) {
        match tree {
            UseTree::Path(inner) => {
                before.push(inner.ident.to_string());
                self.again(place, path, &inner.tree, before, wanted);
                before.pop();
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.again(place, path, tree, before, wanted));
            }
            UseTree::Name(name) if name.ident == *wanted => self.named(place, path, before, wanted, wanted),
            UseTree::Rename(rename) if rename.rename == *wanted => {
                self.named(place, path, before, &rename.ident, wanted);
            }
            _ => {}
        }
    }

    /// The module that a path leads to from a module.
    fn resolve(&self, place: &Place, path: &[String]) -> Option<Place> {
        let mut found = place.clone();
        for (number, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => found.clear(),
                "self" => {}
                "super" => drop(found.pop()),
                _ if number == 0 && !self.modules.contains_key(&below(place, name)) => return None,
                _ => found.push(name.clone()),
            }
        }
        self.modules.contains_key(&found).then_some(found)
    }

    /// Lists an item, and what is implemented for it.
    fn item(&mut self, place: &Place, path: &str, item: &Item, shown: Option<&Ident>) {
        let Some((name, visibility)) = ident(item) else { return };
        if !is_public(visibility) {
            return;
        }
        let line = text::signature(item);
        match shown.filter(|shown| *shown != name) {
            Some(shown) => self.line(path, &format!("{line} as {shown}")),
            None => self.line(path, &line),
        }
        if matches!(item, Item::Struct(_) | Item::Enum(_)) {
            self.implementations(place, &format!("{path}::{}", shown.unwrap_or(name)), name);
        }
    }

    /// Lists inherent items and traits of a type. Of several types with one name, each has what is beside it.
    fn implementations(&mut self, place: &Place, path: &str, name: &Ident) {
        let modules = self.modules;
        let defines = |items: &Vec<Item>| items.iter().any(|item| is_type(item, name));
        let is_unique = modules.values().filter(|items| defines(items)).count() <= 1;
        let beside = place.get(..place.len().saturating_sub(1)).unwrap_or_default();
        for (_, items) in modules.iter().filter(|(other, _)| is_unique || other.starts_with(beside)) {
            for item in items {
                let Item::Impl(block) = item else { continue };
                let is_of_type = last(&block.self_ty).is_some_and(|found| found == name);
                if !is_of_type || text::is_test(&block.attrs) {
                    continue;
                }
                match &block.trait_ {
                    Some((_, of, _)) => self.line(path, &format!("impl {} for {}", tidy(of), tidy(&block.self_ty))),
                    None => block.items.iter().filter_map(text::member).for_each(|line| self.line(path, &line)),
                }
            }
        }
    }

    fn line(&mut self, path: &str, text: &str) {
        self.lines.insert(format!("{path}: {text}"));
    }
}

fn below(place: &Place, name: &str) -> Place {
    place.iter().cloned().chain([name.to_owned()]).collect()
}

fn is_type(item: &Item, name: &Ident) -> bool {
    matches!(item, Item::Struct(_) | Item::Enum(_)) && ident(item).is_some_and(|(found, _)| found == name)
}

/// The last name of a type's path.
fn last(of: &Type) -> Option<&Ident> {
    match of {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        Type::Reference(reference) => last(&reference.elem),
        _ => None,
    }
}

/// The name and the visibility of an item that can be named.
const fn ident(item: &Item) -> Option<(&Ident, &Visibility)> {
    match item {
        Item::Const(item) => Some((&item.ident, &item.vis)),
        Item::Enum(item) => Some((&item.ident, &item.vis)),
        Item::Fn(item) => Some((&item.sig.ident, &item.vis)),
        Item::Static(item) => Some((&item.ident, &item.vis)),
        Item::Struct(item) => Some((&item.ident, &item.vis)),
        Item::Trait(item) => Some((&item.ident, &item.vis)),
        Item::Type(item) => Some((&item.ident, &item.vis)),
        _ => None,
    }
}
