//! Values that lie at equal distances.

/// Bytes of which some of each stride are a value, from the first byte of the first value on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided<'b> {
    bytes: &'b [u8],
    stride: usize,
}

impl<'b> Strided<'b> {
    /// Values one behind the other, of so many bytes each.
    pub(crate) fn new(bytes: &'b [u8], stride: usize) -> Self {
        Self { bytes, stride: stride.max(1) }
    }

    /// The values at a place of records.
    pub(crate) fn at(records: &'b [u8], place: usize, record: usize) -> Self {
        Self::new(records.get(place..).unwrap_or_default(), record)
    }

    /// Returns the values, of so many bytes each.
    #[inline]
    pub(crate) fn pieces<const N: usize>(self) -> impl ExactSizeIterator<Item = [u8; N]> + 'b {
        self.bytes.chunks(self.stride).map(|piece| piece.first_chunk().copied().unwrap_or([0; N]))
    }

    /// Returns the values, of so many bytes each, if nothing is between them: loops over these are vectorised.
    #[inline]
    pub(crate) fn dense<const N: usize>(self) -> Option<&'b [[u8; N]]> {
        (self.stride == N).then_some(self.bytes.as_chunks().0)
    }

    /// Returns what begins with each value.
    pub(crate) fn rest(self) -> impl Iterator<Item = &'b [u8]> {
        self.bytes.chunks(self.stride)
    }
}
