//! What a decoder of plain LZ77 knows between two tokens.

/// The state of a decoder between two tokens.
pub(super) struct State {
    /// Input offset of the next byte.
    pub(super) read: usize,
    /// Number of output bytes made.
    pub(super) written: usize,
    /// The unused flags from bit 63 downwards, closed by a 1.
    pub(super) flags: u64,
    /// The waiting nibble with [`NIBBLE`] set, or 0.
    pub(super) nibble: usize,
}

impl State {
    pub(super) const START: Self = Self { read: 0, written: 0, flags: NO_FLAGS, nibble: 0 };
}

/// Returns the flags of a word, closed by a 1.
pub(super) fn with_end(flags: u32) -> u64 {
    u64::from(flags) << 32 | 1 << 31
}

/// [`State::flags`] when all flags are used.
pub(super) const NO_FLAGS: u64 = 1 << 63;
/// Marks a nibble as present.
pub(super) const NIBBLE: usize = 0x10;
