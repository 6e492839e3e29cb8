//! Text into JSON strings.

use crate::bytes::{AnsiText, Utf16Text};

use super::terminal;

/// Appends UTF-8 text, escaped for JSON; invalid bytes become U+FFFD.
pub(crate) fn push_utf8(out: &mut Vec<u8>, text: &[u8]) {
    for chunk in text.utf8_chunks() {
        push_str(out, chunk.valid());
        if !chunk.invalid().is_empty() {
            push_char(out, char::REPLACEMENT_CHARACTER);
        }
    }
}

/// Appends text, escaped for JSON.
pub(crate) fn push_str(out: &mut Vec<u8>, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(may_need_escape) {
        let (plain, after) = rest.split_at_checked(at).unwrap_or_default();
        out.extend_from_slice(plain.as_bytes());
        let mut chars = after.chars();
        chars.by_ref().take(1).for_each(|c| push_char(out, c));
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Appends 8-bit text, escaped for JSON.
pub(crate) fn push_ansi(out: &mut Vec<u8>, text: AnsiText<'_>) {
    match std::str::from_utf8(text.0) {
        Ok(text) => push_str(out, text),
        Err(_) => text.to_string().chars().for_each(|c| push_char(out, c)),
    }
}

/// Appends UTF-16 text, escaped for JSON. Runs of plain ASCII go eight units per step.
#[inline]
pub(crate) fn push_utf16(out: &mut Vec<u8>, text: Utf16Text<'_>) {
    out.reserve(text.0.len() / 2 + 8);
    let mut rest = text;
    while !rest.0.is_empty() {
        rest = rest.plain_blocks(|ascii| !needs_escape(ascii), |block| out.extend_from_slice(&block));
        // The block that has something else, and the rest of a character that begins in it.
        let mut units = 0;
        for c in rest.chars() {
            push_char(out, c);
            units += c.len_utf16();
            if units >= 8 {
                break;
            }
        }
        rest = Utf16Text(rest.0.get(2 * units..).unwrap_or_default());
    }
}

#[inline]
pub(crate) const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\' || byte == 0x7F
}

/// Returns whether a character begins with this byte that is escaped: an ASCII one, or one that could command a
/// terminal or reorder its text ([`terminal::is_hazard`]).
#[inline]
pub(crate) const fn may_need_escape(byte: u8) -> bool {
    needs_escape(byte) || matches!(byte, 0xC2 | 0xD8 | 0xE1 | 0xE2 | 0xEF | 0xF3)
}

#[inline]
fn push_char(out: &mut Vec<u8>, c: char) {
    match u8::try_from(c) {
        Ok(byte) if byte < 0x80 && needs_escape(byte) => push_escape(out, byte),
        Ok(byte) if byte < 0x80 => out.push(byte),
        _ if terminal::is_hazard(c) => terminal::push_json_escape(out, c),
        _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(push: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = vec![b'"'];
        push(&mut out);
        out.push(b'"');
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn every_character_survives_json() {
        for text in ["", "plain", "C:\\Windows\\\"x\"\n\u{1}\u{7f}", "grün 😀 日本", "0123456789abcdef\\0123456789"]
        {
            assert_eq!(json(|out| push_str(out, text)), text);
            assert_eq!(json(|out| push_utf8(out, text.as_bytes())), text);
            assert_eq!(json(|out| push_ansi(out, AnsiText(text.as_bytes()))), text);
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(json(|out| push_utf16(out, Utf16Text(&units))), text);
        }
        assert_eq!(json(|out| push_utf8(out, b"a\xFFb")), "a\u{FFFD}b");
    }

    #[test]
    fn no_character_that_commands_a_terminal_is_in_json() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            let mut out = Vec::new();
            push_str(&mut out, &text);
            let written = String::from_utf8(out).unwrap();
            assert!(!written.contains(terminal::is_hazard), "{c:?}");
            assert_eq!(json(|out| push_str(out, &text)), text);
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let mut other = Vec::new();
            push_utf16(&mut other, Utf16Text(&units));
            assert_eq!(other, written.as_bytes(), "{c:?}");
        }
    }
}
