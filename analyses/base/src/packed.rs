//! Numbers in few bytes.

use etwkit::bytes::{push_signed_varint, push_varint, take_signed_varint, take_varint};

/// Numbers one after the other, each in as few bytes as it needs: for lists of which an analysis keeps all. They are
/// read in the order in which they were pushed.
#[derive(Clone, Debug, Default)]
pub struct PackedNumbers {
    bytes: Vec<u8>,
}

/// Reads numbers of [`PackedNumbers`]; what is beyond their end is 0 or absent.
#[derive(Clone, Debug)]
pub struct NumberReader<'p> {
    rest: &'p [u8],
    end: usize,
}

/// How a measure is packed: the two low bits of its first number.
mod form {
    /// A whole number.
    pub(super) const WHOLE: i64 = 0;
    /// Ten-thousandths, as milliseconds have them: times are units of 100 ns.
    pub(super) const TEN_THOUSANDTHS: i64 = 1;
    /// The bits of the number follow.
    pub(super) const BITS: i64 = 2;
    /// There is none.
    pub(super) const ABSENT: i64 = 3;
}

/// Above it, not all whole numbers are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;
const TEN_THOUSAND: f64 = 10_000.0;

impl PackedNumbers {
    /// Returns the place of the next number.
    pub const fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Appends a number.
    pub fn push(&mut self, number: u64) {
        push_varint(&mut self.bytes, number);
    }

    /// Appends a number of either sign, such as the difference from the one before.
    pub fn push_signed(&mut self, number: i64) {
        push_signed_varint(&mut self.bytes, number);
    }

    /// Appends numbers some of which may be absent, at most 64.
    pub fn push_options<const N: usize>(&mut self, numbers: &[Option<u64>; N]) {
        const { assert!(N <= 64) };
        let present = numbers.iter().rev().fold(0, |present, number| present << 1 | u64::from(number.is_some()));
        self.push(present);
        numbers.iter().flatten().for_each(|number| self.push(*number));
    }

    /// Appends a measure, exactly. Whole numbers and milliseconds are short.
    pub fn push_measure(&mut self, measure: Option<f64>) {
        let Some(measure) = measure else { return self.push_signed(form::ABSENT) };
        let is_exact = |number: f64| number.to_bits() == measure.to_bits();
        if let Some(number) = whole(measure).filter(|number| is_exact(*number as f64)) {
            return self.push_signed(number << 2 | form::WHOLE);
        }
        let units = whole((measure * TEN_THOUSAND).round());
        if let Some(units) = units.filter(|units| is_exact(*units as f64 / TEN_THOUSAND)) {
            return self.push_signed(units << 2 | form::TEN_THOUSANDTHS);
        }
        self.push_signed(form::BITS);
        self.bytes.extend_from_slice(&measure.to_bits().to_le_bytes());
    }

    /// Reads from a place on.
    pub fn read(&self, place: usize) -> NumberReader<'_> {
        NumberReader { rest: self.bytes.get(place..).unwrap_or_default(), end: self.bytes.len() }
    }
}

/// The whole number near a measure, if there is room for it beside the form.
fn whole(measure: f64) -> Option<i64> {
    (measure.abs() < EXACT).then_some(measure as i64)
}

impl NumberReader<'_> {
    /// Returns the place of the next number; `None` after the last one.
    pub const fn place(&self) -> Option<usize> {
        if self.rest.is_empty() { None } else { Some(self.end - self.rest.len()) }
    }

    /// Reads what [`PackedNumbers::push`] appended.
    pub fn number(&mut self) -> u64 {
        take_varint(&mut self.rest).unwrap_or(0)
    }

    /// Reads what [`PackedNumbers::push_signed`] appended.
    pub fn signed(&mut self) -> i64 {
        take_signed_varint(&mut self.rest).unwrap_or(0)
    }

    /// Reads what [`PackedNumbers::push_options`] appended.
    pub fn options<const N: usize>(&mut self) -> [Option<u64>; N] {
        let mut present = self.number();
        [(); N].map(|()| {
            let is_present = present & 1 != 0;
            present >>= 1;
            is_present.then(|| self.number())
        })
    }

    /// Reads what [`PackedNumbers::push_measure`] appended.
    pub fn measure(&mut self) -> Option<f64> {
        let number = take_signed_varint(&mut self.rest)?;
        match number & 3 {
            form::WHOLE => Some((number >> 2) as f64),
            form::TEN_THOUSANDTHS => Some((number >> 2) as f64 / TEN_THOUSAND),
            form::BITS => {
                let (bits, rest) = self.rest.split_first_chunk()?;
                self.rest = rest;
                Some(f64::from_bits(u64::from_le_bytes(*bits)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn measure() -> impl Strategy<Value = Option<f64>> {
        let of_units = any::<i64>().prop_map(|units| Some(units as f64 / TEN_THOUSAND));
        let whole = (-9_000..9_000_i64).prop_map(|number| Some(number as f64));
        let special = prop_oneof![Just(-0.0), Just(f64::NAN), Just(f64::INFINITY), Just(0.1 + 0.2), Just(EXACT)];
        prop_oneof![Just(None), of_units, whole, special.prop_map(Some), any::<f64>().prop_map(Some)]
    }

    proptest! {
        #[test]
        fn numbers_come_back(
            rows in prop::collection::vec((any::<u64>(), any::<i64>(), any::<[Option<u64>; 3]>(), measure()), 0..20),
        ) {
            let mut packed = PackedNumbers::default();
            let mut places = Vec::new();
            for (number, signed, options, measure) in &rows {
                places.push(packed.end());
                packed.push(*number);
                packed.push_signed(*signed);
                packed.push_options(options);
                packed.push_measure(*measure);
            }
            for (place, (number, signed, options, measure)) in places.into_iter().zip(rows) {
                let mut reader = packed.read(place);
                prop_assert_eq!(reader.place(), Some(place));
                prop_assert_eq!((reader.number(), reader.signed(), reader.options()), (number, signed, options));
                prop_assert_eq!(reader.measure().map(f64::to_bits), measure.map(f64::to_bits));
            }
            prop_assert_eq!(packed.read(packed.end()).place(), None);
        }
    }

    #[test]
    fn milliseconds_are_short() {
        let len = |measure| {
            let mut packed = PackedNumbers::default();
            packed.push_measure(measure);
            packed.end()
        };
        assert_eq!([None, Some(0.0), Some(7.0), Some(0.2), Some(1.418)].map(len), [1, 1, 1, 2, 3]);
        assert_eq!(len(Some(1.0 / 3.0)), 9);
    }
}
