//! The sink: one line an event.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::bytes::{Guid, Sid};
use crate::decode::Event;
use crate::error::Result;
use crate::event::Kind;
use crate::format::ExtendedType;
use crate::output::csv::{csv_line, csv_writer, finished};
use crate::output::headed::Headed;
use crate::output::prepared::Prepared;
use crate::render::message::push_message;
use crate::schema::{Names, Schema};
use crate::sink::{Sink, Worker};
use crate::trace::Trace;

use super::super::tracerpt::names::{self, Aliases, OfFields};
use super::super::tracerpt::system::{self, ids, is_kernel};
use super::TwapiField;
use super::list::list;
use super::properties::{self, Labels};

/// What Windows calls the provider of the kernel's classes.
const KERNEL: &str = "MSNT_SystemTrace";

/// Writes the fields of each event as TWAPI does: a header line, then CSV without blanks. [`TwapiLines::finish`] ends it.
#[derive(Debug)]
pub struct TwapiLines<'c, W> {
    trace: &'c Trace,
    fields: Arc<[TwapiField]>,
    aliases: Arc<Aliases>,
    writer: Headed<W>,
}

impl<'c, W: Write> TwapiLines<'c, W> {
    /// Writes to `writer`, which should not buffer.
    pub fn new(trace: &'c Trace, fields: Vec<TwapiField>, writer: W) -> Self {
        // Writing to memory cannot fail.
        let head = csv_line(fields.iter().map(|field| field.name())).unwrap_or_default();
        Self { trace, fields: fields.into(), aliases: Arc::default(), writer: Headed::new(writer, head) }
    }

    /// With Windows' own names of classic events and fields.
    #[must_use]
    pub fn aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = Arc::new(aliases);
        self
    }

    /// Hands over the writer; the header line is there even if no event came.
    pub fn finish(self) -> Result<W> {
        self.writer.finish()
    }
}

impl<'c, W: Write> Sink for TwapiLines<'c, W> {
    type Worker = TwapiWorker<'c>;

    fn worker(&self) -> TwapiWorker<'c> {
        TwapiWorker {
            trace: self.trace,
            fields: Arc::clone(&self.fields),
            aliases: Arc::clone(&self.aliases),
            csv: csv_writer(),
            prepared: Prepared::default(),
        }
    }

    fn accept(&mut self, batch: Result<Vec<u8>>) -> Result<ControlFlow<()>> {
        self.writer.write(&batch?)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the lines of one thread.
#[derive(Debug)]
pub struct TwapiWorker<'c> {
    trace: &'c Trace,
    fields: Arc<[TwapiField]>,
    aliases: Arc<Aliases>,
    csv: csv::Writer<Vec<u8>>,
    prepared: Prepared<Texts>,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Texts {
    provider: Option<String>,
    guid: Guid,
    task: Option<String>,
    opcode: Option<String>,
    labels: OfFields<Labels>,
}

impl Texts {
    fn new(trace: &Trace, event: &Event<'_>, aliases: &Aliases, before: Option<&Self>) -> Self {
        let raw = &event.raw;
        let alias = aliases.of(raw);
        let known = event.schema.map(|schema| schema.reported().names());
        // TDH gives the kernel's classes the name of their class as task, and those of others none.
        let has_task = raw.kind() != Kind::Classic || is_kernel(trace, event);
        let task = aliases.class_name(raw).filter(|_| raw.kind() == Kind::Classic).map(str::to_owned);
        let message = |key: &str| known.map(|names| names.detail(key));
        let named = || message(Names::TASK_MESSAGE)?.or(known?.task.as_deref());
        let task = task.or_else(|| named().filter(|_| has_task).map(str::to_owned));
        let opcode = alias.map(|(alias, _)| alias.opcode.to_string());
        let labels = || -> Labels {
            let all = event.schema.map(|schema| names::fields(raw, schema, alias)).unwrap_or_default();
            all.into_iter().map(|(name, look)| (name.into(), look)).collect()
        };
        Self {
            provider: if is_kernel(trace, event) {
                Some(KERNEL.to_owned())
            } else {
                event.event_type().and_then(|row| row.provider_name().map(str::to_owned))
            },
            guid: event.provider_guid(),
            task,
            opcode: opcode.or_else(|| message(Names::OPCODE_MESSAGE)?.or(known?.opcode.as_deref()).map(str::to_owned)),
            labels: OfFields::new(event, alias, before.map(|before| &before.labels), labels),
        }
    }
}

impl Worker for TwapiWorker<'_> {
    type Batch = Result<Vec<u8>>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let (trace, aliases) = (self.trace, &self.aliases);
        let prepared = self.prepared.of(event, |known| Texts::new(trace, event, aliases, known));
        for field in &*self.fields {
            self.csv.write_field(cell(trace, *field, event, prepared)).map_err(io::Error::from)?;
        }
        self.csv.write_record(None::<&[u8]>).map_err(io::Error::from)?;
        Ok(())
    }

    fn take(&mut self) -> Result<Vec<u8>> {
        finished(std::mem::replace(&mut self.csv, csv_writer()))
    }
}

