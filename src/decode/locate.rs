//! Finding where the fields of a schema are in a payload.

use crate::bytes::{PointerSize, utf16_nul};
use crate::event::RawEvent;
use crate::limits;
use crate::schema::{Count, Field, Find, Schema, Span};

use super::Fit;
use super::print_budget::PrintBudget;
use super::run::{Runner, Slots};
use super::text_arena::TextArena;

/// Memory that is used again for each event, so that decoding allocates nothing.
#[derive(Debug)]
pub struct Scratch {
    /// Where the fields are that are not in the prefix. Other places hold what earlier events left there.
    spans: Vec<Span>,
    /// Whether the first fields are where the schema says.
    has_prefix: bool,
    slots: Slots,
    pub(super) texts: TextArena,
    /// The payload as a converter wrote it.
    pub(super) converted: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            spans: Vec::new(),
            has_prefix: false,
            slots: [0; limits::MAX_REFERENCES],
            texts: TextArena::default(),
            converted: Vec::new(),
        }
    }
}

/// How far the fields were found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) fit: Fit,
    /// Places of the field list that are readable.
    pub(super) fitted: usize,
    /// Bytes of the payload that are in fields.
    pub(super) consumed: usize,
    /// Fields from this place on are shown without the labels of their maps.
    pub(super) labelled: usize,
    /// Values of fields that are not readable because they would print too much.
    pub(super) left_out: u64,
    /// How many alternatives of the first schema come before the one that was chosen.
    pub(super) alternative: u16,
    /// The places are in what a converter made of the payload.
    pub(super) is_converted: bool,
    /// Array elements and struct members that take no bytes.
    pub(super) without_bytes: usize,
}

impl Located {
    /// Fields that are not limited by what they print.
    pub(super) const fn new(fit: Fit, fitted: usize, consumed: usize) -> Self {
        Self {
            fit,
            fitted,
            consumed,
            labelled: usize::MAX,
            left_out: 0,
            alternative: 0,
            is_converted: false,
            without_bytes: 0,
        }
    }

    /// Returns the bytes that the places are in.
    pub(super) fn payload<'a>(&self, raw: &RawEvent<'a>, scratch: &'a Scratch) -> &'a [u8] {
        if self.is_converted { &scratch.converted } else { raw.payload() }
    }

    /// With what the executor counted.
    const fn counting(mut self, runner: &Runner<'_, '_>) -> Self {
        self.without_bytes = limits::MAX_ELEMENTS - runner.budget;
        self
    }
}

impl Scratch {
    /// Returns the same places, without texts.
    pub(super) fn copy(&self) -> Self {
        Self {
            spans: self.spans.clone(),
            has_prefix: self.has_prefix,
            slots: self.slots,
            texts: TextArena::default(),
            converted: self.converted.clone(),
        }
    }

