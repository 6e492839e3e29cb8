//! `cargo xtask coverage`: the facts that the coverage test of `parsers/all` goes by.
//!
//! The facts about TraceEvent's typed parsers (`../shared/facts/traceevent`) are condensed into
//! `parsers/all/tests/coverage/facts`, which is committed, so that the test runs where the facts are not at hand. The
//! classic keys of the runtime's events go into `parsers/clr/data/classic.txt`, which the parser reads.

mod condense;
mod fact_files;
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Done, schemas};
use fact_files::FILES;

/// Those of the .NET runtime.
const RUNTIME: [&str; 6] = ["clr", "gcdynamic", "clr_rundown", "clr_stress", "clr_private", "sampleprofiler"];

/// Writes the condensed facts.
pub(crate) fn write() -> Done {
    fs::create_dir_all(folder().join("facts"))?;
    for (path, text) in build(&schemas::sources()?)? {
        fs::write(&path, &text)?;
        println!("{}: {} lines", path.display(), text.lines().count());
    }
    Ok(())
}

/// Compares them with fresh ones.
pub(crate) fn check() -> Done {
    for (path, text) in build(&schemas::sources()?)? {
        if fs::read_to_string(&path).unwrap_or_default() != text {
            return Err(format!("{} is not what the facts make: run `cargo xtask coverage`", path.display()).into());
        }
    }
    Ok(())
}

/// Writes `docs/coverage.md`: how many events of each group were seen in traces, or checked with made ones.
pub(crate) fn table() -> Done {
    table::write(&folder(), &schemas::sources()?)
}

/// Returns the folder of the test.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../parsers/all/tests/coverage")
}

/// Returns each file and its text.
fn build(shared: &Path) -> Result<Vec<(PathBuf, String)>, Box<dyn std::error::Error>> {
    let (mut made, mut classic) = (Vec::new(), BTreeSet::new());
    for name in FILES {
        let bytes = fs::read(shared.join("facts/traceevent").join(name).with_extension("json"))?;
        let facts: Value = serde_json::from_slice(&bytes)?;
        made.push((folder().join("facts").join(name).with_extension("txt"), condense::text(name, &facts)?));
        if RUNTIME.contains(&name) {
            classic.append(&mut condense::classic_keys(&facts)?);
        }
    }
    made.push((folder().join("../../../clr/data/classic.txt"), classic.into_iter().collect()));
    Ok(made)
}

#[cfg(test)]
mod tests {
    /// The committed facts are what the sources make.
    #[test]
    fn the_facts_are_fresh() {
        match crate::schemas::sources() {
            Ok(_) => super::check().unwrap(),
            Err(error) => {
                etwkit_corpus::skipped(&format!("the condensed facts are not compared with their sources: {error}"));
            }
        }
    }
}
