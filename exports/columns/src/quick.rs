//! How events become rows whose type and header are as those of an earlier one.

use std::sync::Arc;

use etwkit::decode::PendingEvent;
use etwkit::event::EventTypeId;

use crate::header_words::HeaderWords;
use crate::plan::Plan;
use crate::program::Program;
use crate::routes::Route;
use crate::shapes::Prepared;

/// All that follows from a type and a header.
#[derive(Debug)]
pub(crate) struct Quick {
    pub(crate) words: HeaderWords,
    pub(crate) key: Option<EventTypeId>,
    /// The number of the table.
    pub(crate) table: usize,
    /// The number of the shape.
    pub(crate) shape: u32,
    /// How the payload is read; `None` if no column shows it.
    pub(crate) program: Option<Arc<Program>>,
    /// The parts that all heads have.
    pub(crate) parts: u16,
    /// The writer is whom the events are about.
    pub(crate) is_of_writer: bool,
    pub(crate) has_extended: bool,
}

impl Quick {
    /// `None` if something must be looked at that only a located event has.
    pub(crate) fn new(pending: &PendingEvent<'_>, (plan, route): (&Plan, &Route), prepared: &Prepared) -> Option<Self> {
        let raw = pending.raw();
        let needs_event = plan.has_fields() || prepared.has_message && plan.has_message();
        if needs_event || !plan.is_quick(prepared) || !plan.has_payload && plan.needs_fit(prepared) {
            return None;
        }
        let program = if plan.has_payload { Some(route.program(raw.header_type().pointer_size())?) } else { None };
        Some(Self {
            words: HeaderWords::of(raw)?,
            key: route.key,
            table: route.table,
            shape: prepared.shape,
            program: program.cloned(),
            parts: prepared.parts(),
            is_of_writer: !prepared.has_subject,
            has_extended: raw.has_extended(),
        })
    }
}

/// What is known of events, by the numbers of their types.
#[derive(Debug, Default)]
pub(crate) struct Quicks(Vec<Known>);

/// What is known of a type.
#[derive(Debug, Default)]
enum Known {
    #[default]
    Nothing,
    /// Its events must be looked at one by one.
    Single,
    Quick(Box<Quick>),
}

impl Quicks {
    /// Returns what is known of events like this one, by type and the width of addresses.
    #[inline]
    pub(crate) fn of(&self, pending: &PendingEvent<'_>) -> Option<&Quick> {
        match self.0.get(place(pending)?)? {
            Known::Quick(quick) => Some(quick),
            Known::Nothing | Known::Single => None,
        }
    }

    /// Returns whether the events of a type must be looked at one by one.
    pub(crate) fn are_single(&self, pending: &PendingEvent<'_>) -> bool {
        place(pending).is_none_or(|place| matches!(self.0.get(place), Some(Known::Single)))
    }

    /// Keeps what there is to know.
    pub(crate) fn put(&mut self, pending: &PendingEvent<'_>, quick: Option<Quick>) {
        let Some(place) = place(pending) else { return };
        if self.0.len() <= place {
            self.0.resize_with(place + 1, Known::default);
        }
        if let Some(slot) = self.0.get_mut(place) {
            *slot = quick.map_or(Known::Single, |quick| Known::Quick(Box::new(quick)));
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[inline]
fn place(pending: &PendingEvent<'_>) -> Option<usize> {
    // Header types come in pairs: with addresses of four bytes, and of eight.
    Some(2 * pending.event_type()?.id().0 as usize + pending.raw().header_type().index() % 2)
}
