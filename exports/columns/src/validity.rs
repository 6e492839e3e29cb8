//! Which values of an array are null.

/// A bit per value, set unless it is null: the first value is the lowest bit of the first byte, as in Arrow.
#[derive(Clone, Debug, Default)]
pub struct Validity {
    /// Empty while no value is null, and of at most [`MOST_EQUAL`] nulls alone.
    bits: Vec<u8>,
    len: usize,
    nulls: usize,
}

impl Validity {
    /// Returns how many values there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns how many values are null.
    pub const fn nulls(&self) -> usize {
        self.nulls
    }

    /// Returns the bits; `None` if no value is null. Bits after the last value are clear.
    pub fn bits(&self) -> Option<&[u8]> {
        let bits = if self.bits.is_empty() { NULLS.get(..self.len.div_ceil(8)) } else { Some(self.bits.as_slice()) };
        bits.filter(|_| self.nulls > 0)
    }

    /// Returns the memory of [`Validity::bits`].
    pub fn into_bits(mut self) -> Option<Vec<u8>> {
        self.settle();
        (self.nulls > 0).then_some(self.bits)
    }

    /// Returns whether a value is there and not null.
    pub fn is_valid(&self, place: usize) -> bool {
        let bit = |byte: &u8| byte >> (place % 8) & 1 == 1;
        place < self.len && self.bits().is_none_or(|bits| bits.get(place / 8).is_some_and(bit))
    }

    /// Values that are all null, or none of them.
    pub(crate) fn of_equal(is_valid: bool, values: usize) -> Self {
        let mut validity = Self::default();
        if is_valid || values > MOST_EQUAL {
            validity.push_all(is_valid, values);
        } else {
            (validity.len, validity.nulls) = (values, values);
        }
        validity
    }

    /// Appends a value.
    #[inline]
    pub(crate) fn push(&mut self, is_valid: bool) {
        if self.nulls == 0 {
            if is_valid {
                self.len += 1;
                return;
            }
            self.fill();
        }
        self.settle();
        self.push_bit(is_valid);
    }

    /// Appends values that are all null, or none of them.
    #[inline]
    pub(crate) fn push_all(&mut self, is_valid: bool, values: usize) {
        if self.nulls == 0 && is_valid {
            self.len += values;
        } else {
            self.push_bits(is_valid, values);
        }
    }

    #[inline(never)]
    fn push_bits(&mut self, is_valid: bool, values: usize) {
        self.bits.reserve((self.len + values).div_ceil(8).saturating_sub(self.bits.len()));
        if self.nulls == 0 {
            self.fill();
        }
        self.settle();
        let mut left = values;
        while left > 0 && !self.len.is_multiple_of(8) {
            self.push_bit(is_valid);
            left -= 1;
        }
        let whole = left - left % 8;
        self.bits.resize(self.bits.len() + whole / 8, if is_valid { 0xFF } else { 0 });
        self.len += whole;
        self.nulls += if is_valid { 0 } else { whole };
        (whole..left).for_each(|_| self.push_bit(is_valid));
    }

    /// Appends values, given whether each is not null.
    pub(crate) fn extend(&mut self, mut values: impl ExactSizeIterator<Item = bool>) {
        if self.nulls == 0 {
            self.fill();
        }
        self.settle();
        while !self.len.is_multiple_of(8)
            && let Some(is_valid) = values.next()
        {
            self.push_bit(is_valid);
        }
        while values.len() > 0 {
            let eight = values.by_ref().take(8);
            let (mut byte, mut bits) = (0, 0);
            for is_valid in eight {
                byte |= u8::from(is_valid) << bits;
                bits += 1;
            }
            self.bits.push(byte);
            self.len += bits as usize;
            self.nulls += (bits - byte.count_ones()) as usize;
        }
    }

    /// Appends those of other values.
    pub(crate) fn append(&mut self, other: &Self) {
        match other.bits() {
            None => self.push_all(true, other.len),
            Some(_) if (self.nulls, other.nulls) == (self.len, other.len) => {
                *self = Self::of_equal(false, self.len + other.len);
            }
            Some(_) if other.nulls == other.len => self.push_all(false, other.len),
            Some(_) => self.extend((0..other.len).map(|place| other.is_valid(place))),
        }
    }

