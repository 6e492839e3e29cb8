//! Sets that may have more than what was put in.

/// Bits of a set, as a power of two.
const BITS: u32 = 23;

/// A set of numbers in a fixed memory: it has all that were put in, and the fuller it is, the more others.
#[derive(Debug, Default)]
pub(crate) struct Hashes {
    /// One bit for each hash of a number; nothing before the first number.
    bits: Vec<u64>,
}

impl Hashes {
    pub(crate) fn insert(&mut self, number: u64) {
        if self.bits.is_empty() {
            self.bits = vec![0; 1 << (BITS - 6)];
        }
        let (word, bit) = place(number);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= bit;
        }
    }

    pub(crate) fn may_have(&self, number: u64) -> bool {
        let (word, bit) = place(number);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

const fn place(number: u64) -> (usize, u64) {
    let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_there() {
        let mut hashes = Hashes::default();
        assert!(!hashes.may_have(0));
        (0..1_000).for_each(|number| hashes.insert(number * number));
        assert!((0..1_000).all(|number| hashes.may_have(number * number)));
        assert!((0..1_000).filter(|number| hashes.may_have(u64::MAX - number)).count() < 10);
    }
}
