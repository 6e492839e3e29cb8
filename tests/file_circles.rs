//! No file of the programs and the analyses uses a file that uses it, directly or through others.
//!
//! An arrow is a path in the code of a file that leads to another file, through re-exports to the file that has the item.
//! A `mod.rs` counts as a file; that it declares and re-exports its children is no arrow.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders whose crates are checked.
const FOLDERS: [&str; 2] = ["apps", "analyses"];

#[test]
fn no_file_uses_a_file_that_uses_it() {
    let mut files = 0;
    for folder in FOLDERS {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let source = entry.unwrap().path().join("src");
            let modules = Modules::read(&source);
            files += modules.code.len();
            let circle = circle(modules.arrows());
            assert!(circle.is_empty(), "circles of files in {}: {circle:#?}", source.display());
        }
    }
    assert!(files > 80, "only {files} files were found");
}

#[test]
fn a_circle_through_a_re_export_is_seen() {
    let code = [
        ("", "mod a; mod b; fn main() { a::f() }"),
        ("a", "mod inner; pub(crate) use inner::f;"),
        ("a::inner", "use crate::b::g; pub(crate) fn f() {}"),
        ("b", "use crate::a::{f as other, missing};"),
    ];
    let modules = Modules { code: code.map(|(name, code)| (path(name), code.to_owned())).into() };
    let circle = circle(modules.arrows());
    assert_eq!(circle.into_keys().collect::<Vec<_>>(), [path("a::inner"), path("b")]);
}

/// A module's path from the root of its crate.
type ModulePath = Vec<String>;

/// The code of each module without comments and tests.
struct Modules {
    code: BTreeMap<ModulePath, String>,
}

impl Modules {
    fn read(source: &Path) -> Self {
        let read = |file: PathBuf| {
            let inner = file.strip_prefix(source).unwrap().with_extension("");
            let mut path: ModulePath = inner.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            path.pop_if(|last| ["mod", "main", "lib"].contains(&last.as_str()));
            (path, code(&std::fs::read_to_string(file).unwrap()))
        };
        Self { code: rust_files(source).into_iter().map(read).collect() }
    }

    /// The modules that each module uses.
    fn arrows(&self) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
        let of = |(module, code): (&ModulePath, &String)| {
            let used =
                paths(code).into_iter().filter(|(is_re_export, path)| !(*is_re_export && self.is_child(module, path)));
            let mut used: BTreeSet<ModulePath> = used.filter_map(|(_, path)| self.resolve(module, &path, 0)).collect();
            used.remove(module);
            (module.clone(), used)
        };
        self.code.iter().map(of).collect()
    }

    fn is_child(&self, module: &ModulePath, path: &[String]) -> bool {
        let path = path.strip_prefix(&["self".to_owned()]).unwrap_or(path);
        path.first().is_some_and(|first| self.code.contains_key(&child(module, first)))
    }

    /// The module that has what a path leads to; nothing if that is in another crate.
    fn resolve(&self, from: &ModulePath, path: &[String], depth: usize) -> Option<ModulePath> {
        let (mut at, mut rest) = (from.clone(), path);
        match path.first()?.as_str() {
            "crate" => (at, rest) = (ModulePath::new(), path.get(1..)?),
            "self" => rest = path.get(1..)?,
            "super" => {}
            first if self.code.contains_key(&child(from, first)) => {}
            _ => return None,
        }
        while let Some((name, more)) = rest.split_first() {
            if name == "super" {
                at.pop()?;
            } else if self.code.contains_key(&child(&at, name)) {
                at.push(name.clone());
            } else {
                let re_exported = paths(self.code.get(&at)?).into_iter().find(|(is_re_export, path)| {
                    *is_re_export && path.last() == Some(name) && self.is_child(&at, path)
                });
                let Some((_, path)) = re_exported.filter(|_| depth < 8) else { return Some(at) };
                return self.resolve(&at, &path, depth + 1);
            }
            rest = more;
        }
        Some(at)
    }
}

fn path(text: &str) -> ModulePath {
    text.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn child(module: &ModulePath, name: &str) -> ModulePath {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// What is left of arrows without the modules that are in no circle and lead to none.
fn circle(mut arrows: BTreeMap<ModulePath, BTreeSet<ModulePath>>) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
    loop {
        let free: BTreeSet<ModulePath> =
            arrows.iter().filter(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()).collect();
        if free.is_empty() {
            break;
        }
        arrows.retain(|module, _| !free.contains(module));
        for used in arrows.values_mut() {
            used.retain(|module| !free.contains(module));
        }
    }
    // The same from above, so that only circles are reported.
    loop {
        let used: BTreeSet<ModulePath> = arrows.values().flatten().cloned().collect();
        let before = arrows.len();
        arrows.retain(|module, _| used.contains(module));
        if arrows.len() == before {
            return arrows;
        }
    }
}

/// Every path of two or more names in some code, and whether it is one of a public `use`.
fn paths(code: &str) -> Vec<(bool, ModulePath)> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        let (before, tree) = match statement.rsplit_once("use ") {
            Some((before, tree))
                if before.trim_end().is_empty() || before.trim_end().ends_with([')', 'b', '}', ']']) =>
            {
                (before, tree)
            }
            _ => ("", ""),
        };
        if tree.is_empty() {
            found.extend(inline(statement).into_iter().map(|path| (false, path)));
            continue;
        }
        found.extend(inline(before).into_iter().map(|path| (false, path)));
        let last_line = before.trim_end().rsplit('\n').next().unwrap_or_default();
        let is_public = last_line.contains("pub");
        let mut leaves = Vec::new();
        expand(&mut Vec::new(), tree.trim(), &mut leaves);
        found.extend(leaves.into_iter().map(|path| (is_public, path)));
    }
    found
}

/// The leaves of a tree of `use`.
fn expand(prefix: &mut ModulePath, tree: &str, leaves: &mut Vec<ModulePath>) {
    let Some((head, group)) = tree.split_once('{') else {
        let names = tree.split(" as ").next().unwrap_or_default();
        let names = names.split("::").map(str::trim).filter(|name| !name.is_empty());
        let mut leaf: ModulePath = prefix.iter().cloned().chain(names.map(str::to_owned)).collect();
        leaf.pop_if(|last| last == "self" && !prefix.is_empty());
        leaves.push(leaf);
        return;
    };
    let len = prefix.len();
    prefix.extend(head.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let (mut depth, mut start) = (0, 0);
    for (at, sign) in group.char_indices().chain([(group.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = group.get(start..at).unwrap_or_default().trim();
                if !part.is_empty() {
                    expand(prefix, part, leaves);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    prefix.truncate(len);
}

/// Paths in expressions and types.
fn inline(code: &str) -> Vec<ModulePath> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c: char| !is_part(c)).map(|word| word.trim_end_matches(':'));
    words.filter(|word| word.contains("::") && !word.starts_with(':')).map(path).collect()
}

/// A text without comments and tests, which are at its end.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.take_while(|line| line.trim() != "#[cfg(test)]").collect::<Vec<_>>().join("\n")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
