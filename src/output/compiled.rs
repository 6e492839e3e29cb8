//! Event types compiled for an output: constant text and a plan for the fields.

use crate::bytes::PointerSize;
use crate::decode::{Event, PendingEvent, Slots};
use crate::event::Kind;
use crate::limits;
use crate::render::pen::Pen;
use crate::render::plan::{Dialect, Plan, PlanContext};
use crate::schema::SubjectPlaces;

use super::beginnings::BeginningOf;
use super::header_parts::{Descriptor, HeaderParts};

/// What a format prepares once for a type, and again where an event has another level, opcode or keywords.
pub(super) trait TypeTexts: Sized {
    /// The form of the fields.
    type Dialect: Dialect;
    /// What all types share.
    type Shared: ?Sized;

    /// Whether events without a schema are compiled, too.
    const WITHOUT_SCHEMA: bool = false;

    /// Prepares the type of an event. The texts of another event of the same layout share what does not depend on its
    /// header.
    fn new(event: &Event<'_>, shared: &Self::Shared, known: Option<&Self>) -> Self;

    /// Returns what the names of the fields are made from; `None` if there is no schema.
    fn keys<'k>(&'k self, shared: &'k Self::Shared) -> Option<&'k Keys<Self>>;
}

/// What the names of fields are made from in the dialect of a type's texts.
pub(super) type Keys<T> = <<T as TypeTexts>::Dialect as Dialect>::Keys;

/// The types that one thread has compiled.
#[derive(Debug)]
pub(super) struct CompiledTypes<T: TypeTexts> {
    /// By the id of the type and the size of pointers.
    types: Vec<Prepared<T>>,
    /// The number of the last texts that were prepared.
    last: u64,
    slots: Slots,
}

/// What was prepared for the events of a type.
#[derive(Debug, Default)]
enum Prepared<T: TypeTexts> {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Its payloads must be located first.
    Refused,
    /// Text and plan.
    Ready(Box<Compiled<T>>),
}

/// What all events of a type share whose payload is as the type's schema states.
#[derive(Debug)]
pub(super) struct Compiled<T: TypeTexts> {
    descriptor: Descriptor,
    pointer: PointerSize,
    /// Where payloads have the ids of the process and thread that they are about.
    subject: SubjectPlaces,
    /// Distinguishes the texts from all others that the thread prepared.
    number: u64,
    pub(super) texts: T,
    /// `None` without a schema.
    plan: Option<Plan<T::Dialect>>,
    pub(super) is_local_time: bool,
    pub(super) has_message: bool,
}

impl<T: TypeTexts> Default for CompiledTypes<T> {
    fn default() -> Self {
        Self { types: Vec::new(), last: 0, slots: [0; limits::MAX_REFERENCES] }
    }
}

impl<T: TypeTexts> CompiledTypes<T> {
    /// Returns what is prepared for an event, which is prepared at the first event of a type, and memory for the values
    /// that lengths refer to. `None` if the payloads of the type must be located first.
    #[inline]
    pub(super) fn of(
        &mut self,
        pending: &mut PendingEvent<'_>,
        header: &HeaderParts,
        shared: &T::Shared,
    ) -> Option<(&mut Compiled<T>, &mut Slots)> {
        let pointer = pending.raw().pointer_size();
        let place = 2 * pending.type_id()?.0 as usize + usize::from(pointer == PointerSize::Eight);
        let Self { types, last, slots } = self;
        if types.len() <= place {
            types.resize_with(place + 1, || Prepared::Nothing);
        }
        let compiled = types.get_mut(place)?.ready(pending, header.descriptor, shared, last)?;
        Some((compiled, slots))
    }
}

impl<T: TypeTexts> Prepared<T> {
    #[inline]
    fn ready(
        &mut self,
        pending: &mut PendingEvent<'_>,
        descriptor: Descriptor,
        shared: &T::Shared,
        last: &mut u64,
    ) -> Option<&mut Compiled<T>> {
        if matches!(self, Self::Nothing) {
            let compiled = Compiled::new(pending, descriptor, shared, last);
            *self = compiled.map_or(Self::Refused, |compiled| Self::Ready(Box::new(compiled)));
        }
        let Self::Ready(compiled) = self else { return None };
        if compiled.descriptor != descriptor {
            compiled.rename(pending, descriptor, shared, last);
        }
        Some(compiled)
    }
}

impl<T: TypeTexts> Compiled<T> {
    /// Prepares a type by one of its events. `None` if its payloads must be located first.
    #[cold]
    fn new(pending: &mut PendingEvent<'_>, descriptor: Descriptor, shared: &T::Shared, last: &mut u64) -> Option<Self> {
        if matches!(pending.event_type()?.key().kind, Kind::Wpp | Kind::Error | Kind::StringOnly) {
            return None;
        }
        let pointer = pending.raw().pointer_size();
        let described = pending.schema().filter(|schema| schema.has_layout());
        let Some(schema) = described else { return Self::without_schema(pending, descriptor, shared, last) };
        let texts = T::new(&pending.without_fields(), shared, None);
        let plan = Some(Plan::new(schema, texts.keys(shared)?, pointer)?);
        let subject = schema.layout(pointer).subject;
        if subject == SubjectPlaces::Unknown {
            return None;
        }
        let (is_local_time, has_message) = (schema.names().is_local_time(), schema.message().is_some());
        *last += 1;
        Some(Self { descriptor, pointer, subject, number: *last, texts, plan, is_local_time, has_message })
    }

    /// As [`Compiled::new`], for a type of whose payload nothing is known.
    fn without_schema(
        pending: &mut PendingEvent<'_>,
        descriptor: Descriptor,
        shared: &T::Shared,
        last: &mut u64,
    ) -> Option<Self> {
        let texts = T::WITHOUT_SCHEMA.then(|| T::new(&pending.without_fields(), shared, None))?;
        *last += 1;
        let (pointer, subject) = (pending.raw().pointer_size(), SubjectPlaces::Header);
        let (is_local_time, has_message) = (false, false);
        Some(Self { descriptor, pointer, subject, number: *last, texts, plan: None, is_local_time, has_message })
    }

    /// Returns whether the type has a schema with a layout.
    #[inline]
    pub(super) const fn has_schema(&self) -> bool {
        self.plan.is_some()
    }

    /// Returns what the beginning of a line follows from.
    #[inline]
    pub(super) const fn beginning(&self) -> BeginningOf {
        BeginningOf { texts: self.number, subject: self.subject }
    }

    /// Prepares the texts for another descriptor.
    #[inline(never)]
    fn rename(&mut self, pending: &mut PendingEvent<'_>, descriptor: Descriptor, shared: &T::Shared, last: &mut u64) {
        *last += 1;
        self.number = *last;
        self.texts = T::new(&pending.without_fields(), shared, Some(&self.texts));
        self.descriptor = descriptor;
    }

    /// Writes the fields and what ends them; false if they are not as the schema states.
    #[inline]
    pub(super) fn fields(
        &mut self,
        pen: &mut Pen,
        pending: &PendingEvent<'_>,
        shared: &T::Shared,
        slots: &mut Slots,
    ) -> bool {
        let Self { texts, plan, pointer, .. } = self;
        let (Some(plan), Some(schema), Some(keys)) = (plan, pending.schema(), texts.keys(shared)) else { return false };
        let (clock, file) = (pending.clock(), pending.raw().place().file);
        let context = PlanContext { schema, keys, clock, file, pointer: *pointer, slots };
        plan.write(pen, pending.payload(), context)
    }
}
