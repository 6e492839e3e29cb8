//! GUIDs in the byte order of Windows.

use std::fmt;

/// A GUID as stored in a trace: u32, u16, u16 little endian, then 8 bytes (`guiddef.h`).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid([u8; 16]);

impl Guid {
    /// From the digits of the text form, e.g. `Guid::new(0x68fdd900_4a3e_11d1_84f4_0000f80464e3)`.
    pub const fn new(digits: u128) -> Self {
        let b = digits.to_be_bytes();
        Self([b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]])
    }

    /// Returns the 16 bytes as written to a file.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// All zero: activity of no activity, event GUID of no event.
    pub const NIL: Self = Self([0; 16]);
}

/// Lower case, hyphens, no braces.
impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TEXT_ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
        for (n, &at) in TEXT_ORDER.iter().enumerate() {
            if matches!(n, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{:02x}", self.0[at])?;
        }
        Ok(())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Guid;

    #[test]
    fn text_and_bytes_agree_with_windows() {
        let guid = Guid::new(0x68fdd900_4a3e_11d1_84f4_0000f80464e3);
        assert_eq!(guid.to_string(), "68fdd900-4a3e-11d1-84f4-0000f80464e3");
        assert_eq!(guid.to_bytes()[..8], [0x00, 0xd9, 0xfd, 0x68, 0x3e, 0x4a, 0xd1, 0x11]);
    }
}
