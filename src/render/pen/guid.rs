//! GUIDs as text.

use crate::bytes::digits::hex8;

use super::{Memory, Pen};

impl<M: Memory> Pen<M> {
    /// Writes the 36 characters of a GUID from its 16 bytes, which are mixed endian.
    #[inline]
    pub fn guid(&mut self, bytes: &[u8; 16]) {
        let [a0, a1, a2, a3, b0, b1, c0, c1, d0, d1, d2, d3, d4, d5, d6, d7] = *bytes;
        let [first, second, third, fourth] = [
            u32::from_le_bytes([a0, a1, a2, a3]),
            u32::from_be_bytes([b1, b0, c1, c0]),
            u32::from_be_bytes([d0, d1, d2, d3]),
            u32::from_be_bytes([d4, d5, d6, d7]),
        ]
        .map(hex8);
        self.block(&first.to_le_bytes(), 8);
        for pair in [second, third] {
            self.byte(b'-');
            self.block(&(pair as u32).to_le_bytes(), 4);
            self.byte(b'-');
            self.block(&((pair >> 32) as u32).to_le_bytes(), 4);
        }
        self.block(&fourth.to_le_bytes(), 8);
    }
}

#[cfg(test)]
mod tests {
    use crate::bytes::Guid;

    use super::*;

    #[test]
    fn text_is_that_of_a_guid() {
        let bytes = std::array::from_fn(|at| (at * 17 + 5) as u8);
        let mut pen = <Pen>::default();
        pen.begin();
        pen.guid(&bytes);
        assert_eq!(pen.text(), Some(&Guid::from_bytes(bytes).to_text()[..]));
    }
}
