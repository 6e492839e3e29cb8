//! An event together with its schema.

use std::sync::Arc;

use crate::bytes::{PointerSize, cut_text};
use crate::event::{EventTypeId, RawEvent};
use crate::limits;
use crate::schema::{Converter, Encoding, Field, Len, Schema, Wire};
use crate::time::FileTime;

use super::fields::{AllFields, Fields};
use super::locate::Located;
use super::{Decoder, EventType, FieldView, Fit, LayoutId, Scratch};

/// An event whose fields have been located.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The event.
    pub(super) raw: RawEvent<'a>,
    /// Its schema; `None` if no parser knows it, and then all of the payload is [`Event::remainder`].
    pub(super) schema: Option<&'a Schema>,
    /// Time in UTC, or in the zone of the machine that wrote it where [`Event::is_local_time`] states so; `None` if the
    /// trace's clock is not known.
    pub(super) time: Option<FileTime>,
    /// The id of its type, by which sinks keep what they prepared; `None` outside of a run.
    pub(crate) key: Option<EventTypeId>,
    pub(super) decoder: Option<&'a Arc<Decoder>>,
    pub(super) row: Option<&'a EventType>,
    payload: &'a [u8],
    pub(super) pointer: PointerSize,
    pub(super) located: Located,
    pub(super) scratch: &'a Scratch,
}

/// An event whose fields are to be located.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unlocated<'r, 'a> {
    pub(super) raw: &'r RawEvent<'a>,
    pub(super) payload: &'a [u8],
    pub(super) schema: Option<&'a Schema>,
    pub(super) time: Option<FileTime>,
    pub(super) decoder: Option<&'a Arc<Decoder>>,
    pub(super) row: Option<&'a EventType>,
}

impl<'a> Unlocated<'_, 'a> {
    /// Locates the fields. An event is large: its parts are put together at one place only.
    #[expect(clippy::inline_always, reason = "measured: stage `decode` of `cargo xtask bench`")]
    #[inline(always)]
    pub(super) fn locate(self, scratch: &'a mut Scratch) -> Event<'a> {
        scratch.forget();
        if let Some(schema) = self.schema
            && let Some(converter) = schema.converter()
        {
            return self.convert(schema, converter, scratch);
        }
        let (schema, located) = scratch.fit(self.schema, self.payload, self.raw.pointer_size());
        self.event(self.payload, schema, located, scratch)
    }

    #[cold]
    #[inline(never)]
    fn convert(self, schema: &'a Schema, converter: &Converter, scratch: &'a mut Scratch) -> Event<'a> {
        let (schema, located) = scratch.convert(self.raw, schema, converter);
        self.event(located.payload(self.raw, scratch), schema, located, scratch)
    }

    #[inline]
    fn event(self, payload: &'a [u8], schema: Option<&'a Schema>, located: Located, scratch: &'a Scratch) -> Event<'a> {
        let Self { raw, time, decoder, row, .. } = self;
        let (key, pointer) = (row.map(EventType::id), raw.pointer_size());
        Event { raw: *raw, schema, time, key, decoder, row, payload, pointer, located, scratch }
    }
}

impl<'a> Event<'a> {
    /// Locates the fields of `schema`, or of the first of its alternatives that fits exactly.
    #[inline]
    pub fn locate(
        raw: RawEvent<'a>,
        schema: Option<&'a Schema>,
        time: Option<FileTime>,
        scratch: &'a mut Scratch,
    ) -> Self {
        Unlocated { raw: &raw, payload: raw.payload(), schema, time, decoder: None, row: None }.locate(scratch)
    }

    /// An event of which no field is readable.
    #[cfg(feature = "output")]
    pub(super) fn without_fields(raw: RawEvent<'a>, schema: Option<&'a Schema>, scratch: &'a mut Scratch) -> Self {
        scratch.forget();
        let located = Located::new(Fit::Misfit, 0, 0);
        let (payload, pointer) = (raw.payload(), raw.pointer_size());
        Self { raw, schema, time: None, key: None, decoder: None, row: None, payload, pointer, located, scratch }
    }

    /// An event whose fields were located before, with the memory that holds their places.
    pub(super) fn restored(
        raw: RawEvent<'a>,
        schema: Option<&'a Schema>,
        located: Located,
        scratch: &'a Scratch,
        decoder: &'a Arc<Decoder>,
        row: Option<&'a EventType>,
    ) -> Self {
        let time = decoder.clock(raw.place().file).and_then(|clock| clock.filetime(raw.time()));
        let key = row.map(EventType::id);
        let (payload, pointer) = (located.payload(&raw, scratch), raw.pointer_size());
        Self { raw, schema, time, key, decoder: Some(decoder), row, payload, pointer, located, scratch }
    }

