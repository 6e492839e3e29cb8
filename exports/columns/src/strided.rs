//! Values that lie at equal distances.

/// Records one after the other, of which each has a value at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided<'b> {
    records: &'b [u8],
    at: usize,
    /// Bytes of a record.
    stride: usize,
}

impl<'b> Strided<'b> {
    /// Values one after the other, of so many bytes each.
    pub(crate) fn new(bytes: &'b [u8], stride: usize) -> Self {
        Self { records: bytes, at: 0, stride: stride.max(1) }
    }

    /// The values at a place of records.
    pub(crate) fn at(records: &'b [u8], at: usize, record: usize) -> Self {
        Self { records, at, stride: record.max(1) }
    }

    /// Returns the values, of so many bytes each.
    #[inline]
    pub(crate) fn pieces<const N: usize>(self) -> impl ExactSizeIterator<Item = [u8; N]> + 'b {
        let Self { records, at, stride } = self;
        // All chunks have one length, so that the check of the place is the same for all, and done once.
        let value = move |record: &[u8]| record.get(at..at + N).and_then(|value| value.first_chunk().copied());
        records.chunks_exact(stride).map(move |record| value(record).unwrap_or([0; N]))
    }

    /// Returns the values, of so many bytes each, if nothing is between them: loops over these are vectorised.
    #[inline]
    pub(crate) fn dense<const N: usize>(self) -> Option<&'b [[u8; N]]> {
        (self.stride == N).then_some(self.records.as_chunks().0)
    }

    /// Returns what begins with each value.
    pub(crate) fn rest(self) -> impl Iterator<Item = &'b [u8]> {
        self.records.get(self.at..).unwrap_or_default().chunks(self.stride)
    }
}
