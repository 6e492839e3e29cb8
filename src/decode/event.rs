//! An event together with its schema.

use hashbrown::HashMap;

use crate::bytes::PointerSize;
use crate::event::RawEvent;
use crate::limits;
use crate::schema::{Count, Field, Schema, Span, Wire};

use super::run::{Ignore, Runner, Slots};
use super::share::{Share, Unnamed};
use super::{Fit, Value, Visitor};

/// Memory that is used again for each event, so that decoding allocates nothing.
#[derive(Debug)]
pub struct Scratch {
    spans: Vec<Span>,
    slots: Slots,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { spans: Vec::new(), slots: [0; limits::MAX_REFERENCES] }
    }
}

/// An event whose fields have been located.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The event.
    pub raw: RawEvent<'a>,
    /// Its schema; `None` if no parser knows it, and then all of the payload is [`Event::remainder`].
    pub schema: Option<&'a Schema>,
    /// Time as FILETIME UTC (100 ns since 1601), or in the zone of the machine that wrote it where
    /// [`Event::is_local_time`] says so; `None` if the trace's clock is not known.
    pub time: Option<i64>,
    /// Its key in the census, by which sinks keep what they prepared; `None` outside of a run.
    pub key: Option<crate::event::KeyId>,
    payload: &'a [u8],
    located: Located,
    scratch: &'a Scratch,
}

/// How far the fields were found.
#[derive(Clone, Copy, Debug)]
struct Located {
    fit: Fit,
    /// Places of the field list that are readable.
    fitted: usize,
    /// Bytes of the payload that are in fields.
    consumed: usize,
    /// Fields from this place on are shown without the labels of their maps.
    labelled: usize,
    /// Values of fields that are not readable because they would print too much.
    left_out: u64,
    /// Array elements and struct members that take no bytes.
    without_bytes: usize,
}

impl Located {
    /// Fields that are not limited by what they print.
    const fn new(fit: Fit, fitted: usize, consumed: usize) -> Self {
        Self { fit, fitted, consumed, labelled: usize::MAX, left_out: 0, without_bytes: 0 }
    }

    /// With what the executor counted.
    const fn counting(mut self, runner: &Runner<'_, '_>) -> Self {
        self.without_bytes = limits::MAX_ELEMENTS - runner.budget;
        self
    }
}

impl<'a> Event<'a> {
    /// Locates the fields of `schema`, or of the first of its alternatives that fits exactly.
    #[inline]
    pub fn locate(raw: RawEvent<'a>, schema: Option<&'a Schema>, time: Option<i64>, scratch: &'a mut Scratch) -> Self {
        let payload = raw.payload();
        let mut located = Located::new(Fit::Misfit, 0, 0);
        let mut chosen = schema;
        if let Some(first) = schema {
            located = scratch.locate(first, payload, raw.pointer_size());
            if located.fit != Fit::Exact && first.alternative().is_some() {
                (chosen, located) = scratch.choose(first, payload, raw.pointer_size());
            }
        }
        if let Some(schema) = chosen
            && schema.cost().bound(payload.len(), located.without_bytes) > limits::shown(payload.len())
        {
            scratch.limit(schema, payload, raw.pointer_size(), &mut located);
        }
        Self { raw, schema: chosen, time, key: None, payload, located, scratch }
    }

    /// Whether its time is local to the machine that wrote it: it has no zone that is known.
    #[inline]
    pub fn is_local_time(&self) -> bool {
        self.schema.is_some_and(|schema| schema.names().is_local_time())
    }

    /// How payload and schema fit together; [`Fit::Misfit`] without a schema.
    pub const fn fit(&self) -> Fit {
        self.located.fit
    }

