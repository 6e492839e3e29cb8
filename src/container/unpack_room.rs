//! What compressed buffers may unpack to.

use crate::limits;

use super::BufferInfo;

/// The bytes that the compressed buffers of a file may unpack to beyond [`limits::UNPACKED_BUFFER`] times their own: all of
/// them together, so that crafted ones cost no more than some times their file.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackRoom(u64);

impl UnpackRoom {
    /// Returns the room of a file.
    pub(super) const fn new() -> Self {
        Self(limits::MAX_UNPACKED)
    }

    /// Returns whether a buffer needs any of the room.
    pub(super) const fn exceeds_own(info: &BufferInfo) -> bool {
        beyond(info) > 0
    }

    /// Returns whether a buffer may be unpacked to its used length.
    pub(super) const fn has(self, info: &BufferInfo) -> bool {
        beyond(info) <= self.0
    }

    /// Takes what a buffer needs, which [`UnpackRoom::has`].
    pub(super) const fn take(&mut self, info: &BufferInfo) {
        self.0 = self.0.saturating_sub(beyond(info));
    }
}

/// Returns the unpacked bytes of a buffer that are beyond those that each buffer may have.
const fn beyond(info: &BufferInfo) -> u64 {
    (info.used as u64).saturating_sub(most(info))
}

/// Returns the unpacked bytes that each buffer may have.
const fn most(info: &BufferInfo) -> u64 {
    info.size as u64 * limits::UNPACKED_BUFFER
}

/// Cuts the used length of a buffer to what each buffer may have. Returns what it was.
pub(super) fn cut(info: &mut BufferInfo) -> u32 {
    let used = u32::try_from(most(info)).unwrap_or(u32::MAX);
    std::mem::replace(&mut info.used, used)
}
