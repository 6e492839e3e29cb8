//! What events of a type and header have in common.

use std::collections::HashMap;

use etwkit::Event;
use etwkit::decode::PendingEvent;
use etwkit::event::Kind;
use etwkit::output::{PerType, WriterFacts};
use etwkit::schema::Subject;
use etwkit::select::{HeaderField, HeaderValue};

use crate::coders::Coders;
use crate::head::parts;

/// The columns whose values depend on the type of an event and the numbers of its header alone.
const CONSTANTS: [HeaderField; 12] = [
    HeaderField::Provider,
    HeaderField::ProviderGuid,
    HeaderField::Event,
    HeaderField::Kind,
    HeaderField::Schema,
    HeaderField::Id,
    HeaderField::Version,
    HeaderField::Level,
    HeaderField::Opcode,
    HeaderField::Task,
    HeaderField::Keywords,
    HeaderField::Channel,
];

/// One of these columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Constant(u8);

impl Constant {
    /// Returns the column of a field; `None` if its values are of single events.
    pub(crate) fn of(field: HeaderField) -> Option<Self> {
        CONSTANTS.iter().position(|constant| *constant == field).map(|place| Self(place as u8))
    }
}

/// The values of these columns: numbers, or codes of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    values: [u64; CONSTANTS.len()],
    /// A bit for each column that has a value.
    valid: u16,
}

impl Shape {
    fn new(event: &Event<'_>, coders: &mut Coders) -> Self {
        let mut shape = Self::default();
        for (place, (slot, field)) in shape.values.iter_mut().zip(CONSTANTS).enumerate() {
            let value = match field.value(event) {
                Some(HeaderValue::Number { value, .. } | HeaderValue::Bits(value)) => Some(value),
                Some(text) => coders.code(field, &text, event).map(u64::from),
                None => None,
            };
            if let Some(value) = value {
                *slot = value;
                shape.valid |= 1 << place;
            }
        }
        shape
    }

    /// Returns the value of a column; 0 if it has none.
    #[inline]
    pub(crate) fn value(&self, of: Constant) -> u64 {
        self.values.get(usize::from(of.0)).copied().unwrap_or(0)
    }

    /// Returns whether it has a value.
    #[inline]
    pub(crate) const fn has(&self, of: Constant) -> bool {
        self.valid >> of.0 & 1 == 1
    }
}

/// What is prepared for the events of a type.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is of its own")]
pub(crate) struct Prepared {
    /// The number of their shape.
    pub(crate) shape: u32,
    /// Their fields need not be located: all that columns show is at its place.
    pub(crate) is_compiled: bool,
    /// What is not in the payload depends on it all the same: on which layout fits.
    pub(crate) depends_on_layout: bool,
    /// The ids of process and thread are in the payload.
    pub(crate) has_subject: bool,
    pub(crate) has_message: bool,
    /// Times are those of the machine's zone.
    pub(crate) is_local_time: bool,
}

impl Prepared {
    /// Returns the parts that the heads of all events have.
    pub(crate) const fn parts(&self) -> u16 {
        parts::ALWAYS | if self.is_local_time { 0 } else { parts::UTC }
    }

    fn new(event: &Event<'_>, shape: u32) -> Self {
        let is_odd = matches!(event.raw().kind(), Kind::Wpp | Kind::Error | Kind::StringOnly);
        let layouts = event.event_type().map_or(0, |row| row.layouts().count());
        Self {
            shape,
            is_compiled: !is_odd && layouts > 0,
            depends_on_layout: layouts > 1,
            has_subject: event.schema().is_some_and(|schema| schema.subject() != Subject::default()),
            has_message: event.schema().is_some_and(|schema| schema.message().is_some()),
            is_local_time: event.schema().is_some_and(|schema| schema.names().is_local_time()),
        }
    }
}

/// The shapes of the events of a thread.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    of_types: PerType<Prepared>,
    numbers: HashMap<Shape, u32>,
    list: Vec<Shape>,
}

/// Shapes with which another batch may begin: a crafted trace has another header for each event.
const MOST: usize = 1 << 14;

impl Shapes {
    /// Returns what is prepared for an event whose fields have not been located, and what its header states beside its
    /// type; `None` without a schema.
    #[inline]
    pub(crate) fn of_pending(
        &mut self,
        pending: &mut PendingEvent<'_>,
        coders: &mut Coders,
    ) -> Option<(&Prepared, WriterFacts)> {
        let Self { of_types, numbers, list } = self;
        of_types.with_facts(pending, |event, _| {
            let number = number(event, numbers, list, coders);
            Prepared::new(event, number)
        })
    }

    /// Returns the number of an event's shape.
    pub(crate) fn of_event(&mut self, event: &Event<'_>, coders: &mut Coders) -> u32 {
        let Self { of_types, numbers, list } = self;
        of_types.of(event, |_| Prepared::new(event, number(event, numbers, list, coders))).shape
    }

    /// Returns all shapes by their numbers.
    pub(crate) fn list(&self) -> &[Shape] {
        &self.list
    }

    /// Ends a batch. `true` for codes that were forgotten. Returns whether shapes are.
    pub(crate) fn end_batch(&mut self, is_forgotten: bool) -> bool {
        let is_forgotten = is_forgotten || self.list.len() > MOST;
        if is_forgotten {
            *self = Self::default();
        }
        is_forgotten
    }
}

fn number(event: &Event<'_>, numbers: &mut HashMap<Shape, u32>, list: &mut Vec<Shape>, coders: &mut Coders) -> u32 {
    let shape = Shape::new(event, coders);
    *numbers.entry(shape).or_insert_with_key(|shape| {
        list.push(shape.clone());
        (list.len() - 1) as u32
    })
}
