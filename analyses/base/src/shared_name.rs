//! Names that many rows show.

use etwkit::bytes::cut_text;
use etwkit::limits::MAX_SHARED_NAME;

/// Returns a name that one event states and the rows of any number of others show. A name of more than
/// [`MAX_SHARED_NAME`] bytes is cut, and ends with `…`.
pub fn shared_name(name: &str) -> Box<str> {
    if name.len() <= MAX_SHARED_NAME { name.into() } else { format!("{}…", cut_text(name, MAX_SHARED_NAME)).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_names_are_cut() {
        let longest = "ä".repeat(MAX_SHARED_NAME / 2);
        assert_eq!(*shared_name(&longest), *longest);
        assert_eq!(*shared_name(&format!("{longest}ä")), format!("{longest}…"));
    }
}
