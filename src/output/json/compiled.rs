//! Event types compiled for JSON lines: constant text and a plan for the fields.

use crate::bytes::{PointerSize, u32_at};
use crate::decode::{Attribution, PendingEvent, Slots};
use crate::event::Kind;
use crate::output::per_type::Descriptor;
use crate::render::pen::Pen;
use crate::render::plan::{Plan, PlanContext};
use crate::schema::{Schema, Subject};

use super::derived::DerivedMembers;
use super::texts::Texts;

/// What was prepared for the events of a type.
#[derive(Debug, Default)]
pub(super) enum Prepared {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Its payloads must be located first.
    Refused,
    /// Text and plan.
    Ready(Box<Compiled>),
}

/// What all events of a type share whose payload is as the type's schema says.
#[derive(Debug)]
pub(super) struct Compiled {
    descriptor: Descriptor,
    pointer: PointerSize,
    pub(super) texts: Texts,
    /// `None` if the event must be located for them.
    pub(super) derived: Option<DerivedMembers>,
    plan: Plan,
    subject: SubjectPlaces,
    pub(super) is_local_time: bool,
    pub(super) has_message: bool,
}

impl Prepared {
    /// Returns what is prepared for an event, and prepares it at the first event of a type.
    #[inline]
    pub(super) fn ready(&mut self, pending: &mut PendingEvent<'_>) -> Option<&mut Compiled> {
        if matches!(self, Self::Nothing) {
            let compiled = Compiled::new(pending);
            *self = compiled.map_or(Self::Refused, |compiled| Self::Ready(Box::new(compiled)));
        }
        let Self::Ready(compiled) = self else { return None };
        if compiled.pointer != pending.raw().pointer_size() {
            **compiled = Compiled::new(pending)?;
        }
        let descriptor = Descriptor::of(pending.raw(), pending.key());
        if compiled.descriptor != descriptor {
            compiled.texts = Texts::new(&pending.without_fields(), Some(&compiled.texts));
            compiled.descriptor = descriptor;
        }
        Some(compiled)
    }
}

impl Compiled {
    /// Prepares a type by one of its events. `None` if its payloads must be located first.
    #[cold]
    fn new(pending: &mut PendingEvent<'_>) -> Option<Self> {
        let schema = pending.schema()?;
        if matches!(pending.event_type()?.key().kind, Kind::Wpp | Kind::Error | Kind::StringOnly) {
            return None;
        }
        let pointer = pending.raw().pointer_size();
        let texts = Texts::new(&pending.without_fields(), None);
        let plan = Plan::new(schema, texts.fields.as_deref()?, pointer)?;
        let subject = SubjectPlaces::new(schema, pointer)?;
        let derived = DerivedMembers::new(&texts.derived, schema, pointer);
        let (is_local_time, has_message) = (schema.names().is_local_time(), schema.message().is_some());
        let descriptor = Descriptor::of(pending.raw(), pending.key());
        Some(Self { descriptor, pointer, texts, derived, plan, subject, is_local_time, has_message })
    }

    /// Returns the process and thread that an event is about; `None` if the payload is too short.
    #[inline]
    pub(super) fn attribution(&self, pending: &PendingEvent<'_>, payload: &[u8]) -> Option<Attribution> {
        let SubjectPlaces { subject, process, thread } = self.subject;
        let id = |start: Option<usize>| match start {
            Some(start) => payload.get(start..start + 4).map(|id| Some(u32_at(id, 0))),
            None => Some(None),
        };
        let (process, thread) = (id(process)?, id(thread)?);
        let find = |place: Option<u16>| if place == subject.process { process } else { thread };
        Some(Attribution::of_subject(subject, pending.raw(), pending.system(), find))
    }

    /// Returns the most bytes of its constant text and its fields.
    #[inline]
    pub(super) const fn most(&self, payload: usize) -> usize {
        self.texts.names.len() + self.texts.kind.len() + self.plan.most(payload)
    }

    /// Writes the fields with the closing bracket; false if they are not as the schema says.
    #[inline]
    pub(super) fn fields(
        &mut self,
        pen: &mut Pen,
        pending: &PendingEvent<'_>,
        payload: &[u8],
        slots: &mut Slots,
    ) -> bool {
        let Self { texts, plan, pointer, .. } = self;
        let (Some(schema), Some(keys)) = (pending.schema(), texts.fields.as_deref()) else { return false };
        let (clock, file) = (pending.clock(), pending.raw().place().file);
        let context = PlanContext { schema, keys, clock, file, pointer: *pointer, slots };
        plan.write(pen, payload, context)
    }
}

/// Where the ids are of the process and thread that an event is about.
#[derive(Clone, Copy, Debug)]
struct SubjectPlaces {
    subject: Subject,
    process: Option<usize>,
    thread: Option<usize>,
}

impl SubjectPlaces {
    /// `None` if an id is not at a constant place.
    fn new(schema: &Schema, pointer: PointerSize) -> Option<Self> {
        let subject = schema.subject();
        let prefix = schema.fixed_prefix(pointer);
        let start = |place: Option<u16>| match place {
            Some(place) => {
                let span = prefix.get(usize::from(place))?;
                (span.end - span.start >= 4).then_some(Some(span.start as usize))
            }
            None => Some(None),
        };
        Some(Self { subject, process: start(subject.process)?, thread: start(subject.thread)? })
    }
}