    /// Returns where the first fields are; those after them are where [`Scratch::span`] says.
    #[inline]
    pub(super) fn prefix<'s>(&self, schema: &'s Schema, pointer: PointerSize) -> &'s [Span] {
        if self.has_prefix { schema.fixed_prefix(pointer) } else { &[] }
    }

    /// Returns where a top-level field that is not in the prefix was found.
    #[inline]
    pub(super) fn span(&self, place: usize) -> Option<Span> {
        self.spans.get(place).copied()
    }

    /// Returns where the fields were found that are not in the prefix, by place.
    #[inline]
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Returns where any top-level field was found.
    fn any_span(&self, schema: &Schema, pointer: PointerSize, place: usize) -> Option<Span> {
        self.prefix(schema, pointer).get(place).copied().or_else(|| self.span(place))
    }

    /// Values of the fields that others refer to as their length or count.
    #[inline]
    pub(super) const fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Finds the fields of a schema, or of the first of its alternatives that fits exactly. Leaves out what would print too
    /// much.
    #[inline]
    pub(super) fn fit<'s>(
        &mut self,
        schema: Option<&'s Schema>,
        payload: &[u8],
        pointer: PointerSize,
    ) -> (Option<&'s Schema>, Located) {
        let Some(first) = schema else { return (None, Located::new(Fit::Misfit, 0, 0)) };
        let (mut chosen, mut located) = (first, self.locate(first, payload, pointer));
        if located.fit != Fit::Exact && first.alternative().is_some() {
            (chosen, located) = self.choose(first, payload, pointer);
        }
        if chosen.cost().bound(payload.len(), located.without_bytes) > limits::shown(payload.len()) {
            self.limit(chosen, payload, pointer, &mut located);
        }
        (Some(chosen), located)
    }

    /// Finds every top-level field.
    #[inline]
    pub(super) fn locate(&mut self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> Located {
        let (mut index, mut at) = self.fixed_prefix(schema, payload, pointer);
        let steps = schema.steps(pointer);
        if self.spans.len() < steps.len() {
            self.spans.resize(steps.len(), Span::default());
        }
        let mut runner = Runner { schema, payload, pointer, slots: &mut self.slots, budget: limits::MAX_ELEMENTS };
        while let Some(step) = steps.get(index) {
            let (found, places) = match step.find {
                Find::Skip(len) => (Some(at + usize::from(len)).filter(|end| *end <= payload.len()), 1),
                Find::Nul => (nul(payload, at), 1),
                Find::Nothing => (Some(at), 1),
                Find::Walk => (runner.top_level(index, at), schema.fields().get(index).map_or(1, Field::span)),
            };
            let Some(end) = found.or_else(|| absent(schema, payload, index, at)) else {
                return Located::new(Fit::Misfit, index, at).counting(&runner);
            };
            if let Some(span) = self.spans.get_mut(index) {
                *span = Span { start: at as u32, end: end as u32 };
            }
            at = end;
            index += places;
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

    /// Returns the place and offset from which on fields must be looked for.
    #[inline]
    fn fixed_prefix(&mut self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> (usize, usize) {
        let prefix = schema.fixed_prefix(pointer);
        let end = prefix.last().map_or(0, |span| span.end as usize);
        self.has_prefix = end <= payload.len();
        if self.has_prefix { (prefix.len(), end) } else { (0, 0) }
    }

    /// Leaves out what would print too much.
    #[cold]
    pub(super) fn limit(&self, schema: &Schema, payload: &[u8], pointer: PointerSize, located: &mut Located) {
        let mut budget = PrintBudget::new(schema, limits::shown(payload.len()));
        for (index, _) in schema.top_level().take_while(|(index, _)| *index < located.fitted) {
            let Some(span) = self.any_span(schema, pointer, index) else { break };
            let mut slots = self.slots;
            let mut runner = Runner { schema, payload, pointer, slots: &mut slots, budget: limits::MAX_ELEMENTS };
            runner.field(index, span.start as usize, &mut budget);
            budget.end(index);
        }
        let shown = budget.shown();
        (located.labelled, located.left_out) = (shown.labelled, shown.left_out);
        if let Some(span) = shown.cut.and_then(|cut| self.any_span(schema, pointer, cut)) {
            located.fit = Fit::Cut;
            located.fitted = shown.cut.unwrap_or_default();
            located.consumed = span.start as usize;
        }
    }

    /// Returns the first field whose value is not what it must be, with where it begins.
    #[cold]
    fn refused(&self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> Option<(usize, usize)> {
        let mut slots = self.slots;
        let mut runner = Runner { schema, payload, pointer, slots: &mut slots, budget: limits::MAX_ELEMENTS };
        let single = |(_, field): &(usize, &Field)| field.count == Count::One;
        for (index, field) in schema.top_level().filter(single) {
            let (Some(expected), Some(span)) = (&field.expected, self.any_span(schema, pointer, index)) else {
                continue;
            };
            let start = span.start as usize;
            if runner.value(index, start).is_some_and(|(value, _)| !value.is(expected)) {
                return Some((index, start));
            }
        }
        None
    }

    /// Returns the first exact alternative; else the first that fits with surplus; else the first with a field that
    /// fits.
    #[cold]
    pub(super) fn choose<'s>(
        &mut self,
        first: &'s Schema,
        payload: &[u8],
        pointer: PointerSize,
    ) -> (&'s Schema, Located) {
        let all = || std::iter::successors(Some(first), |schema| schema.alternative());
        let mut best = (first, 0);
        let (mut best_fit, mut best_begins) = (Fit::Misfit, false);
        for (alternative, schema) in (0_u16..).zip(all()) {
            let located = self.locate(schema, payload, pointer);
            if located.fit == Fit::Exact {
                return (schema, Located { alternative, ..located });
            }
            if best_fit == Fit::Misfit && located.fit == Fit::Surplus {
                (best, best_fit) = ((schema, alternative), Fit::Surplus);
            } else if best_fit == Fit::Misfit && !best_begins && located.consumed > 0 {
                (best, best_begins) = ((schema, alternative), true);
            }
        }
        let (schema, alternative) = best;
        (schema, Located { alternative, ..self.locate(schema, payload, pointer) })
    }
}

/// Returns where UTF-16 text ends, with its NUL. No byte left is no text.
#[inline]
fn nul(payload: &[u8], at: usize) -> Option<usize> {
    let rest = payload.get(at..).filter(|rest| !rest.is_empty())?;
    Some(at + utf16_nul(rest).1)
}

/// Returns where a field ends that the event does not have, if it may be absent.
#[cold]
fn absent(schema: &Schema, payload: &[u8], index: usize, at: usize) -> Option<usize> {
    schema.fields().get(index).filter(|field| field.optional && at == payload.len()).map(|_| at)
}
