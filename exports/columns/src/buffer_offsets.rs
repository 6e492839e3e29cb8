//! Where the buffers of a trace are in their files.

use std::sync::Arc;

use etwkit::container::BufferInfo;
use etwkit::event::Place;

/// What is added to the place of an event in its buffer, by the number of the buffer: where that begins in its file, 0 for
/// a compressed one. Empty unless a column shows places.
#[derive(Clone, Debug, Default)]
pub(crate) struct BufferOffsets(Arc<[u64]>);

impl BufferOffsets {
    pub(crate) fn of(buffers: &mut dyn Iterator<Item = BufferInfo>) -> Self {
        let offset = |buffer: BufferInfo| if buffer.is_compressed() { 0 } else { buffer.offset };
        Self(buffers.map(offset).collect())
    }

    /// Returns where an event begins in its file, or in its buffer if that is compressed.
    #[inline]
    pub(crate) fn offset(&self, place: Place) -> u64 {
        let buffer = self.0.get(place.buffer as usize).copied().unwrap_or_default();
        buffer + u64::from(place.offset)
    }
}
