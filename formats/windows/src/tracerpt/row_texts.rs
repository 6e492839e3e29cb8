//! Texts one after the other.

/// Some texts that are parts of one.
#[derive(Clone, Debug)]
pub(super) struct RowTexts<'a> {
    text: &'a str,
    /// Where each ends.
    ends: &'a [usize],
    /// Where the next one begins.
    start: usize,
}

impl<'a> RowTexts<'a> {
    /// The first one begins at `start`.
    pub(super) const fn new(text: &'a str, ends: &'a [usize], start: usize) -> Self {
        Self { text, ends, start }
    }
}

impl<'a> Iterator for RowTexts<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        let (end, ends) = self.ends.split_first()?;
        let start = std::mem::replace(&mut self.start, *end);
        self.ends = ends;
        Some(self.text.get(start..*end).unwrap_or_default())
    }

    #[inline]
    fn nth(&mut self, number: usize) -> Option<&'a str> {
        if let Some(before) = number.checked_sub(1) {
            self.start = self.ends.get(before).copied().unwrap_or(self.start);
        }
        self.ends = self.ends.get(number..).unwrap_or_default();
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.ends.len(), Some(self.ends.len()))
    }
}

impl DoubleEndedIterator for RowTexts<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (end, ends) = self.ends.split_last()?;
        self.ends = ends;
        let start = ends.last().map_or(self.start, |end| *end);
        Some(self.text.get(start..*end).unwrap_or_default())
    }
}

impl ExactSizeIterator for RowTexts<'_> {}