/// The text of a field. What has no name is called by its number.
fn cell(trace: &Trace, field: TwapiField, event: &Event<'_>, prepared: &Texts) -> String {
    let raw = &event.raw;
    let names = event.schema.map(Schema::names);
    let numbered = |name: Option<&str>, number: u16| name.map_or_else(|| number.to_string(), str::to_owned);
    match field {
        TwapiField::EventId => raw.id().to_string(),
        TwapiField::Version => raw.version().to_string(),
        TwapiField::Channel => raw.channel().to_string(),
        TwapiField::Level => raw.level().to_string(),
        TwapiField::Opcode => raw.opcode().to_string(),
        TwapiField::Task => raw.task().to_string(),
        TwapiField::KeywordMask => format!("{:#x}", raw.keywords()),
        // Without a known clock the time stamp as it is.
        TwapiField::TimeCreated => event.time.unwrap_or(raw.time()).to_string(),
        TwapiField::Tid => ids(raw).1.to_string(),
        TwapiField::Pid => ids(raw).0.to_string(),
        TwapiField::ProviderGuid => guid(prepared.guid),
        TwapiField::UserTime => times(trace, event).1.to_string(),
        TwapiField::KernelTime => times(trace, event).0.to_string(),
        TwapiField::ProviderName => prepared.provider.clone().unwrap_or_else(|| guid(prepared.guid)),
        TwapiField::EventGuid => guid(if raw.kind() == Kind::Classic { raw.provider() } else { Guid::NULL }),
        TwapiField::ChannelName => numbered(names.and_then(|names| names.channel.as_deref()), raw.channel().into()),
        TwapiField::LevelName => match level(raw.level()) {
            Some(name) => name.to_owned(),
            None => numbered(names.and_then(|names| names.level.as_deref()), raw.level().into()),
        },
        TwapiField::OpcodeName => numbered(prepared.opcode.as_deref(), raw.opcode().into()),
        TwapiField::TaskName => numbered(prepared.task.as_deref(), raw.task()),
        TwapiField::Keywords => {
            let set = |mask: u64| raw.keywords() & mask == mask && mask != 0;
            let keywords = names.map(|names| &*names.keywords).unwrap_or_default();
            list(keywords.iter().filter(|(mask, _)| set(*mask)).map(|(_, name)| &**name))
        }
        TwapiField::Properties => dictionary(trace, event, prepared),
        TwapiField::Message => match event.schema.and_then(Schema::message) {
            Some(message) => {
                let mut out = Vec::new();
                push_message(&mut out, message, event, trace.clock(raw.place().file));
                String::from_utf8_lossy(&out).into_owned()
            }
            None => format!("Properties: {}", dictionary(trace, event, prepared)),
        },
        TwapiField::Sid => {
            let item = raw.item(ExtendedType::SID);
            item.and_then(|item| Sid::new(item.data)).map_or_else(String::new, |sid| sid.to_string())
        }
    }
}

fn dictionary(trace: &Trace, event: &Event<'_>, prepared: &Texts) -> String {
    if event.raw.kind() == Kind::StringOnly {
        return properties::text_alone(event);
    }
    properties::dictionary(event, &prepared.labels, trace.clock(event.raw.place().file))
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

/// Kernel and user time, 100 ns. The one time of a private session, processor ticks, stands for the user time.
fn times(trace: &Trace, event: &Event<'_>) -> (u64, u64) {
    match system::private_time(trace, &event.raw) {
        Some(time) => (0, time),
        None => system::times(trace, &event.raw),
    }
}
