//! `cargo xtask schemas`: packs the facts of `../shared/schemas` into `parsers/registered/data/pack.bin`.
//!
//! The layout of the pack is described in `parsers/registered/src/pack`. Left out: messages (there are none), level,
//! channel and keyword numbers of events (their headers have them), and which source a fact is from. Names of tasks,
//! opcodes and keywords that the facts lack (`task85`), or that TraceEvent has otherwise, are taken from
//! `../shared/facts/traceevent`. Structs that the facts show as values are structs without members (`structs`).

mod assemble;
mod events;
mod json_values;
mod meanings;
mod provider;
mod renames;
mod structs;
mod writer;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etwkit::bytes::Guid;
use serde_json::Value;

use crate::Done;
use json_values::text;

/// Writes the pack.
pub(crate) fn write() -> Done {
    let bytes = build(&sources()?)?;
    fs::create_dir_all(pack_path().parent().ok_or("no folder")?)?;
    fs::write(pack_path(), &bytes)?;
    println!("{}: {} bytes", pack_path().display(), bytes.len());
    Ok(())
}

/// Compares the pack with a fresh one.
pub(crate) fn check() -> Done {
    let same = fs::read(pack_path())? == build(&sources()?)?;
    if same { Ok(()) } else { Err("the pack is not what the sources make: run `cargo xtask schemas`".into()) }
}

fn pack_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../parsers/registered/data/pack.bin")
}

/// The folder that holds `schemas` and `facts`.
pub(crate) fn sources() -> Done<PathBuf> {
    let shared = etwkit_corpus::shared().filter(|shared| shared.join("schemas").is_dir());
    shared.ok_or_else(|| "no folder schemas: set ETWKIT_SHARED to the folder that holds it".into())
}

/// The whole pack.
fn build(shared: &Path) -> Done<Vec<u8>> {
    let (folder, better) = (shared.join("schemas"), renames::better_names(&shared.join("facts/traceevent"))?);
    let mut providers = BTreeMap::new();
    for (kind, file) in [(0_u8, "manifest.jsonl"), (1, "classic.jsonl")] {
        for line in fs::read_to_string(folder.join(file))?.lines() {
            let mut value: Value = serde_json::from_str(line)?;
            let guid: Guid = text(&value, "g")?.parse()?;
            renames::rename(&mut value, better.get(&guid));
            meanings::restore(&mut value);
            if kind == 0 {
                structs::mark(&mut value);
            }
            // What has no provider cannot be found by an event.
            if !guid.is_null() {
                providers.insert((guid, kind), provider::bytes(&value)?);
            }
        }
    }
    assemble::pack(&providers)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use etwkit_registered::pack::{Naming, Pack, Provider};
    use serde_json::Value;

    use super::json_values::{array, integer, text};
    use super::{check, sources};

    /// The committed pack is what the sources make of it.
    #[test]
    fn the_pack_is_fresh() {
        match sources() {
            Ok(_) => check().unwrap(),
            Err(error) => etwkit_corpus::skipped(&format!("the pack is not compared with its sources: {error}")),
        }
    }

    /// What the reader finds in the pack is what the sources contain, with what `meanings` puts back.
    #[test]
    fn the_pack_has_every_fact() {
        let Ok(shared) = sources() else {
            return etwkit_corpus::skipped("there are no sources to compare the pack with");
        };
        let pack = Pack::built_in().unwrap();
        for (naming, file) in [(Naming::Manifest, "manifest.jsonl"), (Naming::Classic, "classic.jsonl")] {
            for line in fs::read_to_string(shared.join("schemas").join(file)).unwrap().lines() {
                let mut value: Value = serde_json::from_str(line).unwrap();
                super::meanings::restore(&mut value);
                if naming == Naming::Manifest {
                    super::structs::mark(&mut value);
                }
                let guid: etwkit::bytes::Guid = text(&value, "g").unwrap().parse().unwrap();
                if !guid.is_null() {
                    compare(&pack, naming, guid, &value);
                }
            }
        }
    }

    fn compare(pack: &Pack, naming: Naming, guid: etwkit::bytes::Guid, value: &Value) {
        let provider = pack.provider(guid, naming).unwrap();
        assert_eq!(provider.name(), text(value, "n").unwrap());
        for event in array(value, "e") {
            let number = |at: usize| event.get(at).map_or(0, |value| integer(value).unwrap());
            let found = provider.find(number(0) as u16, number(1) as u8).unwrap();
            let templates: Vec<usize> = match naming {
                Naming::Classic => vec![number(2) as usize],
                Naming::Manifest => {
                    let layouts = event[7].as_array().unwrap().iter();
                    layouts.map(|layout| layout[0].as_u64().unwrap() as usize).collect()
                }
            };
            let layouts: Vec<_> = provider.layouts(found).map(|(_, layout)| fields(provider, layout)).collect();
            for template in templates {
                let wanted = value["T"][template].as_array().unwrap().iter();
                let wanted: Vec<_> = wanted.map(|f| (f[0].as_str().unwrap(), f[1].as_u64().unwrap())).collect();
                assert!(layouts.contains(&wanted), "{} {event}", provider.name());
            }
        }
    }

    /// Names and in-types.
    fn fields<'p>(provider: &'p Provider, layout: &[u32]) -> Vec<(&'p str, u64)> {
        let fields = layout.iter().map(|place| provider.field(*place).unwrap());
        fields.map(|field| (provider.field_name(field), field.in_type.0.into())).collect()
    }
}
