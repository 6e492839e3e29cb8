//! Which events have a header field, and its value: the one place that decides it.
//!
//! [`HeaderField::value`] is for a decoded event. Queries evaluate most of a condition before they decode an event, so
//! the same rules answer in two earlier stages: for all events of a type, and for a raw header. There, the answer is
//! [`Settled::Open`] where a later stage decides.

use std::borrow::Cow;

use crate::bytes::Guid;
use crate::decode::{Attribution, Event, EventType};
use crate::event::{Kind, RawEvent};
use crate::schema::{Names, Schema};

use super::header_field::HeaderField;
use super::header_value::{HeaderValue, ProviderGuids};
use super::schema_paths::layouts;

/// What a stage knows of a header field.
#[derive(Clone, Debug)]
pub(crate) enum Settled<'e> {
    /// A later stage decides.
    Open,
    /// The event does not have the field.
    Absent,
    /// Its value.
    Value(HeaderValue<'e>),
}

impl<'e> From<Option<HeaderValue<'e>>> for Settled<'e> {
    #[inline]
    fn from(value: Option<HeaderValue<'e>>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

impl HeaderField {
    /// Returns the value of an event's header field; `None` if the event does not have it.
    #[inline]
    pub fn value<'e>(self, event: &Event<'e>) -> Option<HeaderValue<'e>> {
        match self {
            Self::Provider => {
                provider(event.event_type().and_then(EventType::provider_name), ProviderGuids::of_event(event))
            }
            Self::ProviderGuid => provider_guid(ProviderGuids::of_event(event)),
            Self::Time => {
                let is_local = event.is_local_time();
                event.time.map(|filetime| HeaderValue::Time { filetime, is_local })
            }
            Self::Event => event_name(event.schema),
            Self::Pid | Self::Tid | Self::Process => self.of_attribution(event.attribution(), event),
            Self::Schema => event.schema.map(|schema| HeaderValue::Text(Cow::Owned(schema.origin().to_string()))),
            Self::Message => event.schema.and_then(Schema::message).map(HeaderValue::Message),
            Self::Fields => event.schema.map(HeaderValue::Fields),
            Self::Extra => Some(event.remainder()).filter(|rest| !rest.is_empty()).map(HeaderValue::Bytes),
            _ => self.in_header(&event.raw, event.schema),
        }
    }

    /// Returns [`HeaderField::Pid`], [`HeaderField::Tid`] or [`HeaderField::Process`] of an event whose attribution was
    /// found before: to find it for each of them costs time.
    #[inline]
    pub(crate) fn of_attribution<'e>(self, found: Attribution, event: &Event<'e>) -> Option<HeaderValue<'e>> {
        match self {
            Self::Pid => number(found.pid?, None),
            Self::Tid => number(found.tid?, None),
            Self::Process => event.system().process_name_at(found.pid?, &event.raw).map(text),
            _ => None,
        }
    }

    /// Returns the value of a field that the raw header has; the event's schema has names for it. `None` for all other
    /// fields.
    #[inline]
    pub(crate) fn in_header<'e>(self, event: &RawEvent<'_>, schema: Option<&'e Schema>) -> Option<HeaderValue<'e>> {
        if !self.has_header(event) {
            return None;
        }
        let names = schema.map(Schema::names);
        match self {
            Self::RawTime => Some(HeaderValue::Ticks(event.time())),
            Self::Id => number(event.id(), None),
            Self::Version => number(event.version(), None),
            Self::Level => number(event.level(), None),
            Self::Opcode => number(event.opcode(), names.and_then(|names| names.opcode.as_deref())),
            Self::Task => number(event.task(), names.and_then(|names| names.task.as_deref())),
            Self::Keywords => Some(HeaderValue::Bits(event.keywords())),
            Self::Channel => number(event.channel(), names.and_then(|names| names.channel.as_deref())),
            Self::Cpu => number(event.processor(), None),
            Self::Activity => event.activity().map(HeaderValue::Guid),
            Self::RelatedActivity => event.related_activity().map(HeaderValue::Guid),
            Self::Kind => Some(text(event.kind_name())),
            _ => None,
        }
    }

    /// Returns whether the event's header is of a layout that has such a field.
    #[inline]
    fn has_header(self, event: &RawEvent<'_>) -> bool {
        match self {
            Self::Id => matches!(event.kind(), Kind::Manifest | Kind::TraceLogging | Kind::Wpp),
            Self::Version | Self::Opcode => !matches!(event.kind(), Kind::Wpp | Kind::Error),
            Self::Level => !matches!(event.kind(), Kind::Wpp | Kind::Error) && event.hook().is_none(),
            Self::Task | Self::Keywords | Self::Channel => event.described().is_some(),
            _ => true,
        }
    }

    /// Looks for a value that is the same for all events of a type.
    pub(crate) fn of_type(self, row: &EventType) -> Settled<'_> {
        let guids = || ProviderGuids { provider: row.provider_guid(), header: row.key().provider };
        match self {
            Self::Provider => provider(row.provider_name(), guids()).into(),
            Self::ProviderGuid => provider_guid(guids()).into(),
            Self::Event if layouts_agree(row.schema(), Schema::name) => event_name(row.schema()).into(),
            // Events of the kernel and of others can have the same class.
            Self::Kind if row.key().kind != Kind::Classic => Settled::Value(text(row.key().kind.name())),
            Self::Schema | Self::Fields if row.schema().is_none() => Settled::Absent,
            Self::Message if !has_message(row.schema()) => Settled::Absent,
            _ => Settled::Open,
        }
    }

    /// Looks for a value that is settled before the event is decoded; `schema` is the first of its type's layouts.
    pub(crate) fn before_decoding<'e>(self, event: &RawEvent<'_>, schema: Option<&'e Schema>) -> Settled<'e> {
        match self {
            Self::Opcode | Self::Task | Self::Channel if !layouts_agree(schema, number_names) => Settled::Open,
            // A field of the payload says whom the event is about.
            Self::Pid | Self::Tid if layouts(schema).any(|schema| schema.subject().process.is_some()) => Settled::Open,
            Self::Pid | Self::Tid => match Attribution::of_header(event) {
                Attribution { pid: Some(pid), tid: Some(tid) } => {
                    number(if self == Self::Pid { pid } else { tid }, None).into()
                }
                _ => Settled::Open,
            },
            Self::RawTime
            | Self::Id
            | Self::Version
            | Self::Level
            | Self::Opcode
            | Self::Task
            | Self::Keywords
            | Self::Channel
            | Self::Cpu
            | Self::Activity
            | Self::RelatedActivity
            | Self::Kind => self.in_header(event, schema).into(),
            _ => Settled::Open,
        }
    }
}

