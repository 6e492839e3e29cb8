//! Bytes of a manifest as text.

use std::borrow::Cow;

use etwkit::bytes::Utf16Text;
use etwkit::error::{Error, Result};

/// Bytes of a manifest that is read: the largest that Windows has are some 3 MB.
pub(super) const MAX_MANIFEST: usize = 64 << 20;

/// UTF-16 if the first two bytes say so, as a byte order mark or as `<` with a zero; else UTF-8, in which what is not
/// valid is replaced: a misspelt comment is no reason to lose a provider.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    if bytes.len() > MAX_MANIFEST {
        return Err(Error::limit("bytes of a manifest", MAX_MANIFEST));
    }
    Ok(match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest).into(),
        [b'<', 0, ..] => wide(bytes).into(),
        [0xFE, 0xFF, rest @ ..] => wide_swapped(rest).into(),
        [0, b'<', ..] => wide_swapped(bytes).into(),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    })
}

fn wide(bytes: &[u8]) -> String {
    Utf16Text(bytes).to_string()
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
            assert_eq!(decode(bytes).unwrap(), "<a>", "{bytes:?}");
        }
        assert_eq!(decode(b"<\xFF>").unwrap(), "<\u{FFFD}>");
    }
}
