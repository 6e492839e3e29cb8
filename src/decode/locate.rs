//! Finding where the fields of a schema are in a payload.

use crate::bytes::{PointerSize, nul_terminated, utf16_nul};
use crate::event::RawEvent;
use crate::limits;
use crate::schema::{Converter, Count, Field, Find, Layout, Presence, Schema, Span, Step};

use super::Fit;
use super::ids_once::IdsOnce;
use super::print_budget::PrintBudget;
use super::run::{Runner, Slots};
use super::text_arena::TextArena;

/// Memory that is used again for each event, so that decoding allocates nothing.
#[derive(Debug)]
pub struct Scratch {
    /// Where the top-level fields are. Other places hold what earlier events left there.
    spans: Vec<Span>,
    slots: Slots,
    pub(super) texts: TextArena,
    /// The process and thread that the event is about.
    pub(super) ids: IdsOnce,
    /// The payload as a converter wrote it.
    pub(super) converted: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            spans: Vec::new(),
            slots: [0; limits::MAX_REFERENCES],
            texts: TextArena::default(),
            ids: IdsOnce::default(),
            converted: Vec::new(),
        }
    }
}

/// How far the fields were found. Payloads and schemas are far below 4 GiB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) fit: Fit,
    /// The places are in what a converter made of the payload.
    pub(super) is_converted: bool,
    /// A field has another value than the schema applies to.
    is_refused: bool,
    /// How many alternatives of the first schema come before the one that was chosen.
    pub(super) alternative: u16,
    /// Places of the field list that are readable.
    fitted: u32,
    /// Bytes of the payload that are in fields.
    consumed: u32,
    /// Fields from this place on are shown without the labels of their maps.
    labelled: u32,
    /// Array elements and struct members that take no bytes.
    pub(super) without_bytes: u32,
    /// Values of fields that are not readable because they would print too much.
    pub(super) left_out: u64,
}

impl Located {
    /// Fields that are not limited by what they print.
    #[inline]
    pub(super) const fn new(fit: Fit, fitted: usize, consumed: usize) -> Self {
        Self {
            fit,
            is_converted: false,
            is_refused: false,
            alternative: 0,
            fitted: fitted as u32,
            consumed: consumed as u32,
            labelled: u32::MAX,
            without_bytes: 0,
            left_out: 0,
        }
    }

    /// Returns how many places of the field list are readable.
    #[inline]
    pub(super) const fn fitted(&self) -> usize {
        self.fitted as usize
    }

    /// Returns how many bytes of the payload are in fields.
    #[inline]
    pub(super) const fn consumed(&self) -> usize {
        self.consumed as usize
    }

    /// Returns the place of the first field that is shown without the labels of its map.
    #[inline]
    pub(super) const fn labelled(&self) -> usize {
        self.labelled as usize
    }

    /// Returns whether all fields are readable and shown with their labels.
    #[inline]
    pub(super) const fn is_all_shown(&self) -> bool {
        matches!(self.fit, Fit::Exact | Fit::Surplus) && self.labelled == u32::MAX
    }

    /// Returns the bytes that the places are in.
    pub(super) fn payload<'a>(&self, raw: &RawEvent<'a>, scratch: &'a Scratch) -> &'a [u8] {
        if self.is_converted { &scratch.converted } else { raw.payload() }
    }
}

impl Scratch {
    /// Returns the same places, without texts.
    pub(super) fn copy(&self) -> Self {
        Self {
            spans: self.spans.clone(),
            slots: self.slots,
            texts: TextArena::default(),
            ids: IdsOnce::default(),
            converted: self.converted.clone(),
        }
    }

