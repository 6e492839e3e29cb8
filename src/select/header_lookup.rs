//! Which events have a header field, and its value: the one place that decides it.
//!
//! Values are looked for in three stages, each of which costs more than the one before it: what is known of the event's
//! type, the raw header, the decoded event. A stage answers [`Settled::Open`] where the next one must be asked.

use std::borrow::Cow;

use crate::decode::{Attribution, Event};
use crate::event::{Kind, RawEvent};
use crate::schema::{Names, Schema};
use crate::system::System;

use super::header_field::HeaderField;
use super::header_value::HeaderValue;
use super::schema_paths::layouts;
use super::type_facts::{EventContext, TypeFacts};

/// What a stage knows of a header field.
#[derive(Clone, Debug)]
pub(crate) enum Settled<'e> {
    /// The next stage must be asked.
    Open,
    /// The event does not have it.
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

impl<'e> Settled<'e> {
    /// The value; `None` if there is none, or if it is not known yet.
    #[inline]
    pub(crate) fn value(self) -> Option<HeaderValue<'e>> {
        match self {
            Self::Value(value) => Some(value),
            Self::Open | Self::Absent => None,
        }
    }
}

impl HeaderField {
    /// Returns the value of an event's header field; `None` if the event does not have it.
    pub(crate) fn value<'e>(
        self,
        event: &Event<'e>,
        facts: &'e TypeFacts<'_>,
        context: EventContext<'e>,
    ) -> Option<HeaderValue<'e>> {
        match self.of_type(facts) {
            Settled::Value(value) => Some(value),
            Settled::Absent => None,
            Settled::Open => self.of_event(event, context),
        }
    }

    /// Looks for a value that is the same for all events of a type.
    pub(crate) fn of_type<'e>(self, facts: &'e TypeFacts<'_>) -> Settled<'e> {
        let guids = facts.guids;
        match self {
            Self::Provider => {
                let name = facts.provider.as_deref();
                let is_known = name.is_some() || !guids.provider.is_null();
                is_known.then_some(HeaderValue::Provider { name, guids }).into()
            }
            Self::ProviderGuid => (!guids.provider.is_null()).then_some(HeaderValue::ProviderGuid(guids)).into(),
            Self::Event if layouts_agree(facts.schema, event_name) => full_name(facts.schema).into(),
            // Events of the kernel and of others can have the same class.
            Self::Kind if facts.kind != Kind::Classic => Settled::Value(HeaderValue::Text(facts.kind.name().into())),
            Self::Message if !has_message(facts.schema) => Settled::Absent,
            _ => Settled::Open,
        }
    }

    /// Looks for a value that is settled before the event is decoded; `schema` is the first of its type's layouts.
    pub(crate) fn before_decoding<'e>(self, event: &RawEvent<'_>, schema: Option<&'e Schema>) -> Settled<'e> {
        match self {
            Self::Opcode | Self::Task | Self::Channel if !layouts_agree(schema, number_names) => Settled::Open,
            // A field of the payload says whom the event is about.
            Self::Pid | Self::Tid if layouts(schema).any(|schema| schema.subject().process.is_some()) => Settled::Open,
            Self::Pid | Self::Tid => {
                let known = Attribution::of_header(event);
                if known.pid.is_none() || known.tid.is_none() {
                    return Settled::Open;
                }
                number(if self == Self::Pid { known.pid } else { known.tid }, None).into()
            }
            _ => self.of_header(event, schema),
        }
    }

    /// Looks for a value that the raw header has; the schema has names for it.
    #[inline]
    pub(crate) fn of_header<'e>(self, event: &RawEvent<'_>, schema: Option<&'e Schema>) -> Settled<'e> {
        if !self.is_in_header(event) {
            return Settled::Absent;
        }
        let names = schema.map(Schema::names);
        match self {
            Self::RawTime => Some(HeaderValue::Ticks(event.time())),
            Self::Id => number(Some(event.id()), None),
            Self::Version => number(Some(event.version()), None),
            Self::Level => number(Some(event.level()), None),
            Self::Opcode => number(Some(event.opcode()), names.and_then(|names| names.opcode.as_deref())),
            Self::Task => number(Some(event.task()), names.and_then(|names| names.task.as_deref())),
            Self::Channel => number(Some(event.channel()), names.and_then(|names| names.channel.as_deref())),
            Self::Keywords => Some(HeaderValue::Bits(event.keywords())),
            Self::Cpu => number(Some(event.processor()), None),
            Self::Activity => event.activity().map(HeaderValue::Guid),
            Self::RelatedActivity => event.related_activity().map(HeaderValue::Guid),
            Self::Kind => Some(HeaderValue::Text(event.kind_name().into())),
            _ => return Settled::Open,
        }
        .into()
    }

    /// Returns whether an event's kind of header has such a field at all.
    #[inline]
    fn is_in_header(self, event: &RawEvent<'_>) -> bool {
        match self {
            Self::Id => matches!(event.kind(), Kind::Manifest | Kind::TraceLogging | Kind::Wpp),
            Self::Version | Self::Opcode => !matches!(event.kind(), Kind::Wpp | Kind::Error),
            Self::Level => !matches!(event.kind(), Kind::Wpp | Kind::Error) && event.hook().is_none(),
            Self::Task | Self::Keywords | Self::Channel => event.described().is_some(),
            _ => true,
        }
    }

    /// Returns a value that may differ between the events of a type: all but the provider.
    #[inline]
    pub(crate) fn of_event<'e>(self, event: &Event<'e>, context: EventContext<'e>) -> Option<HeaderValue<'e>> {
        match self {
            Self::Pid | Self::Tid | Self::Process => {
                self.of_attribution(event.whose(context.system), &event.raw, context.system)
            }
            Self::Time => {
                let is_local = event.is_local_time();
                event.time.map(|filetime| HeaderValue::Time { filetime, is_local })
            }
            Self::Event => full_name(event.schema),
            Self::Schema => event.schema.map(|schema| HeaderValue::Text(Cow::Owned(schema.origin().to_string()))),
            Self::Message => event.schema.and_then(Schema::message).map(HeaderValue::Message),
            Self::Fields => event.schema.map(HeaderValue::Fields),
            Self::Extra => Some(event.remainder()).filter(|rest| !rest.is_empty()).map(HeaderValue::Bytes),
            _ => self.of_header(&event.raw, event.schema).value(),
        }
    }

    /// Returns the process id, its name or the thread id of an event whose attribution is known.
    #[inline]
    pub(crate) fn of_attribution<'e>(
        self,
        whose: Attribution,
        event: &RawEvent<'_>,
        system: &'e System,
    ) -> Option<HeaderValue<'e>> {
        match self {
            Self::Pid => number(whose.pid, None),
            Self::Tid => number(whose.tid, None),
            Self::Process => system.process_name_at(whose.pid?, event).map(|name| HeaderValue::Text(name.into())),
            _ => None,
        }
    }
}

