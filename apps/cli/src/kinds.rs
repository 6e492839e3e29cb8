//! What a file is that was given as schemas or symbols and is neither.

use std::path::Path;

use etwkit::ErrorKind;
use etwkit::container::Head;
use etwkit::input::Input;

/// For traces in the wrong place.
const TRACE: &str = "traces are given without an option: `etwkit info TRACE`";
/// For symbols in the wrong place.
const SYMBOLS: &str = "a PDB file decodes WPP messages: give it with --symbols";
/// For programs in the wrong place.
const SCHEMAS: &str = "the manifest in a program decodes events: give it with --schemas";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// In words, with an article.
    pub(crate) what: &'static str,
    /// What to do with it.
    pub(crate) hint: Option<&'static str>,
}

/// What a program is called by the engine.
pub(crate) const PROGRAM: &str = "a Windows program";
/// What a PDB file is called by the engine.
pub(crate) const PDB: &str = "a PDB file";

/// What a file is by its first bytes, if that has a name and is neither text, nor XML, nor what is `wanted`.
pub(crate) fn of_other(path: &Path, wanted: &str) -> Option<Kind> {
    let source = Input::open(path).ok()?;
    let error = match Head::read(&source, 0, &mut Vec::new()) {
        Ok(head) if head.is_missing() => return None,
        Ok(_) => return Some(Kind { what: "an .etl trace", hint: Some(TRACE) }),
        Err(error) => error,
    };
    let ErrorKind::NotATrace(what) = *error.kind() else { return None };
    let hint = match what {
        PDB => Some(SYMBOLS),
        PROGRAM => Some(SCHEMAS),
        _ => None,
    };
    if what == "the file is empty" {
        return Some(Kind { what: "empty", hint });
    }
    // Other words tell why it is no trace, not what it is; after a colon they tell how to get one out of it.
    let has_name = (what.starts_with("a ") || what.starts_with("an ")) && what != wanted;
    let name = what.split([':', '(']).next().unwrap_or(what).trim_end();
    has_name.then_some(Kind { what: name, hint })
}
