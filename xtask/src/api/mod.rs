//! `cargo xtask api`: the public items of every published library, one sorted line each, in `docs/api`.
//!
//! The listing is made from the sources, so that it needs no compiler of its own. It follows `pub mod` and `pub use`, and
//! lists inherent methods and implemented traits with their type. What a macro of the crate makes is listed as the call of
//! the macro.

mod listing;
mod source;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use crate::Done;

/// Writes all listings.
pub(crate) fn write() -> Done {
    let libraries = libraries()?;
    for folder in &libraries {
        let (path, text) = listing(folder)?;
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(&path, text)?;
    }
    println!("{} listings written", libraries.len());
    Ok(())
}

/// Compares all listings with the sources.
pub(crate) fn check() -> Done {
    let libraries = libraries()?;
    for folder in &libraries {
        let (path, text) = listing(folder)?;
        let known = fs::read_to_string(&path).unwrap_or_default();
        if known != text {
            let new = text.lines().find(|line| !known.lines().any(|old| old == *line)).unwrap_or("a line less");
            let name = path.display();
            return Err(
                format!("{name}: the public API changed ({new}): run `cargo xtask api`, review the diff").into()
            );
        }
    }
    println!("{} listings are those of the sources", libraries.len());
    Ok(())
}

/// The folders of the libraries that are published: the engine, the test kit, and every crate of four groups.
fn libraries() -> Done<Vec<PathBuf>> {
    let mut folders = vec![root()?, root()?.join("synth")];
    for group in ["analyses", "exports", "formats", "parsers"] {
        for entry in fs::read_dir(root()?.join(group))? {
            folders.push(entry?.path());
        }
    }
    folders.retain(|folder| folder.join("src/lib.rs").is_file());
    folders.sort();
    Ok(folders)
}

fn root() -> Done<PathBuf> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no folder above xtask")?.to_owned())
}

/// The path and the text of a library's listing.
fn listing(folder: &Path) -> Done<(PathBuf, String)> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
    let package = manifest.split("[package]").nth(1).and_then(|text| text.split("name = \"").nth(1)?.split('"').next());
    let package = package.ok_or("a package without a name")?;
    let modules = source::load(&folder.join("src/lib.rs"))?;
    let lines = listing::lines(&package.replace('-', "_"), &modules);
    Ok((root()?.join("docs/api").join(format!("{package}.txt")), lines.join("\n") + "\n"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_listings_are_those_of_the_sources() {
        super::check().unwrap();
    }
}
