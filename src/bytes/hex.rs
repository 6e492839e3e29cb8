//! Bytes as hexadecimal digits.

use std::fmt::{self, Write as _};

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
    out.extend(bytes.iter().flat_map(|&byte| digits(byte)));
}

#[inline]
fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0');
    [digit(byte >> 4), digit(byte & 15)]
}
