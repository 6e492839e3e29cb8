//! Damage that repeats.

/// A small generator of numbers (xorshift), so that failures repeat.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % below
    }

    /// Changes, drops and doubles a few bytes.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.next(8) {
            let at = self.next(bytes.len());
            match self.next(8) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = 0xFF,
                2 => bytes[at] = 0,
                _ => bytes[at] = u8::try_from(self.next(256)).unwrap(),
            }
        }
    }
}

/// How often a test with random damage tries; `ETWKIT_ROUNDS` sets it.
pub(crate) fn rounds() -> usize {
    std::env::var("ETWKIT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}
