//! Runs every seed and every past crash through its body, on stable.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::path::{Path, PathBuf};

type Body = fn(&[u8]);

const BODIES: &[(&str, Body)] = &[
    ("walk", etwkit_fuzz::walk),
    ("decompress", etwkit_fuzz::decompress),
    ("tracelogging", etwkit_fuzz::tracelogging),
    ("schema_text", etwkit_fuzz::schema_text),
    ("executor", etwkit_fuzz::executor),
    ("expression", etwkit_fuzz::expression),
    ("tei", etwkit_fuzz::tei),
    ("manifest_chunks", etwkit_fuzz::manifest_chunks),
    ("manifest_xml", etwkit_fuzz::manifest_xml),
    ("wevt", etwkit_fuzz::wevt),
    ("pack", etwkit_fuzz::pack),
    ("tmf", etwkit_fuzz::tmf),
    ("pdb", etwkit_fuzz::pdb),
    ("wpp", etwkit_fuzz::wpp),
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

/// Writes the seeds anew when asked to.
#[test]
fn seeds_are_written_on_request() {
    if std::env::var_os("ETWKIT_SEEDS").is_none() {
        return;
    }
    let write = |body: &str, name: &str, data: &[u8]| {
        let folder = here().join("seeds").join(body);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), data).unwrap();
    };
    for fixture in etwkit_synth::fixtures() {
        // Small ones are found out faster; 16 KiB are two buffers.
        write("walk", fixture.name, fixture.bytes.get(..16 << 10).unwrap_or(&fixture.bytes));
    }
    let plain: Vec<u8> = b"the quick brown fox, the quick brown fox, the lazy dog ".repeat(20);
    let streams = [
        ("xpress", etwkit_synth::compress::xpress::compress(&plain)),
        ("huffman", etwkit_synth::compress::huffman::compress(&plain)),
        ("lznt1", etwkit_synth::compress::lznt1::compress(&plain)),
    ];
    for (name, packed) in streams {
        let len = u32::try_from(plain.len()).unwrap().to_le_bytes();
        write("decompress", name, &[&len[..3], &packed].concat());
    }
    let mut number = 0;
    for fixture in etwkit_synth::fixtures() {
        for event in fixture.expected.events.iter().filter(|_| fixture.name.starts_with("tracelogging")) {
            for item in event.event.items.iter().filter(|item| item.kind == 11) {
                write("tracelogging", &format!("{number:02}"), &[&item.data, event.event.payload()].concat());
                number += 1;
            }
        }
    }
    let text = "provider \"Example\" {9e814aad-3204-11d2-9a82-006008a86939}\n\
        class Process {3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}\n\
        event opcode 1 Start, 2 Stop version 3 {\n  ProcessID u32 as pid\n  Image str16\n}\n";
    write("schema_text", "process", text.as_bytes());
    write("executor", "scalars", &[2, 17, 0, 0, 0, 16, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
    let counted = [3, 14, 0, 0, 0, 1, 2, 0, 0, 3, 0x60, 0, 0, 2, b'a', 0, b'b', 0];
    write("executor", "structs", &counted);
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
