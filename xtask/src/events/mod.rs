//! `cargo xtask events`: typed views of the events that the tables describe, and `docs/events`.

mod meaning;
mod model;
mod names;
mod types;
mod versions;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Done;
use model::Table;

pub(crate) fn survey() -> Done {
    for krate in ["kernel", "clr", "registered"] {
        let tables = tables(krate)?;
        let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for table in &tables {
            println!("== {krate} {} {}: {}", table.stem, table.events.len(), table.about);
            for event in &table.events {
                let rust = event.name.split('/').map(names::camel).collect::<String>();
                seen.entry(rust.clone()).or_default().push(format!("{} {:?}", table.stem, event.ids));
                println!(
                    "  {} {rust} ids {} shared {} versions {} builds {:?}",
                    event.name,
                    event.ids.len(),
                    event.ids.iter().any(|id| id.is_shared),
                    event.versions,
                    event.builds
                );
                for field in &event.fields {
                    let types: std::collections::BTreeSet<String> =
                        field.layouts.iter().map(|l| l.rust.rust()).collect();
                    println!(
                        "    {} {:?} {}{} {} {}",
                        field.accessor,
                        field.names,
                        field.rust().rust(),
                        if types.len() > 1 { format!(" JOINED {types:?}") } else { String::new() },
                        field.versions,
                        if field.is_hidden() { "HIDDEN" } else { "" }
                    );
                }
            }
        }
        for (name, list) in seen.iter().filter(|(_, list)| list.len() > 1) {
            println!("!! {name}: {list:#?}");
        }
    }
    Ok(())
}

/// The tables of a crate, by name.
fn tables(parser: &str) -> Done<Vec<Table>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root().join("parsers").join(parser).join("schemas"))? {
        paths.push(entry?.path());
    }
    paths.sort();
    let read = |path: &PathBuf| {
        Table::read(&path.file_stem().unwrap_or_default().to_string_lossy(), &fs::read_to_string(path)?)
    };
    paths.iter().map(read).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
