//! What a file is that was given as schemas or symbols and is neither.

use std::path::Path;

use etwkit::container::Head;
use etwkit::input::Input;
use etwkit::{ErrorKind, ForeignFormat};

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
    let source = Input::open(path).ok()?;
    let error = match Head::read(&source, 0, &mut Vec::new()) {
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