    /// The readable top-level fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = FieldView<'a>> + use<'a> {
        let event = *self;
        let schema = self.schema;
        schema
            .into_iter()
            .flat_map(move |schema| schema.top_level().take_while(move |(index, _)| *index < event.located.fitted))
            .filter_map(move |(index, field)| event.view(index, field))
            .filter(|view| !view.is_absent())
    }

    /// The first readable top-level field of exactly that name. [`crate::query::Selector::field`] takes names as people
    /// type them.
    pub fn field(&self, name: &str) -> Option<FieldView<'a>> {
        let named = |(_, field): &(usize, &Field)| &*field.name == name;
        self.schema?.top_level().filter(named).find_map(|(place, _)| self.field_at(place))
    }

    /// The readable top-level field at a place of the schema's fields.
    #[inline]
    pub fn field_at(&self, place: usize) -> Option<FieldView<'a>> {
        if place >= self.located.fitted {
            return None;
        }
        self.view(place, self.schema?.fields().get(place)?).filter(|view| !view.is_absent())
    }

    /// Values that no readable field holds because they would print far more than their bytes: see [`Fit::Cut`].
    pub const fn left_out(&self) -> u64 {
        self.located.left_out
    }

    /// The first top-level field that does not fit, or from which on fields are left out.
    pub fn misfit(&self) -> Option<&'a Field> {
        self.schema?.fields().get(self.misfit_at()?)
    }

    /// Returns the place of [`Event::misfit`] in the schema; it may be beyond the last field.
    pub const fn misfit_at(&self) -> Option<usize> {
        match self.located.fit {
            Fit::Misfit | Fit::Cut => Some(self.located.fitted),
            _ => None,
        }
    }

    /// The name of [`Event::misfit`], or as much of it as may stand in a message.
    pub fn misfit_name(&self) -> &'a str {
        let name = self.misfit().map_or("", |field| &*field.name);
        (0..=name.len().min(limits::MAX_TOLD_NAME)).rev().find_map(|len| name.get(..len)).unwrap_or_default()
    }

    /// Bytes of the payload that no readable field holds: surplus, or all from the first misfit on.
    pub fn remainder(&self) -> &'a [u8] {
        self.payload.get(self.located.consumed..).unwrap_or_default()
    }

    /// The whole payload.
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    fn view(&self, index: usize, field: &'a Field) -> Option<FieldView<'a>> {
        let span = *self.scratch.spans.get(index)?;
        Some(FieldView {
            field,
            index,
            span,
            schema: self.schema?,
            payload: self.payload,
            pointer: self.raw.pointer_size(),
            slots: &self.scratch.slots,
            labelled: index < self.located.labelled,
        })
    }
}

/// A top-level field of an event.
#[derive(Clone, Copy, Debug)]
pub struct FieldView<'a> {
    /// What the schema says of it.
    pub field: &'a Field,
    schema: &'a Schema,
    index: usize,
    span: Span,
    payload: &'a [u8],
    pointer: PointerSize,
    slots: &'a Slots,
    /// Whether the labels of its maps are shown.
    labelled: bool,
}

impl<'a> FieldView<'a> {
    /// Hands its values to the visitor, in order; arrays and structs with their brackets.
    #[inline]
    pub fn visit<V: Visitor>(&self, visitor: &mut V) {
        if self.labelled { self.walk(visitor) } else { self.walk_unnamed(visitor) }
    }

    #[cold]
    #[inline(never)]
    fn walk_unnamed<V: Visitor>(&self, visitor: &mut V) {
        self.walk(&mut Unnamed { visitor, fields: HashMap::new() });
    }

    #[inline]
    fn walk<V: Visitor>(&self, visitor: &mut V) {
        if self.schema.slots() == 0 {
            self.runner(&mut []).field(self.index, self.span.start as usize, visitor);
            return;
        }
        // Values inside structs may be referred to from there: they change while walking.
        let mut slots = *self.slots;
        self.runner(&mut slots).field(self.index, self.span.start as usize, visitor);
    }

    /// The executor over all of the payload, as when the field was located: where it ends decides what still fits.
    #[inline]
    const fn runner<'r>(&self, slots: &'r mut [u64]) -> Runner<'r, 'a>
    where
        'a: 'r,
    {
        let Self { schema, payload, pointer, .. } = *self;
        Runner { schema, payload, pointer, slots, budget: limits::MAX_ELEMENTS }
    }

    /// The value of a field; `None` for arrays and structs, whose values [`FieldView::visit`] hands over. (A field that
    /// cannot be read is not among [`Event::fields`].)
    pub fn value(&self) -> Option<Value<'a>> {
        if self.field.count != Count::One || matches!(self.field.wire, Wire::Struct { .. }) {
            return None;
        }
        let start = self.span.start as usize;
        if self.schema.slots() == 0 {
            return self.runner(&mut []).value(self.index, start).map(|(value, _)| value);
        }
        let mut slots = *self.slots;
        self.runner(&mut slots).value(self.index, start).map(|(value, _)| value)
    }

    /// Its name; need not be unique in the event.
    pub fn name(&self) -> &'a str {
        &self.field.name
    }

    /// The schema that it is a field of.
    pub const fn schema(&self) -> &'a Schema {
        self.schema
    }

    /// Its place in [`Schema::fields`].
    pub const fn place(&self) -> usize {
        self.index
    }

    /// Its bytes in the payload, with length prefix and NUL.
    pub fn bytes(&self) -> &'a [u8] {
        self.payload.get(self.span.start as usize..self.span.end as usize).unwrap_or_default()
    }

    /// The map of its values; `None` also where the labels of an event would be far longer than its payload (see
    /// [`limits::shown`]).
    pub fn map(&self) -> Option<&'a crate::schema::Map> {
        self.schema.map(self.field).filter(|_| self.labelled)
    }

    /// Whether the event ended before this optional field.
    fn is_absent(&self) -> bool {
        self.field.optional && self.span.start == self.span.end && self.span.end as usize == self.payload.len()
    }
}

