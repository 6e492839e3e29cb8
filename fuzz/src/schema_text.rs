//! The text form of schemas.

use etwkit::schema::text;

/// Parses a text; what parses is printed, parsed again, and is the same.
pub fn schema_text(data: &[u8]) {
    let Ok(given) = std::str::from_utf8(data) else { return };
    let Ok(entries) = text::parse(given) else { return };
    let printed = text::print(&entries);
    let again = match text::parse(&printed) {
        Ok(again) => again,
        Err(error) => panic!("what was printed does not parse: {error}\n{printed}"),
    };
    // Names beyond their cap are cut by the first reading, and are whole to the second.
    if entries.iter().any(|entry| entry.schema.has_cut_names()) {
        assert_eq!(printed, text::print(&again));
    } else {
        assert_eq!(entries, again, "parse(print(x)) is not x:\n{printed}");
    }
}
