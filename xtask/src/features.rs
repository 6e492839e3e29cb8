//! Whether the libraries compile with every choice of features.

use std::process::Command;

use crate::Done;

/// The engine. All subsets of its features are checked, as `cargo hack --feature-powerset` does.
const ENGINE: &str = include_str!("../../Cargo.toml");

/// Features of the engine that only add conversions of `FileTime`. They do not meet others: each is checked alone.
const CONVERSIONS: [&str; 3] = ["chrono", "jiff", "time"];

/// The parsers. Their features add one crate each and do not meet: each is checked alone.
const PARSERS: &str = include_str!("../../parsers/all/Cargo.toml");

/// Checks every choice, without warnings.
pub(crate) fn check() -> Done {
    let sets = sets(&declared(ENGINE));
    for features in &sets {
        lint("etwkit", features)?;
    }
    println!("etwkit: {} sets of features compile without warnings", sets.len());
    lint("etwkit-parsers", "")?;
    // `msfz` needs a C compiler and has a step of its own.
    let features = declared(PARSERS).into_iter().filter(|name| *name != "msfz");
    for feature in features {
        lint("etwkit-parsers", feature)?;
    }
    println!("etwkit-parsers: each of its features compiles alone without warnings");
    Ok(())
}

/// The names in the section `[features]` of a manifest.
fn declared(manifest: &str) -> Vec<&str> {
    let section = manifest.split("[features]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| Some(line.split_once(" = ")?.0)).filter(|name| !name.starts_with('#'));
    names.filter(|name| *name != "default").collect()
}

/// Every subset of the features that can meet, each conversion alone, and all features.
fn sets(features: &[&str]) -> Vec<String> {
    let (alone, meeting): (Vec<&str>, Vec<&str>) = features.iter().partition(|name| CONVERSIONS.contains(name));
    let mut sets = subsets(&meeting);
    sets.extend(alone.into_iter().map(str::to_owned));
    sets.push(features.join(","));
    sets
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
    #[test]
    fn features_are_those_of_the_manifest() {
        assert_eq!(super::declared(super::ENGINE), ["mmap", "output", "query", "serde", "chrono", "jiff", "time"]);
        assert!(super::declared(super::PARSERS).contains(&"kernel"));
    }

    #[test]
    fn conversions_are_checked_alone_and_with_all() {
        assert_eq!(super::sets(&["a", "time"]), ["", "a", "time", "a,time"]);
    }

    #[test]
    fn subsets_are_all() {
        assert_eq!(super::subsets(&["a", "b"]), ["", "a", "b", "a,b"]);
    }
}
