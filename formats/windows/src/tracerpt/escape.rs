//! Text into XML 1.0.
//!
//! XML 1.0 has no form for most control characters, not even as references. U+0000 to U+001F become the pictures of
//! themselves (U+2400 to U+241F), U+FFFE and U+FFFF become U+FFFD. Those that XML 1.0 allows as references only, or
//! that could command a terminal (U+007F to U+009F), are references; the carriage return is one too, since readers
//! would drop it.

use std::io::Write as _;

use etwkit::render::pen::{Escape, Memory, Pen};

use crate::ops::OpEscape;

/// Text as [`push_str`] appends it.
#[derive(Debug)]
pub(super) struct XmlEscape;

impl Escape for XmlEscape {
    const SPECIAL: &'static [u8] = b"&<>\"";
    const HAS_BACKSLASHES: bool = false;

    #[inline]
    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        match c {
            '<' => pen.block(b"&lt;", 4),
            '>' => pen.block(b"&gt;", 4),
            '&' => pen.block(b"&amp;", 5),
            '"' => pen.block(b"&quot;", 6),
            '\u{A0}'..='\u{FFFD}' | '\u{10000}'.. => pen.char(c),
            c => pen.with_vec(|out| push_char(out, c)),
        }
    }
}

impl OpEscape for XmlEscape {}

/// Appends text.
pub(super) fn push_str(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    out.extend_from_slice(text.as_bytes());
    escape_from(out, start);
}

/// Appends the value of an attribute.
pub(super) fn push_attribute(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    push_str(out, text);
    blanks_from(out, start);
}

/// Makes references of the line ends and tabs in the value of an attribute that was written from `start` on: as they
/// are, they would be read as blanks.
pub(super) fn blanks_from(out: &mut Vec<u8>, start: usize) {
    let text = out.get(start..).unwrap_or_default();
    let Some(first) = text.iter().position(|byte| matches!(byte, b'\n' | b'\t')) else { return };
    for byte in out.split_off(start + first) {
        match byte {
            b'\n' => out.extend_from_slice(b"&#10;"),
            b'\t' => out.extend_from_slice(b"&#9;"),
            byte => out.push(byte),
        }
    }
}

/// Escapes what was written from `start` on, if anything in it needs that.
#[inline]
pub(super) fn escape_from(out: &mut Vec<u8>, start: usize) {
    if !is_ascii_plain(out, start) {
        escape_unusual(out, start);
    }
}

/// Returns whether everything from `start` on is printable ASCII without references, a block at a time, which the
/// compiler vectorises.
#[inline]
fn is_ascii_plain(out: &[u8], start: usize) -> bool {
    let text = out.get(start..).unwrap_or_default();
    let (blocks, rest) = text.as_chunks::<16>();
    let are_plain = |block: &[u8; 16]| block.iter().fold(0, |found, byte| found | is_unusual(*byte)) == 0;
    // The last bytes as a block of their own, with what is before them.
    let rest_is_plain = rest.is_empty()
        || match out.last_chunk::<16>() {
            Some(last) => {
                let unused = 8 * (16 - rest.len());
                let blanks = u128::from_le_bytes([b' '; 16]);
                are_plain(&(u128::from_le_bytes(*last) >> unused | blanks << (128 - unused)).to_le_bytes())
            }
            None => rest.iter().all(|byte| is_unusual(*byte) == 0),
        };
    rest_is_plain && blocks.iter().all(are_plain)
}

/// As [`escape_from`], for text that may need it.
#[inline(never)]
fn escape_unusual(out: &mut Vec<u8>, start: usize) {
    let text = out.get(start..).unwrap_or_default();
    let Some(first) = text.iter().position(|byte| !is_plain(*byte)) else { return };
    if std::str::from_utf8(text).is_err() {
        let text = out.split_off(start);
        for c in String::from_utf8_lossy(&text).chars() {
            push_char(out, c);
        }
        return;
    }
    let (first, end) = (start + first, out.len());
    let mut at = first;
    while at < end {
        at = escape_next(out, at, end);
    }
    out.drain(first..end);
}