    /// Takes back the last value, which is not null.
    pub(crate) fn pop(&mut self) {
        self.len -= usize::from(self.len > 0);
        if self.nulls > 0 {
            self.bits.truncate(self.len.div_ceil(8));
            if let Some(last) = self.bits.last_mut().filter(|_| !self.len.is_multiple_of(8)) {
                *last &= (1 << (self.len % 8)) - 1;
            }
        }
    }

    /// Makes the bits of nulls alone.
    #[inline]
    fn settle(&mut self) {
        if self.bits.is_empty() && self.nulls > 0 {
            self.bits.resize(self.len.div_ceil(8), 0);
        }
    }

    /// Makes the bits of the values so far, none of which is null.
    #[cold]
    fn fill(&mut self) {
        self.bits.clear();
        self.bits.resize(self.len / 8, 0xFF);
        if !self.len.is_multiple_of(8) {
            self.bits.push((1 << (self.len % 8)) - 1);
        }
    }

    #[inline]
    fn push_bit(&mut self, is_valid: bool) {
        let place = self.len % 8;
        if place == 0 {
            self.bits.push(0);
        }
        if let Some(last) = self.bits.last_mut() {
            *last |= u8::from(is_valid) << place;
        }
        self.len += 1;
        self.nulls += usize::from(!is_valid);
    }
}

impl PartialEq for Validity {
    fn eq(&self, other: &Self) -> bool {
        (self.len, self.nulls, self.bits()) == (other.len, other.nulls, other.bits())
    }
}

impl Eq for Validity {}

/// Nulls alone that need no bits of their own: as many as a batch has rows.
const MOST_EQUAL: usize = 1 << 16;
/// Their bits.
static NULLS: [u8; MOST_EQUAL / 8] = [0; MOST_EQUAL / 8];

/// Given whether each value is not null.
impl FromIterator<bool> for Validity {
    fn from_iter<I: IntoIterator<Item = bool>>(values: I) -> Self {
        let mut validity = Self::default();
        values.into_iter().for_each(|is_valid| validity.push(is_valid));
        validity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_arrow() {
        for before in 0..20 {
            let mut validity = Validity::default();
            (0..before).for_each(|_| validity.push(true));
            assert_eq!(validity.bits(), None);
            for valid in [false, true, false] {
                validity.push(valid);
            }
            assert_eq!((validity.len(), validity.nulls()), (before + 3, 2));
            let all: Vec<bool> = (0..before + 4).map(|place| validity.is_valid(place)).collect();
            assert_eq!(all, [vec![true; before], vec![false, true, false, false]].concat());
            assert_eq!(validity.bits().map(<[u8]>::len), Some((before + 3).div_ceil(8)));
        }
    }

    #[test]
    fn values_are_appended_together_as_one_by_one() {
        for (before, values) in (0..40_usize).map(|number| (number % 10, number)) {
            for kinds in [[true, true], [false, true], [true, false], [false, false]] {
                let (mut one, mut all) = (Validity::default(), Validity::default());
                (0..before).for_each(|_| one.push(true));
                all.push_all(true, before);
                for is_valid in kinds {
                    (0..values).for_each(|_| one.push(is_valid));
                    all.push_all(is_valid, values);
                }
                assert_eq!(one.bits(), all.bits());
                assert_eq!((one.len(), one.nulls()), (all.len(), all.nulls()));
                let mut mixed = one.clone();
                (0..values).for_each(|place| one.push(place % 3 != 1));
                all.extend((0..values).map(|place| place % 3 != 1));
                assert_eq!((one.bits(), one.len()), (all.bits(), all.len()));
                (0..3).for_each(|_| mixed.push(true));
                (0..3).for_each(|_| mixed.pop());
                assert_eq!(mixed.len() + values, all.len());
            }
        }
    }

    #[test]
    fn a_value_that_is_taken_back_was_never_there() {
        for before in 1..20 {
            let mut validity = Validity::default();
            (0..before).for_each(|place| validity.push(place % 2 == 1));
            let without = validity.clone();
            validity.push(true);
            validity.pop();
            assert_eq!((validity.bits(), validity.len()), (without.bits(), without.len()));
        }
    }
}
