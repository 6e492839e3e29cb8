//! One line per event.

use etwkit::FileTime;
use etwkit::bytes::{Guid, Sid};
use etwkit::decode::{Event, EventType, FieldView, PendingEvent, PlacedFields, Value};
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::format::ExtendedType;
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::pen::GrowingPen;
use etwkit::render::value::ValueContext;
use etwkit::render::{Inserts, csv, push_message_with, value};
use etwkit::schema::{Field, Message, Names, Schema};
use etwkit::trace::Trace;

use super::TwapiField;
use super::labels::Labels;
use super::list::list;
use super::prepared;
use super::properties::{self, Buffers};
use crate::header::{HeaderTimes, KERNEL, Times, ids, is_kernel};
use crate::names::{self, Alias, Aliases, FieldAppearance, OfSchema};
use crate::ops::FieldOps;

/// Writes the fields of each event as TWAPI does: a header line, then CSV without blanks.
pub type TwapiLines<'t, W> = LineSink<'t, Twapi, W>;

/// The lines of TWAPI's `etw_dump_to_file`; without other fields those of [`TwapiField::usual`].
#[derive(Clone, Debug)]
pub struct Twapi {
    fields: Box<[TwapiField]>,
    aliases: Aliases,
}

impl Default for Twapi {
    fn default() -> Self {
        Self { fields: TwapiField::usual().into(), aliases: Aliases::kernel() }
    }
}

impl Twapi {
    /// Sets the fields of each line.
    #[must_use]
    pub fn fields(mut self, fields: impl Into<Box<[TwapiField]>>) -> Self {
        self.fields = fields.into();
        self
    }

    /// Sets the names of classic events and fields; without, [`Aliases::kernel`].
    #[must_use]
    pub fn aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = aliases;
        self
    }
}

/// State that a thread keeps between events.
#[derive(Debug)]
pub struct TwapiState {
    texts: PerType<Texts>,
    memory: Memory,
}

/// Memory that is used again for each event.
#[derive(Debug, Default)]
struct Memory {
    times: HeaderTimes,
    /// The cell that is being written.
    cell: Vec<u8>,
    buffers: Buffers,
    pen: GrowingPen,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Texts {
    provider: Option<String>,
    guid: Guid,
    task: Option<String>,
    opcode: Option<String>,
    properties: OfSchema<Properties>,
    /// By the number of the field, the cell of one that is the same for all.
    cells: Box<[Option<Vec<u8>>]>,
}

impl Texts {
    fn new(event: &Event<'_>, twapi: &Twapi, before: Option<&Self>) -> Self {
        let aliases = &twapi.aliases;
        let raw = event.raw();
        let alias = aliases.of(raw);
        let known = event.schema().map(|schema| schema.reported().names());
        // TDH gives the kernel's classes the name of their class as task, and those of others none.
        let has_task = raw.kind() != Kind::Classic || is_kernel(event);
        let task = aliases.class_name(raw).filter(|_| raw.kind() == Kind::Classic).map(str::to_owned);
        let message = |key: &str| known.map(|names| names.detail(key));
        let named = || message(Names::TASK_MESSAGE)?.or(known?.task.as_deref());
        let task = task.or_else(|| named().filter(|_| has_task).map(str::to_owned));
        let opcode = alias.and_then(|(alias, _)| alias.opcode.as_deref()).map(str::to_owned);
        let named_provider = || event.event_type().and_then(EventType::provider_name);
        let mut texts = Self {
            provider: if is_kernel(event) { Some(KERNEL) } else { named_provider() }.map(str::to_owned),
            guid: event.provider_guid(),
            task,
            opcode: opcode.or_else(|| message(Names::OPCODE_MESSAGE)?.or(known?.opcode.as_deref()).map(str::to_owned)),
            properties: OfSchema::new(event, alias, before.map(|before| &before.properties), || {
                Properties::new(event, alias)
            }),
            cells: Box::default(),
        };
        let cell = |field: &TwapiField| {
            let text = constant(*field, event, &texts)?;
            let mut cell = Vec::new();
            csv::Row::new(&mut cell).cell(text);
            Some(cell)
        };
        texts.cells = twapi.fields.iter().map(cell).collect();
        texts
    }
}

/// How the fields of a schema are written.
#[derive(Debug)]
struct Properties {
    labels: Labels,
    /// Short cuts for events whose fields are all readable.
    ops: Option<FieldOps>,
    /// Whether they stand for the message that the events lack.
    is_message: bool,
}

impl Properties {
    fn new(event: &Event<'_>, alias: Option<(&Alias, bool)>) -> Self {
        let raw = event.raw();
        let labels = event.schema().map(|schema| Labels::new(raw, schema, alias)).unwrap_or_default();
        let ops = event.schema().and_then(|schema| prepared::prepared(schema, raw.kind(), &labels));
        let is_message = event.schema().is_some_and(|schema| schema.reported().message().is_none());
        Self { labels, ops, is_message }
    }

