//! Where files may go.

use std::ffi::OsStr;
use std::io::{IsTerminal, stdout};
use std::path::Path;

use crate::column_file::FileKind;
use crate::failure::Failure;

/// The format where none was named. A name that promises text is refused.
pub(super) fn usual(output: &Path, by_event: bool) -> Result<FileKind, Failure> {
    let is_text = |name: &str| TEXTS.iter().any(|text| name.eq_ignore_ascii_case(text));
    match output.extension().and_then(OsStr::to_str).filter(|name| !by_event && is_text(name)) {
        Some(name) => Err(Failure::new(format!("export writes no {}", name.to_ascii_uppercase()))
            .of(output.display())
            .hint("`etwkit dump` does; with --format parquet or arrow, this name does not matter")),
        None => Ok(FileKind::Parquet),
    }
}

/// What names of texts end with that `dump` writes.
const TEXTS: [&str; 5] = ["csv", "json", "jsonl", "ndjson", "xml"];

/// Refuses a destination before the trace is read: a terminal, one stream or file for many tables, and a folder with
/// tables of another export, which engines would read as part of this one.
pub(super) fn check(output: &Path, by_event: bool, kind: FileKind) -> Result<(), Failure> {
    let is_stdout = output == Path::new("-");
    if is_stdout && by_event {
        return Err(Failure::new("--by-event writes files: name a folder with -o"));
    }
    if is_stdout && stdout().is_terminal() {
        return Err(Failure::new(format!("{} is binary and is not written to a terminal", kind.title()))
            .hint("name a file with -o"));
    }
    if by_event && output.is_file() {
        return Err(Failure::new("this is a file, and --by-event makes a folder").of(output.display()));
    }
    if by_event && has_tables(output) {
        let failure = Failure::new("the folder has tables of another export").of(output.display());
        return Err(failure.hint("name a new folder, or remove this one first"));
    }
    Ok(())
}

fn has_tables(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with("provider=")))
}
