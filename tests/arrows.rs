//! The arrows between modules and crates are those of the design: an arrow more is a decision, made here.
//!
//! The table below states which modules of the engine each module may use; `DESIGN.md` states why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each module of the engine and what it may use.
const ARROWS: [(&str, &[&str]); 27] = [
    // Which input file: a number.
    ("file_id", &[]),
    ("limits", &[]),
    // Lists of problems have a limit.
    ("error", &["file_id", "limits"]),
    ("time", &[]),
    // Names of Windows' own codes: a table.
    ("codes", &[]),
    ("bytes", &["error"]),
    ("compress", &[]),
    // The file name of a path is a text like any other.
    ("input", &["bytes", "error", "limits"]),
    ("format", &["bytes", "error", "limits", "time"]),
    ("clock", &["format", "time"]),
    ("event", &["file_id", "bytes", "format", "limits", "time"]),
    // A walk over a buffer yields events.
    ("container", &["file_id", "bytes", "clock", "compress", "error", "event", "format", "input", "limits", "time"]),
    // Sets of schemas are looked up by the keys of events. A schema may unpack its payloads, and its maps
    // and messages name codes.
    ("schema", &["bytes", "codes", "compress", "error", "event", "limits"]),
    // Clocks of files differ: the traced system is kept over one time line.
    ("system", &["file_id", "bytes", "clock", "event", "limits", "time"]),
    ("parser", &["bytes", "error", "event", "schema", "system"]),
    // The process of an event may be that of its thread.
    ("decode", &["file_id", "bytes", "clock", "error", "event", "format", "limits", "schema", "system", "time"]),
    // Members of an event name the frames of its stack.
    (
        "render",
        &["file_id", "bytes", "clock", "codes", "decode", "event", "format", "limits", "schema", "system", "time"],
    ),
    // An event serialises to the members of its JSON line, which have one list.
    ("serde", &["bytes", "clock", "decode", "error", "output", "render", "schema", "select", "system", "time"]),
    // The text of a value is the text that outputs show.
    ("select", &["bytes", "clock", "decode", "error", "event", "limits", "render", "schema", "system", "time"]),
    ("query", &["bytes", "decode", "event", "format", "limits", "render", "schema", "select", "time"]),
    // Where events go: traits that the trace and the outputs share. Places of events are in buffers.
    ("sink", &["container", "decode", "error"]),
    (
        "trace",
        &[
            "file_id",
            "bytes",
            "clock",
            "container",
            "decode",
            "error",
            "event",
            "format",
            "input",
            "limits",
            "parser",
            "query",
            "schema",
            "select",
            "sink",
            "system",
            "time",
        ],
    ),
    ("typed", &["bytes", "decode", "error", "event", "trace", "typed_events"]),
    // Outputs prepare something for each type of a trace.
    (
        "output",
        &[
            "file_id", "bytes", "clock", "decode", "error", "event", "format", "limits", "render", "schema", "select",
            "sink", "system", "time", "trace",
        ],
    ),
    // The crate's root, which re-exports.
    ("lib", &[]),
    // Macros at the crate's root.
    ("named_enum", &[]),
    ("typed_events", &[]),
];

