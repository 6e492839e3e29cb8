//! Forms of profiles as text and values.

use std::io;

use etwkit_profile::Profile;
use serde_json::Value;

/// Returns what is written.
pub(crate) fn text<T>(write: impl FnOnce(&mut Vec<u8>) -> io::Result<T>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the folded stacks, all of which have room.
pub(crate) fn folded(profile: &Profile) -> String {
    text(|out| etwkit_profile::folded(profile, out).map(|left_out| assert_eq!(left_out, 0)))
}

/// Returns a form of JSON as a value.
pub(crate) fn in_json(form: &impl serde::Serialize) -> Value {
    serde_json::to_value(form).unwrap()
}