impl Scratch {
    /// Finds every top-level field; a span list as long as the field list remains.
    #[inline]
    fn locate(&mut self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> Located {
        let (mut index, mut at) = self.lead(schema, payload, pointer);
        let mut runner = Runner { schema, payload, pointer, slots: &mut self.slots, budget: limits::MAX_ELEMENTS };
        while let Some(field) = schema.fields().get(index) {
            let end = match runner.field(index, at, &mut Ignore) {
                Some(end) => end,
                None if field.optional && at == payload.len() => at,
                None => return Located::new(Fit::Misfit, index, at).counting(&runner),
            };
            if let Some(span) = self.spans.get_mut(index) {
                *span = Span { start: at as u32, end: end as u32 };
            }
            at = end;
            index += field.span();
        }
        let fit = if at == payload.len() { Fit::Exact } else { Fit::Surplus };
        let located = Located::new(fit, index, at).counting(&runner);
        if schema.is_guarded()
            && let Some((fitted, consumed)) = self.refused(schema, payload, pointer)
        {
            return Located { fit: Fit::Misfit, fitted, consumed, ..located };
        }
        located
    }

    /// Sets the spans of the first fields where they are known beforehand: the place and offset from which on the others
    /// must be looked for.
    #[inline]
    fn lead(&mut self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> (usize, usize) {
        self.spans.clear();
        let lead = schema.lead(pointer);
        let end = lead.last().map_or(0, |span| span.end as usize);
        let fits = end <= payload.len();
        if fits {
            self.spans.extend_from_slice(lead);
        }
        self.spans.resize(schema.fields().len(), Span::default());
        if fits { (lead.len(), end) } else { (0, 0) }
    }

    /// Leaves out what would print too much.
    #[cold]
    fn limit(&self, schema: &Schema, payload: &[u8], pointer: PointerSize, located: &mut Located) {
        let mut share = Share::new(schema, limits::shown(payload.len()));
        for (index, _) in schema.top_level().take_while(|(index, _)| *index < located.fitted) {
            let Some(span) = self.spans.get(index) else { break };
            let mut slots = self.slots;
            let mut runner = Runner { schema, payload, pointer, slots: &mut slots, budget: limits::MAX_ELEMENTS };
            runner.field(index, span.start as usize, &mut share);
            share.end(index);
        }
        let shown = share.shown();
        (located.labelled, located.left_out) = (shown.labelled, shown.left_out);
        if let Some(span) = shown.cut.and_then(|cut| self.spans.get(cut)) {
            located.fit = Fit::Cut;
            located.fitted = shown.cut.unwrap_or_default();
            located.consumed = span.start as usize;
        }
    }

    /// The first field whose value is not what it must be, with where it begins.
    #[cold]
    fn refused(&self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> Option<(usize, usize)> {
        let mut slots = self.slots;
        let mut runner = Runner { schema, payload, pointer, slots: &mut slots, budget: limits::MAX_ELEMENTS };
        let single = |(_, field): &(usize, &Field)| field.count == Count::One;
        for (index, field) in schema.top_level().filter(single) {
            let (Some(expected), Some(span)) = (&field.expected, self.spans.get(index)) else { continue };
            let start = span.start as usize;
            if runner.value(index, start).is_some_and(|(value, _)| !value.is(expected)) {
                return Some((index, start));
            }
        }
        None
    }

    /// The first exact alternative; else the first that fits with surplus; else the first of which any field fits.
    #[cold]
    fn choose<'s>(&mut self, first: &'s Schema, payload: &[u8], pointer: PointerSize) -> (Option<&'s Schema>, Located) {
        let all = || std::iter::successors(Some(first), |schema| schema.alternative());
        let mut best = first;
        let (mut best_fit, mut best_begins) = (Fit::Misfit, false);
        for schema in all() {
            let located = self.locate(schema, payload, pointer);
            if located.fit == Fit::Exact {
                return (Some(schema), located);
            }
            if best_fit == Fit::Misfit && located.fit == Fit::Surplus {
                (best, best_fit) = (schema, Fit::Surplus);
            } else if best_fit == Fit::Misfit && !best_begins && located.consumed > 0 {
                (best, best_begins) = (schema, true);
            }
        }
        (Some(best), self.locate(best, payload, pointer))
    }
}