    /// Returns the name of the file that it is from; `None` for events outside of a trace.
    #[inline]
    pub fn file(&self) -> Option<&'a str> {
        self.decoder?.files().get(self.raw.place().file.index()).map(|name| &**name)
    }

    /// Returns the same if several files are read as one trace.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn file_of_several(&self) -> Option<&'a str> {
        self.decoder.filter(|decoder| decoder.files().len() > 1)?;
        self.file()
    }

    /// Returns whether its time is local to the machine that wrote it: it has no zone that is known.
    #[inline]
    pub fn is_local_time(&self) -> bool {
        self.schema.is_some_and(|schema| schema.names().is_local_time())
    }

    /// Returns which layout its payload has: its type, and the alternative of the type's schema. What depends on these
    /// alone can be made once and kept under this id.
    #[inline]
    pub const fn layout(&self) -> LayoutId {
        let alternative = if self.schema.is_some() { self.located.alternative } else { u16::MAX };
        LayoutId { key: self.key, alternative }
    }

    /// Returns how payload and schema fit together; [`Fit::Misfit`] without a schema that has a layout.
    pub const fn fit(&self) -> Fit {
        self.located.fit
    }

    /// Returns the same; `None` if nothing is known of what the payload holds.
    #[inline]
    pub fn layout_fit(&self) -> Option<Fit> {
        self.has_layout().then_some(self.located.fit)
    }

    /// Returns the schema if it states what the payload holds. If not, or without a schema, the event is undecoded.
    #[inline]
    pub fn layout_schema(&self) -> Option<&'a Schema> {
        self.schema.filter(|schema| schema.has_layout())
    }

    /// Returns whether there is an [`Event::layout_schema`].
    #[inline]
    pub fn has_layout(&self) -> bool {
        self.layout_schema().is_some()
    }

    /// Returns the readable top-level fields, in order.
    #[inline]
    pub fn fields(&self) -> impl Iterator<Item = FieldView<'a>> + use<'a> {
        AllFields(self.top_level())
    }

    /// Returns the first readable top-level field of that name: of exactly that name if there is one, else without
    /// regard to ASCII case, because sources spell one field differently (the kernel has both `ProcessID` and
    /// `ProcessId`); else the one that has this as its [other name](Field::alias).
    pub fn field(&self, name: &str) -> Option<FieldView<'a>> {
        let alias = |(_, field): &(usize, &Field)| field.is_alias(name);
        let other = || self.schema?.top_level().filter(alias).find_map(|(place, _)| self.field_at(place));
        self.own_field(name).or_else(other)
    }

    /// As [`Event::field`], but no field has this as its other name.
    pub(crate) fn own_field(&self, name: &str) -> Option<FieldView<'a>> {
        let exact = |(_, field): &(usize, &Field)| &*field.name == name;
        let folded = |(_, field): &(usize, &Field)| field.name.eq_ignore_ascii_case(name);
        let schema = self.schema?;
        let found = |(place, _)| self.field_at(place);
        schema.top_level().filter(exact).find_map(found).or_else(|| schema.top_level().filter(folded).find_map(found))
    }

    /// Returns the readable top-level field at an index of the schema's fields.
    #[inline]
    pub fn field_at(&self, index: usize) -> Option<FieldView<'a>> {
        self.top_level()?.at(index)
    }

    /// Returns how many values no readable field holds because they would print far more than their bytes: see
    /// [`Fit::Cut`].
    pub const fn left_out(&self) -> u64 {
        self.located.left_out
    }

    /// Returns the first top-level field that does not fit, or from which on fields are left out.
    pub fn misfit(&self) -> Option<&'a Field> {
        self.schema?.fields().get(self.misfit_at()?)
    }

    /// Returns the index of [`Event::misfit`] in the schema's fields; it may be beyond the last field.
    pub const fn misfit_at(&self) -> Option<usize> {
        match self.located.fit {
            Fit::Misfit | Fit::Cut => Some(self.located.fitted()),
            _ => None,
        }
    }

    /// Returns the name of [`Event::misfit`], or as much of it as may be in a message.
    pub fn misfit_name(&self) -> &'a str {
        cut_text(self.misfit().map_or("", |field| &*field.name), limits::MAX_TOLD_NAME)
    }

    /// Returns the last field that is there if it is a text that ends with the payload instead of with its NUL. The text
    /// is read all the same; Windows' own tools give up on such events. `None` for texts in structs.
    #[inline]
    pub fn unterminated(&self) -> Option<FieldView<'a>> {
        let fields = self.schema?.fields();
        match fields.last()? {
            last if last.optional => self.unterminated_before_absent(),
            last => self.unterminated_at(fields.len() - 1, last),
        }
    }

    /// Returns the same where the last fields may be absent.
    #[cold]
    fn unterminated_before_absent(&self) -> Option<FieldView<'a>> {
        let is_there = |(place, field): &(usize, &Field)| {
            !field.optional || self.field_at(*place).is_some_and(|view| view.span.start < view.span.end)
        };
        let fields = self.schema?.top_level();
        let (place, last) = fields.filter(is_there).last()?;
        self.unterminated_at(place, last)
    }

    #[inline]
    fn unterminated_at(&self, place: usize, last: &Field) -> Option<FieldView<'a>> {
        let Wire::Text { encoding, len: Len::Nul } = last.wire else { return None };
        let nul: &[u8] = if encoding == Encoding::Utf16 { &[0, 0] } else { &[0] };
        let read = self.payload.get(..self.located.consumed())?;
        // A last odd byte is not text.
        let is_end = self.located.fit.is_whole() && self.payload.len() - read.len() < nul.len();
        if !is_end || read.ends_with(nul) {
            return None;
        }
        let view = self.field_at(place)?;
        (view.span.end as usize == read.len() && view.span.start < view.span.end).then_some(view)
    }

    /// Returns the bytes of the payload that no readable field holds: surplus, or all from the first misfit on.
    pub fn remainder(&self) -> &'a [u8] {
        self.payload.get(self.located.consumed()..).unwrap_or_default()
    }

    /// Returns the whole payload; where a [converter](crate::schema::ConvertPayload) rewrote it, what that wrote.
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Returns the readable fields; `None` without a schema.
    #[inline]
    fn top_level(&self) -> Option<Fields<'a>> {
        let (schema, pointer) = (self.schema?, self.pointer);
        let (steps, spans) = (&schema.layout(pointer).steps, self.scratch.spans());
        let readable = self.located.fitted();
        let all = schema.fields().iter().zip(steps).zip(spans).take(readable).enumerate();
        let labelled = self.located.labelled();
        Some(Fields { all, schema, payload: self.payload, pointer, scratch: self.scratch, labelled })
    }
}