impl ProviderGuids {
    fn of_event(event: &Event<'_>) -> Self {
        Self { provider: event.provider_guid(), header: event.raw.provider() }
    }
}

/// Returns the GUID of the event class, for classic events whose provider has another GUID.
pub(crate) fn task_guid(event: &Event<'_>) -> Option<Guid> {
    let ProviderGuids { provider, header } = ProviderGuids::of_event(event);
    (event.raw.kind() == Kind::Classic && header != provider && !header.is_null()).then_some(header)
}

/// Returns whether events of this schema may have a message.
pub(super) fn has_message(schema: Option<&Schema>) -> bool {
    layouts(schema).any(|schema| schema.message().is_some())
}

fn provider(name: Option<&str>, guids: ProviderGuids) -> Option<HeaderValue<'_>> {
    (name.is_some() || !guids.provider.is_null()).then_some(HeaderValue::Provider { name, guids })
}

fn provider_guid<'e>(guids: ProviderGuids) -> Option<HeaderValue<'e>> {
    (!guids.provider.is_null()).then_some(HeaderValue::ProviderGuid(guids))
}

fn event_name(schema: Option<&Schema>) -> Option<HeaderValue<'_>> {
    schema.and_then(Schema::name).map(text)
}

#[inline]
fn text(text: &str) -> HeaderValue<'_> {
    HeaderValue::Text(Cow::Borrowed(text))
}

/// Always a value; an option because its callers return one.
#[inline]
#[expect(clippy::unnecessary_wraps, reason = "its callers return options")]
fn number(value: impl Into<u64>, name: Option<&str>) -> Option<HeaderValue<'_>> {
    Some(HeaderValue::Number { value: value.into(), name })
}

/// The names that stand beside numbers of the header.
fn number_names(schema: &Schema) -> [Option<&str>; 3] {
    let Names { opcode, task, channel, .. } = schema.names();
    [opcode.as_deref(), task.as_deref(), channel.as_deref()]
}

/// Returns whether something is the same in all layouts of a schema, so that it does not matter which one fits.
fn layouts_agree<'s, T: PartialEq>(schema: Option<&'s Schema>, of: impl Fn(&'s Schema) -> T) -> bool {
    let mut all = layouts(schema).map(of);
    all.next().is_none_or(|first| all.all(|other| other == first))
}
