//! Bytes as hexadecimal digits.

use std::fmt;

/// Displays bytes as lower-case digits without separators.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'d>(pub &'d [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// Appends `bytes` to `out` as lower-case digits without separators.
pub fn write_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0');
    out.reserve(bytes.len() * 2);
    out.extend(bytes.iter().flat_map(|&b| [digit(b >> 4), digit(b & 15)]));
}
