//! Fields by their places.

use crate::bytes::PointerSize;
use crate::schema::Span;

use super::Event;

/// The top-level fields of an event that are all readable: for formats that prepare for a schema how each field is
/// written, and then need only its bytes.
#[derive(Clone, Copy, Debug)]
pub struct PlacedFields<'a> {
    payload: &'a [u8],
    spans: &'a [Span],
    pointer: PointerSize,
}

impl<'a> Event<'a> {
    /// Returns the places of the fields. `None` if there is no schema, if a field is not readable, and where labels or
    /// fields are left out because they would print far more than their bytes.
    #[inline]
    pub fn placed(&self) -> Option<PlacedFields<'a>> {
        let (payload, spans, pointer) = (self.payload(), self.scratch.spans(), self.pointer);
        (self.schema.is_some() && self.located.is_all_shown()).then_some(PlacedFields { payload, spans, pointer })
    }
}

impl<'a> PlacedFields<'a> {
    /// Returns the payload from the beginning of the top-level field at a place of
    /// [`Schema::fields`](crate::schema::Schema::fields) on; nothing for an optional field that the event does not have.
    #[inline]
    pub fn from(&self, place: usize) -> &'a [u8] {
        self.payload.get(self.span(place).start as usize..).unwrap_or_default()
    }

    /// Returns the bytes of the top-level field at a place, with length prefix and NUL.
    #[inline]
    pub fn bytes(&self, place: usize) -> &'a [u8] {
        let span = self.span(place);
        self.payload.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns the size of addresses in the payload.
    #[inline]
    pub const fn pointer_size(&self) -> PointerSize {
        self.pointer
    }

    #[inline]
    fn span(&self, place: usize) -> Span {
        self.spans.get(place).copied().unwrap_or_default()
    }
}