    /// Writes the dictionary of an event as a cell after some text; nothing, and `false`, if the executor has to.
    fn write(
        &self,
        fields: Option<&PlacedFields<'_>>,
        before: &[u8],
        (pen, buffers): (&mut GrowingPen, &mut Buffers),
        out: &mut Vec<u8>,
    ) -> bool {
        let (Some(ops), Some(fields)) = (&self.ops, fields) else { return false };
        if !fields.remainder().is_empty() {
            return false;
        }
        pen.begin();
        pen.bytes(before);
        prepared::write(pen, fields, ops, (&self.labels, buffers));
        let Some(cell) = pen.text() else { return false };
        csv::Row::new(out).cell(cell);
        true
    }
}

/// What a line is made from.
struct Source<'s, E> {
    raw: &'s RawEvent<'s>,
    time: Option<FileTime>,
    /// Of an event whose fields are all readable.
    fields: Option<&'s PlacedFields<'s>>,
    /// Returns the event, for what is not prepared.
    event: E,
}

impl Twapi {
    /// Appends the line of an event.
    fn line<'s>(
        &self,
        source: &Source<'s, impl Fn() -> Event<'s>>,
        texts: &Texts,
        memory: &mut Memory,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        for (number, field) in self.fields.iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            if let Some(Some(constant)) = texts.cells.get(number) {
                out.extend_from_slice(constant);
            } else if !quick(out, *field, source, texts, memory) {
                let Memory { times, cell, buffers, .. } = memory;
                cell.clear();
                push_field(cell, *field, &(source.event)(), texts, (times, buffers));
                csv::Row::new(out).cell(&*cell);
            }
        }
        // As of a row of nothing.
        out.extend_from_slice(if out.len() == start { b"\"\"\n" } else { b"\n" });
    }
}

impl LineFormat for Twapi {
    type State = TwapiState;

    fn state(&self, trace: &Trace) -> TwapiState {
        let memory = Memory { times: HeaderTimes::new(trace), ..Memory::default() };
        TwapiState { texts: PerType::default(), memory }
    }

    fn head(&self, _: &Trace) -> Vec<u8> {
        csv::row(self.fields.iter().map(|field| field.name()))
    }

    fn event(&self, state: &mut TwapiState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let TwapiState { texts, memory } = state;
        let texts = texts.of(event, |known| Texts::new(event, self, known));
        let fields = event.placed();
        let source = Source { raw: event.raw(), time: event.time(), fields: fields.as_ref(), event: || *event };
        self.line(&source, texts, memory, out);
        Ok(())
    }

    fn compiled(&self, state: &mut TwapiState, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let TwapiState { texts, memory } = state;
        let texts = texts.of_pending(pending, |event, known| Texts::new(event, self, known));
        let (Some(texts), time) = (texts, pending.time()) else { return false };
        let Some(fields) = pending.placed() else { return false };
        let source = Source { raw: fields.raw(), time, fields: Some(&fields), event: || fields.event() };
        self.line(&source, texts, memory, out);
        true
    }
}

/// Returns the text of a field that is the same for all events of a type. What has no name is called by its number.
fn constant(field: TwapiField, event: &Event<'_>, texts: &Texts) -> Option<String> {
    let raw = event.raw();
    let names = event.schema().map(|schema| schema.reported().names());
    let numbered = |name: Option<&str>, number: u16| name.map_or_else(|| number.to_string(), str::to_owned);
    Some(match field {
        TwapiField::EventId => raw.id().to_string(),
        TwapiField::Version => raw.version().to_string(),
        TwapiField::Channel => raw.channel().to_string(),
        TwapiField::Level => raw.level().to_string(),
        TwapiField::Opcode => raw.opcode().to_string(),
        TwapiField::Task => raw.task().to_string(),
        TwapiField::KeywordMask => format!("{:#x}", raw.keywords()),
        TwapiField::ProviderGuid => guid(texts.guid),
        TwapiField::ProviderName => texts.provider.clone().unwrap_or_else(|| guid(texts.guid)),
        TwapiField::EventGuid => guid(if raw.kind() == Kind::Classic { raw.provider_guid() } else { Guid::NULL }),
        TwapiField::ChannelName => numbered(names.and_then(|names| names.channel.as_deref()), raw.channel().into()),
        TwapiField::LevelName => match level(raw.level()) {
            Some(name) => name.to_owned(),
            None => numbered(names.and_then(|names| names.level.as_deref()), raw.level().into()),
        },
        TwapiField::OpcodeName => numbered(texts.opcode.as_deref(), raw.opcode().into()),
        TwapiField::TaskName => numbered(texts.task.as_deref(), raw.task()),
        TwapiField::Keywords => list(names.into_iter().flat_map(|names| names.keywords_of(raw.keywords()))),
        _ => return None,
    })
}

