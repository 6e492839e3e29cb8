//! Bytes that no field describes, and long values of bytes.

use std::io::Write as _;

use crate::bytes::write_hex;

/// Bytes that are shown of a longer value.
const SHOWN: usize = 32;

/// Appends hexadecimal digits; of many bytes the first ones, and how many there are.
pub(super) fn push_cut(out: &mut Vec<u8>, bytes: &[u8]) {
    let shown = bytes.get(..SHOWN).unwrap_or(bytes);
    write_hex(out, shown);
    if shown.len() < bytes.len() {
        // Writing to a vector cannot fail.
        let _ = write!(out, "...({} bytes)", bytes.len());
    }
}

/// As [`push_cut`], and beside them their printable characters.
pub(super) fn push_with_text(out: &mut Vec<u8>, bytes: &[u8]) {
    push_cut(out, bytes);
    out.extend_from_slice(b" |");
    let shown = bytes.get(..SHOWN).unwrap_or(bytes);
    out.extend(shown.iter().map(|byte| if (b' '..0x7F).contains(byte) { *byte } else { b'.' }));
    out.push(b'|');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_bytes_are_cut_with_their_length() {
        let text = |bytes: &[u8]| {
            let mut out = Vec::new();
            push_with_text(&mut out, bytes);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(b"Hi\0\x1b\"~\x7f"), "4869001b227e7f |Hi..\"~.|");
        let long = text(&[b'a'; 33]);
        assert_eq!(long, format!("{}...(33 bytes) |{}|", "61".repeat(32), "a".repeat(32)));
    }
}
