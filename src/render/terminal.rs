//! Text that is safe to print to a terminal.
//!
//! Names and values in a trace are untrusted. A terminal obeys control characters; bidirectional controls reorder
//! the rest of a line, so that it reads as something else; line separators forge lines; characters without width hide
//! text. Everything that prints text of a trace replaces them by escapes such as `\u{1b}`.

use std::borrow::Cow;
use std::io::Write as _;

/// Returns whether a character could command a terminal, reorder or hide text, or end a line.
///
/// These are the control characters (C0, DEL, C1), the bidirectional controls, the line and paragraph separators, and the
/// format characters without width that no script needs in the names of a trace.
#[must_use]
pub fn is_hazard(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61C}'                       // Arabic letter mark
            | '\u{180E}'                    // Mongolian vowel separator
            | '\u{200B}'..='\u{200F}'       // zero width; left-to-right and right-to-left marks
            | '\u{2028}'..='\u{202E}'       // separators; embeddings and overrides
            | '\u{2060}'..='\u{206F}'       // word joiner, invisible operators, isolates, deprecated controls
            | '\u{FEFF}'                    // byte order mark
            | '\u{FFF9}'..='\u{FFFB}'       // interlinear annotations
            | '\u{E0000}'..='\u{E007F}'     // tags
        )
}

/// Appends text as part of one line: every hazard is escaped, line feeds and tabs as `\n` and `\t`.
pub fn push(out: &mut Vec<u8>, text: &str) {
    if is_plain(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
    } else {
        push_escaped(out, text, is_hazard);
    }
}

/// Returns text as [`push`] appends it.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) || !text.contains(is_hazard) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 8);
    push(&mut out, text);
    Cow::Owned(String::from_utf8(out).unwrap_or_default())
}

/// Escapes the hazards in what was written from `start` on, except for line feeds and tabs: text of several lines. Bytes
/// that are not UTF-8 become U+FFFD where anything is escaped.
pub fn escape_lines_from(out: &mut Vec<u8>, start: usize) {
    let is_hazard_in_lines = |c: char| is_hazard(c) && !matches!(c, '\n' | '\t');
    let Some(written) = out.get(start..).filter(|written| !is_plain(written)) else { return };
    if std::str::from_utf8(written).is_ok_and(|text| !text.contains(is_hazard_in_lines)) {
        return;
    }
    let written = out.split_off(start);
    push_escaped(out, &String::from_utf8_lossy(&written), is_hazard_in_lines);
}

