//! Constant text of any length.

use crate::bytes::padded;

/// Bytes of constant text, with room after them so that they can be copied in blocks of `N` bytes.
#[derive(Clone, Debug)]
pub struct Literal<const N: usize = 32> {
    pub(super) first: [u8; N],
    /// What does not fit in the first block.
    pub(super) others: Box<[[u8; N]]>,
    pub(super) len: usize,
}

impl<const N: usize> Literal<N> {
    /// Copies text.
    pub fn new(text: &[u8]) -> Self {
        let others = text.chunks(N).skip(1).map(padded).collect();
        Self { first: padded(text), others, len: text.len() }
    }

    /// Appends the text.
    pub fn push(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.first);
        self.others.iter().for_each(|block| out.extend_from_slice(block));
        out.truncate(start + self.len);
    }

    /// Returns whether there is no text.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of its bytes.
    pub const fn len(&self) -> usize {
        self.len
    }
}

impl<const N: usize> Default for Literal<N> {
    fn default() -> Self {
        Self::new(&[])
    }
}