#[inline]
fn number(value: Option<impl Into<u64>>, name: Option<&str>) -> Option<HeaderValue<'_>> {
    value.map(|value| HeaderValue::Number { value: value.into(), name })
}

/// `Task/Opcode`.
fn full_name<'e>(schema: Option<&Schema>) -> Option<HeaderValue<'e>> {
    schema?.names().full().map(|name| HeaderValue::Text(Cow::Owned(name)))
}

/// Returns whether events of this type may have a message.
pub(super) fn has_message(schema: Option<&Schema>) -> bool {
    layouts(schema).any(|schema| schema.message().is_some())
}

/// Names, absent ones as `None`.
type SomeNames<'n> = [Option<&'n str>; 3];

/// Returns whether these names are the same in all layouts, so that it does not matter which one fits the event.
fn layouts_agree(schema: Option<&Schema>, names: fn(&Names) -> SomeNames<'_>) -> bool {
    let mut all = layouts(schema).map(|schema| names(schema.names()));
    all.next().is_none_or(|first| all.all(|names| names == first))
}

/// What the event's full name is made of.
fn event_name(names: &Names) -> SomeNames<'_> {
    [names.task.as_deref(), names.opcode.as_deref(), names.event.as_deref()]
}

/// The names that stand beside numbers of the header.
fn number_names(names: &Names) -> SomeNames<'_> {
    [names.opcode.as_deref(), names.task.as_deref(), names.channel.as_deref()]
}
