//! What tests skipped, kept in files: a run of `cargo test` is many processes, and one of them sums up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How to run all checks.
pub const ADVICE: &str = "`cargo xtask verify --corpus DIR` runs all checks";

/// A check that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The crate and the program of tests in it.
    pub program: String,
    /// The test.
    pub test: String,
    /// What was missing.
    pub why: String,
}

/// Forgets what an earlier run of this program skipped. Returns the file of this program.
pub(crate) fn begin() -> Option<&'static Path> {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let begin = || {
        let file = folder()?.join(program()?);
        let _ = fs::remove_file(&file);
        Some(file)
    };
    FILE.get_or_init(begin).as_deref()
}

/// Adds a check of this program. Returns whether it is the first.
pub(crate) fn add(test: &str, why: &str) -> bool {
    let Some(file) = begin() else { return true };
    let is_first = !file.exists();
    let folder = file.parent().map(fs::create_dir_all);
    let opened = folder.and_then(|_| OpenOptions::new().append(true).create(true).open(file).ok());
    if let Some(mut opened) = opened {
        // One write a line: tests are threads.
        let _ = opened.write_all(format!("{test}\t{}\n", why.replace(['\n', '\t'], " ")).as_bytes());
    }
    is_first
}

/// Returns what the last runs of all programs of tests skipped.
pub fn skipped_checks() -> BTreeSet<Skipped> {
    let mut found = BTreeSet::new();
    for file in folder().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
        let program = file.file_name().to_string_lossy().into_owned();
        let lines = fs::read_to_string(file.path()).unwrap_or_default();
        let checks = lines.lines().filter_map(|line| line.split_once('\t'));
        found.extend(checks.map(|(test, why)| Skipped {
            program: program.clone(),
            test: test.to_owned(),
            why: why.to_owned(),
        }));
    }
    found
}

/// Returns how many checks were skipped, and why.
pub fn summary() -> String {
    let skipped = skipped_checks();
    if skipped.is_empty() {
        return "No check was skipped.".to_owned();
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for check in &skipped {
        // Of the traces, the folder is enough.
        let why = check.why.split('/').next().unwrap_or_default();
        *reasons.entry(why).or_default() += 1;
    }
    let reasons: Vec<String> = reasons.iter().map(|(why, checks)| format!("{checks}: {why}")).collect();
    let (checks, advice) = (skipped.len(), ADVICE);
    let plural = if checks == 1 { " was" } else { "s were" };
    format!("{checks} check{plural} skipped ({}); {advice}.", reasons.join("; "))
}

/// Forgets all of it.
pub fn forget_skipped() {
    if let Some(folder) = folder() {
        let _ = fs::remove_dir_all(folder);
    }
}

/// `skipped` in the folder of cargo's output: tests are in `deps` there, programs are beside it.
fn folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    let folder = if folder.ends_with("deps") { folder.parent()? } else { folder };
    Some(folder.join("skipped"))
}

/// The crate and the name of this program without cargo's hash.
fn program() -> Option<String> {
    let program = std::env::current_exe().ok()?.file_stem()?.to_string_lossy().into_owned();
    let name = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    Some(format!("{package}.{name}"))
}
