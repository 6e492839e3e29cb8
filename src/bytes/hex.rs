//! Bytes as hexadecimal digits.

use std::fmt::{self, Write as _};

use super::digits::hex_of_bytes;

/// Displays bytes as lower-case digits without separators.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'d>(pub &'d [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&byte| {
            let [high, low] = digits(byte);
            f.write_char(high.into())?;
            f.write_char(low.into())
        })
    }
}

/// Appends `bytes` to `out` as lower-case digits without separators.
pub fn write_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    out.reserve(bytes.len() * 2);
    let (blocks, rest) = bytes.as_chunks();
    for block in blocks {
        out.extend_from_slice(&hex_of_bytes(*block));
    }
    out.extend(rest.iter().flat_map(|&byte| digits(byte)));
}

#[inline]
fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0');
    [digit(byte >> 4), digit(byte & 15)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_have_two_digits_wherever_they_are() {
        let bytes: Vec<u8> = (0..=255).collect();
        for len in (0..40).chain([256]) {
            let mut out = b"x".to_vec();
            write_hex(&mut out, &bytes[256 - len..]);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{}", Hex(&bytes[256 - len..])));
        }
    }
}