/// Appends the cell of a field that needs no quotes or is prepared; nothing, and `false`, for all others.
fn quick<E>(
    out: &mut Vec<u8>,
    field: TwapiField,
    source: &Source<'_, E>,
    texts: &Texts,
    Memory { pen, buffers, .. }: &mut Memory,
) -> bool {
    let Source { raw, time, fields, .. } = *source;
    match field {
        // Without a known clock the time stamp as it is.
        TwapiField::TimeCreated => push_number(out, time.map_or(raw.time().0, |time| time.0)),
        TwapiField::Pid => push_number(out, ids(raw).0),
        TwapiField::Tid => push_number(out, ids(raw).1),
        TwapiField::Properties => return texts.properties.write(fields, b"", (pen, buffers), out),
        TwapiField::Message if texts.properties.is_message => {
            return texts.properties.write(fields, b"Properties: ", (pen, buffers), out);
        }
        _ => return false,
    }
    true
}

/// Appends the text of a field that may be another one in each event.
fn push_field(
    out: &mut Vec<u8>,
    field: TwapiField,
    event: &Event<'_>,
    texts: &Texts,
    (header_times, buffers): (&HeaderTimes, &mut Buffers),
) {
    let raw = event.raw();
    match field {
        TwapiField::UserTime => push_number(out, times(header_times, event).1),
        TwapiField::KernelTime => push_number(out, times(header_times, event).0),
        TwapiField::Properties => push_dictionary(out, event, texts, buffers),
        TwapiField::Message => {
            if let Some(schema) = event.schema()
                && let Some(message) = schema.reported().message()
            {
                push_message(out, event, (schema, message), &texts.properties.labels);
                return lossy(out);
            }
            out.extend_from_slice(b"Properties: ");
            push_dictionary(out, event, texts, buffers);
        }
        TwapiField::Sid => {
            let item = raw.item(ExtendedType::SID);
            if let Some(sid) = item.and_then(|item| Sid::new(item.data)) {
                out.extend_from_slice(sid.to_string().as_bytes());
            }
        }
        _ => {}
    }
}

/// Appends the message of an event.
fn push_message(out: &mut Vec<u8>, event: &Event<'_>, (schema, message): (&Schema, &Message), labels: &Labels) {
    if !schema.has_report() {
        return push_message_with(out, message, event, event.clock(), &value::push);
    }
    push_message_with(out, message, event, event.clock(), &ReportedInserts { labels, schema });
}

/// The inserts of a message that Windows has for an event whose schema is a table: fields of its description.
struct ReportedInserts<'l> {
    labels: &'l Labels,
    schema: &'l Schema,
}

impl Inserts for ReportedInserts<'_> {
    fn field<'a>(&self, event: &Event<'a>, number: u16) -> Option<FieldView<'a>> {
        names::reported_field(event, self.schema, number)
    }

    fn shows(&self, place: usize, _: &Field) -> bool {
        self.labels.look(place) != FieldAppearance::Hidden
    }

    fn push(&self, out: &mut Vec<u8>, place: usize, value: Value<'_>, context: ValueContext<'_>) {
        let context = context.map(self.labels.map(self.schema, (place, context.field)));
        properties::push_insert(out, value, context, self.labels.look(place));
    }
}

/// Replaces bytes that are not UTF-8.
fn lossy(out: &mut Vec<u8>) {
    if std::str::from_utf8(out).is_err() {
        *out = String::from_utf8_lossy(out).into_owned().into_bytes();
    }
}

fn push_number(out: &mut Vec<u8>, number: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

fn push_dictionary(out: &mut Vec<u8>, event: &Event<'_>, texts: &Texts, buffers: &mut Buffers) {
    if event.raw().kind() == Kind::StringOnly {
        return out.extend_from_slice(properties::text_alone(event).as_bytes());
    }
    let dict = properties::dictionary(event, &texts.properties.labels, event.clock(), buffers);
    out.extend_from_slice(dict.as_bytes());
    buffers.give(dict);
}

/// TWAPI's own names of levels.
const fn level(level: u8) -> Option<&'static str> {
    Some(match level {
        0 => "Log Always",
        1 => "Critical",
        2 => "Error",
        3 => "Warning",
        4 => "Informational",
        5 => "Debug",
        _ => return None,
    })
}

/// As Windows prints it.
fn guid(guid: Guid) -> String {
    format!("{{{guid}}}").to_ascii_uppercase()
}

/// Kernel and user time, 100 ns. The one time of a private session, processor ticks, replaces the user time.
fn times(times: &HeaderTimes, event: &Event<'_>) -> (u64, u64) {
    match times.of(event.raw()) {
        Times::Processor(time) => (0, time),
        Times::Thread { kernel, user } => (kernel, user),
    }
}
