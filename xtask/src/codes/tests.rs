//! The tables hold every name of the `windows-sys` crate with its number, if the crate's source is there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::fact::Fact;
use super::fetch::CRATES;
use super::{path, sources, tables};

/// The crate's source in cargo's home: as a dependency of this workspace for Windows it is there after `cargo fetch`.
fn windows_sys() -> Option<Vec<Fact>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let (name, version) = CRATES[0];
    let crates = registries.filter_map(|registry| Some(registry.ok()?.path().join(format!("{name}-{version}"))));
    crates.filter(|folder| folder.is_dir()).find_map(|folder| sources::windows_sys(&folder).ok())
}

#[test]
fn every_name_of_windows_sys_is_in_its_table() {
    let Some(facts) = windows_sys() else {
        return etwkit_corpus::skipped("names of codes are not compared: cargo's home has no windows-sys 0.61.2");
    };
    let mut counts = Vec::new();
    for table in &tables::TABLES {
        let text = std::fs::read_to_string(path(table.file)).unwrap();
        let lines: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
        let rows = table.rows(&facts);
        let has = |fact: &Fact| {
            let names = lines.get(format!("{:x}", fact.number).as_str());
            names.is_some_and(|names| names.split(' ').any(|name| name == fact.name))
        };
        let missing: Vec<_> = rows.values().flatten().filter(|fact| !has(fact)).map(|fact| &fact.name).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", table.file);
        counts.push((table.file, rows.values().map(Vec::len).sum::<usize>()));
    }
    // The states of threads are not in it.
    let first = [("ntstatus", 3051), ("win32", 4435), ("hresult", 7544), ("ndis_oid", 889)];
    let others = [("wait_reason", 42), ("thread_state", 0), ("irp_major", 30)];
    let wanted = [&first[..], &others].concat();
    assert_eq!(counts, wanted);
}
