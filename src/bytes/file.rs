//! Bytes of a text file that people or tools of Windows wrote.

use std::borrow::Cow;

use super::Utf16Text;

/// Returns the text of a file: UTF-16 if its first two bytes state so, else UTF-8 with or without a mark, in which what
/// is not valid is replaced: a comment in another code page is not a reason to lose the rest.
///
/// ```
/// assert_eq!(etwkit::bytes::file_text(b"\xFF\xFEa\0"), "a");
/// ```
pub fn file_text(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        _ => utf16_file(bytes).map_or_else(|| utf8(bytes), Cow::Owned),
    }
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    // To check that all is valid is faster than to look for what is not: ASCII is passed over a block at a time.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Returns the text of a file in UTF-16: one that begins with a byte order mark, or with a character of ASCII and a
/// zero, in either byte order.
pub fn utf16_file(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => Some(wide(rest)),
        [1..=0x7F, 0, ..] => Some(wide(bytes)),
        [0xFE, 0xFF, rest @ ..] => Some(wide_swapped(rest)),
        [0, 1..=0x7F, ..] => Some(wide_swapped(bytes)),
        _ => None,
    }
}

fn wide(bytes: &[u8]) -> String {
    String::from(Utf16Text(bytes))
}

fn wide_swapped(bytes: &[u8]) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    wide(&pairs.iter().flat_map(|[high, low]| [*low, *high]).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_coding() {
        for bytes in
            [&b"<a>"[..], b"\xEF\xBB\xBF<a>", b"\xFF\xFE<\0a\0>\0", b"<\0a\0>\0", b"\xFE\xFF\0<\0a\0>", b"\0<\0a\0>"]
        {
            assert_eq!(file_text(bytes), "<a>", "{bytes:?}");
        }
        assert_eq!(file_text(b"<\xFF>"), "<\u{FFFD}>");
        assert_eq!((file_text(b""), utf16_file(b"<a>")), ("".into(), None));
    }
}
