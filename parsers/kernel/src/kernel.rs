//! The parser.

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Scratch};
use etwkit::error::Result;
use etwkit::event::{EventKey, RawEvent};
use etwkit::parser::{Claims, Learned, Parser, TraceFacts};
use etwkit::schema::Schema;
use etwkit::system::System;
use etwkit::tables::SchemaTables;

use crate::facts::{TEACHERS, Teacher};
use crate::stacks;

/// Serves the kernel's tables, and takes processes, threads, images, file names and volumes from its events.
#[derive(Debug)]
pub struct Kernel {
    tables: SchemaTables,
    lessons: Lessons,
}

impl Default for Kernel {
    fn default() -> Self {
        Self { tables: crate::tables(), lessons: Lessons::new(&TEACHERS) }
    }
}

impl Parser for Kernel {
    fn name(&self) -> &'static str {
        "kernel"
    }

    fn claims(&self) -> Claims<'_> {
        self.tables.claims()
    }

    fn teachers(&self) -> Claims<'_> {
        Claims::Classic(&self.lessons.keys)
    }

    fn learn(&mut self, event: &RawEvent<'_>, state: &mut System) -> Result<Learned> {
        Ok(self.lessons.learn(&self.tables, event, state))
    }

    fn schema(&self, event: &RawEvent<'_>, trace: &TraceFacts) -> Result<Option<Schema>> {
        self.tables.schema(event, trace)
    }
}

/// Keeps the stacks of kernel events that come in events of their own, which costs time and memory. Has no schemas:
/// [`Kernel`] does.
#[derive(Debug)]
pub struct KernelStacks {
    tables: SchemaTables,
    lessons: Lessons,
}

impl Default for KernelStacks {
    fn default() -> Self {
        Self { tables: crate::stack_tables(), lessons: Lessons::new(&stacks::TEACHERS) }
    }
}

impl Parser for KernelStacks {
    fn name(&self) -> &'static str {
        "kernel-stacks"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Nothing
    }

    fn teachers(&self) -> Claims<'_> {
        Claims::Classic(&self.lessons.keys)
    }

    fn learn(&mut self, event: &RawEvent<'_>, state: &mut System) -> Result<Learned> {
        Ok(self.lessons.learn(&self.tables, event, state))
    }

    fn schema(&self, _: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        Ok(None)
    }
}

/// Events that teach, with their schemas.
#[derive(Debug)]
struct Lessons {
    teachers: &'static [Teacher],
    /// Their classes and opcodes, sorted.
    keys: Box<[(Guid, u8)]>,
    known: HashMap<EventKey, Option<Lesson>>,
    scratch: Scratch,
}

/// How an event is read, and what takes facts from it.
#[derive(Debug)]
struct Lesson {
    schema: Option<Schema>,
    take: fn(&Event<'_>, &mut System),
}

impl Lessons {
    fn new(teachers: &'static [Teacher]) -> Self {
        let mut keys: Vec<_> = teachers.iter().map(|teacher| (teacher.class, teacher.opcode)).collect();
        keys.sort_unstable();
        let (known, scratch) = <_>::default();
        Self { teachers, keys: keys.into(), known, scratch }
    }

    fn learn(&mut self, tables: &SchemaTables, event: &RawEvent<'_>, state: &mut System) -> Learned {
        let Self { teachers, known, scratch, .. } = self;
        let lesson = known.entry(event.key()).or_insert_with_key(|key| lesson(teachers, tables, key));
        let Some(Lesson { schema, take }) = lesson else { return Learned::Nothing };
        take(&Event::locate(*event, schema.as_ref(), None, scratch), state);
        Learned::Fact
    }
}

fn lesson(teachers: &[Teacher], tables: &SchemaTables, key: &EventKey) -> Option<Lesson> {
    let wanted = |teacher: &&Teacher| teacher.class == key.provider && teacher.opcode == key.opcode;
    let take = teachers.iter().find(wanted)?.take;
    Some(Lesson { schema: tables.set().choose(key, None, 0), take })
}
