//! `cargo xtask caps`: every cap on work and memory of the libraries and the program, in `docs/caps.md`.
//!
//! A cap is a constant number whose name begins with `MAX_`, `MOST`, `LONGEST` or `LARGEST`, or that is in a file
//! `limits.rs`. Each must state in a doc comment what it is for; tests are not looked at.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Expr, Item, ItemConst, Lit, Meta};

use crate::done::{Done, root};

/// Writes the page.
pub(crate) fn write() -> Done {
    fs::write(page(), text()?)?;
    Ok(())
}

/// Compares the page with the sources.
pub(crate) fn check() -> Done {
    if fs::read_to_string(page()).unwrap_or_default() == text()? {
        return Ok(());
    }
    Err("docs/caps.md is not what the sources state: run `cargo xtask caps`, review the diff".into())
}

fn page() -> PathBuf {
    root().join("docs/caps.md")
}

fn text() -> Done<String> {
    let mut page = HEAD.to_owned();
    let mut silent = Vec::new();
    for folder in crates()? {
        let mut caps = Vec::new();
        collect(&folder.join("src"), &mut caps)?;
        silent.extend(caps.iter().filter(|cap| cap.about.is_empty()).map(|cap| format!("{}: {}", cap.file, cap.name)));
        if !caps.is_empty() {
            let _ = writeln!(page, "\n## {}\n\n| cap | value | of what | where |\n|---|---|---|---|", name(&folder)?);
            page.extend(caps.iter().map(Cap::row));
        }
    }
    if silent.is_empty() { Ok(page) } else { Err(format!("caps without a doc comment:\n{}", silent.join("\n")).into()) }
}

const HEAD: &str = "# Caps\n\n\
                    What a file can cost is bounded by these numbers. `SECURITY.md` states how they work together and what\n\
                    is reported beyond them. `cargo xtask caps` writes this page from the sources.\n";

/// The folders of the engine, the libraries and the program.
fn crates() -> Done<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for group in ["parsers", "formats", "exports", "analyses", "apps"] {
        for entry in fs::read_dir(root().join(group))? {
            folders.push(entry?.path());
        }
    }
    folders.retain(|folder| folder.join("src").is_dir());
    folders.sort();
    folders.insert(0, root());
    Ok(folders)
}

/// The crate's name.
fn name(folder: &Path) -> Done<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
    let package = manifest.split("[package]").nth(1).and_then(|text| text.split("name = \"").nth(1)?.split('"').next());
    Ok(package.ok_or("a package without a name")?.to_owned())
}

/// A constant that limits something.
struct Cap {
    name: String,
    value: String,
    about: String,
    file: String,
}

impl Cap {
    fn row(&self) -> String {
        let Self { name, value, about, file } = self;
        format!("| `{name}` | `{value}` | {about} | `{file}` |\n")
    }
}

/// Adds the caps of a folder's sources, by file.
fn collect(folder: &Path, caps: &mut Vec<Cap>) -> Done {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            collect(&path, caps)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests.rs" {
            let shown = path.strip_prefix(root())?.display().to_string();
            let source = syn::parse_file(&fs::read_to_string(&path)?).map_err(|error| format!("{shown}: {error}"))?;
            of_items(&source.items, &shown, caps);
        }
    }
    Ok(())
}

fn of_items(items: &[Item], file: &str, caps: &mut Vec<Cap>) {
    for item in items {
        if let Item::Const(cap) = item
            && is_cap(cap, file)
        {
            let value = cap.expr.to_token_stream().to_string().replace(" :: ", "::");
            caps.push(Cap { name: cap.ident.to_string(), value, about: doc(&cap.attrs), file: file.to_owned() });
        }
    }
}

fn is_cap(cap: &ItemConst, file: &str) -> bool {
    let name = cap.ident.to_string();
    let kind = cap.ty.to_token_stream().to_string();
    let is_number = ["usize", "u8", "u16", "u32", "u64", "i64"].contains(&kind.as_str());
    let has_name = ["MAX_", "MOST", "LONGEST", "LARGEST"].iter().any(|word| name.starts_with(word));
    is_number && (has_name || file.ends_with("/limits.rs"))
}

/// The text of the doc comment, in one line.
fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_that_of_the_sources() {
        super::check().unwrap();
    }
}
