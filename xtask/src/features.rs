//! Whether the libraries compile with every choice of features.

use std::process::Command;

use crate::Done;

/// The features of the engine. All subsets are checked, as `cargo hack --feature-powerset` does.
const ENGINE: [&str; 4] = ["mmap", "output", "query", "serde"];

/// The features of `etwkit-parsers`. They add one crate each and do not meet: each is checked alone. `msfz`, which needs
/// a C compiler, has a step of its own.
const PARSERS: [&str; 10] =
    ["clr", "kernel", "manifest", "mof", "pdh", "registered", "tei", "tracelogging", "user", "wpp"];

/// Checks every choice, without warnings.
pub(crate) fn check() -> Done {
    let subsets = subsets(&ENGINE);
    for features in &subsets {
        lint("etwkit", features)?;
    }
    println!("etwkit: {} sets of features compile without warnings", subsets.len());
    lint("etwkit-parsers", "")?;
    for feature in PARSERS {
        lint("etwkit-parsers", feature)?;
    }
    println!("etwkit-parsers: each of {} features compiles alone without warnings", PARSERS.len());
    Ok(())
}

/// Every subset, as Cargo takes them.
fn subsets(features: &[&str]) -> Vec<String> {
    let chosen = |set: usize| {
        let names = features.iter().enumerate().filter(move |(place, _)| set >> place & 1 == 1);
        names.map(|(_, name)| *name).collect::<Vec<_>>().join(",")
    };
    (0..1 << features.len()).map(chosen).collect()
}

/// Clippy, because the lints after `--` apply to this package only and dependencies stay built.
fn lint(package: &str, features: &str) -> Done {
    let choice = ["--no-default-features", "--features", features];
    let arguments = ["clippy", "--quiet", "--lib", "-p", package].into_iter().chain(choice);
    let status = Command::new("cargo").args(arguments).args(["--", "-D", "warnings"]).status()?;
    if status.success() { Ok(()) } else { Err(format!("{package} with features \"{features}\" has warnings").into()) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// The names in the section `[features]` of a manifest.
    fn declared(manifest: &str) -> BTreeSet<&str> {
        let section = manifest.split("[features]").nth(1).unwrap_or_default();
        let lines = section.lines().take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| Some(line.split_once(" = ")?.0)).filter(|name| !name.starts_with('#'));
        names.filter(|name| *name != "default").collect()
    }

    #[test]
    fn every_declared_feature_is_checked() {
        let engine = declared(include_str!("../../Cargo.toml"));
        assert_eq!(engine, super::ENGINE.into_iter().collect());
        let parsers = declared(include_str!("../../parsers/all/Cargo.toml"));
        assert_eq!(parsers, super::PARSERS.into_iter().chain(["msfz"]).collect());
    }

    #[test]
    fn subsets_are_all() {
        assert_eq!(super::subsets(&["a", "b"]), ["", "a", "b", "a,b"]);
    }
}
