//! Runs every seed and every past crash through its body, on stable.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stderr, reason = "a test")]

#[path = "../../parsers/manifest/tests/common/image.rs"]
mod image;
#[path = "../../parsers/pdh/tests/common/log.rs"]
mod log;
#[path = "../../parsers/wpp/tests/it/made.rs"]
mod made;
#[path = "../../parsers/manifest/tests/common/mc.rs"]
mod mc;
#[path = "../../analyses/symbols/tests/common/pdb.rs"]
mod pdb_file;
#[path = "../../analyses/symbols/tests/common/pe.rs"]
mod pe_file;
mod seeds;

use std::path::{Path, PathBuf};

type Body = fn(&[u8]);

const BODIES: &[(&str, Body)] = &[
    ("walk", etwkit_fuzz::walk),
    ("records", etwkit_fuzz::records),
    ("redact", etwkit_fuzz::redact),
    ("relog", etwkit_fuzz::relog),
    ("decompress", etwkit_fuzz::decompress),
    ("tracelogging", etwkit_fuzz::tracelogging),
    ("schema_text", etwkit_fuzz::schema_text),
    ("executor", etwkit_fuzz::executor),
    ("expression", etwkit_fuzz::expression),
    ("packets", etwkit_fuzz::packets),
    ("mof", etwkit_fuzz::mof),
    ("tei", etwkit_fuzz::tei),
    ("manifest_chunks", etwkit_fuzz::manifest_chunks),
    ("manifest_xml", etwkit_fuzz::manifest_xml),
    ("wevt", etwkit_fuzz::wevt),
    ("pack", etwkit_fuzz::pack),
    ("tmf", etwkit_fuzz::tmf),
    ("pdb", etwkit_fuzz::pdb),
    ("wpp", etwkit_fuzz::wpp),
    ("symbols", etwkit_fuzz::symbols),
    ("parts", etwkit_fuzz::parts),
    ("learning", etwkit_fuzz::learning),
    ("sinks", etwkit_fuzz::sinks),
    ("same", etwkit_fuzz::same),
    ("columns", etwkit_fuzz::columns),
    ("analyses", etwkit_fuzz::analyses),
    ("archives", etwkit_fuzz::archives),
    ("counters", etwkit_fuzz::counters),
    ("selectors", etwkit_fuzz::selectors),
];

#[test]
fn seeds_and_crashes_are_survived() {
    for (name, body) in BODIES {
        let mut seeds = 0;
        for kind in ["seeds", "crashes"] {
            for path in files(&here().join(kind).join(name)) {
                let data = std::fs::read(&path).unwrap();
                let survived = std::panic::catch_unwind(|| body(&data));
                assert!(survived.is_ok(), "{} is a finding", path.display());
                seeds += usize::from(kind == "seeds");
            }
        }
        assert!(seeds > 0, "{name} has no seeds: run `ETWKIT_SEEDS=1 cargo test -p etwkit-fuzz`");
    }
}

#[test]
fn every_target_has_a_body_and_runs_it() {
    for (name, _) in BODIES {
        let target = std::fs::read_to_string(here().join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(target.contains(&format!("etwkit_fuzz::target!({name});")));
    }
    assert_eq!(files(&here().join("fuzz_targets")).len(), BODIES.len());
}

#[test]
fn fixtures_are_walked() {
    for fixture in etwkit_synth::fixtures() {
        etwkit_fuzz::walk(&fixture.bytes);
    }
}

/// Rewrites the seeds on request.
#[test]
fn seeds_are_written_on_request() {
    if std::env::var_os("ETWKIT_SEEDS").is_none() {
        return;
    }
    for seed in seeds::all() {
        let folder = here().join("seeds").join(seed.body);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(seed.name), seed.data).unwrap();
    }
}

/// The seed of packs is written by hand: it must be a pack, or the fuzzer begins with garbage.
#[test]
fn the_seed_of_packs_is_one() {
    let seeds = seeds::all();
    let seed = seeds.iter().find(|seed| (seed.body, &*seed.name) == ("pack", "whole")).unwrap();
    let pack = etwkit_registered::pack::Pack::open(seed.data[1..].to_vec()).unwrap();
    pack.check(0).unwrap();
    let (guid, naming) = pack.keys()[0];
    let provider = pack.provider(guid, naming).unwrap();
    assert_eq!(provider.events().count(), 2);
    let stops = etwkit_registered::check(provider).unwrap();
    assert!(!stops.is_empty() && stops.iter().all(|(.., stop)| stop.is_none()), "{stops:?}");
}

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file() && path.file_name().is_some_and(|name| name != ".gitkeep"));
    files.sort();
    files
}
