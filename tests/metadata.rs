//! Every crate that is published states what crates.io and docs.rs show of it, and its documents name its features.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the manifests of all crates but those that are not published.
fn published() -> Vec<(PathBuf, String)> {
    let folders = ["parsers", "formats", "exports", "analyses", "apps"].map(|folder| root().join(folder));
    let inner = folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let inner = inner.map(|entry| entry.unwrap().path().join("Cargo.toml"));
    let all = inner.chain([root().join("synth/Cargo.toml"), root().join("Cargo.toml")]).filter(|path| path.is_file());
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    all.map(read).filter(|(_, text)| !text.contains("publish = false")).collect()
}

/// What crates.io asks for or shows.
const KEYS: [&str; 8] =
    ["description", "readme", "keywords", "categories", "license", "rust-version", "repository", "documentation"];

/// Returns the targets of a text's links.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next())
}

/// Returns the lines of a section, without its head.
fn section<'a>(text: &'a str, head: &str) -> Vec<&'a str> {
    text.lines().skip_while(|line| *line != head).skip(1).take_while(|line| !line.starts_with('[')).collect()
}

#[test]
fn every_published_crate_is_described() {
    let all = published();
    assert!(all.len() >= 17);
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for (path, text) in all {
        let package = section(&text, "[package]");
        for key in KEYS {
            assert!(package.iter().any(|line| line.starts_with(key)), "{} has no {key}", path.display());
        }
        for line in section(&text, "[dependencies]").into_iter().filter(|line| line.starts_with("etwkit")) {
            let name = line.split(['.', ' ']).next().unwrap();
            // A crate states the version itself, or the workspace does.
            let mut lines = std::iter::once(line).chain(workspace.lines());
            let stated = lines.any(|line| line.starts_with(&format!("{name} = ")) && line.contains("version = "));
            assert!(stated, "{name} cannot be a dependency of what is published: no version");
        }
    }
}

/// Each package has the texts of the licences, and a README of its own whose local links lead into the package.
#[test]
fn every_published_crate_has_its_own_texts() {
    for (manifest, text) in published() {
        let folder = manifest.parent().unwrap();
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let licence = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            let original = std::fs::read_to_string(root().join(name)).unwrap();
            assert!(licence == original, "{} is not the {name} of the repository", folder.join(name).display());
        }
        if folder == root() {
            continue;
        }
        assert!(text.contains("\nreadme = \"README.md\"\n"), "{} has the README of the repository", manifest.display());
        let name = section(&text, "[package]").into_iter().find_map(|line| line.strip_prefix("name = ")).unwrap();
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.starts_with(&format!("# {}\n", name.trim_matches('"'))), "{}", folder.display());
        for link in links(&readme).filter(|link| !link.contains("://")) {
            assert!(!link.starts_with("..") && folder.join(link).is_file(), "{} leads to {link}", folder.display());
        }
        let data = ["data", "schemas", "views"].iter().any(|data| folder.join(data).is_dir());
        assert!(!data || readme.contains("(ATTRIBUTION.md)"), "{}: whose data is it?", folder.display());
    }
}

#[test]
fn features_are_in_the_documents() {
    for folder in [root(), root().join("parsers/all")] {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        let features = section(&manifest, "[features]");
        let names: Vec<&str> =
            features.iter().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
        assert!(names.len() > 6);
        for name in names.into_iter().filter(|name| *name != "default") {
            assert!(readme.contains(&format!("| `{name}` |")), "{name} is not in {}/README.md", folder.display());
        }
    }
}

#[test]
fn every_example_is_listed_and_links_lead_somewhere() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if Path::new(&name).extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        assert!(readme.contains(&format!("(examples/{name})")), "{name} is not in the README");
    }
    let mut local = 0;
    for link in links(&readme).filter(|link| !link.contains("://")) {
        assert!(Path::new(&root()).join(link).exists(), "the README leads to {link}");
        local += 1;
    }
    assert!(local > 6);
}
