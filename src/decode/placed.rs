//! Fields by their places.

use crate::bytes::PointerSize;
use crate::event::RawEvent;
use crate::schema::{Encoding, Len, Schema, Span, Wire};

use super::locate::Located;
use super::{Event, Fit, PendingEvent};

/// The top-level fields of an event that are all readable: for formats that prepare for a schema how each field is
/// written, and then need only its bytes.
#[derive(Clone, Copy, Debug)]
pub struct PlacedFields<'a> {
    payload: &'a [u8],
    spans: &'a [Span],
    pointer: PointerSize,
    origin: Origin<'a>,
}

/// What an event is made from for the executor.
#[derive(Clone, Copy, Debug)]
enum Origin<'a> {
    Located(&'a Event<'a>),
    /// An event that its schema fits exactly.
    Pending(&'a PendingEvent<'a>, Located),
}

impl Event<'_> {
    /// Returns the places of the fields. `None` if there is no schema, if a field is not readable, and where labels or
    /// fields are left out because they would print far more than their bytes.
    #[inline]
    pub fn placed(&self) -> Option<PlacedFields<'_>> {
        let (payload, spans, pointer) = (self.payload(), self.scratch.spans(), self.pointer);
        let origin = Origin::Located(self);
        (self.schema.is_some() && self.located.is_all_shown()).then_some(PlacedFields {
            payload,
            spans,
            pointer,
            origin,
        })
    }
}

impl PendingEvent<'_> {
    /// Locates the fields, as [`Event::placed`] does, without the other parts of an event. `None` unless the first layout
    /// of its type fits exactly.
    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    pub fn placed(&mut self) -> Option<PlacedFields<'_>> {
        let (schema, payload, pointer) = (self.schema()?, self.payload(), self.raw().pointer_size());
        if !schema.has_layout() || schema.converter().is_some() || !ends(schema, payload) {
            return None;
        }
        let scratch = self.scratch_mut();
        scratch.forget();
        let located = scratch.locate(schema, payload, pointer);
        let may_exceed = schema.cost().may_exceed(payload.len(), located.without_bytes as usize);
        if located.fit != Fit::Exact || may_exceed {
            return None;
        }
        let this = &*self;
        let origin = Origin::Pending(this, located);
        Some(PlacedFields { payload, spans: this.scratch().spans(), pointer, origin })
    }
}

/// Returns false if the payload ends with a text that may lack its NUL.
#[inline]
fn ends(schema: &Schema, payload: &[u8]) -> bool {
    let nul: &[u8] = match schema.fields().last().map(|field| field.wire) {
        Some(Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }) => &[0, 0],
        Some(Wire::Text { len: Len::Nul, .. }) => &[0],
        _ => return true,
    };
    payload.ends_with(nul)
}

impl<'a> PlacedFields<'a> {
    /// Returns the event, for what only the executor can show.
    pub fn event(&self) -> Event<'a> {
        match self.origin {
            Origin::Located(event) => *event,
            Origin::Pending(pending, located) => pending.restored(located),
        }
    }

    /// Returns header and payload.
    #[inline]
    pub const fn raw(&self) -> &RawEvent<'a> {
        match self.origin {
            Origin::Located(event) => event.raw(),
            Origin::Pending(pending, ..) => pending.raw(),
        }
    }

    /// Returns the whole payload.
    #[inline]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Returns the bytes of the payload after the last field.
    #[inline]
    pub fn remainder(&self) -> &'a [u8] {
        match self.origin {
            Origin::Located(event) => event.remainder(),
            Origin::Pending(..) => &[],
        }
    }

    /// Returns the payload from the beginning of the top-level field at an index of
    /// [`Schema::fields`](crate::schema::Schema::fields) on; nothing for an optional field that the event does not have.
    #[inline]
    pub fn from(&self, index: usize) -> &'a [u8] {
        self.payload.get(self.span(index).start as usize..).unwrap_or_default()
    }

    /// Returns the bytes of the top-level field at an index, with length prefix and NUL.
    #[inline]
    pub fn bytes(&self, index: usize) -> &'a [u8] {
        let span = self.span(index);
        self.payload.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns the size of addresses in the payload.
    #[inline]
    pub const fn pointer_size(&self) -> PointerSize {
        self.pointer
    }

    #[inline]
    fn span(&self, index: usize) -> Span {
        self.spans.get(index).copied().unwrap_or_default()
    }
}
