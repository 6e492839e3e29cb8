//! An observer of kernel events that reads them by the crate's tables.

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Scratch};
use etwkit::error::Result;
use etwkit::event::{EventKey, RawEvent};
use etwkit::parser::{Claims, Observer};
use etwkit::schema::Schema;
use etwkit::system::System;

/// A classic event that is observed, and what notes its facts.
#[derive(Debug)]
pub(crate) struct Watched {
    class: Guid,
    opcode: u8,
    note: fn(&Event<'_>, &mut System),
}

pub(crate) const fn watched(class: u128, opcode: u8, note: fn(&Event<'_>, &mut System)) -> Watched {
    Watched { class: Guid::from_u128(class), opcode, note }
}

/// Reads some events in one trace.
#[derive(Debug)]
pub(crate) struct TableObserver {
    events: &'static [Watched],
    /// How events with a key are read; `None` for keys that are not watched.
    known: HashMap<EventKey, Option<Reading>>,
    scratch: Scratch,
}

#[derive(Debug)]
struct Reading {
    schema: Option<Schema>,
    note: fn(&Event<'_>, &mut System),
}

impl TableObserver {
    pub(crate) fn new(events: &'static [Watched]) -> Self {
        Self { events, known: HashMap::new(), scratch: Scratch::default() }
    }
}

impl Observer for TableObserver {
    fn interest(&self) -> Claims {
        Claims::classic(self.events.iter().map(|event| (event.class, event.opcode)).collect::<Vec<_>>())
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let Self { events, known, scratch } = self;
        let reading = known.entry(event.key()).or_insert_with_key(|key| reading(events, key));
        if let Some(Reading { schema, note }) = reading {
            note(&Event::locate(*event, schema.as_ref(), None, scratch), system);
        }
        Ok(())
    }
}

fn reading(events: &[Watched], key: &EventKey) -> Option<Reading> {
    let wanted = |event: &&Watched| event.class == key.provider && event.opcode == key.opcode;
    let note = events.iter().find(wanted)?.note;
    Some(Reading { schema: crate::tables().set().choose(key, None, 0), note })
}
