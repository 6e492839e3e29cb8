//! MOF text.

use etwkit::schema::text;
use etwkit_mof::Mof;

/// Schemas of a text that are made.
const ENTRIES: usize = 4096;

/// Parses a text and makes all schemas of it; they are printed, parsed, and print the same again.
pub fn mof(data: &[u8]) {
    let Ok(mof) = Mof::parse("fuzz.mof", data) else { return };
    let Ok(entries) = mof.entries().take(ENTRIES).collect::<Result<Vec<_>, _>>() else { return };
    for note in mof.notes() {
        assert!(note.line > 0 && note.column > 0, "a note without a place: {note}");
    }
    let printed = text::print(&entries);
    match text::parse(&printed) {
        Ok(again) => assert_eq!(printed, text::print(&again), "what is read back prints otherwise"),
        // A text has a limit of its own for what it may take.
        Err(error) if error.to_string().contains("limit") => {}
        Err(error) => panic!("what was printed does not parse: {error}\n{printed}"),
    }
}
