//! Codes of the different values of a column.

use crate::same::all_are;

/// Different values up to which a column is written as codes.
pub(crate) const MOST: usize = 1 << 16;
/// Values that are looked at before a column with hardly any equal ones is given up.
pub(crate) const TRIED: usize = 1 << 12;
/// Slots that are looked at for a value: a crafted trace has values of one hash.
const PROBES: usize = 64;

/// Returns whether so many of some values are different that codes do not pay.
pub(crate) const fn are_unique(different: usize, all: usize) -> bool {
    all >= TRIED && different > all / 4 * 3
}

/// Finds the number of a value by its hash.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    /// The number of some values plus one, by their hash; 0 for none.
    slots: Vec<u32>,
    used: usize,
}

/// Where a value is.
pub(crate) enum Place {
    Known(u32),
    /// It got the next number.
    New,
}

impl Slots {
    /// Returns the number of a value. `is` states whether a number is that of the value, `hash_of` returns the hash of
    /// a number. `None` if there are too many values.
    #[inline]
    pub(crate) fn find(&mut self, hash: u64, is: impl Fn(u32) -> bool, hash_of: impl Fn(u32) -> u64) -> Option<Place> {
        if 2 * self.used >= self.slots.len() {
            self.grow(hash_of)?;
        }
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        for _ in 0..PROBES {
            let slot = self.slots.get_mut(place)?;
            if *slot == 0 {
                self.used += 1;
                *slot = self.used as u32;
                return Some(Place::New);
            }
            if is(*slot - 1) {
                return Some(Place::Known(*slot - 1));
            }
            place = (place + 1) & mask;
        }
        None
    }

    #[cold]
    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) -> Option<()> {
        if self.used >= MOST {
            return None;
        }
        let len = (4 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(len, 0);
        for number in 0..self.used as u32 {
            let mut place = hash_of(number) as usize & (len - 1);
            while self.slots.get(place).is_some_and(|slot| *slot != 0) {
                place = (place + 1) & (len - 1);
            }
            if let Some(slot) = self.slots.get_mut(place) {
                *slot = number + 1;
            }
        }
        Some(())
    }
}

/// Finds the codes of integers.
#[derive(Debug, Default)]
pub(crate) struct Distinct {
    /// Different bits, in the order of their codes.
    pub(crate) list: Vec<u64>,
    slots: Vec<Slot>,
    /// The codes plus one of values below [`SMALL`], by these; 0 for none. Empty until there is one.
    small: Vec<u32>,
}

/// Values that are found without a hash.
const SMALL: usize = 2048;

/// A value where its hash states that it is: no other memory is looked at for it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    bits: u64,
    /// Its code plus one; 0 for none.
    next: u32,
}

impl Distinct {
    /// Appends the codes of integers, given how their bits are; `None` if too many are different.
    #[inline]
    pub(crate) fn push_all<T: Copy + PartialEq>(
        &mut self,
        values: &[T],
        bits: impl Fn(T) -> u64,
        codes: &mut Vec<u32>,
    ) -> Option<()> {
        codes.reserve(values.len());
        // Columns with hardly any equal values are given up before all of them have been looked for.
        values.chunks(TRIED).try_for_each(|some| self.push_some(some, &bits, codes))
    }

    #[inline]
    fn push_some<T: Copy + PartialEq>(
        &mut self,
        values: &[T],
        bits: impl Fn(T) -> u64,
        codes: &mut Vec<u32>,
    ) -> Option<()> {
        for some in values.chunks(64) {
            let first = *some.first()?;
            let mut last = (bits(first), self.code(bits(first))?);
            if all_are(some, first) {
                codes.resize(codes.len() + some.len(), last.1);
                continue;
            }
            for value in some {
                let bits = bits(*value);
                if bits != last.0 {
                    last = (bits, self.code(bits)?);
                }
                codes.push(last.1);
            }
        }
        (!are_unique(self.list.len(), codes.len())).then_some(())
    }

    /// Returns the code of some bits; `None` if there are too many.
    #[inline]
    pub(crate) fn code(&mut self, bits: u64) -> Option<u32> {
        if bits < SMALL as u64 {
            if let Some(slot) = self.small.get_mut(bits as usize) {
                if *slot == 0 {
                    self.list.push(bits);
                    *slot = self.list.len() as u32;
                }
                return Some(*slot - 1);
            }
            return self.first_small(bits);
        }
        self.find(bits)
    }

    #[cold]
    fn first_small(&mut self, bits: u64) -> Option<u32> {
        self.small.resize(SMALL, 0);
        self.list.push(bits);
        *self.small.get_mut(bits as usize)? = self.list.len() as u32;
        Some(self.list.len() as u32 - 1)
    }

    #[inline]
    fn find(&mut self, bits: u64) -> Option<u32> {
        if 2 * self.list.len() >= self.slots.len() {
            self.grow()?;
        }
        let Self { list, slots, .. } = self;
        let mask = slots.len() - 1;
        let mut place = hash(bits) as usize & mask;
        for _ in 0..PROBES {
            let slot = slots.get_mut(place)?;
            if slot.bits == bits && slot.next > 0 {
                return Some(slot.next - 1);
            }
            if slot.next == 0 {
                list.push(bits);
                *slot = Slot { bits, next: list.len() as u32 };
                return Some(slot.next - 1);
            }
            place = (place + 1) & mask;
        }
        None
    }

