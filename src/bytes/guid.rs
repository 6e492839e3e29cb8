//! GUIDs in Windows' mixed-endian order.

use std::fmt;
use std::str::FromStr;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::digits::hex8;

/// A GUID as stored in the file: `u32`, `u16`, `u16` little endian, then 8 bytes (`guiddef.h`).
///
/// Ordered by its bytes in the file, not by its text. Prints lower-case without braces; `{:#}` adds braces and
/// upper-case, as Windows' reports do.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(transparent)]
pub struct Guid([u8; 16]);

/// The text is not a GUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a GUID: expected 8-4-4-4-12 hexadecimal digits, with or without braces")]
pub struct ParseGuidError;

impl Guid {
    /// All zero: no provider, no activity.
    pub const NULL: Self = Self([0; 16]);

    /// Makes a GUID from the bytes of a file.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Makes a GUID from its number as the text form reads: `0x9e814aad_3204_11d2_9a82_006008a86939`.
    pub const fn from_u128(value: u128) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = value.to_be_bytes();
        let [i, j, k, l, m, n, o, p] = rest;
        Self([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p])
    }

    /// Returns the bytes as stored in a file.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Returns its number as the text form reads.
    pub const fn to_u128(self) -> u128 {
        let [d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p] = self.0;
        u128::from_be_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
    }

    /// Returns whether all bits are zero.
    pub const fn is_null(self) -> bool {
        self.to_u128() == 0
    }

    /// Returns the 36 characters of the plain text form.
    pub fn to_text(self) -> [u8; 36] {
        let number = self.to_u128();
        let digits = |word: u32| hex8((number >> (96 - 32 * word)) as u32).to_le_bytes();
        let [[b0, b1, b2, b3, b4, b5, b6, b7], [c0, c1, c2, c3, c4, c5, c6, c7]] = [digits(1), digits(2)];
        let [a0, a1, a2, a3, a4, a5, a6, a7] = digits(0);
        let [d0, d1, d2, d3, d4, d5, d6, d7] = digits(3);
        [
            a0, a1, a2, a3, a4, a5, a6, a7, b'-', b0, b1, b2, b3, b'-', b4, b5, b6, b7, b'-', c0, c1, c2, c3, b'-', c4,
            c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7,
        ]
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.to_text();
        if f.alternate() {
            text.make_ascii_uppercase();
        }
        let text = std::str::from_utf8(&text).unwrap_or_default();
        if f.alternate() { write!(f, "{{{text}}}") } else { f.pad(text) }
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Guid {
    type Err = ParseGuidError;

    fn from_str(text: &str) -> Result<Self, ParseGuidError> {
        let inner = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text);
        if inner.len() != 36 {
            return Err(ParseGuidError);
        }
        let mut value = 0u128;
        for (place, c) in inner.chars().enumerate() {
            if matches!(place, 8 | 13 | 18 | 23) {
                if c != '-' {
                    return Err(ParseGuidError);
                }
            } else {
                value = value << 4 | u128::from(c.to_digit(16).ok_or(ParseGuidError)?);
            }
        }
        Ok(Self::from_u128(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_number_and_text_agree() {
        let guid = Guid::from_u128(0x9e814aad_3204_11d2_9a82_006008a86939);
        assert_eq!(
            guid.to_bytes(),
            [0xad, 0x4a, 0x81, 0x9e, 0x04, 0x32, 0xd2, 0x11, 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39]
        );
        assert_eq!(guid.to_string(), "9e814aad-3204-11d2-9a82-006008a86939");
        assert_eq!(format!("{guid:#}"), "{9E814AAD-3204-11D2-9A82-006008A86939}");
        assert_eq!("{9E814AAD-3204-11D2-9A82-006008A86939}".parse(), Ok(guid));
        assert_eq!(Guid::from_u128(guid.to_u128()), guid);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "9e814aad", "9e814aad_3204-11d2-9a82-006008a86939", "ge814aad-3204-11d2-9a82-006008a86939"] {
            assert_eq!(text.parse::<Guid>(), Err(ParseGuidError), "{text}");
        }
    }
}
