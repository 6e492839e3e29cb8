//! Codes of values, in order.

use std::ops::Range;

/// Codes. As long as all are 0, only their number is kept: many columns have one value.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    list: Vec<u32>,
    /// Codes that are 0, if there is no list.
    zeros: usize,
    /// How many will come.
    expected: usize,
}

/// Some neighbouring codes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SomeCodes<'c> {
    /// As many that are 0.
    Zeros(usize),
    List(&'c [u32]),
}

impl Codes {
    /// Makes room for as many, once one is not 0.
    pub(crate) fn expecting(expected: usize) -> Self {
        Self { expected, ..Self::default() }
    }

    /// Appends equal ones.
    pub(crate) fn repeat(&mut self, code: u32, count: usize) {
        if self.list.is_empty() && code == 0 {
            self.zeros += count;
        } else {
            let list = self.list();
            list.resize(list.len() + count, code);
        }
    }

    /// Returns the list, to which others are appended.
    pub(crate) fn list(&mut self) -> &mut Vec<u32> {
        self.list.reserve(self.expected.saturating_sub(self.list.len()));
        if self.zeros > 0 {
            self.list.resize(self.zeros, 0);
            self.zeros = 0;
        }
        &mut self.list
    }

    /// Drops a list of codes that are all 0.
    pub(crate) fn shorten(&mut self) {
        self.zeros = self.len();
        self.list = Vec::new();
    }

    pub(crate) const fn len(&self) -> usize {
        self.list.len() + self.zeros
    }

    pub(crate) fn get(&self, range: Range<usize>) -> SomeCodes<'_> {
        if self.zeros > 0 {
            return SomeCodes::Zeros(range.end.min(self.zeros).saturating_sub(range.start));
        }
        SomeCodes::List(self.list.get(range).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_counted_until_another_code_comes() {
        let mut codes = Codes::expecting(9);
        codes.repeat(0, 3);
        codes.repeat(0, 1);
        assert!(matches!(codes.get(1..4), SomeCodes::Zeros(3)) && codes.len() == 4);
        codes.repeat(1, 2);
        codes.list().push(2);
        assert!(matches!(codes.get(2..7), SomeCodes::List([0, 0, 1, 1, 2])) && codes.len() == 7);
        codes.shorten();
        assert!(matches!(codes.get(5..7), SomeCodes::Zeros(2)));
    }
}
