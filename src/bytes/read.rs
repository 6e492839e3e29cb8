//! Little-endian numbers at known places.

/// How wide the pointers of an event are. Stated by each event's header, never by the file's (section 5.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PointerSize {
    /// A 32-bit writer: pointers take 4 bytes.
    Four,
    /// A 64-bit writer: pointers take 8 bytes.
    #[default]
    Eight,
}

impl PointerSize {
    /// Returns 4 or 8.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// Returns the first bytes of a text with NULs after them.
#[inline]
pub(crate) fn padded<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut block = [0; N];
    block.iter_mut().zip(text).for_each(|(slot, byte)| *slot = *byte);
    block
}

/// Returns the byte at `at`, or 0 beyond the end.
#[inline]
pub fn u8_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// Returns the `u16` at `at`, or 0 if it is not there entirely.
#[inline]
pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    array_at(bytes, at).map_or(0, u16::from_le_bytes)
}

/// Returns the `u32` at `at`, or 0 if it is not there entirely.
#[inline]
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    array_at(bytes, at).map_or(0, u32::from_le_bytes)
}

/// Returns the `u64` at `at`, or 0 if it is not there entirely.
#[inline]
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    array_at(bytes, at).map_or(0, u64::from_le_bytes)
}

/// Returns the `i64` at `at`, or 0 if it is not there entirely.
#[inline]
pub fn i64_at(bytes: &[u8], at: usize) -> i64 {
    array_at(bytes, at).map_or(0, i64::from_le_bytes)
}

/// Returns the pointer at `at`, or 0 if it is not there entirely.
#[inline]
pub fn read_pointer(bytes: &[u8], at: usize, size: PointerSize) -> u64 {
    match size {
        PointerSize::Four => u64::from(u32_at(bytes, at)),
        PointerSize::Eight => u64_at(bytes, at),
    }
}

#[inline]
fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}