    /// Forgets what was made for the event before.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.texts.clear();
        self.ids.clear();
    }

    /// Returns where the top-level fields were found, by place.
    #[inline]
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Values of the fields that others refer to as their length or count.
    #[inline]
    pub(super) const fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Finds the fields in what a converter makes of the payload.
    #[cold]
    pub(super) fn convert<'s>(
        &mut self,
        raw: &RawEvent<'_>,
        schema: &'s Schema,
        converter: &Converter,
    ) -> (Option<&'s Schema>, Located) {
        let mut converted = std::mem::take(&mut self.converted);
        let is_converted = converter.convert(raw, &mut converted);
        let (schema, located) = if is_converted {
            self.fit(Some(schema), &converted, raw.pointer_size())
        } else {
            (Some(schema), Located::new(Fit::Misfit, 0, 0))
        };
        self.converted = converted;
        (schema, Located { is_converted, ..located })
    }

    /// Finds the fields of a schema, or of the first of its alternatives that fits exactly. Leaves out what would print
    /// too much.
    #[inline]
    pub(super) fn fit<'s>(
        &mut self,
        schema: Option<&'s Schema>,
        payload: &[u8],
        pointer: PointerSize,
    ) -> (Option<&'s Schema>, Located) {
        let Some(first) = schema.filter(|schema| schema.has_layout()) else {
            return (schema, Located::new(Fit::Misfit, 0, 0));
        };
        let (mut chosen, mut located) = (first, self.locate(first, payload, pointer));
        if located.fit != Fit::Exact && first.alternative().is_some() {
            (chosen, located) = self.choose(first, payload, pointer);
        }
        if chosen.cost().may_exceed(payload.len(), located.without_bytes as usize) {
            located = self.limit(chosen, payload, pointer, located);
        }
        (Some(chosen), located)
    }

    /// Finds every top-level field.
    #[inline]
    pub(super) fn locate(&mut self, schema: &Schema, payload: &[u8], pointer: PointerSize) -> Located {
        let layout = schema.layout(pointer);
        layout.copy_prefix(&mut self.spans);
        let (mut index, mut at) = if layout.end <= payload.len() { (layout.known, layout.end) } else { (0, 0) };
        if layout.sets_slots {
            self.set_slots(schema, layout, payload);
        }
        let mut budget = limits::MAX_ELEMENTS;
        let mut fit = None;
        let mut is_cut = false;
        while let Some((step, span)) = layout.steps.get(index).zip(self.spans.get_mut(index)) {
            if is_cut {
                // The odd byte after the last text is no field.
                fit = Some(if step.presence == Presence::Optional { Fit::Surplus } else { Fit::Misfit });
                break;
            }
            let found = match find(step, payload, at, &mut self.slots) {
                Found::At(end) => Some(end),
                Found::Last(end) => {
                    is_cut = true;
                    Some(end)
                }
                Found::Walk => {
                    let slots = &mut self.slots;
                    let mut runner = Runner { schema, payload, pointer, slots, budget };
                    let end = runner.top_level(index, at);
                    (budget, is_cut) = (runner.budget, runner.payload.len() < payload.len());
                    end
                }
                Found::Nowhere => None,
            };
            // The event may end before an optional field.
            let is_absent = || step.presence == Presence::Optional && at == payload.len();
            let Some(end) = found.or_else(|| is_absent().then_some(at)) else {
                fit = Some(Fit::Misfit);
                break;
            };
            *span = Span { start: at as u32, end: end as u32 };
            at = end;
            index += step.places as usize;
        }
        let fit = fit.unwrap_or(if at == payload.len() { Fit::Exact } else { Fit::Surplus });
        let without_bytes = (limits::MAX_ELEMENTS - budget) as u32;
        let located = Located { without_bytes, ..Located::new(fit, index, at) };
        if schema.is_guarded() { self.guard(schema, payload, pointer, located) } else { located }
    }

    /// Keeps the values of those of the first fields that others refer to, and forgets those of earlier events where
    /// this one may lack such a field.
    #[inline(never)]
    fn set_slots(&mut self, schema: &Schema, layout: &Layout, payload: &[u8]) {
        if schema.has_absent_slots() {
            self.slots.fill(0);
        }
        for kept in &layout.kept {
            let value = payload.get(kept.start as usize..).and_then(|rest| kept.read.integer(rest));
            if let Some(((value, _), slot)) = value.zip(self.slots.get_mut(usize::from(kept.slot))) {
                *slot = value;
            }
        }
    }

    /// Returns the same for a schema that applies only to some values, by the values of the fields.
    #[cold]
    fn guard(&self, schema: &Schema, payload: &[u8], pointer: PointerSize, located: Located) -> Located {
        let Some((fitted, consumed)) = self.refused(schema, payload, pointer, located) else { return located };
        let without_bytes = located.without_bytes;
        Located { without_bytes, is_refused: true, ..Located::new(Fit::Misfit, fitted, consumed) }
    }

    /// Leaves out what would print too much.
    #[cold]
    pub(super) fn limit(&self, schema: &Schema, payload: &[u8], pointer: PointerSize, mut located: Located) -> Located {
        let mut budget = PrintBudget::new(schema, limits::shown(payload.len()));
        for (index, _) in schema.top_level().take_while(|(index, _)| *index < located.fitted()) {
            let Some(span) = self.spans.get(index).copied() else { break };
            let mut slots = self.slots;
            let mut runner = Runner { schema, payload, pointer, slots: &mut slots, budget: limits::MAX_ELEMENTS };
            runner.field(index, span.start as usize, &mut budget);
            budget.end(index);
        }
        let shown = budget.shown();
        (located.labelled, located.left_out) = (shown.labelled as u32, shown.left_out);
        if let Some((cut, span)) = shown.cut.and_then(|cut| Some((cut, self.spans.get(cut)?))) {
            (located.fit, located.fitted, located.consumed) = (Fit::Cut, cut as u32, span.start);
        }
        located
    }

    /// Returns the first of the fields that fit whose value is not what it must be, with where it begins.
    #[cold]
    fn refused(
        &self,
        schema: &Schema,
        payload: &[u8],
        pointer: PointerSize,
        located: Located,
    ) -> Option<(usize, usize)> {
        let mut slots = self.slots;
        let mut runner = Runner { schema, payload, pointer, slots: &mut slots, budget: limits::MAX_ELEMENTS };
        let single = |(_, field): &(usize, &Field)| field.count == Count::One;
        let fits = |(index, _): &(usize, &Field)| located.fit != Fit::Misfit || *index < located.fitted();
        for (index, field) in schema.top_level().take_while(fits).filter(single) {
            let (Some(expected), Some(span)) = (&field.expected, self.spans.get(index)) else {
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
    /// fits, of those that apply to the values of the fields.
    #[cold]
    pub(super) fn choose<'s>(
        &mut self,
        first: &'s Schema,
        payload: &[u8],
        pointer: PointerSize,
    ) -> (&'s Schema, Located) {
        let mut best = (first, 0);
        let (mut best_fit, mut best_begins) = (Fit::Misfit, false);
        for (alternative, schema) in (0_u16..).zip(first.with_alternatives()) {
            let located = self.locate(schema, payload, pointer);
            if located.fit == Fit::Exact {
                return (schema, Located { alternative, ..located });
            }
            if best_fit == Fit::Misfit && located.fit == Fit::Surplus {
                (best, best_fit) = ((schema, alternative), Fit::Surplus);
            } else if best_fit == Fit::Misfit && !best_begins && located.consumed > 0 && !located.is_refused {
                (best, best_begins) = ((schema, alternative), true);
            }
        }
        let (schema, alternative) = best;
        (schema, Located { alternative, ..self.locate(schema, payload, pointer) })
    }
}

/// Where a field ends.
enum Found {
    At(usize),
    /// As [`Found::At`], for a text without a NUL that leaves an odd byte: no field after it is read.
    Last(usize),
    /// It does not fit.
    Nowhere,
    /// Only the executor knows.
    Walk,
}

/// Finds the end of a field that begins at `at`.
#[inline]
fn find(step: &Step, payload: &[u8], at: usize, slots: &mut Slots) -> Found {
    let Some(rest) = payload.get(at..) else { return Found::Nowhere };
    let taken = match step.find {
        Find::Skip(len) => Some(usize::from(len)),
        Find::Keep { slot, .. } => keep(step, rest, slots.get_mut(usize::from(slot))),
        // What is shorter than a character is not text.
        Find::Nul if rest.len() < 2 => None,
        Find::Nul => {
            let (text, taken) = utf16_nul(rest);
            if text.len() == taken && taken < rest.len() {
                return Found::Last(at + taken);
            }
            Some(taken)
        }
        Find::Nul8 if rest.is_empty() => None,
        Find::Nul8 => Some(nul_terminated(rest).1),
        Find::Nothing => Some(0),
        Find::Elements { slot, width } => elements_len(slots.get(usize::from(slot)), width),
        Find::Walk => return Found::Walk,
    };
    taken.filter(|taken| *taken <= rest.len()).map_or(Found::Nowhere, |taken| Found::At(at + taken))
}

/// Keeps the value of an integer that others refer to, and returns its length.
#[inline]
fn keep(step: &Step, rest: &[u8], slot: Option<&mut u64>) -> Option<usize> {
    let (value, taken) = step.read.integer(rest)?;
    if let Some(slot) = slot {
        *slot = value;
    }
    Some(taken)
}

#[inline]
fn elements_len(count: Option<&u64>, width: u8) -> Option<usize> {
    usize::try_from(*count?).ok()?.checked_mul(usize::from(width))
}
