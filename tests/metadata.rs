//! Every crate that is published says what crates.io and docs.rs show of it, and its documents name its features.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The manifests of all crates but those that are not published.
fn published() -> Vec<(PathBuf, String)> {
    let folders =
        ["parsers", "formats", "analyses", "apps"].map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let inner = folders.into_iter().flatten().map(|entry| entry.unwrap().path().join("Cargo.toml"));
    let all = inner.chain([root().join("Cargo.toml")]).filter(|path| path.is_file());
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    all.map(read).filter(|(_, text)| !text.contains("publish = false")).collect()
}

/// The lines of a section, without its head.
fn section<'a>(text: &'a str, head: &str) -> Vec<&'a str> {
    text.lines().skip_while(|line| *line != head).skip(1).take_while(|line| !line.starts_with('[')).collect()
}

#[test]
fn every_published_crate_is_described() {
    let all = published();
    assert!(all.len() >= 15);
    for (path, text) in all {
        let package = section(&text, "[package]");
        for key in ["description", "readme", "keywords", "categories", "license", "rust-version"] {
            assert!(package.iter().any(|line| line.starts_with(key)), "{} has no {key}", path.display());
        }
        let names = section(&text, "[dependencies]").into_iter().filter(|line| line.starts_with("etwkit"));
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        for name in names.filter_map(|line| line.split(['.', ' ']).next()) {
            let line = manifest.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap();
            assert!(line.contains("version = "), "{name} cannot be a dependency of what is published: no version");
        }
    }
}

#[test]
fn features_are_in_the_documents() {
    let folder = root().join("parsers/all");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let docs = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let features = section(&manifest, "[features]");
    let names: Vec<&str> = features.iter().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
    assert!(names.len() > 7);
    for name in names.into_iter().filter(|name| *name != "default") {
        assert!(docs.contains(&format!("//! | `{name}` |")), "{name} is not in the crate's documentation");
        assert!(readme.contains(&format!("| `{name}` |")), "{name} is not in the README");
    }
}

#[test]
fn every_example_is_listed_and_links_lead_somewhere() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".rs") {
            continue;
        }
        assert!(readme.contains(&format!("(examples/{name})")), "{name} is not in the README");
    }
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let mut local = 0;
    for link in links.filter(|link| !link.contains("://")) {
        assert!(Path::new(&root()).join(link).exists(), "the README leads to {link}");
        local += 1;
    }
    assert!(local > 6);
}
