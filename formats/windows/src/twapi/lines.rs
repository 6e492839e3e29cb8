//! One line an event.

use etwkit::bytes::{Guid, Sid};
use etwkit::decode::{Event, EventType};
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::format::ExtendedType;
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::{csv, push_message_with, value};
use etwkit::schema::{Names, Schema};
use etwkit::trace::Trace;

use super::TwapiField;
use super::list::list;
use super::properties::{self, Labels};
use crate::header::{HeaderTimes, KERNEL, Times, ids, is_kernel};
use crate::names::{self, Aliases, OfSchema};

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

/// What one thread keeps between events.
#[derive(Debug)]
pub struct TwapiState {
    texts: PerType<Texts>,
    times: HeaderTimes,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Texts {
    provider: Option<String>,
    guid: Guid,
    task: Option<String>,
    opcode: Option<String>,
    labels: OfSchema<Labels>,
}

impl Texts {
    fn new(event: &Event<'_>, aliases: &Aliases, before: Option<&Self>) -> Self {
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
        let labels = || -> Labels {
            let all = event.schema().map(|schema| names::fields(raw, schema, alias)).unwrap_or_default();
            all.into_iter().map(|(name, look)| (name.into(), look)).collect()
        };
        Self {
            provider: if is_kernel(event) { Some(KERNEL) } else { named_provider() }.map(str::to_owned),
            guid: event.provider_guid(),
            task,
            opcode: opcode.or_else(|| message(Names::OPCODE_MESSAGE)?.or(known?.opcode.as_deref()).map(str::to_owned)),
            labels: OfSchema::new(event, alias, before.map(|before| &before.labels), labels),
        }
    }
}

impl LineFormat for Twapi {
    type State = TwapiState;

    fn state(&self, trace: &Trace) -> TwapiState {
        TwapiState { texts: PerType::default(), times: HeaderTimes::new(trace) }
    }

    fn head(&self, _: &Trace) -> Vec<u8> {
        csv::row(self.fields.iter().map(|field| field.name()))
    }

    fn event(&self, state: &mut TwapiState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let texts = state.texts.of(event, |known| Texts::new(event, &self.aliases, known));
        csv::Row::new(out).cells(self.fields.iter().map(|field| cell(*field, event, texts, &state.times))).end();
        Ok(())
    }
}

/// Returns the text of a field. What has no name is called by its number.
fn cell(field: TwapiField, event: &Event<'_>, texts: &Texts, header_times: &HeaderTimes) -> String {
    let raw = event.raw();
    let names = event.schema().map(Schema::names);
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
        TwapiField::TimeCreated => event.time().map_or(raw.time().0, |time| time.0).to_string(),
        TwapiField::Tid => ids(raw).1.to_string(),
        TwapiField::Pid => ids(raw).0.to_string(),
        TwapiField::ProviderGuid => guid(texts.guid),
        TwapiField::UserTime => times(header_times, event).1.to_string(),
        TwapiField::KernelTime => times(header_times, event).0.to_string(),
        TwapiField::ProviderName => texts.provider.clone().unwrap_or_else(|| guid(texts.guid)),
        TwapiField::EventGuid => guid(if raw.kind() == Kind::Classic { raw.provider() } else { Guid::NULL }),
        TwapiField::ChannelName => numbered(names.and_then(|names| names.channel.as_deref()), raw.channel().into()),
        TwapiField::LevelName => match level(raw.level()) {
            Some(name) => name.to_owned(),
            None => numbered(names.and_then(|names| names.level.as_deref()), raw.level().into()),
        },
        TwapiField::OpcodeName => numbered(texts.opcode.as_deref(), raw.opcode().into()),
        TwapiField::TaskName => numbered(texts.task.as_deref(), raw.task()),
        TwapiField::Keywords => list(names.into_iter().flat_map(|names| names.keywords_of(raw.keywords()))),
        TwapiField::Properties => dictionary(event, texts),
        TwapiField::Message => match event.schema().and_then(Schema::message) {
            Some(message) => {
                let mut out = Vec::new();
                push_message_with(&mut out, message, event, event.clock(), value::push);
                String::from_utf8_lossy(&out).into_owned()
            }
            None => format!("Properties: {}", dictionary(event, texts)),
        },
        TwapiField::Sid => {
            let item = raw.item(ExtendedType::SID);
            item.and_then(|item| Sid::new(item.data)).map_or_else(String::new, |sid| sid.to_string())
        }
    }
}

fn dictionary(event: &Event<'_>, texts: &Texts) -> String {
    if event.raw().kind() == Kind::StringOnly {
        return properties::text_alone(event);
    }
    properties::dictionary(event, &texts.labels, event.clock())
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
