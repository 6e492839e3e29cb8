//! Lengths into the narrow integers of the format. A builder panics on values that do not fit.

#[expect(clippy::expect_used, reason = "a test trace that cannot be written must not be written wrongly")]
pub(crate) fn u8_of(n: usize) -> u8 {
    u8::try_from(n).expect("more than 255")
}

#[expect(clippy::expect_used, reason = "a test trace that cannot be written must not be written wrongly")]
pub(crate) fn u16_of(n: usize) -> u16 {
    u16::try_from(n).expect("more than 65535: an event, item or count is too large for the format")
}

#[expect(clippy::expect_used, reason = "a test trace that cannot be written must not be written wrongly")]
pub(crate) fn u32_of(n: usize) -> u32 {
    u32::try_from(n).expect("more than 4 GiB")
}

/// `u32` to `usize`, lossless on every platform the tests run on.
pub(crate) const fn usize_of(n: u32) -> usize {
    n as usize
}

/// Rounds up to a multiple of 8, the alignment of events and extended items (sections 3, 7.1).
pub(crate) const fn round_up_8(n: usize) -> usize {
    n.div_ceil(8) * 8
}

/// Overwrites `bytes[at..]` with `value`.
pub(crate) fn patch(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}
