//! What the workspace depends on: each crate has a reason and a licence that suits, and is there once.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::sources::root;

/// Licences that a user of the libraries need not think about; of several that are offered, one is enough.
const SUITABLE: [&str; 10] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "MIT", "NCSA", "Unicode-3.0", "Zlib"];

#[test]
fn every_dependency_has_a_reason() {
    let page = std::fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let listed: BTreeSet<&str> = page.lines().filter_map(row).collect();
    let used = direct(&metadata());
    let unlisted: Vec<_> = used.iter().filter(|name| !listed.contains(name.as_str())).collect();
    assert!(unlisted.is_empty(), "docs/dependencies.md does not state why these are there: {unlisted:?}");
    let stale: Vec<_> = listed.iter().filter(|name| !used.contains(**name)).collect();
    assert!(stale.is_empty(), "docs/dependencies.md lists what nothing uses: {stale:?}");
}

#[test]
fn every_licence_is_suitable() {
    for package in metadata()["packages"].as_array().unwrap() {
        let licence = package["license"].as_str().unwrap_or_default();
        let name = package["name"].as_str().unwrap();
        assert!(is_suitable(licence), "{name} has the licence `{licence}`");
    }
}

#[test]
fn expressions_of_licences_are_read() {
    assert!(is_suitable("MIT/Apache-2.0") && is_suitable("Unlicense OR MIT") && is_suitable("(MIT OR X) AND Zlib"));
    assert!(is_suitable("Apache-2.0 WITH LLVM-exception OR X"));
    assert!(!is_suitable("MIT AND GPL-3.0-only") && !is_suitable("GPL-3.0-only") && !is_suitable(""));
}

/// A crate in two versions is built and shipped twice. Those that others ask for are listed with who does.
#[test]
fn crates_in_several_versions_are_listed() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let mut versions = BTreeMap::<&str, u32>::new();
    for name in lock.lines().filter_map(|line| line.strip_prefix("name = \"")) {
        *versions.entry(name.trim_end_matches('"')).or_default() += 1;
    }
    let twice: BTreeSet<&str> = versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect();
    let page = std::fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let listed: BTreeSet<&str> = page.lines().filter_map(|line| line.strip_prefix("* `")?.split('`').next()).collect();
    assert_eq!(twice, listed, "docs/dependencies.md lists other crates of several versions");
}

/// The Python package is a workspace of its own, which nothing here builds: its lock file grows stale when one of our
/// crates gets a dependency, and `--locked`, by which the wheel is built, then fails.
#[test]
fn the_lock_file_of_the_python_package_knows_what_our_crates_need() {
    let lock = std::fs::read_to_string(root().join("python/Cargo.lock")).unwrap();
    let mut compared = 0;
    for package in metadata()["packages"].as_array().unwrap() {
        let head = format!("\nname = \"{}\"\n", package["name"].as_str().unwrap());
        let own = lock.split("[[package]]").find(|entry| entry.starts_with(&head) && !entry.contains("\nsource = "));
        let Some(own) = own else { continue };
        for needed in package["dependencies"].as_array().unwrap().iter().filter(|dependency| is_always_used(dependency))
        {
            let name = needed["name"].as_str().unwrap();
            // The version follows where the file has several.
            let is_there = [format!("\n \"{name}\""), format!("\n \"{name} ")].iter().any(|line| own.contains(line));
            assert!(is_there, "cargo update --workspace --manifest-path python/Cargo.toml: {name} of {head:?} is new");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// The README states how many other crates the engine needs, with its default features and without.
#[test]
fn the_readme_counts_the_dependencies_of_the_engine() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap().replace('\n', " ");
    let (least, usual) = (dependencies_of_engine(&["--no-default-features"]), dependencies_of_engine(&[]));
    for stated in [format!("with {least} other crates"), format!("with its default features it uses {usual}.")] {
        assert!(readme.contains(&stated), "the README does not state \"{stated}\"");
    }
}

/// How many crates `cargo tree` lists for the engine on Linux, without procedural macros and the engine itself.
fn dependencies_of_engine(features: &[&str]) -> usize {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "etwkit", "-e", "normal,no-proc-macro", "--prefix", "none", "--locked"])
        .args(["--target", "x86_64-unknown-linux-gnu"])
        .args(features)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let crates: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains("etwkit"), "{text}");
    crates.len() - 1
}

/// Whether a crate needs a dependency whatever its features and the platform.
fn is_always_used(dependency: &Value) -> bool {
    dependency["kind"].is_null() && dependency["target"].is_null() && dependency["optional"] == false
}

/// The crate of a row of the table.
fn row(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split('`').next()
}

/// The names of the crates that the manifests of the workspace name, but its own.
fn direct(metadata: &Value) -> BTreeSet<String> {
    let members: BTreeSet<&str> =
        metadata["workspace_members"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let own = packages.filter(|package| members.contains(package["id"].as_str().unwrap()));
    let dependencies = own.flat_map(|package| package["dependencies"].as_array().unwrap());
    let others = dependencies.filter(|dependency| dependency["path"].is_null());
    others.map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect()
}

/// Whether one of the offered licences suits, of each part that needs one.
fn is_suitable(expression: &str) -> bool {
    let parts = expression.split(" AND ").map(|part| part.trim_matches(['(', ')']));
    let offers = |part: &str| part.replace('/', " OR ").split(" OR ").any(|offer| suits(offer.trim()));
    parts.into_iter().all(offers)
}

fn suits(licence: &str) -> bool {
    let plain = licence.split(" WITH ").next().unwrap_or(licence);
    SUITABLE.contains(&plain)
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