/// Escapes the hazards in JSON that was written from `start` on, which stays JSON of the same values: they can only be in
/// strings. Bytes that are not UTF-8 become U+FFFD where anything is escaped.
///
/// ```
/// use etwkit::render::terminal;
///
/// let mut out = "{\"name\":\"a\u{9b}2Jb\"}\n".as_bytes().to_vec();
/// terminal::escape_json_from(&mut out, 0);
/// assert_eq!(out, b"{\"name\":\"a\\u009b2Jb\"}\n");
/// ```
pub fn escape_json_from(out: &mut Vec<u8>, start: usize) {
    // Control characters of ASCII outside of strings are white space, in strings they are escaped.
    let is_escaped = |c: char| is_hazard(c) && (c == '\u{7f}' || !c.is_ascii());
    let is_plain = |byte: &u8| *byte < 0x7F;
    let Some(written) = out.get(start..).filter(|written| !written.iter().all(is_plain)) else { return };
    if std::str::from_utf8(written).is_ok_and(|text| !text.contains(is_escaped)) {
        return;
    }
    let written = out.split_off(start);
    for c in String::from_utf8_lossy(&written).chars() {
        if is_escaped(c) {
            push_json_escape(out, c);
        } else {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

/// Appends a character as JSON's escapes of its UTF-16.
pub(crate) fn push_json_escape(out: &mut Vec<u8>, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a vector cannot fail.
        drop(write!(out, "\\u{unit:04x}"));
    }
}

/// Appends one character as [`push`] does.
#[cfg(feature = "output")]
pub(crate) fn push_char(out: &mut Vec<u8>, c: char) {
    push_escaped(out, c.encode_utf8(&mut [0; 4]), is_hazard);
}

/// Returns whether text is printable ASCII, as nearly all of a trace is.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    // All bytes of a block are looked at, so that the compiler vectorises this.
    let (blocks, rest) = text.as_chunks::<16>();
    let other = |byte: u8| u8::from(byte < b' ') | u8::from(byte > 0x7E);
    let others = |bytes: &[u8]| bytes.iter().fold(0, |found, byte| found | other(*byte));
    blocks.iter().all(|block| others(block) == 0) && others(rest) == 0
}

fn push_escaped(out: &mut Vec<u8>, text: &str, is_escaped: impl Fn(char) -> bool) {
    for c in text.chars() {
        match c {
            c if !is_escaped(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            // Writing to a vector cannot fail.
            c => drop(write!(out, "{}", c.escape_unicode())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> String {
        let mut out = b"\x1b[0]".to_vec();
        out.extend_from_slice(text.as_bytes());
        escape_lines_from(&mut out, 4);
        String::from_utf8(out.split_off(4)).unwrap()
    }

    fn all() -> impl Iterator<Item = char> {
        (0..=u32::from(char::MAX)).filter_map(char::from_u32)
    }

    #[test]
    fn a_value_cannot_command_the_terminal() {
        assert_eq!(escaped("plain Gr\u{fc}\u{df}e"), "plain Gr\u{fc}\u{df}e");
        assert_eq!(escaped("a\u{1b}[2Jb\u{202e}\n\u{fc}\u{2028}"), "a\\u{1b}[2Jb\\u{202e}\\n\u{fc}\\u{2028}");
        assert_eq!(escaped("\r\n\t\u{7f}\u{9b}"), "\\r\\n\\t\\u{7f}\\u{9b}");
        assert_eq!(lines("a\u{1b}[2J\u{9b}\tb\r\nc"), "a\\u{1b}[2J\\u{9b}\tb\\r\nc");
        assert_eq!(lines("gr\u{fc}n\n\t\u{65e5}"), "gr\u{fc}n\n\t\u{65e5}");
    }

    #[test]
    fn hazards_are_controls_bidi_separators_and_what_has_no_width() {
        let controls = (0..0x20).chain(0x7F..0xA0);
        let bidi = [0x61C, 0x200E, 0x200F].into_iter().chain(0x202A..=0x202E).chain(0x2066..=0x2069);
        let separators = 0x2028..=0x2029;
        let no_width =
            [0x180E, 0xFEFF].into_iter().chain(0x200B..=0x200D).chain(0x2060..=0x2065).chain(0x206A..=0x206F);
        let annotations = (0xFFF9..=0xFFFB).chain(0xE0000..=0xE007F);
        let mut wanted: Vec<u32> = controls.chain(bidi).chain(separators).chain(no_width).chain(annotations).collect();
        wanted.sort_unstable();
        let found: Vec<u32> = all().filter(|c| is_hazard(*c)).map(u32::from).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn every_character_is_shown_or_escaped() {
        for c in all() {
            let text = format!("a{c}b");
            let (line, several) = (escaped(&text), lines(&text));
            assert!(!line.contains(is_hazard), "{c:?}");
            assert!(!several.contains(|c| is_hazard(c) && c != '\n' && c != '\t'), "{c:?}");
            assert_eq!(line == text, !is_hazard(c), "{c:?}");
            assert_eq!(several == text, !is_hazard(c) || matches!(c, '\n' | '\t'), "{c:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_hide_no_hazard() {
        let mut out = b"a\xFF\x1b[2J".to_vec();
        escape_lines_from(&mut out, 0);
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{FFFD}\\u{1b}[2J");
    }
}