    #[cold]
    fn grow(&mut self) -> Option<()> {
        if self.list.len() >= MOST {
            return None;
        }
        let len = (4 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(len, Slot::default());
        for (bits, next) in self.list.iter().zip(1..).filter(|(bits, _)| **bits >= SMALL as u64) {
            let mut place = hash(*bits) as usize & (len - 1);
            while self.slots.get(place).is_some_and(|slot| slot.next > 0) {
                place = (place + 1) & (len - 1);
            }
            if let Some(slot) = self.slots.get_mut(place) {
                *slot = Slot { bits: *bits, next };
            }
        }
        Some(())
    }
}

/// Texts by their codes, one after the other.
#[derive(Debug)]
pub(crate) struct DistinctTexts {
    ends: Vec<u32>,
    bytes: Vec<u8>,
    slots: Slots,
}

/// Bytes of different texts, about.
const MOST_BYTES: usize = 1 << 20;

impl Default for DistinctTexts {
    fn default() -> Self {
        Self { ends: vec![0], bytes: Vec::new(), slots: Slots::default() }
    }
}

impl DistinctTexts {
    /// Returns how many there are.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Returns a text; nothing if no text has the code.
    #[inline]
    pub(crate) fn get(&self, code: u32) -> &[u8] {
        of(&self.ends, &self.bytes, code)
    }

    /// Returns the code of a text; `None` if there are too many.
    #[inline]
    pub(crate) fn code(&mut self, text: &[u8]) -> Option<u32> {
        let Self { ends, bytes, slots } = self;
        let is = |code: u32| of(ends, bytes, code) == text;
        let hash_of = |code: u32| hash_text(of(ends, bytes, code));
        match slots.find(hash_text(text), is, hash_of)? {
            Place::Known(code) => Some(code),
            Place::New => {
                bytes.extend_from_slice(text);
                ends.push(u32::try_from(bytes.len()).ok()?);
                (bytes.len() <= MOST_BYTES).then_some((ends.len() - 2) as u32)
            }
        }
    }
}

#[inline]
fn of<'t>(ends: &[u32], bytes: &'t [u8], code: u32) -> &'t [u8] {
    let end = |place: usize| ends.get(place).map_or(0, |end| *end as usize);
    bytes.get(end(code as usize)..end(code as usize + 1)).unwrap_or_default()
}

/// An odd number whose product spreads bits.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The halves of a product of 128 bits together: each bit of a number decides low bits, too.
#[inline]
const fn hash(bits: u64) -> u64 {
    let product = bits as u128 * SPREAD as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The same of two words and what is before them.
#[inline]
const fn hash_pair(before: u64, words: u128) -> u64 {
    let (low, high) = (words as u64, (words >> 64) as u64);
    let product = (low ^ before ^ SPREAD) as u128 * (high ^ SPREAD.rotate_left(32)) as u128;
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn hash_text(text: &[u8]) -> u64 {
    let (pairs, rest) = text.as_chunks::<16>();
    let mut all = text.len() as u64;
    for pair in pairs {
        all = hash_pair(all.rotate_left(5), u128::from_le_bytes(*pair));
    }
    if let Some(word) = rest.first_chunk() {
        all = hash(all.rotate_left(5) ^ u64::from_le_bytes(*word));
    }
    let last = match text.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    hash(all.rotate_left(5) ^ last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_codes_until_there_are_too_many() {
        let mut distinct = Distinct::default();
        let values: Vec<u64> = (0..3_000).map(|number| number % 700 * number % 91).collect();
        let mut codes = Vec::new();
        distinct.push_all(&values, |value| value, &mut codes).unwrap();
        assert!(values.iter().zip(&codes).all(|(value, code)| distinct.list[*code as usize] == *value));
        let all: Vec<u64> = (0..100_000).collect();
        assert_eq!(Distinct::default().push_all(&all, |value| value, &mut Vec::new()), None);
    }

    #[test]
    fn texts_have_codes() {
        let mut texts = DistinctTexts::default();
        let all: Vec<String> = (0..500).map(|number| "x".repeat(number % 37) + &(number % 50).to_string()).collect();
        let codes: Vec<u32> = all.iter().map(|text| texts.code(text.as_bytes()).unwrap()).collect();
        assert!(all.iter().zip(&codes).all(|(text, code)| texts.get(*code) == text.as_bytes()));
        assert_eq!(texts.code(b"").map(|code| texts.get(code).len()), Some(0));
        assert_eq!(texts.code(&vec![b'y'; MOST_BYTES + 1]), None);
    }

    #[test]
    fn values_that_differ_in_high_bits_have_different_hashes() {
        for shift in [0, 16, 32, 40, 48] {
            let values: Vec<u64> = (0..4_000).map(|number| (number % 2_000) << shift).collect();
            assert!(Distinct::default().push_all(&values, |value| value, &mut Vec::new()).is_some(), "{shift}");
        }
    }

    #[test]
    fn texts_of_one_hash_are_given_up() {
        let mut slots = Slots::default();
        let found = (0..1_000).try_for_each(|_| slots.find(5, |_| false, |_| 5).map(drop));
        assert!(found.is_none());
    }
}
