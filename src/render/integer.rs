//! Integers of one to eight bytes: their bits and their sign.

use crate::schema::DisplayFormat;

/// Returns whether a signed integer is shown with its sign; others are shown as their bits. No time is a negative
/// number.
#[inline]
pub(crate) const fn keeps_sign(display: DisplayFormat, value: i64) -> bool {
    match display {
        DisplayFormat::Plain
        | DisplayFormat::Signed
        | DisplayFormat::Hidden
        | DisplayFormat::Pid
        | DisplayFormat::Tid
        | DisplayFormat::ErrorCode
        | DisplayFormat::Win32Error => true,
        DisplayFormat::FileTime | DisplayFormat::UnixTime | DisplayFormat::ClockTime => value < 0,
        _ => false,
    }
}

/// Returns the low `width` bytes of an integer: its bits in the payload.
pub(crate) const fn masked(bits: u64, width: u8) -> u64 {
    if width >= 8 { bits } else { bits & ((1 << (width as u32 * 8)) - 1) }
}

/// Returns the signed number that the low `width` bytes (1 to 8) are.
pub(crate) const fn sign_extend(value: u64, width: u8) -> i64 {
    let unused = 64 - (width as u32 * 8);
    (value << unused).cast_signed() >> unused
}
