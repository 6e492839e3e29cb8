//! Numbers of versions that look like IPv4 addresses.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::view::View;

/// What follows the version in identities of assemblies and packages: culture or processor, and the token of the
/// publisher: `__b77a5c561934e089`, `_x64__kzf8qxf38zg5c`, `_none_6595b64144ccf1df`.
static TOKEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?i-u)_[a-z0-9\-]{0,11}_{1,2}[0-9a-z]{13,16}(?:[^0-9a-z]|$)").ok());
/// Between `Version` and the number: `=`, `: `, `="`.
const LONGEST_BETWEEN: usize = 3;
/// Bytes that are looked at after a number.
const BEHIND: usize = 40;

/// Returns whether four numbers are a version by what is around them.
pub(super) fn is_version(view: &View<'_>, found: &Range<usize>) -> bool {
    let before = view.text.get(..found.start).unwrap_or_default();
    let behind = view.text.get(found.end..).unwrap_or_default();
    let text = view.text.get(found.clone()).unwrap_or_default();
    // No machine has the address 4.0.0.0.
    text.ends_with(b".0.0.0") || is_named(before) || is_marked(before) || is_identity(behind)
}

/// `Version=`, as in names of assemblies, `ModuleVersion="`, `version `.
fn is_named(before: &[u8]) -> bool {
    let between = before.iter().rev().take(LONGEST_BETWEEN).take_while(|byte| b"=:\"' ".contains(byte)).count();
    let word = before.get(..before.len() - between).unwrap_or_default();
    word.len().checked_sub(7).and_then(|at| word.get(at..)).is_some_and(|word| word.eq_ignore_ascii_case(b"version"))
}

/// `v1.2.3.4`, and `~31bf3856ad364e35~amd64~~6.2.1.1` of packages of Windows.
fn is_marked(before: &[u8]) -> bool {
    match before {
        [.., other, b'v' | b'V'] => !other.is_ascii_alphanumeric(),
        [b'v' | b'V'] | [.., b'~'] => true,
        _ => false,
    }
}

fn is_identity(behind: &[u8]) -> bool {
    let behind = behind.get(..behind.len().min(BEHIND)).unwrap_or_default();
    TOKEN.as_ref().is_some_and(|token| token.is_match(behind))
}
