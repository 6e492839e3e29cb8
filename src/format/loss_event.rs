//! Events that state a loss (section 8.8).

use crate::bytes::Guid;

/// `RT_LostEvent`: its events state what a session lost.
const LOST_EVENT: Guid = Guid::from_u128(0x6a399ae0_4bc6_4de9_870b_3657f8947e7e);

/// What an event of class `RT_LostEvent` states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LossEvent {
    /// An event was lost.
    Event,
    /// A buffer was lost.
    Buffer,
    /// A file of a session in real time was lost.
    File,
}

impl LossEvent {
    /// Returns what a classic event states.
    #[inline]
    pub(crate) fn of(class: Guid, opcode: u8) -> Option<Self> {
        if class != LOST_EVENT {
            return None;
        }
        Some(match opcode {
            32 => Self::Event,
            33 => Self::Buffer,
            34 => Self::File,
            _ => return None,
        })
    }
}