/// Appends the text from `at` on, escaped, up to its next character that needs an examination, and returns where it
/// goes on.
fn escape_next(out: &mut Vec<u8>, at: usize, end: usize) -> usize {
    let text = out.get(at..end).unwrap_or_default();
    let plain = text.iter().position(|byte| !is_plain(*byte)).unwrap_or(text.len());
    let special = text.get(plain..).and_then(first_char);
    out.extend_from_within(at..at + plain);
    let Some(special) = special else { return end };
    push_char(out, special);
    at + plain + special.len_utf8()
}

/// Replaces the hyphens in what was written from `start` on: two of them would end a comment.
pub(super) fn hyphens_from(out: &mut Vec<u8>, start: usize) {
    let (mut at, end) = (start, out.len());
    while let Some(plain) = out.get(at..end).and_then(|text| text.iter().position(|byte| *byte == b'-')) {
        out.extend_from_within(at..at + plain);
        out.extend_from_slice(b"&#45;");
        at += plain + 1;
    }
    if at > start {
        out.extend_from_within(at..end);
        out.drain(start..end);
    }
}

/// Returns the first character of a text.
fn first_char(text: &[u8]) -> Option<char> {
    // No character has more than four bytes.
    let bytes = text.get(..text.len().min(4))?;
    bytes.utf8_chunks().next()?.valid().chars().next()
}

/// Returns whether the character of a byte needs no examination. C2 begins U+0080 to U+00BF, EF begins U+F000 to
/// U+FFFF.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=0x7E | b'\n' | b'\t' | 0x80..=0xC1 | 0xC3..=0xEE | 0xF0..)
        && !matches!(byte, b'&' | b'<' | b'>' | b'"')
}

/// Returns 1 for a byte that is not printable ASCII, or has a reference; else 0.
const fn is_unusual(byte: u8) -> u8 {
    let reference = (byte == b'&') as u8 | (byte == b'<') as u8 | (byte == b'>') as u8 | (byte == b'"') as u8;
    reference | (byte < b' ') as u8 | (byte > 0x7E) as u8
}

fn push_char(out: &mut Vec<u8>, c: char) {
    let shown = match c {
        '&' => return out.extend_from_slice(b"&amp;"),
        '<' => return out.extend_from_slice(b"&lt;"),
        '>' => return out.extend_from_slice(b"&gt;"),
        '"' => return out.extend_from_slice(b"&quot;"),
        '\r' | '\u{7F}'..='\u{9F}' => return drop(write!(out, "&#{};", u32::from(c))),
        '\n' | '\t' => c,
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{FFFE}' | '\u{FFFF}' => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    out.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(push: fn(&mut Vec<u8>, &str), text: &str) -> String {
        let mut out = b"<".to_vec();
        push(&mut out, text);
        String::from_utf8(out).unwrap().split_off(1)
    }

    #[test]
    fn what_xml_cannot_say_is_shown_by_its_picture() {
        assert_eq!(escaped(push_str, "a<b> & \"c\"\n\td"), "a&lt;b&gt; &amp; &quot;c&quot;\n\td");
        assert_eq!(escaped(push_str, "\0\u{1}\u{1b}[2J\r\u{7f}\u{9b}"), "\u{2400}\u{2401}\u{241b}[2J&#13;&#127;&#155;");
        assert_eq!(
            escaped(push_str, "gr\u{fc}n \u{1F600} \u{FFFE}\u{FFFF}\u{FEFF}"),
            "gr\u{fc}n \u{1F600} \u{FFFD}\u{FFFD}\u{FEFF}"
        );
        assert_eq!(escaped(push_attribute, "a\nb\t\"\t"), "a&#10;b&#9;&quot;&#9;");
    }

    #[test]
    fn comments_have_no_hyphens() {
        for (text, replaced) in [("a-b--c", "a&#45;b&#45;&#45;c"), ("-", "&#45;"), ("abc", "abc"), ("", "")] {
            let mut out = b"<!--".to_vec();
            out.extend_from_slice(text.as_bytes());
            hyphens_from(&mut out, 4);
            assert_eq!(String::from_utf8(out).unwrap(), format!("<!--{replaced}"));
        }
    }

    #[test]
    fn every_byte_that_is_called_plain_is_plain() {
        for c in (0..0xD800).chain(0xE000..=0x11_000).filter_map(char::from_u32) {
            let text = c.to_string();
            let mut out = Vec::new();
            push_char(&mut out, c);
            assert_eq!(escaped(push_str, &text).as_bytes(), out, "{c:?}");
        }
    }
}
