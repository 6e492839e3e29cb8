//! The parser.

use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{DecodedEvent, Scratch};
use etwkit::error::Result;
use etwkit::event::{EventKey, RawEvent};
use etwkit::parser::{Claims, Learned, Parser, TraceFacts};
use etwkit::schema::Schema;
use etwkit::state::State;
use etwkit::tables::Tables;

use crate::facts::{TEACHERS, Teacher};
use crate::stacks;

/// Serves the kernel's tables, and takes processes, threads, images, file names and volumes from its events.
#[derive(Debug)]
pub struct Kernel {
    tables: Tables,
    /// Classes and opcodes of events that teach, sorted.
    teachers: Box<[(Guid, u8)]>,
    /// Their schemas.
    learnt: HashMap<EventKey, Option<Schema>>,
    scratch: Scratch,
}

impl Default for Kernel {
    fn default() -> Self {
        let (learnt, scratch) = <_>::default();
        Self { tables: crate::tables(), teachers: keys(TEACHERS.iter()), learnt, scratch }
    }
}

impl Kernel {
    /// The same parser; it also keeps the stacks of kernel events, which costs time and memory.
    #[must_use]
    pub fn keeping_stacks(self) -> Self {
        Self { teachers: keys(TEACHERS.iter().chain(&stacks::TEACHERS)), ..self }
    }
}

fn keys(teachers: impl Iterator<Item = &'static Teacher>) -> Box<[(Guid, u8)]> {
    let mut keys: Vec<_> = teachers.map(|teacher| (teacher.class, teacher.opcode)).collect();
    keys.sort_unstable();
    keys.into()
}

impl Parser for Kernel {
    fn name(&self) -> &'static str {
        "kernel"
    }

    fn claims(&self) -> Claims<'_> {
        self.tables.claims()
    }

    fn teachers(&self) -> Claims<'_> {
        Claims::Classic(&self.teachers)
    }

    fn learn(&mut self, event: &RawEvent<'_>, state: &mut State) -> Result<Learned> {
        let key = event.key();
        let wanted = |teacher: &&Teacher| teacher.class == key.provider && teacher.opcode == key.opcode;
        let Some(teacher) = TEACHERS.iter().chain(&stacks::TEACHERS).find(wanted) else { return Ok(Learned::Nothing) };
        let tables = &self.tables;
        let schema = self.learnt.entry(key).or_insert_with(|| tables.set().choose(&key, None, 0));
        let decoded = DecodedEvent::locate(*event, schema.as_ref(), None, &mut self.scratch);
        (teacher.take)(&decoded, state);
        Ok(Learned::Fact)
    }

    fn schema(&self, event: &RawEvent<'_>, trace: &TraceFacts) -> Result<Option<Schema>> {
        self.tables.schema(event, trace)
    }
}
