//! The driver's data about an 802.11 frame: `DOT11_EXTSTA_RECV_CONTEXT` of `windot11.h`, in the event before the frame.

use etwkit::bytes::{u8_at, u16_at, u32_at};

use crate::comment::Comment;

/// Adds what the metadata states about reception.
///
/// The structure (little-endian, offsets in bytes): object type u8 at 0, revision u8 at 1, size u16 at 2, receive flags
/// u32 at 4, physical layer u32 at 8, centre frequency in MHz u32 at 12, number of MPDUs u16 at 16, RSSI in dBm i32 at
/// 20, data rate in 500 kbit/s u8 at 24.
pub(crate) fn describe(metadata: &[u8], comment: &mut Comment) {
    let size = if metadata.len() >= FIXED { usize::from(u16_at(metadata, 2)) } else { 0 };
    if size < FIXED || size > metadata.len() {
        comment.pair("MetadataBytes", metadata.len());
        return;
    }
    comment.pair("PhyId", u32_at(metadata, 8));
    comment.pair("ChannelFrequency", u32_at(metadata, 12));
    comment.pair("RSSI", u32_at(metadata, 20).cast_signed());
    comment.pair("DataRate", u8_at(metadata, 24));
}

/// Bytes up to the data rate.
const FIXED: usize = 25;

/// Returns whether a frame states that its body is encrypted: bit 6 of the second byte of its frame control.
pub(crate) fn is_protected(frame: &[u8]) -> bool {
    frame.get(1).is_some_and(|flags| flags & PROTECTED != 0)
}

/// Takes that bit away.
pub(crate) fn clear_protected(frame: &mut [u8]) {
    if let Some(flags) = frame.get_mut(1) {
        *flags &= !PROTECTED;
    }
}

const PROTECTED: u8 = 0x40;
