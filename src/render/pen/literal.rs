//! Constant text of any length.

use super::padded;

/// Bytes of constant text, with room after them so that they can be copied in blocks of `N` bytes.
#[derive(Clone, Debug)]
pub(crate) struct Literal<const N: usize = 32> {
    pub(super) first: [u8; N],
    /// What does not fit in the first block.
    pub(super) others: Box<[[u8; N]]>,
    pub(super) len: usize,
}

impl<const N: usize> Literal<N> {
    pub(crate) fn new(text: &[u8]) -> Self {
        let others = text.chunks(N).skip(1).map(padded).collect();
        Self { first: padded(text), others, len: text.len() }
    }
}

impl<const N: usize> Default for Literal<N> {
    fn default() -> Self {
        Self::new(&[])
    }
}
