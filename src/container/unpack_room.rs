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

/// Returns the used length of a buffer that is cut. It is odd: no writer's is.
const fn cut_length(info: &BufferInfo) -> u64 {
    most(info).saturating_sub(1)
}

/// Cuts the used length of a buffer to what each buffer may have. Returns what it was.
pub(super) fn cut(info: &mut BufferInfo) -> u32 {
    let used = u32::try_from(cut_length(info)).unwrap_or(u32::MAX);
    std::mem::replace(&mut info.used, used)
}

/// Returns whether a compressed buffer has the used length that [`cut`] gives. Then its stream goes on, and what is read
/// of it ends with an event.
pub(super) const fn is_cut(info: &BufferInfo) -> bool {
    info.used as u64 == cut_length(info)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;
    use crate::event::BufferContext;
    use crate::format::BufferFlags;

    fn packed(size: u32, used: u32) -> BufferInfo {
        let BufferContext { processor, fallback_time: time, framing, .. } = BufferContext::default();
        let (flags, offset, buffer_type, sequence) = (BufferFlags::COMPRESSED, 0, 0, 0);
        BufferInfo { file: FileId::FIRST, offset, size, used, flags, processor, buffer_type, sequence, time, framing }
    }

    #[test]
    fn all_buffers_share_the_room() {
        let own = limits::UNPACKED_BUFFER as u32 * 1000;
        let (mut room, own, large) = (UnpackRoom::new(), packed(1000, own), packed(1000, own + (100 << 10)));
        assert!(!UnpackRoom::exceeds_own(&own) && UnpackRoom::exceeds_own(&large));
        let mut taken = 0;
        while room.has(&large) {
            room.take(&large);
            taken += 1;
        }
        assert_eq!((taken, room.has(&own)), (limits::MAX_UNPACKED / (100 << 10), true));
    }

    #[test]
    fn what_is_cut_is_known_by_its_length() {
        let mut large = packed(1000, 1 << 20);
        assert!(!is_cut(&large));
        assert_eq!(cut(&mut large), 1 << 20);
        assert!(is_cut(&large) && u64::from(large.used) == limits::UNPACKED_BUFFER * 1000 - 1);
    }
}
