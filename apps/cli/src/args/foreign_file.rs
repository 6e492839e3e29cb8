//! What a file is that was given as schemas or symbols and is neither.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use etwkit::FileId;
use etwkit::container::Head;
use etwkit::input::Input;
use etwkit::{ErrorKind, ForeignFormat};

/// Bytes that decide: in the rest of a file, a trace would be searched for.
const START: u64 = 1 << 20;
/// For traces in the wrong place.
const TRACE: &str = "traces are given without an option: `etwkit info TRACE`";
/// For symbols in the wrong place.
const SYMBOLS: &str = "a PDB file decodes WPP messages: give it with --symbols";
/// For programs in the wrong place.
const SCHEMAS: &str = "the manifest in a program decodes events: give it with --schemas";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForeignFile {
    /// In words, with an article.
    pub(super) what: &'static str,
    /// What to do with it.
    pub(super) hint: Option<&'static str>,
}

/// What a file is by its first bytes, if that has a name and is neither text, nor XML, nor what is `wanted`.
pub(super) fn identify(path: &Path, wanted: ForeignFormat) -> Option<ForeignFile> {
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(START).read_to_end(&mut start)).ok()?;
    let source = Input::bytes("", start);
    let error = match Head::read(&source, FileId::FIRST, &mut Vec::new()) {
        Ok(head) if head.is_missing() => return None,
        Ok(_) => return Some(ForeignFile { what: "an .etl trace", hint: Some(TRACE) }),
        Err(error) => error,
    };
    let ErrorKind::NotATrace(format) = *error.kind() else { return None };
    if format == wanted {
        return None;
    }
    let hint = match format {
        ForeignFormat::Pdb => Some(SYMBOLS),
        ForeignFormat::WindowsProgram => Some(SCHEMAS),
        _ => None,
    };
    let what = if format == ForeignFormat::Empty { "empty" } else { format.name()? };
    Some(ForeignFile { what, hint })
}