#[test]
fn modules_use_only_what_is_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let mut wrong = BTreeSet::new();
    for file in rust_files(&root().join("src")) {
        let module = module_of(&file);
        let below = allowed.get(module.as_str()).unwrap_or_else(|| panic!("{module} is not in the table of arrows"));
        for used in uses(&code(&file)) {
            if used != module && !below.contains(&used.as_str()) {
                wrong.insert(format!("{module} -> {used} in {}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that are not in the design: {wrong:#?}");
}

#[test]
fn the_table_of_arrows_has_no_circle() {
    let mut left: BTreeMap<&str, BTreeSet<&str>> =
        ARROWS.into_iter().map(|(module, below)| (module, below.iter().copied().collect())).collect();
    while !left.is_empty() {
        let free: Vec<&str> = left.iter().filter(|(_, below)| below.is_empty()).map(|(module, _)| *module).collect();
        assert!(!free.is_empty(), "a circle among {:?}", left.keys());
        left.retain(|module, _| !free.contains(module));
        for below in left.values_mut() {
            below.retain(|module| !free.contains(module));
        }
    }
}

#[test]
fn parsers_do_not_depend_on_each_other() {
    for folder in folders(&root().join("parsers")) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let used = dependencies(&manifest);
        let other = |used: &&String| used.starts_with("etwkit") && *used != "etwkit";
        if name != "all" {
            assert_eq!(used.iter().find(other), None, "parsers/{name} depends on another crate of ours");
        }
        assert!(used.contains("etwkit"), "parsers/{name} has nothing to do with the engine");
    }
    let engine = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let above = dependencies(&engine).into_iter().find(|used| used.starts_with("etwkit"));
    assert_eq!(above, None, "the engine depends on what is above it");
}

/// What reads or writes other programs' files needs the engine, and no crate beside or above it.
#[test]
fn formats_use_the_engine_alone() {
    for folder in folders(&root().join("formats")) {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let used = dependencies(&manifest);
        let other = used.iter().find(|used| used.starts_with("etwkit-"));
        assert_eq!(other, None, "{} depends on another crate of ours", folder.display());
        assert!(used.contains("etwkit"), "{} has nothing to do with the engine", folder.display());
    }
}

/// Columns need the engine alone, and what writes them only the columns. What another program loads opens traces, too,
/// Arrow's reader runs the engine, and a report shows what analyses found.
#[test]
fn exports_use_the_engine_or_the_columns() {
    for folder in folders(&root().join("exports")) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let used: Vec<String> = dependencies(&manifest).into_iter().filter(|used| used.starts_with("etwkit")).collect();
        if name == "report" {
            let is_analysis =
                |used: &String| !used.starts_with("etwkit-columns") && !used.starts_with("etwkit-parquet");
            assert!(used.iter().all(is_analysis), "exports/{name}: {used:?}");
            continue;
        }
        let allowed: &[&str] = match name.as_str() {
            "columns" => &["etwkit"],
            "arrow" => &["etwkit", "etwkit-columns"],
            "duckdb" => &["etwkit", "etwkit-archive", "etwkit-columns", "etwkit-parsers"],
            _ => &["etwkit-columns"],
        };
        assert_eq!(used, allowed, "exports/{name}");
    }
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    // Concatenated here, so that this file does not contain them.
    let forbidden =
        [["/wo", "rk/"].concat(), ["/ho", "me/"].concat(), ["/ro", "ot/"].concat(), ["/Us", "ers/"].concat()];
    let hosts = [["index.", "crates.io"].concat(), ["registry", "+http://"].concat(), ["artifact", "ory"].concat()];
    let mut wrong = Vec::new();
    for file in text_files(&root()) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for word in forbidden.iter().chain(&hosts) {
            if text.contains(word.as_str()) {
                wrong.push(format!("{}: {word}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the dependencies of a manifest that a user of the crate gets: not those of its tests.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line == "[build-dependencies]";
        } else if inside && let Some((name, _)) = line.split_once(['.', '=', ' ']) {
            names.insert(name.to_owned());
        }
    }
    names
}

/// Modules that a file names after `crate::`.
fn uses(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in code.split("crate::").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        assert!(!name.is_empty(), "write one `use crate::` per module: crate::{}", part.lines().next().unwrap());
        // The items that the root re-exports are in `error`.
        let module = match &*name {
            "FileId" => "file_id".to_owned(),
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => "error".to_owned(),
            _ => name,
        };
        found.insert(module);
    }
    found
}

/// Returns a file without its comments.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    // Tests of a module may use what they like; they are at the end.
    lines.take_while(|line| line.trim() != "#[cfg(test)]").collect::<Vec<_>>().join("\n")
}

fn module_of(file: &Path) -> String {
    let inner = file.strip_prefix(root().join("src")).unwrap();
    let first = inner.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    text_files(folder).into_iter().filter(|file| file.extension().is_some_and(|ext| ext == "rs")).collect()
}

/// Returns all files below, but for what is built and what belongs to git.
fn text_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let skipped = ["target", ".git", "Cargo.lock", "corpus", "artifacts"].contains(&name.as_str());
            if path.is_dir() && !skipped {
                open.push(path);
            } else if path.is_file() && !skipped {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.join("Cargo.toml").is_file()).collect()
}
